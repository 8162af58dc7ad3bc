"""The walker on slopes and bumps, and with steps to given points [Coros10 §5.3.2]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from poise.controllers.walker.plan import foothold_values, read_step_plan
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import (
    PUSHED_MPS,
    STEP_S,
    WALK,
    Progress,
    make_own_row,
    make_scene,
    show_share,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.trials import heartbeat, run_trial, run_trials
from poise.trials.steady import run_until_fall

SLOPE_DEG, BUMP_M, WALK_S = 8.0, 0.03, 30.0
#: Allowed distance between ankle and given point, and distance of that point from the undisturbed step.
NEAR_M, AWAY_M = 0.05, 0.1
#: Most consecutive steps to given points; the source does one or two.
MOST_STEPS = 3
SETTINGS = {"slope_deg": SLOPE_DEG, "bump_m": BUMP_M, "walk_s": WALK_S, "timestep_s": STEP_S, "away_m": AWAY_M}


def _terrain_rows(quick: bool, seed: int, progress: Progress | None) -> list[Row]:
    seconds = 12.0 if quick else WALK_S
    slopes = [f"slope:angle_deg={s * a:g}" for a in ((SLOPE_DEG,) if quick else (3.0, 5.0, SLOPE_DEG)) for s in (1, -1)]
    bumps = [f"rough:amplitude_m={BUMP_M:g},seed={k}" for k in range(1 if quick else 6)]
    walls = [f"walls:height_m={BUMP_M:g},spacing_m={s:g},count=20" for s in ((0.7,) if quick else (0.5, 0.7, 1.0))]
    plan = [*slopes, *bumps, *walls]
    gaits = run_trials(
        [partial(run_trial, make_scene(quick, {"speed_mps": PUSHED_MPS}, terrain=t, seed=seed), seconds, settle_s=4.0)
         for t in plan],
        progress,
    )  # fmt: skip
    walked = {t: None if g.fell else g.speed_along_mps(0.0) for t, g in zip(plan, gaits, strict=True)}
    inclined = ", ".join(f"{t.split('=')[1]}°: {_show(walked[t])}" for t in slopes)
    flat = [t for t in (*bumps, *walls) if walked[t] is not None]
    on_slopes, on_bumps = all(walked[t] is not None for t in slopes), len(flat) == len(bumps) + len(walls)
    return [
        make_own_row(
            "poise-walker-slopes",
            f"It walks up and down {SLOPE_DEG:g}° with no information about the terrain.",
            f"{WALK_S:g} s without a fall",
            f"{seconds:g} s at {PUSHED_MPS:g} m/s: {inclined}",
            on_slopes,
            note="" if on_slopes else "See the measured figures.",
        ),
        make_own_row(
            "poise-walker-bumps",
            f"It walks over bumps and sills of {100 * BUMP_M:g} cm with no information about them.",
            f"{WALK_S:g} s without a fall",
            f"{seconds:g} s: random bumps {show_share(sum(t in flat for t in bumps), len(bumps))}, sills "
            f"{show_share(sum(t in flat for t in walls), len(walls))} without a fall",
            on_bumps,
            note="" if on_bumps else "See the measured figures.",
        ),
    ]


def _show(speed_mps: float | None) -> str:
    return "falls" if speed_mps is None else f"{speed_mps:.2f} m/s"


def place_steps(quick: bool, seed: int, count: int, ahead_m: float, aside_m: float) -> tuple[list[float], float | None]:
    """Distances (m) between given points and the ankles at touchdown, and the time of the fall.

    Each point is offset from the undisturbed step, which a separate run finds.
    """
    scene = make_scene(quick, {"speed_mps": PUSHED_MPS}, seed=seed)
    world = scene.open()
    tick_s = 0.004
    ticks = round(tick_s / world.settings.timestep_s)

    def step_on(strikes: int, seconds: float) -> list[np.ndarray]:
        """Positions of the ankles at the next strikes."""
        places: list[np.ndarray] = []
        for _ in range(round(seconds / tick_s)):
            before = read_step_plan(world.memories[0]).steps
            world.step(ticks)
            heartbeat()
            plan = read_step_plan(world.memories[0])
            if plan.steps != before:
                places.append(np.array(plan.stance_ankle_w_m))
                if len(places) == strikes:
                    break
        return places

    run_until_fall(world, scene, 5.0)
    step_on(1, 2.0)
    start = world.snapshot()
    usual = step_on(count, 4.0)
    world.restore(start)
    heading = float(world.percepts[0].heading_rad[0])
    shift = np.array([ahead_m * math.cos(heading) - aside_m * math.sin(heading),
                      ahead_m * math.sin(heading) + aside_m * math.cos(heading)])  # fmt: skip
    wanted = [place + shift for place in usual]
    found: list[np.ndarray] = []
    # The controller takes two points at a time; the next ones follow once these are used.
    while len(found) < len(wanted):
        batch = wanted[len(found) : len(found) + 2]
        points = [(float(x), float(y)) for x, y in batch]
        for name, value in foothold_values(points, read_step_plan(world.memories[0])).items():
            world.set_parameter(name, value)
        places = step_on(len(batch), 3.0)
        if not places:
            break
        found += places
    run_until_fall(world, scene, 6.0)
    errors = [float(np.linalg.norm(f - w)) for f, w in zip(found, wanted)]
    return errors, world.fell_at_s()


def _override_rows(quick: bool, seed: int, progress: Progress | None) -> list[Row]:
    shifts = ((AWAY_M, 0.0), (-AWAY_M, 0.0)) if quick else (
        (AWAY_M, 0.0), (-AWAY_M, 0.0), (0.0, 0.05), (0.0, -0.05), (0.5 * AWAY_M, 0.03), (0.0, 0.0),
    )  # fmt: skip
    plan = [(n, *s) for n in range(1, MOST_STEPS + 1) for s in shifts]
    # The quick form uses the time step of reported results as well: centimetres depend on it.
    found = run_trials([partial(place_steps, False, seed, *case) for case in plan], progress)
    walk_on, worst = {}, {}
    for n in range(1, MOST_STEPS + 1):
        mine = [(errors, fell) for (m, *_), (errors, fell) in zip(plan, found, strict=True) if m == n]
        walk_on[n] = sum(fell is None for _, fell in mine)
        worst[n] = max((e for errors, _ in mine for e in errors), default=math.inf)
    holds = all(walk_on[n] == len(shifts) for n in (1, 2))
    near = all(worst[n] <= NEAR_M for n in (1, 2))
    return [
        make_row(
            "coros-5-override",
            f"consecutive steps to points up to {100 * AWAY_M:g} cm from the usual ones: "
            + ", ".join(f"{n}: {show_share(c, len(shifts))} keep walking" for n, c in walk_on.items()),
            holds,
            exceeded=holds and walk_on[MOST_STEPS] == len(shifts),
            note="" if holds else "Required: no fall with one or two steps.",
        ),
        make_own_row(
            "poise-walker-footholds",
            "The foot lands on a given point in one or two consecutive steps.",
            f"within {100 * NEAR_M:g} cm, no fall",
            ", ".join(f"{n}: at most {100 * e:.1f} cm off" for n, e in worst.items()),
            holds and near,
            note="" if holds and near else "See the measured figures.",
        ),
    ]


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about terrain and given steps."""
    parts = split_progress(progress, 2)
    return [*_terrain_rows(quick, seed, parts[0]), *_override_rows(quick, seed, parts[1])]


EXPERIMENT = Experiment(
    "walker-ground",
    f"{WALK} on slopes and bumps, and with steps to given points",
    measure,
    SETTINGS,
    ("coros-5-override",),
)
