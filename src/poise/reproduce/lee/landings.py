"""How the tracker responds to early and late landings [Lee10 §4.2].

Early and late landings are provoked: the ground under one foot rises or sinks while it swings, and is level again at
its next swing. The ground is a plane, so the contact points move within the foot instead, which is the same for a level
foot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.controllers.tracker import layout
from poise.motion.rotations import FloatArray, quat_conjugate, quat_multiply, quat_to_rotation_vector
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import Progress
from poise.reproduce.experiment import Row
from poise.reproduce.lee.runs import WALKS, Run, Walk, find_limit, load_walk, open_walk
from poise.trials import heartbeat, run_trials
from poise.world.world import World

TICKS: Final = 30
#: First step with a hole, steps between holes, and number of holes.
FIRST_STEP, EVERY_STEPS, HOLES = 8, 6, 5
CHANGES_M: Final = tuple(0.01 * k for k in range(1, 9))
#: Change that every walk must survive; the source gives no figure.
ASKED_M: Final = 0.02
QUICK_WALK: Final = "march"
#: Fraction of the fragment after which the stance foot should have reached its angle [Lee10 §4.2].
ANKLE_PART: Final = 0.2


@dataclass(frozen=True)
class Now:
    """Current position of the law in the motion."""

    done: int
    frame: float
    length: float
    stance: int


def look(world: World) -> Now:
    """Read which fragment is tracked, and the progress in it."""
    memory, params = world.memories[0], world.params[0]
    row = int(params[layout.FRAGMENT_TABLE]) + layout.FRAGMENT_ROW * int(memory[layout.FRAGMENT])
    stance = int(params[row + layout.STANCE])
    return Now(int(memory[layout.DONE]), float(memory[layout.FRAME]), float(params[row + layout.LENGTH]), stance)


@dataclass(frozen=True)
class Landings:
    """Landings over all steps of a walk."""

    #: Frames from the fragment's end to the landing: negative is early.
    offsets: tuple[float, ...]
    #: Largest rotation of a target joint from frame to frame: at landings, and elsewhere (rad).
    jump_rad: float
    else_rad: float
    #: Mean angle between stance foot and recording at landing, and after a fifth of the fragment (rad).
    foot_rad: tuple[float, float]


def _angles(a: FloatArray, b: FloatArray) -> FloatArray:
    angles: FloatArray = np.linalg.norm(quat_to_rotation_vector(quat_multiply(quat_conjugate(a), b)), axis=-1)
    return angles


def watch_landings(walk: Walk, seconds: float, seed: int) -> Landings:
    """Sample a walk once per frame."""
    world = open_walk(walk, Run(seconds, seed=seed))
    count = len(walk.character.segments)
    memory, track = world.memories[0], walk.track
    turns = track.reference.skeleton.compute_globals(track.reference.root_pos_m, track.reference.turns)[1]
    feet = track.reference.feet()
    offsets: list[float] = []
    jumps: dict[bool, list[float]] = {True: [0.0], False: [0.0]}
    tilts: dict[int, list[float]] = {0: [], 1: []}
    for k in range(round(seconds * 30.0)):
        before, last = look(world), memory[layout.LAST : layout.LAST + 4 * count].reshape(-1, 4).copy()
        if world.advance(TICKS, stop_on=["down"])[1]:
            break
        heartbeat(k / (30.0 * seconds))
        now, target = look(world), memory[layout.LAST : layout.LAST + 4 * count].reshape(-1, 4)
        landed = now.done > before.done
        if before.done > 1:
            jumps[landed].append(float(_angles(last, target).max()))
            if landed and before.stance < layout.BOTH:
                offsets.append(before.frame - before.length)
        part = now.frame / now.length
        if now.stance < layout.BOTH and now.done > 1 and (landed or ANKLE_PART <= part < ANKLE_PART + 1.0 / now.length):
            first = track.fragments[int(memory[layout.FRAGMENT])].first
            foot = feet[now.stance]
            due = turns[min(first + int(now.frame), len(turns) - 1), foot]
            tilts[0 if landed else 1].append(float(_angles(due, world.percepts[0].quat_w[foot])))
    means = tuple(float(np.mean(t)) if t else 0.0 for t in tilts.values())
    return Landings(tuple(offsets), max(jumps[True]), max(jumps[False]), (means[0], means[1]))


@dataclass(frozen=True)
class Steps:
    """Result of steps onto raised or lowered ground."""

    survived: bool
    #: Frames from the fragment's end to the landing: negative is early.
    offsets: tuple[float, ...]


def step_on(walk: Walk, drop_m: float, seed: int) -> Steps:
    """Walk with the ground lower by `drop_m` under the left foot in some steps; negative is higher."""
    world = open_walk(walk, Run(seed=seed))
    sole = world.ground_points(walk.character.roles["left_foot"])
    level, made, changed = sole.heights_b_m, -1, False
    offsets: list[float] = []
    for _ in range(30 * 60):
        before = look(world)
        in_swing = before.stance == layout.RIGHT and before.frame > 0.4 * before.length
        due = FIRST_STEP + EVERY_STEPS * len(offsets)
        if in_swing and not changed and before.done >= due and len(offsets) < HOLES:
            sole.heights_b_m, changed, made = level + drop_m, True, before.done
        elif in_swing and changed and before.done > made:
            sole.heights_b_m, changed = level, False
        if world.advance(TICKS, stop_on=["down"])[1]:
            return Steps(False, tuple(offsets))
        if before.done == made and look(world).done > made:
            offsets.append(before.frame - before.length)
        heartbeat(len(offsets) / HOLES)
        if before.done > FIRST_STEP + EVERY_STEPS * HOLES + 2:
            break
    return Steps(True, tuple(offsets))


def _find_change(walk: Walk, seeds: Sequence[int], sign: float) -> tuple[float, tuple[float, ...]]:
    """Largest drop (or rise, for a negative sign) survived from all starts, and the landings at it."""
    offsets: dict[float, tuple[float, ...]] = {}

    def holds(change_m: float) -> bool:
        found = [step_on(walk, sign * change_m, s) for s in seeds]
        offsets[change_m] = sum((f.offsets for f in found), ())
        return all(f.survived for f in found)

    limit, _ = find_limit(holds, CHANGES_M, from_index=2)
    return (0.0, ()) if limit is None else (limit, offsets[limit])


def _find_changes(
    quick: bool, seed: int, sign: float, progress: Progress | None
) -> dict[str, tuple[float, tuple[float, ...]]]:
    """Largest change survived, by clip; the quick form only tries the required one."""
    if quick:
        found = step_on(load_walk(QUICK_WALK), sign * ASKED_M, seed)
        return {QUICK_WALK: (ASKED_M if found.survived else 0.0, found.offsets)}
    jobs = [partial(_find_change, load_walk(name), (seed + 1,), sign) for name in WALKS]
    return dict(zip(WALKS, run_trials(jobs, progress), strict=True))


def _show(limits: Mapping[str, tuple[float, tuple[float, ...]]]) -> str:
    return ", ".join(f"{name} {100 * change:.0f} cm" for name, (change, _) in limits.items())


def _show_most() -> str:
    return f"{100 * CHANGES_M[-1]:.0f} cm"


def measure_early_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    """Row about early landings."""
    names, seconds = ((QUICK_WALK,), 8.0) if quick else (WALKS, 15.0)
    found = run_trials([partial(watch_landings, load_walk(name), seconds, seed) for name in names])
    limits = _find_changes(quick, seed, -1.0, progress)
    usual, made = (np.array([o for part in parts for o in part] or [0.0]) for parts in (
        [f.offsets for f in found], [o for _, o in limits.values()]
    ))  # fmt: skip
    smooth = all(f.jump_rad <= f.else_rad for f in found)
    jump, rest = max(f.jump_rad for f in found), max(f.else_rad for f in found)
    feet = np.degrees(np.mean([f.foot_rad for f in found], axis=0))
    enough = min(rise for rise, _ in limits.values()) >= ASKED_M
    return make_row(
        "lee-4-early",
        f"largest unseen rise of the ground under a swing foot, {HOLES} in a row, tried up to {_show_most()}: "
        f"{_show(limits)}; {100 * float(np.mean(made < 0.0)):.0f} % of these landings are early, by up to "
        f"{-made.min(initial=0.0):.0f} frames ({100 * float(np.mean(usual < 0.0)):.0f} % of steps on level ground); "
        f"targets rotate by at most {jump:.2f} rad per frame at landings, {rest:.2f} elsewhere; stance feet are "
        f"{feet[0]:.0f}° off their angle at landing, {feet[1]:.0f}° after a fifth of the fragment",
        enough and smooth,
        note=f"Required of every walk: {100 * ASKED_M:g} cm, and no larger target rotations at landings than elsewhere."
        + ("" if enough else " The body falls over the foot that is stopped.")
        + ("" if smooth else " Targets jump."),
    )


def measure_late_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    """Row about late landings."""
    limits = _find_changes(quick, seed, 1.0, progress)
    offsets = np.array([o for _, part in limits.values() for o in part] or [0.0])
    holds = min(drop for drop, _ in limits.values()) >= ASKED_M
    return make_row(
        "lee-4-late",
        f"largest unseen drop of the ground under a swing foot, {HOLES} in a row, tried up to {_show_most()}: "
        f"{_show(limits)}; {100 * float(np.mean(offsets > 0.0)):.0f} % of these landings are late, by up to "
        f"{offsets.max():.0f} frames",
        holds,
        note=f"Required of every walk: {100 * ASKED_M:g} cm."
        + ("" if holds else " Walks that fall trip over the foot that stays behind."),
    )
