"""Transitions between phases, their order, and calls, in simulation [Firmin15 §3.1, §3.4, §3.7]."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import pairwise, permutations
from typing import Final

import numpy as np

from poise.batches.threads import run_trials
from poise.language.load import LIBRARY, load_program
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.firmin.language_primitives import LEFT, RIGHT
from poise.reproduce.firmin.language_runs import (
    STAND,
    Course,
    build,
    build_shipped,
    follow,
    load_body,
    name_callees,
    open_world,
    run_text,
    write_phase,
    write_script,
)
from poise.world.disturbances import Push

#: A condition is evaluated once per tick, after the step.
TICK_S: Final = 0.0005
TIMES_S: Final = (0.05, 0.2, 0.7)
#: A strike needs 20 N, and a lift some time without load; a script senses any contact.
CONTACT_NEAR_S: Final = 0.01
TOLERANCES: Final = (1.0, 0.3, 0.05)
LIMITS_RAD: Final = (0.3, 0.6, 1.0)
#: Largest rotation of a falling trunk per tick.
LEAN_NEAR_RAD: Final = 0.01
COUNTS: Final = (0, 1, 3)
ARMS: Final = LEFT + RIGHT
#: All of these conditions hold while a body stands.
TRUE_AT_REST: Final = (
    "time 0", "contact lFoot", "nocontact rHand", "stable 3", "anglerange -1 1", "complete", "iterations 0",
)  # fmt: skip
#: Force and duration of a push on the trunk when the feet land after a backflip.
LANDING_N: Final = (200.0, 400.0, 600.0)
LANDING_S: Final = 0.2
#: Time by which the character must be up again; the quick form only checks the branches.
UP_S, QUICK_UP_S = 24.0, 8.5


def _time_row() -> Row:
    late = []
    for tick_s in (TICK_S, 2.0 * TICK_S):
        phases = [write_phase(k, STAND + ARMS, f"to({k + 1}).after(time {t})") for k, t in enumerate(TIMES_S)]
        course = run_text(write_script(*phases, write_phase(len(TIMES_S), STAND)), 1.5, timestep_s=tick_s)
        began = [course.reached_s(k) for k in range(len(TIMES_S) + 1)]
        began[0] = 0.0
        lasted = np.diff([b if b is not None else np.inf for b in began])
        late += [float(x) / tick_s for x in lasted - np.array(TIMES_S)]
    holds = min(late) >= -1e-6 and max(late) <= 2.001
    return make_row(
        "firmin-3-tr-time",
        f"{len(late)} phases of {TIMES_S[0]:g} to {TIMES_S[-1]:g} s with two time steps end {abs(min(late)):.0f} to "
        f"{max(late):.0f} ticks late",
        holds,
        note="" if holds else "Phases end too early or too late.",
    )


def _find_events(course: Course, kind: str) -> list[float]:
    return [e.time_s for e in course.recording.events if e.kind == kind]


def _contact_row() -> Row:
    course = follow(open_world(build_shipped("walk")), 10.0)
    gait = course.phases(depth=1)
    switched = [t for (_, before), (t, _) in pairwise(gait) if before in (1, 3)]
    strikes = np.array(_find_events(course, "strike"))
    off = [float(np.abs(strikes - t).min()) for t in switched]
    holds = len(off) >= 20 and max(off) <= CONTACT_NEAR_S
    return make_row(
        "firmin-3-tr-contact",
        f"{len(off)} phases of a walk that wait for a foot contact end within {1e3 * max(off):.1f} ms of the strike",
        holds,
        note="A strike counts from 20 N." if holds else "Phases end without a strike, or there are too few.",
    )


def _no_contact_row() -> Row:
    course = follow(open_world(build_shipped("hop")), 8.0)
    pushed, left = course.reached_s(2), course.reached_s(3)
    lifts = np.array(_find_events(course, "lift"))
    late = float("inf") if left is None or not len(lifts) else left - lifts[np.abs(lifts - left).argmin()]
    holds = pushed is not None and left is not None and left - pushed < 0.5 and abs(late) <= CONTACT_NEAR_S
    return make_row(
        "firmin-3-tr-nocontact",
        f"the push of a hop ends {1e3 * late:.1f} ms after the foot leaves the ground, {left or 0.0:.2f} s after the "
        "start",
        bool(holds),
        note="A contact counts as ended after 4 ms without touch, since contacts chatter here."
        if holds
        else "The push does not end with the contact.",
    )


def _wait_for_rest(tolerance: float) -> tuple[float, float]:
    """Time until a body that moved its arms is still, and the highest speed when the script detects it."""
    moved = write_phase(0, f"{STAND}{LEFT}\n POSE rShoulder(-1.2, 50, 2), rElbow(-.2, 100, 30), rWrist(0, 5, 3);",
                        "to(1).after(time .4)")  # fmt: skip
    wait = write_phase(1, STAND + LEFT, f"to(2).after(stable {tolerance:g})")
    world = open_world(build(write_script(moved, wait, write_phase(2, STAND))))
    world.advance(20_000, stop_on=["phase"])
    begun = world.time_s
    world.advance(20_000, stop_on=["phase"])
    percept = world.percepts[0]
    speed = max(float(np.abs(percept.joint_v).max()), float(np.linalg.norm(percept.com_vel_w)))
    return world.time_s - begun, speed


def _stable_row() -> Row:
    found = {e: _wait_for_rest(e) for e in TOLERANCES}
    waits = [wait for wait, _ in found.values()]
    holds = all(0.5 * e < speed <= 1.01 * e for e, (_, speed) in found.items()) and waits == sorted(waits)
    return make_row(
        "firmin-3-tr-stable",
        "; ".join(f"tolerance {e:g}: after {w:.2f} s, fastest joint {s:.3f} rad/s" for e, (w, s) in found.items()),
        holds and waits[0] > 0.0,
        note="" if holds else "It waits too long, or not long enough.",
    )


def _tip_over(sign: float, limit: float, word: str) -> float:
    """Lean of the trunk when a script detects that the body tips over."""
    stiff = STAND.replace("(2000, 250)", "(0, 0)") + ARMS
    text = write_script(write_phase(0, stiff, f"to(1).after(fallen {word} {limit:g})"), write_phase(1, stiff))
    world = open_world(build(text), pushes=[Push(150.0, 0.0 if sign > 0 else 180.0, 0.1, 0.1)])
    if not world.advance(8_000, stop_on=["phase"])[1]:
        return float("inf")
    turn = world.percepts[0].rot_w[load_body().parts["uTorso"]]
    return math.atan2(turn[2], turn[8])


def _fallen_row() -> Row:
    ways = ((1, ">"), (-1, "<"), (1, "x"), (-1, "x"))
    tries = [(sign, limit, word) for limit in LIMITS_RAD for sign, word in ways]
    leans = [_tip_over(sign, sign * limit if word != "x" else limit, word) for sign, limit, word in tries]
    past = [sign * lean - limit for (sign, limit, _), lean in zip(tries, leans, strict=True)]
    holds = min(past) >= -1e-9 and max(past) < LEAN_NEAR_RAD
    return make_row(
        "firmin-3-tr-fallen",
        f"{len(tries)} bodies tipped forward and backward, limits of {LIMITS_RAD[0]:g} to {LIMITS_RAD[-1]:g} rad: "
        f"detected {min(past):.3f} to {max(past):.3f} rad past the limit",
        holds,
        note="" if holds else "A fall is detected elsewhere, or not at all.",
    )


def _iterations_row() -> Row:
    cycles = {}
    for count in COUNTS:
        text = (
            "SCRIPTS _gait.ctl;\nBEGINSCRIPT a(void)\nPHASE 0\n    > _gait.ctl(.25, 0, -1.9, -.37, 0, .02, -.4, .04,"
            f" 1.12, .05, .05, .1, -.02, .2);\n    TRANSITION to(1).after(iterations {count});\nENDPHASE\n"
            f"{write_phase(1, STAND)}ENDSCRIPT\n"
        )
        course = run_text(text, 5.0)
        inner = [phase for _, phase in course.phases(depth=1)]
        cycles[count] = sum(a == 3 for a in inner) if course.reached_s(1) is not None else -1
    holds = all(done == count + 1 for count, done in cycles.items())
    return make_row(
        "firmin-3-tr-iter",
        "; ".join(f"iterations {count}: {done} cycles of steps" for count, done in cycles.items()),
        holds,
        note="N + 1 runs, as the counts in the author's scripts imply." if holds else "The number of runs differs.",
    )


def _first_wins(pair: tuple[str, str]) -> bool:
    first, second = pair
    rest = write_phase(0, STAND + ARMS, "to(1).after(time .3)")
    both = write_phase(1, STAND + ARMS, f"to(2).after({first})", f"to(3).after({second})")
    course = run_text(write_script(rest, both, write_phase(2, STAND), write_phase(3, STAND)), 0.4)
    return course.reached_s(2) is not None and course.reached_s(3) is None


def _order_row(quick: bool) -> Row:
    pairs = list(permutations(TRUE_AT_REST[:3] if quick else TRUE_AT_REST, 2))
    won = sum(run_trials([partial(_first_wins, pair) for pair in pairs]))
    return make_row(
        "firmin-3-order",
        f"for {won} of {len(pairs)} ordered pairs of conditions that hold simultaneously in a body at rest, the first "
        "is taken",
        won == len(pairs),
        note="" if won == len(pairs) else "A later condition was taken before an earlier one.",
    )


def count_callers() -> Counter[str]:
    """Number of shipped scripts that call each script directly."""
    found: Counter[str] = Counter()
    for path in sorted(LIBRARY.glob("*.ctl")):
        found.update({call.script.text for phase in load_program(path).script.phases for call in phase.calls})
    return found


def _speed_of(name: str) -> float:
    record = follow(open_world(build_shipped(name)), 8.0).recording
    return float(record.com_vel_w_mps[record.time_s > 5.0, 0, 0].mean())


def _hierarchy_row(quick: bool) -> Row:
    # Fastest first.
    parents = ("walk", "backward-walk") if quick else ("fast-walk", "walk", "walk-in-place", "backward-walk")
    speeds = dict(zip(parents, run_trials([partial(_speed_of, name) for name in parents]), strict=True))
    callers = count_callers()
    shared = sum(count > 1 for count in callers.values())
    most, count = callers.most_common(1)[0]
    holds = all("_gait.ctl" in name_callees(name) for name in parents) and all(
        faster > slower + 0.1 for faster, slower in pairwise(speeds.values())
    )
    return make_row(
        "firmin-3-hier",
        f"one four-phase script called by {len(parents)} parents with different values: "
        + ", ".join(f"{name} {speed:.2f} m/s" for name, speed in speeds.items())
        + f"; {shared} shipped scripts have several callers, {most} has {count}",
        bool(holds),
        note="" if holds else "The values do not reach the called script.",
    )


def land(push_n: float, at_s: float, seconds: float) -> tuple[str, bool]:
    """Which branch the backflip takes when pushed on landing, and whether it stands at the end."""
    names = name_callees("backflip")
    pushes = [Push(abs(push_n), 0.0 if push_n > 0.0 else 180.0, at_s, LANDING_S)] if push_n else []
    course = follow(open_world(build_shipped("backflip"), pushes=pushes), seconds)
    branch = "rises"
    for _, stack in course.places:
        if len(stack) > 1 and names[stack[1].script] == "_get_up.ctl" and stack[1].phase in (1, 2):
            branch = "from the back" if stack[1].phase == 1 else "from the belly"
            break
    lean = float(course.lean_rad("uTorso")[-1])
    turn = lean - 2.0 * np.pi * round(lean / (2.0 * np.pi))
    return branch, bool(abs(turn) < 0.3 and course.recording.com_w_m[-1, 0, 2] > 0.85)


def _branch_row(quick: bool) -> Row:
    landed = follow(open_world(build_shipped("backflip")), 9.0).reached_s(5) or 0.0
    forces = (200.0, 0.0, -400.0) if quick else (*LANDING_N, 0.0, *(-f for f in LANDING_N))
    seconds = QUICK_UP_S if quick else UP_S
    found = dict(zip(forces, run_trials([partial(land, f, landed, seconds) for f in forces]), strict=True))
    expected = {f: "from the belly" if f > 0 else "from the back" if f < 0 else "rises" for f in forces}
    right = sum(found[f][0] == expected[f] for f in forces)
    shown = "; ".join(f"{f:+.0f} N: {b}{'' if up else f', not up after {seconds:g} s'}" for f, (b, up) in found.items())
    holds = right == len(forces) and found[0.0][1] and (quick or sum(up for _, up in found.values()) > 4)
    return make_row(
        "firmin-3-branch",
        f"pushed for {LANDING_S:g} s as its feet land: {shown}; {sum(up for _, up in found.values())} of {len(forces)} "
        "stand at the end",
        holds,
        note="Ours gets up from the belly via hands and knees, from the back by rolling over; the source's continues "
        "to crawling and lying."
        if holds
        else "The branch does not match the side on which it fell.",
    )


def measure_flow(quick: bool) -> Sequence[Row]:
    """Rows about the six conditions, their order, calls, and the branches of the backflip."""
    return [
        _time_row(),
        _contact_row(),
        _no_contact_row(),
        _stable_row(),
        _fallen_row(),
        _iterations_row(),
        _order_row(quick),
        _hierarchy_row(quick),
        _branch_row(quick),
    ]
