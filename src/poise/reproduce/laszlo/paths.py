"""Limit cycles that walk to points and along paths by turning towards them [Laszlo96 §5.3.1]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from poise.characters.catalog import load_character
from poise.controllers.catalog import default_character, read_controller_file
from poise.controllers.limit_cycle.spec import build_from_table
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.laszlo.pictures import plot_paths
from poise.reproduce.laszlo.runs import SERVO, WALK, Progress, Values, Walk, find_balancer, open_walk, run_to_step
from poise.trials import run_trials
from poise.world.controller import Controller

Points = Sequence[tuple[float, float]]

POINTS, POINT_M, REACHED_M = 8, 6.0, 0.5
#: Most steps to a point, and along a path.
POINT_STEPS, PATH_STEPS = 60, 200
#: Corners of closed paths; a corner is passed at slightly more than the tightest circle's diameter.
WIDE_M: Final = ((12.0, 0.0), (12.0, 12.0), (0.0, 12.0), (0.0, 0.0))
SMALL_M: Final = ((5.0, 0.0), (5.0, 5.0), (0.0, 5.0), (0.0, 0.0))
#: Largest turn of the feet and distance at which a point is passed, without and with a held torso.
FREE: Final[Values] = {"target": 0.3, "strategy": "LF", "follow": "yes", "turn_most_deg": 8.0, "near_m": 5.2}
HELD: Final[Values] = {
    **SERVO, "target": 0.3, "strategy": "LF", "follow": "yes", "turn_most_deg": 16.0, "near_m": 1.6,
}  # fmt: skip
PATH_SETTINGS: Final = {
    "points": POINTS,
    "point_m": POINT_M,
    "wide_path_m": [list(p) for p in WIDE_M],
    "small_path_m": [list(p) for p in SMALL_M],
    "near_m": [FREE["near_m"], HELD["near_m"]],
}


@dataclass(frozen=True)
class Trip:
    """A walk to points."""

    walk: Walk
    #: Number of points passed, and whether the last one was.
    passed: int
    done: bool
    #: Smallest distance to the last point.
    near_m: float


def make_follower(path_m: Points) -> Controller:
    """The walk, following a path."""
    body = load_character(default_character(WALK))
    # Its store of models is not needed: every step is sampled.
    table = {k: v for k, v in read_controller_file(WALK).table.items() if k != "store"}
    table["path_m"] = [list(p) for p in path_m]
    return build_from_table(table, body, "limit-cycle walk along a path", "")


def follow(values: Values, path_m: Points, most_steps: int) -> Trip:
    """Walk until the last point is passed; a single point has to be reached within `REACHED_M`."""
    world = open_walk(values, controller=make_follower(path_m), character=default_character(WALK))
    balancer, last, near_m, done = find_balancer(world), path_m[-1], math.inf, False
    upright = True
    while upright and not done and len(balancer.steps) < most_steps:
        upright = run_to_step(world, len(balancer.steps) + 1)
        if upright:
            near_m = min(near_m, math.dist(balancer.steps[-1].at, last))
            done = near_m <= REACHED_M if len(path_m) == 1 else balancer.passed >= len(path_m)
    return Trip(Walk(tuple(balancer.steps), not upright, world.time_s), balancer.passed, done, near_m)


def find_astray_m(made: Walk, path_m: Points) -> tuple[float, float]:
    """Mean and largest distance from the lines between the corners."""
    corners = np.array([(0.0, 0.0), *path_m])
    nearest = np.full(made.done, np.inf)
    for a, b in pairwise(corners):
        way = b - a
        part = np.clip((made.places - a) @ way / max(float(way @ way), 1e-9), 0.0, 1.0)
        nearest = np.minimum(nearest, np.linalg.norm(made.places - a - part[:, None] * way, axis=1))
    return float(nearest.mean()), float(nearest.max())


def point_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    """Walks to points in all directions."""
    rng = np.random.default_rng(seed)
    count = 1 if quick else POINTS
    angles = rng.uniform(-math.pi, math.pi, POINTS)[:count]
    goals = [(POINT_M * math.cos(a), POINT_M * math.sin(a)) for a in angles]
    trips = run_trials([partial(follow, HELD, [g], POINT_STEPS) for g in goals], progress)
    ways = [float(t.walk.lengths_m.sum()) / POINT_M for t in trips if t.done]
    missed = [
        f"{math.degrees(a):.0f}° {'falls' if t.walk.fell else f'{t.near_m:.1f} m'}"
        for a, t in zip(angles, trips, strict=True)
        if not t.done
    ]
    holds = not missed
    far = f", path {np.mean(ways):.2f} times the distance on average, {max(ways):.2f} at most" if ways else ""
    return make_row(
        "laszlo-5-point",
        f"{len(ways)} of {count} points {POINT_M:g} m away in random directions reached within {REACHED_M:g} m, with a "
        f"held torso{far}",
        holds,
        note="" if holds else f"Missed: {', '.join(missed)}.",
        plot=plot_paths({f"{math.degrees(a):.0f}°": t.walk for a, t in zip(angles, trips, strict=True)}, "to points"),
    )


def path_row(quick: bool, progress: Progress | None) -> Row:
    """Walks around a square, large without a held torso and small with one."""
    plans: dict[str, tuple[Values, Points]] = {"held torso": (HELD, SMALL_M), "free": (FREE, WIDE_M)}
    if quick:
        plans = {"held torso": (HELD, SMALL_M[:2])}
    trips = dict(
        zip(plans, run_trials([partial(follow, v, p, PATH_STEPS) for v, p in plans.values()], progress), strict=True)
    )
    shown = []
    for name, trip in trips.items():
        values, path = plans[name]
        mean, most = find_astray_m(trip.walk, path)
        end = "falls" if trip.walk.fell else "done" if trip.done else "not done"
        shown.append(
            f"{name}, square of {path[0][0]:g} m, next corner within {values['near_m']} m: {trip.passed} of "
            f"{len(path)} corners in {trip.walk.done} steps, {end}, {mean:.1f} m from its lines on average and "
            f"{most:.1f} m at most"
        )
    holds = all(t.done for t in trips.values())
    return make_row(
        "laszlo-5-path",
        "; ".join(shown),
        holds,
        note="" if holds else "It falls or circles before it closes the path.",
        plot=plot_paths({name: t.walk for name, t in trips.items()}, "around squares"),
    )
