"""The feedback laws of the language, on and off [Firmin15 §3.3], and the printed walk [§3.7]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final

import numpy as np

from poise.batches.threads import run_trials
from poise.measures.steps import find_steps
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.firmin.language_primitives import LEFT, RIGHT
from poise.reproduce.firmin.language_runs import (
    STAND,
    build,
    build_shipped,
    follow,
    is_up,
    open_world,
    write_phase,
    write_script,
)
from poise.skills.poses import STEADY, change_start
from poise.world.controller import Controller
from poise.world.disturbances import Push, Spawn

WALK_S: Final = 10.0
STARTS, QUICK_STARTS = 5, 2
#: Time and duration of a push while standing, and when its result is judged.
PUSH_AT_S, PUSH_S, JUDGED_S = 1.5, 0.1, 5.0
MOST_PUSH_N, STEP_N, QUICK_STEP_N = 600.0, 20.0, 120.0
#: Push that standing with feedback must survive: about two newtons per kilogram.
LEAST_PUSH_N: Final = 120.0
#: Commanded speeds of the run.
SPEEDS_MPS: Final = (1.4, 1.6, 1.8, 2.0, 2.2, 2.4)
QUICK_SPEEDS_MPS: Final = (1.6, 2.2)
SPEED_GAIN, RUN_S, LAST_S = 75.0, 14.0, 5.0
SPEED_NEAR_MPS: Final = 0.25


def write_walk(cdo: float, cve: float, *, first_thigh: str = "-.5", arm: str = ".3") -> str:
    """The walk of §3.7 with other feedback gains; in the first two cycles the thigh is lifted by `first_thigh`."""
    call = "    > _gait.ctl(.3, 0.0, {}, {}, 0.0, 0.0, {}, .7, 1.1, .05, 0.05, 0.1, -.2, {});\n"
    first, rest = (call.format(cdo, cve, thigh, arm) for thigh in (first_thigh, "-.4"))
    return (
        f"SCRIPTS _gait.ctl;\nBEGINSCRIPT walk(void)\nPHASE 0\n{first}    TRANSITION to(1).after(iterations 1);\n"
        f"ENDPHASE\nPHASE 1\n{rest}    TRANSITION to(1).after(complete);\nENDPHASE\nENDSCRIPT\n"
    )


@dataclass(frozen=True)
class Walk:
    """Result of a walk."""

    up: bool
    steps: int
    speed_mps: float


@lru_cache(maxsize=64)
def walk(text: str, start: int) -> Walk:
    """A walk from a perturbed start, until it falls."""
    world = open_world(build(text))
    world.place(0, change_start(world.characters[0], "standing", STEADY, start), Spawn())
    course = follow(world, WALK_S, stop_on_fall=True)
    record = course.recording
    late = record.time_s > 0.5 * record.time_s[-1]
    steps = len(find_steps(record))
    return Walk(is_up(course), steps, float(record.com_vel_w_mps[late, 0, 0].mean()))


def _walk_all(text: str, starts: int) -> list[Walk]:
    return run_trials([partial(walk, text, 1 + k) for k in range(starts)])


def _show(walks: list[Walk]) -> str:
    up = sum(w.up for w in walks)
    if up == len(walks):
        return f"{up} of {len(walks)} walk for {WALK_S:g} s, at {np.mean([w.speed_mps for w in walks]):.2f} m/s"
    steps = [w.steps for w in walks if not w.up]
    return f"{up} of {len(walks)} walk for {WALK_S:g} s, the others fall after {min(steps)} to {max(steps)} steps"


def _simbicon_row(quick: bool) -> Row:
    ways = {"with both": (-2.2, -0.2), "without both": (0.0, 0.0)}
    if not quick:
        ways |= {"without cd": (0.0, -0.2), "without cv": (-2.2, 0.0)}
    found = {n: _walk_all(write_walk(*gains), QUICK_STARTS if quick else STARTS) for n, gains in ways.items()}
    holds = all(w.up for w in found["with both"]) and not any(w.up for w in found["without both"])
    speed_alone = not quick and all(w.up for w in found["without cd"])
    return make_row(
        "firmin-3-fb-simbicon",
        "; ".join(f"{name}: {_show(walks)}" for name, walks in found.items()),
        holds,
        note="It falls with the feedback, or walks without it."
        if not holds
        else "On level ground, the velocity gain alone keeps this walk up."
        if speed_alone
        else "",
    )


def _params_row(starts: int) -> Row:
    """The whole printed call with both readings of cve; our script has the arm swing as an additional argument."""
    found = {c: _walk_all(write_walk(-2.2, c, first_thigh="-.4", arm="0"), starts) for c in (-0.2, -2.0)}
    holds = all(w.up for w in found[-0.2]) and not any(w.up for w in found[-2.0])
    return make_row(
        "firmin-3-walk-params",
        "; ".join(f"cve = {c:g}: {_show(walks)}" for c, walks in found.items()),
        holds,
        note="The printed -2 has lost its decimal point: the author's script has -.2."
        if holds
        else "The walk with -.2 falls, or the one with -2 does not.",
    )


def _stand_text(cd: float, cv: float) -> str:
    return write_script(write_phase(0, STAND.replace("(2000, 250)", f"({cd:g}, {cv:g})") + LEFT + RIGHT))


def _survives(controller: Controller, force_n: float) -> bool:
    pushes = [Push(abs(force_n), 0.0 if force_n > 0.0 else 180.0, PUSH_AT_S, PUSH_S)] if force_n else []
    return is_up(follow(open_world(controller, pushes=pushes), JUDGED_S, stop_on_fall=True))


def find_push_limit_n(controller: Controller, sign: float, step_n: float) -> float | None:
    """Largest push before the first that makes a standing body fall; None if it falls without a push."""
    if not _survives(controller, 0.0):
        return None
    force_n = 0.0
    while force_n < MOST_PUSH_N and _survives(controller, sign * (force_n + step_n)):
        force_n += step_n
    return force_n


def _balance_row(quick: bool) -> Row:
    step_n = QUICK_STEP_N if quick else STEP_N
    stands = {
        "2000, 250": build(_stand_text(2000, 250)),
        "3000, 250": build(_stand_text(3000, 250)),
        "none": build(_stand_text(0, 0)),
        "script/stand": build_shipped("stand"),
    }
    names = ("2000, 250", "none") if quick else tuple(stands)
    jobs = [(name, sign) for name in names for sign in (1.0, -1.0)]
    limits = dict(
        zip(jobs, run_trials([partial(find_push_limit_n, stands[n], s, step_n) for n, s in jobs]), strict=True)
    )
    ahead, back = limits["2000, 250", 1.0], limits["2000, 250", -1.0]
    alone = limits["none", 1.0]
    holds = ahead is not None and back is not None and alone is None and min(ahead, back) >= LEAST_PUSH_N

    def show(name: str) -> str:
        a, b = limits[name, 1.0], limits[name, -1.0]
        return "falls without a push" if a is None or b is None else f"{a:.0f} N forward, {b:.0f} N backward"

    words = {"none": "the same pose without feedback", "script/stand": "script/stand, which also steps"}
    return make_row(
        "firmin-3-fb-balance",
        f"pushes of {PUSH_S:g} s on the trunk: "
        + "; ".join(f"{words.get(n, 'gains ' + n)}: {show(n)}" for n in names)
        + f"; in steps of {step_n:g} N",
        holds,
        note="" if holds else "It falls too early, or stands without feedback.",
    )


def _run_speed_mps(speed: float, gain: float) -> float | None:
    """Speed that the run settles at; None if it falls."""
    text = (
        "SCRIPTS _run_gait.ctl;\nSET TORQUELIMIT = 370\nBEGINSCRIPT run(void)\nPHASE 0\n    > _run_gait.ctl(.2, 0, -.3,"
        f" .1, -1.1, 2.2, .05, -.2, -.27, {speed:g}, {gain:g});\nENDPHASE\nENDSCRIPT\n"
    )
    course = follow(open_world(build(text)), RUN_S, stop_on_fall=True)
    record = course.recording
    last = record.time_s > RUN_S - LAST_S
    return float(record.com_vel_w_mps[last, 0, 0].mean()) if is_up(course) else None


def _velocity_row(quick: bool) -> Row:
    asked = QUICK_SPEEDS_MPS if quick else SPEEDS_MPS
    *found, free = run_trials([partial(_run_speed_mps, v, SPEED_GAIN) for v in asked] + [partial(_run_speed_mps, 2, 0)])
    shown = ", ".join(f"{v:g}: {'falls' if m is None else f'{m:.2f}'}" for v, m in zip(asked, found, strict=True))
    got = [m for m in found if m is not None]
    whole = len(got) == len(asked)
    off = max((abs(m - v) for v, m in zip(asked, got, strict=False)), default=np.inf)
    grows = all(b > a for a, b in pairwise(got))
    slope = float(np.polyfit(asked, got, 1)[0]) if whole else 0.0
    holds = whole and grows and off <= SPEED_NEAR_MPS
    return make_row(
        "firmin-3-fb-velocity",
        f"a run with VFSFB({SPEED_GAIN:g}), commanded and measured m/s: {shown}; slope {slope:.2f}, error at most "
        f"{off:.2f}; without it {'it falls' if free is None else f'{free:.2f} m/s'}",
        bool(holds),
        note="The gait's own foot placement also acts on the speed." if holds else "The speed is not held.",
    )


def measure_feedback(quick: bool) -> list[Row]:
    """Rows about the feedback of gait, stand and run, and both readings of the printed walk."""
    starts = QUICK_STARTS if quick else STARTS
    return [_simbicon_row(quick), _params_row(starts), _balance_row(quick), _velocity_row(quick)]
