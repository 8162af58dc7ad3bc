"""Scripts for the language experiments: from text to a world, and the phases over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.batches.threads import heartbeat
from poise.characters.model import Character
from poise.constants import DEFAULT_TIMESTEP_S
from poise.controllers.script.build import CHARACTER, build_controller
from poise.language.load import LIBRARY, load_program
from poise.language.names import Body
from poise.recordings.recording import Recording
from poise.rollout.run import Until, Watch, run
from poise.rollout.scene import Scene
from poise.rollout.simulate import make_recording
from poise.skills.moment import Place, find_places
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.disturbances import Push
from poise.world.props import Prop
from poise.world.tape import TapeLog
from poise.world.world import World

FloatArray = NDArray[np.float64]
RECORD_HZ: Final = 200.0

#: Standing as in `_stand.ctl`, without its steps; arms and hands are left to the user of this text.
STAND: Final = """
        POSE waist(0, 600, 30), lTorso2uTorso(0, 600, 30), neck2head(0, 1000, 100), uTorso2neck(0, 100, 10);
        POSE lHip(0, 1000, 100), rHip(0, 1000, 100), lKnee(.05, 1000, 100), rKnee(.05, 1000, 100);
        POSE lAnkle(0), rAnkle(0);
        VFFB uTorso(2000, 250).by(lAnkle).over(cop);
        VFFB uTorso(2000, 250).by(rAnkle).over(cop);"""


def write_phase(number: int, actions: str, *transitions: str) -> str:
    """A phase of the language; without transitions it never ends."""
    ways = "".join(f"    TRANSITION {way};\n" for way in transitions)
    return f"PHASE {number}\n    ACTIONS\n{actions}\n    ENDACTIONS\n{ways}ENDPHASE\n"


def write_script(*phases: str, head: str = "") -> str:
    """A script of some phases, without parameters."""
    return f"{head}BEGINSCRIPT tried(void)\n{''.join(phases)}ENDSCRIPT\n"


@lru_cache(maxsize=1)
def load_body() -> Body:
    """The language's names for the parts of its body."""
    return Body(load_character())


@lru_cache(maxsize=1)
def load_character() -> Character:
    """The character that the language was designed for."""
    return load_any_character(CHARACTER)


def build(text: str, others: Mapping[str, str] | None = None) -> Controller:
    """The controller of a script text, with other files beside it."""
    with TemporaryDirectory() as folder:
        for name, other in (others or {}).items():
            Path(folder, name).write_text(other)
        path = Path(folder, "tried.ctl")
        path.write_text(text)
        return build_controller(path, load_character(), "tried")


def build_shipped(name: str) -> Controller:
    """The controller of a shipped script."""
    return build_controller(LIBRARY / f"{name}.ctl", load_character(), name)


def name_callees(name: str) -> list[str]:
    """The scripts that a shipped one can run, itself first, indexed by `Place.script`."""
    return load_program(LIBRARY / f"{name}.ctl").called()


@dataclass(frozen=True, eq=False)
class Course:
    """A run: its recording, the position of the script over time, and the wall time of the loop."""

    recording: Recording
    #: The stack from each time on, the main script first; empty once it has ended.
    places: tuple[tuple[float, tuple[Place, ...]], ...]
    loop_s: float
    diverged: bool = False

    def phases(self, depth: int = 0) -> list[tuple[float, int]]:
        """(time, phase) of each phase change of the script at a stack depth; -1 while the stack is shallower."""
        found: list[tuple[float, int]] = []
        for time_s, stack in self.places:
            phase = stack[depth].phase if len(stack) > depth else -1
            if not found or found[-1][1] != phase:
                found.append((time_s, phase))
        return found

    def reached_s(self, phase: int) -> float | None:
        """When the main script first reached a phase."""
        return next((time_s for time_s, here in self.phases() if here == phase), None)

    def angle_rad(self, joint: str) -> FloatArray:
        """Angle of a joint over time with the scripts' sign, (F,)."""
        body = load_body()
        axis = body.joints[joint]
        return body.sign(axis) * self.recording.joint_q_rad[:, axis]

    def lean_rad(self, part: str) -> FloatArray:
        """Angle of a part in the world with the scripts' sign, unwrapped, (F,)."""
        quat = self.recording.segment_quat_wxyz[:, load_body().parts[part]]
        return np.asarray(np.unwrap(2.0 * np.arctan2(quat[:, 2], quat[:, 0])))


def open_world(
    controller: Controller,
    *,
    pushes: Sequence[Push] = (),
    props: Sequence[Prop] = (),
    timestep_s: float = DEFAULT_TIMESTEP_S,
) -> World:
    """A world with the body upright on the language's ground."""
    physics = PhysicsSettings(timestep_s=timestep_s)
    world = Scene(controller, load_character(), physics=physics, props=props, pushes=pushes).open()
    world.warm_up()
    return world


def follow(world: World, seconds: float, *, stop_on_fall: bool = False) -> Course:
    """Run a world and note the position of its script at every phase change."""
    log, places = TapeLog(), [(world.time_s, find_places(world))]

    def look(world: World) -> None:
        heartbeat()
        places.append((world.time_s, find_places(world)))

    until: list[Until] = [seconds, "diverged", *(("down",) if stop_on_fall else ())]
    ending = run(world, until, watch=Watch(look, events=("phase",)), record_hz=RECORD_HZ, log=log)
    if ending.error is None:
        look(world)
    recording = make_recording(world, log, (), {})
    return Course(recording, tuple(places), world.loop_wall_s, ending.error is not None)


def run_text(text: str, seconds: float, **options: object) -> Course:
    """A run of a script from standing."""
    return follow(open_world(build(text), **options), seconds)  # type: ignore[arg-type]


def is_up(course: Course) -> bool:
    """Whether the body never fell."""
    return not course.diverged and not any(e.kind == "down" for e in course.recording.events)
