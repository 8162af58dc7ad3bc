"""The walker under pushes: single ones from all sides, trains, and an hour of pushes [Coros10 §5.3.2, §5.6]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from poise.controllers.walker.plan import read_leg_lengths_m, read_step_plan
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import (
    PUSHED_MPS,
    STEP_S,
    WALK,
    Progress,
    find_limits,
    make_own_row,
    make_scene,
    show_limits,
    show_share,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.pictures import make_plot
from poise.rollout.simulate import simulate
from poise.trials import PushTest, TrainOutcome, heartbeat, push_matrix, push_train, run_trials
from poise.trials.steady import run_until_fall
from poise.world.disturbances import Push

FORCE_N, PUSH_S = 600.0, 0.1
#: Share of pushes to survive with legs that cannot pass through each other.
LEGS_SURVIVE = 120 / 128
#: Forces of push trains along the heading and across it.
ALONG_N, ACROSS_N = 170.0, 120.0
TRAIN_PUSHES, TRAIN_PUSH_S, TRAIN_EVERY_S = 10, 0.4, 4.0
HOUR_FORCE_N, HOUR_EVERY_S, HOUR_S = 300.0, 5.0, 3600.0
#: Longest step in leg lengths, from ankle to centre of mass; the strike may come shortly after the foot was planned.
REACH, REACH_MARGIN = 0.6, 0.05
SETTINGS = {
    "speed_mps": PUSHED_MPS,
    "force_n": FORCE_N,
    "push_s": PUSH_S,
    "directions": 16,
    "phases": 8,
    "timestep_s": STEP_S,
    "controller": WALK,
}


def _single_rows(quick: bool, seed: int, progress: Progress | None) -> list[Row]:
    parts = split_progress(progress, 3)
    test = PushTest(
        directions=4 if quick else 16, phases=2 if quick else 8, duration_s=PUSH_S, settle_s=5.0, after_s=5.0
    )
    walk = {"speed_mps": PUSHED_MPS}
    free = push_matrix(make_scene(quick, {**walk, "pass_legs": 1.0}, seed=seed), [FORCE_N], test, progress=parts[0])
    firm_scene = make_scene(quick, {**walk, "pass_legs": 0.0}, legs_collide=True, seed=seed)
    firm = push_matrix(firm_scene, [FORCE_N], test, progress=parts[1])
    limit_test = PushTest(
        directions=(0.0, 90.0, 180.0, 270.0) if quick else 8, phases=1 if quick else 4, duration_s=PUSH_S, settle_s=5.0,
        after_s=5.0,
    )  # fmt: skip
    limits = find_limits(
        make_scene(quick, {**walk, "pass_legs": 1.0}, seed=seed), limit_test, guess_n=FORCE_N,
        tolerance_n=300.0 if quick else 25.0, progress=parts[2],
    )  # fmt: skip
    # 120 of 128, and in the quick form 7 of 8.
    firm_holds = firm.survived >= math.floor(LEGS_SURVIVE * len(firm.outcomes))
    total, holds = len(free.outcomes), free.survived == len(free.outcomes)
    less = "" if limits is None else f"; limits: {show_limits(limits)}"
    return [
        make_row(
            "coros-5-push600",
            f"{show_share(free.survived, total)} survived, legs passing through each other as in the source{less}",
            holds,
            exceeded=holds and limits is not None and limits.least_n > FORCE_N,
            note="" if holds else "Not survived from every direction at every phase; see the picture.",
            plot=make_plot(free),
        ),
        make_own_row(
            "poise-walker-push-legs",
            "It survives the same pushes with legs that cannot pass through each other.",
            f"{LEGS_SURVIVE:.0%} of them",
            f"{show_share(firm.survived, len(firm.outcomes))} of {FORCE_N:g} N for {PUSH_S:g} s survived",
            firm_holds,
            note="" if firm_holds else "It trips over the stance leg, which the swing leg has to go around.",
        ),
    ]


def _train_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    """Largest force of a ladder at which it survives a whole train of pushes, from each side."""
    forces = (60.0,) if quick else (80.0, ACROSS_N, 140.0, ALONG_N, 200.0, 230.0)
    test = PushTest(directions=(0.0, 180.0, 90.0, 270.0), phases=1, duration_s=TRAIN_PUSH_S, settle_s=5.0, after_s=4.0)
    report = push_train(
        make_scene(quick, {"speed_mps": PUSHED_MPS}, seed=seed), forces, test,
        repeat=3 if quick else TRAIN_PUSHES, every_s=TRAIN_EVERY_S, progress=progress,
    )  # fmt: skip
    limits = {d: _climb([o for o in report.outcomes if o.direction_deg == d]) for d in test.directions_deg}
    names = {0.0: "forward", 180.0: "back", 90.0: "left", 270.0: "right"}
    shown = ", ".join(f"{names[d]} {n:g} N" for d, n in limits.items())
    asked = {0.0: ALONG_N, 180.0: ALONG_N, 90.0: ACROSS_N, 270.0: ACROSS_N}
    holds = all(limits[d] >= min(asked[d], forces[-1]) for d in limits)
    return make_own_row(
        "poise-walker-train",
        f"It survives {TRAIN_PUSHES} pushes of {TRAIN_PUSH_S:g} s, one every {TRAIN_EVERY_S:g} s.",
        f"{ALONG_N:g} N forward and back, {ACROSS_N:g} N to the sides",
        f"{report.repeat} pushes, largest of the forces from {forces[0]:g} to {forces[-1]:g} N: {shown}",
        holds,
        note="" if holds else "A force counts only if every smaller one that was tried is survived too.",
    )


def _climb(outcomes: Sequence[TrainOutcome]) -> float:
    """Last force before the first that makes it fall; 0 if the first one does."""
    limit = 0.0
    for outcome in sorted(outcomes, key=lambda o: o.force_n):
        if not outcome.survived:
            break
        limit = outcome.force_n
    return limit


def walk_and_push(quick: bool, seed: int, seconds: float) -> tuple[float | None, int]:
    """Time of the fall and number of pushes in a walk with a random push every few seconds."""
    rng = np.random.default_rng(seed)
    scene = make_scene(quick, {"speed_mps": PUSHED_MPS}, seed=seed)
    world, pushes = scene.open(), 0
    while world.time_s < seconds - 0.5 * HOUR_EVERY_S:
        force, direction, wait = (
            rng.uniform(0.0, HOUR_FORCE_N),
            rng.uniform(0.0, 360.0),
            rng.uniform(0.0, HOUR_EVERY_S - 0.5),
        )
        world.push(Push(float(force), float(direction), world.time_s + float(wait), PUSH_S))
        part = world.time_s / seconds
        fell = run_until_fall(world, scene, HOUR_EVERY_S, beat=lambda _, part=part: heartbeat(part))  # type: ignore[misc]
        pushes += 1
        if fell is not None:
            return fell, pushes
    return None, pushes


def _hour_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    seconds = 60.0 if quick else HOUR_S
    ((fell, pushes),) = run_trials([partial(walk_and_push, quick, seed, seconds)], progress)
    how = "no fall" if fell is None else f"fell at {fell:.0f} s"
    return make_own_row(
        "poise-walker-hour",
        f"It walks for an hour, pushed with up to {HOUR_FORCE_N:g} N for {PUSH_S:g} s every {HOUR_EVERY_S:g} s.",
        "3600 s without a fall",
        f"{seconds:g} s, {pushes} pushes: {how}",
        fell is None,
        note="" if fell is None else "It falls before the end.",
    )


def measure_recovery(quick: bool, seed: int, direction_deg: float, force_n: float) -> tuple[float, int | None, bool]:
    """Longest planned step (leg lengths from below the COM), steps until its speed recovers, and whether it fell."""
    scene = make_scene(quick, {"speed_mps": PUSHED_MPS, "pass_legs": 1.0}, seed=seed)
    world = scene.open()
    simulate(world, 5.0, record_hz=0.0, stop_on_fall=True, progress=heartbeat)
    world.push(Push(force_n, direction_deg, world.time_s, PUSH_S))
    leg_m = max(read_leg_lengths_m(world.params[0]))
    first, longest, back = read_step_plan(world.memories[0]).steps, 0.0, None
    ticks = round(0.005 / world.settings.timestep_s)
    for _ in range(round(5.0 / 0.005)):
        before, com = read_step_plan(world.memories[0]), world.percepts[0].com_w[:2].copy()
        world.step(ticks)
        heartbeat()
        if read_step_plan(world.memories[0]).steps != before.steps:
            percept = world.percepts[0]
            heading_rad = percept.heading_rad[0]
            longest = max(longest, float(np.abs(_in_heading(before.swing_ankle_w_m - com, heading_rad)).max()) / leg_m)
            speed = _in_heading(percept.com_vel_w[:2], heading_rad)
            if back is None and before.steps >= first and abs(speed[0] - PUSHED_MPS) < 0.3 and abs(speed[1]) < 0.3:
                back = before.steps + 1 - first
        if world.fell_at_s() is not None:
            return longest, None, True
    return longest, back, False


def _in_heading(vector: np.ndarray, heading_rad: float) -> np.ndarray:
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    return np.array([c * vector[0] + s * vector[1], c * vector[1] - s * vector[0]])


def _limit_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    forces = (300.0, FORCE_N) if quick else (150.0, 300.0, 450.0, FORCE_N)
    plan = [(d, f) for d in ((0.0, 90.0) if quick else (0.0, 90.0, 180.0, 270.0)) for f in forces]
    found = run_trials([partial(measure_recovery, quick, seed, *case) for case in plan], progress)
    longest = max(length for length, _, _ in found)
    counts = {f: [n for (_, g), (_, n, _) in zip(plan, found, strict=True) if g == f and n is not None] for f in forces}
    shown = ", ".join(f"{f:g} N: {np.mean(n):.1f}" if n else f"{f:g} N: falls" for f, n in counts.items())
    known = [float(np.mean(n)) for n in counts.values() if n]
    holds = longest <= REACH + REACH_MARGIN and len(known) > 1 and known[-1] > 1.0
    return make_row(
        "coros-5-step-limit",
        f"longest step {longest:.2f} leg lengths; mean steps until its speed is back within 0.3 m/s: {shown}; "
        f"{sum(fell for _, _, fell in found)} of {len(found)} pushes not survived",
        holds,
        note="In lengths of the longer leg, along and across the heading, as the bound is applied.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about pushes while walking, and our own requirements."""
    parts = split_progress(progress, 4)
    return [
        *_single_rows(quick, seed, parts[0]),
        _train_row(quick, seed, parts[1]),
        _hour_row(quick, seed, parts[2]),
        _limit_row(quick, seed, parts[3]),
    ]


EXPERIMENT = Experiment(
    "walker-pushes",
    "the walker under pushes from all sides: single, in trains, for an hour",
    measure,
    SETTINGS,
    ("coros-5-push600", "coros-5-step-limit"),
)
