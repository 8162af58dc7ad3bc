"""The controller language: reading a long script, and running skills on firm ground."""

from __future__ import annotations

import time
from typing import Any, Final

from poise.language.parse import make_parser, parse_script
from poise.rollout.scene import Scene

LINES: Final = 1000
SKILLS: Final = ("script/stand", "script/walk", "script/run")
#: A phase of ten lines with most kinds of statement.
_PHASE: Final = """PHASE {k}
    ACTIONS
        POSE lHip(-.4, 300, 30), rHip(0), lKnee(linterp(dt, 0, 1, .05, 1.1)), rKnee(.05), lAnkle(.2, 300, 30);
        LIPOSE rShoulder(-1.5, 100, 10).time(.3);
        COMFB2 0 -.2 j lAnkle
        VPD rThigh(-.4, -300, -30).joint(rHip).flags(s);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to({k}).after(fallen x .6);
ENDPHASE
"""


def make_long_script() -> str:
    """A script of about a thousand lines."""
    phases = "".join(_PHASE.format(k=k) for k in range(LINES // 10))
    return f"BEGINSCRIPT long(dt)\n{phases}ENDSCRIPT\n"


def measure_scripts(seconds: float, repetitions: int) -> dict[str, Any]:
    """Seconds to read a long script, and simulated over processor time for skills at the default time step."""
    text = make_long_script()
    make_parser()
    factors = {}
    for skill in SKILLS:
        world = Scene(skill).open()
        world.warm_up()
        start = world.snapshot()
        ticks = round(seconds / world.settings.timestep_s)
        best = min(_time_run(world, start, ticks) for _ in range(repetitions))
        factors[skill] = seconds / best
    return {
        "lines": text.count("\n"),
        "read_s": min(_time(lambda: parse_script(text)) for _ in range(repetitions)),
        "realtime_factor": factors,
    }


def _time_run(world: Any, start: Any, ticks: int) -> float:
    world.restore(start)
    return _time(lambda: world.step(ticks))


def _time(job: Any) -> float:
    began = time.thread_time()
    job()
    return time.thread_time() - began
