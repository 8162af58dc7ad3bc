"""The normal walk under trains of pushes, on the body of the source's push tests and on ours [Lee10 §5, §6].

Ten pushes of 0.4 s on the torso, one every 4 s, at eight phases of the step; a force counts as survived only if it
is at all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Final

import numpy as np

from poise.characters.catalog import load_character
from poise.characters.model import SIDES
from poise.controllers.tracker.cycle import Track
from poise.controllers.tracker.moves import UP
from poise.controllers.tracker.reference import RATE_HZ, Reference
from poise.controllers.tracker.spec import Gains
from poise.motion.rotations import compute_heading_rad, quat_about, quat_conjugate, quat_multiply, quat_slerp
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import Progress, make_own_row, split_progress
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.lee.runs import (
    BODY,
    HEAVY,
    NORMAL,
    TICK_S,
    Changes,
    Place,
    Run,
    Walk,
    find_limit,
    load_walk,
    open_walk,
)
from poise.rollout.run import Ticks, run
from poise.rollout.scene import Scene
from poise.trials import heartbeat, run_trials
from poise.trials.steady import run_until_fall
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Push
from poise.world.world import World

PUSH_S, EVERY_S, PUSHES, PHASES = 0.4, 4.0, 10, 8
QUICK_PUSHES, QUICK_PHASES = 2, 1
#: Phases on our own body, which the source does not push.
LIGHT_PHASES: Final = 2
#: By then a walk is steady.
SETTLE_S: Final = 6.0
GRID_N: Final = tuple(5.0 * k for k in range(1, 61))
#: Side of a push: direction of the force from the heading (degrees), and force that the source survives (N).
SIDES_N: Final[Mapping[str, tuple[float, float]]] = {
    "front": (180.0, 160.0), "rear": (0.0, 130.0), "right": (90.0, 80.0), "left": (270.0, 105.0),
}  # fmt: skip
#: The body of the push tests has stiffer joints and ground and more friction [Lee10 code], otherwise our gains.
HEAVY_CHANGES: Final[Changes] = {"track_kp": 40.0, "track_kv": 2.0 * 40.0**0.5}
#: The source's own gains [Lee10 Fig. 5], with our additions off.
SOURCE_CHANGES: Final[Changes] = asdict(Gains(
    track_kp=40.0, swing_speed_sagittal=0.05, swing_speed_coronal=0.25, swing_place_behind=1.7, swing_place_ahead=0.1,
    swing_place_coronal=0.3, ankle_speed=0.1, ankle_place=0.1, lift_m=0.04,
))  # fmt: skip
HEAVY_PLACE: Final = Place(friction=1.5, stiffness_npm=3000.0)
SIMBICON: Final = "simbicon/humanoid-walk"
SIMBICON_STEP_S: Final = 0.6
SETTINGS = {
    "walk": NORMAL,
    "push_s": PUSH_S,
    "every_s": EVERY_S,
    "pushes": PUSHES,
    "phases": PHASES,
    "timestep_s": TICK_S,
    "heavy": {"track_kp": 40.0, "friction": 1.5, "stiffness_npm": 3000.0},
    "simbicon": SIMBICON,
}


def open_pushed(walk: Walk, changes: Changes, place: Place) -> World:
    """World with a steady walk."""
    world = open_walk(walk, Run(changes=changes, place=place))
    world.advance(round(SETTLE_S / TICK_S), stop_on=["down"])
    return world


def find_step_s(walk: Walk) -> float:
    """Duration of a step of the cycle."""
    fragments = walk.track.fragments[max(walk.track.back_to, 0) :]
    return float(np.mean([f.last - f.first for f in fragments])) / RATE_HZ


def find_limit_n(
    quick: bool, walk: Walk, changes: Changes, place: Place, side: str, pushes: int, phases: int
) -> float | None:
    """Largest force of the grid from a side that is survived at all phases; None if it falls without a push."""
    world = open_pushed(walk, changes, place)
    if world.fell_at_s() is not None:
        return None
    start, step_s = world.snapshot(), find_step_s(walk)
    direction, asked = SIDES_N[side]
    order = list(range(phases))

    def survives(force_n: float) -> bool:
        for phase in list(order):
            world.restore(start)
            begin = world.time_s + step_s * phase / phases
            for k in range(pushes):
                world.push(Push(force_n, direction, begin + k * EVERY_S, PUSH_S))
            if not _stays_up(world, (pushes - 1) * EVERY_S + PUSH_S + EVERY_S + step_s):
                order.remove(phase)
                order.insert(0, phase)
                return False
        return True

    values = GRID_N if not quick else tuple(f for f in GRID_N if f in (0.25 * asked, 0.5 * asked, asked)) or (40.0,)
    index = min(range(len(values)), key=lambda k: abs(values[k] - 0.5 * asked))
    limit, _ = find_limit(survives, values, from_index=index)
    return 0.0 if limit is None else limit


def _stays_up(world: World, seconds: float) -> bool:
    return not run(world, [Ticks(900 * round(seconds)), "down", "diverged"], progress=heartbeat).failed


def flatten_feet(track: Track) -> Track:
    """The motion with level stance feet, blended in and out over a fifth of the swing."""
    reference, turns = track.reference, track.reference.turns.copy()
    part = np.zeros((reference.frames, len(SIDES)))
    for f in track.fragments:
        span = max(1, f.last - f.first)
        for k, side in enumerate(SIDES):
            frames = np.arange(f.first, f.last + 1)
            along = (frames - f.first) / span
            stands = f.stance in (side, "both")
            # A foot that lifts off returns to the recording; one that comes down leaves it.
            part[frames, k] = np.maximum(
                part[frames, k], 1.0 if stands else np.maximum(1.0 - 5.0 * along, 5.0 * along - 4.0)
            )
    part = np.clip(part, 0.0, 1.0)
    world = reference.skeleton.compute_globals(reference.root_pos_m, turns)[1]
    for k, foot in enumerate(reference.feet()):
        shank = reference.skeleton.parents[foot]
        level = quat_about(UP, compute_heading_rad(world[:, foot]))
        for n in range(reference.frames):
            turned = quat_slerp(world[n, foot], level[n], float(part[n, k]))
            turns[n, foot] = quat_multiply(quat_conjugate(world[n, shank]), turned)
    flat = Reference(reference.character, reference.root_pos_m, turns)
    return replace(track, reference=flat)


def find_simbicon_limit(side: str) -> float | None:
    """Largest force that SIMBICON's walk survives on its own body and ground; None if it falls without a push."""
    scene = Scene(SIMBICON, physics=PhysicsSettings(timestep_s=0.0005))
    world = scene.open()
    if run_until_fall(world, scene, SETTLE_S) is not None:
        return None
    start = world.snapshot()
    direction, asked = SIDES_N[side]

    def survives(force_n: float) -> bool:
        for part in (0.0, 0.5):
            world.restore(start)
            begin = world.time_s + part * SIMBICON_STEP_S
            for k in range(PUSHES):
                world.push(Push(force_n, direction, begin + k * EVERY_S, PUSH_S))
            if run_until_fall(world, scene, PUSHES * EVERY_S + SIMBICON_STEP_S) is not None:
                return False
        return True

    values = GRID_N[3::4]
    limit, _ = find_limit(survives, values, from_index=min(range(len(values)), key=lambda k: abs(values[k] - asked)))
    return 0.0 if limit is None else limit


Limits = Mapping[str, float | None]


def _show(limits: Limits) -> str:
    return ", ".join(f"{side} {'falls without a push' if n is None else f'{n:.0f} N'}" for side, n in limits.items())


def _value(limit: float | None) -> float:
    return 0.0 if limit is None else limit


def _find_all(
    quick: bool, cases: Mapping[str, tuple[Walk, Changes, Place]], progress: Progress | None
) -> dict[str, dict[str, float | None]]:
    """Limits of all cases from all sides."""
    pushes, phases = (QUICK_PUSHES, QUICK_PHASES) if quick else (PUSHES, PHASES)
    plan = [(case, side) for case in cases for side in SIDES_N]
    few = {"light": min(LIGHT_PHASES, phases)}
    jobs = [partial(find_limit_n, quick, *cases[case], side, pushes, few.get(case, phases)) for case, side in plan]
    limits: dict[str, dict[str, float | None]] = {case: {} for case in cases}
    for (case, side), limit in zip(plan, run_trials(jobs, progress), strict=True):
        limits[case][side] = limit
    return limits


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about pushes."""
    parts = split_progress(progress, 2)
    heavy, light = load_walk(NORMAL, load_character(HEAVY)), load_walk(NORMAL, load_character(BODY))
    cases: dict[str, tuple[Walk, Changes, Place]] = {"heavy": (heavy, HEAVY_CHANGES, HEAVY_PLACE)}
    if not quick:
        cases["source"] = (heavy, SOURCE_CHANGES, HEAVY_PLACE)
        cases["flat"] = (replace(heavy, track=flatten_feet(heavy.track)), SOURCE_CHANGES, HEAVY_PLACE)
        cases["light"] = (light, {}, Place())
    limits = _find_all(quick, cases, parts[0])
    rows = []
    for side, (_, asked) in SIDES_N.items():
        found = limits["heavy"][side]
        holds = _value(found) >= asked
        rows.append(
            make_row(
                f"lee-5-push-{side}",
                _show({"largest force": found}),
                holds,
                exceeded=holds and _value(found) > asked,
                note=f"{heavy.character.mass_kg:.1f} kg, our gains, with the ground, friction and stiffness of the "
                "released push test; largest force of a 5 N grid that is survived at 8 phases."
                + ("" if quick else f" With the source's gains alone: {_show({side: limits['source'][side]})}."),
            )
        )
    if quick:
        return rows
    simbicon = run_trials([partial(find_simbicon_limit, side) for side in SIDES_N], parts[1])
    sides = dict(zip(SIDES_N, simbicon, strict=True))
    return [*rows, _flat_row(limits), _compare_row(limits, sides), _light_row(light, limits["light"])]


def _flat_row(limits: Mapping[str, Limits]) -> Row:
    gains = [_value(limits["flat"][side]) - _value(limits["source"][side]) for side in SIDES_N]
    mean = float(np.mean(gains))
    holds = mean >= 10.0
    return make_row(
        "lee-6-flat-foot",
        f"with stance feet kept level: {_show(limits['flat'])}; as recorded: {_show(limits['source'])}; on average "
        f"{mean:+.0f} N",
        holds,
        exceeded=mean > 20.0,
        note="With the source's gains alone. The clip is edited: stance feet are level, blended in and out over a "
        "fifth of the swing."
        + (
            ""
            if holds
            else " Required: 10 N more on average. The walker that made our clips lands with nearly level feet."
        ),
    )


def _compare_row(limits: Mapping[str, Limits], simbicon: Limits) -> Row:
    body = load_character("humanoid")
    mean, other = (float(np.mean([_value(n) for n in found.values()])) for found in (limits["source"], simbicon))
    weight, other_weight = load_character(HEAVY).mass_kg, body.mass_kg
    holds = mean < other and mean / weight < other / other_weight
    return make_row(
        "lee-5-compare",
        f"{PUSHES} pushes of {PUSH_S:g} s, one every {EVERY_S:g} s: tracker {_show(limits['source'])}; SIMBICON "
        f"{_show(simbicon)}; on average {mean:.0f} and {other:.0f} N, {mean / weight:.2f} and "
        f"{other / other_weight:.2f} N/kg",
        holds,
        note=f"The tracker with the source's gains alone; `{SIMBICON}` on its body of {other_weight:.0f} kg and its "
        "ground, with a 20 N grid and two phases; the walk of "
        "Wang et al. is not available." + ("" if holds else " Required: less than SIMBICON, by force and by weight."),
    )


def _light_row(walk: Walk, limits: Limits) -> Row:
    least = min(_value(n) for n in limits.values())
    return make_own_row(
        "poise-tracker-push-light",
        f"The normal walk also survives trains of pushes on the body of {walk.character.mass_kg:g} kg.",
        "40 N from every side",
        _show(limits),
        least >= 40.0,
        note="With shipped gains, at two phases."
        + ("" if least >= 40.0 else " Required: half of the source's least force on half of the weight."),
    )


EXPERIMENT = Experiment(
    "lee/pushes",
    "trains of pushes on the normal walk, level stance feet, and SIMBICON for comparison",
    measure,
    SETTINGS,
    (*(f"lee-5-push-{side}" for side in SIDES_N), "lee-6-flat-foot", "lee-5-compare"),
)
