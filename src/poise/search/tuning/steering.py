"""`poise tune steering`: search by CMA-ES for gains of the steered tracker.

A candidate walks tours of random commands: every 4 s a new heading in any direction and a new speed, in some tours also
a new style. Its cost is the mean over all tours of

    8 · (share of the time after a fall) + (heading error / 45°) + 4 · (speed error in m/s) + 2 · (joint error in rad).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise.batches.threads import run_trials
from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.controllers.tracker import layout
from poise.controllers.tracker.steer_spec import build_from_table
from poise.errors import DivergedError
from poise.optim.cma_es import CmaEs
from poise.optim.space import FloatArray, Space, Variable
from poise.rollout.scene import Scene
from poise.search.drive import Judged
from poise.search.tuning.run import Method, Order, Table, Tuned, judge, tune
from poise.tables import load_table
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller

OBJECTIVE: Final = (
    "time after a fall, errors of heading, speed and joints over random tours: poise.search.tuning.steering"
)
BODY, CONTROLLER = "lee13", "tracker/steer"
TICK_S = 1.0 / 900.0
NOISE = 0.02
SPEEDS_MPS = (0.0, 0.3, 0.6, 0.6, 0.8, 0.9, 1.0, -0.4)
STYLES = (0, 0, 0, 1, 2, 3)
TOUR_S, EVERY_S, SETTLED_S = 28.0, 4.0, 2.5
#: Seeds of the tours, and whether styles change in them.
TOURS = (*((seed, False) for seed in range(100, 105)), (200, True))
POPULATION = 12
#: Cost of a tour that diverges.
DIVERGED = 12.0
#: Significant digits of the gains that are written.
DIGITS = 4
#: Keys of a controller file that the search keeps.
KEYS = ("paces", "styles", "stand", "gains", "clip_gains")
#: Lowest value, highest value and spread of every searched gain.
RANGES = {
    "swing_speed_sagittal": (0.0, 0.6, 0.03), "swing_speed_coronal": (0.0, 0.8, 0.018),
    "swing_place_behind": (0.0, 2.0, 0.09), "swing_place_ahead": (0.0, 2.0, 0.06),
    "swing_place_coronal": (0.0, 1.0, 0.03), "ankle_speed": (0.0, 1.0, 0.03), "ankle_place": (0.0, 2.0, 0.03),
    "lift_m": (0.0, 0.1, 0.006), "clearance_m": (-0.03, 0.05, 0.003), "landing_after": (0.5, 0.9, 0.021),
    "stance_rise": (0.1, 1.0, 0.06), "speed_learning": (0.0, 0.2, 0.006), "foot_height": (0.0, 1.0, 0.045),
    "track_kp": (12.0, 60.0, 1.2), "swing_heading": (0.0, 1.5, 0.06), "swing_world": (0.0, 1.0, 0.045),
    "stand_speed": (0.0, 3.0, 0.09), "stand_place": (0.0, 8.0, 0.24), "stand_hip": (0.0, 1.0, 0.06),
    "stop_reach_m": (0.03, 0.3, 0.009),
}  # fmt: skip


def tour(controller: Controller, seed: int, styles: bool) -> float:
    """Cost of a tour of random commands."""
    random = np.random.default_rng(seed)
    world = Scene(controller, BODY, physics=PhysicsSettings(TICK_S, 9.8)).open()
    world.state.velocities[:] += random.normal(0.0, NOISE, len(world.state.velocities))
    at = [controller.parameter(name).index for name in ("speed", "heading", "style")]
    heading_deg, heading_errors, speed_errors = 0.0, [], []
    world.advance(round(0.5 / TICK_S))
    while world.time_s < TOUR_S:
        heading_deg += random.uniform(-180.0, 180.0)
        speed, style = float(random.choice(SPEEDS_MPS)), int(random.choice(STYLES)) if styles else 0
        world.params[0][at] = [speed, heading_deg, style]
        world.advance(round(SETTLED_S / TICK_S), stop_on=["down"])
        before, began_s = world.state.positions[:2].copy(), world.time_s
        world.advance(round((EVERY_S - SETTLED_S) / TICK_S), stop_on=["down"])
        if world.fell_at_s() is not None:
            break
        yaw = float(world.percepts[0].heading_rad[0])
        heading_errors.append(abs((np.degrees(yaw) - heading_deg + 180.0) % 360.0 - 180.0))
        if style == 0:
            ahead = (world.state.positions[:2] - before) @ [np.cos(yaw), np.sin(yaw)] / (world.time_s - began_s)
            speed_errors.append(abs(ahead - speed))
    lived = min(world.fell_at_s() or TOUR_S, TOUR_S) / TOUR_S
    memory = world.memories[0]
    cost = 8.0 * (1.0 - lived) + 2.0 * memory[layout.ERROR_SUM] / max(memory[layout.ERROR_COUNT], 1.0)
    cost += np.mean(heading_errors) / 45.0 if heading_errors else 2.0
    return float(cost + (4.0 * np.mean(speed_errors) if speed_errors else 2.0))


@dataclass(frozen=True)
class Plan:
    """Settings of the search."""

    generations: int = 18
    seed: int = 3


def evaluate(table: Table, character: Character) -> float:
    """Mean cost of a candidate over the tours; a tour that diverges costs more than any other."""
    controller, costs = build_from_table(table, character, "candidate", ""), []
    for seed, styles in TOURS:
        try:
            costs.append(tour(controller, seed, styles))
        except DivergedError:
            costs.append(DIVERGED)
    return float(np.mean(costs))


class _Gains:
    """Search space of the gains, centred on those of a table, and the cost of its points."""

    def __init__(self, table: Table, workers: int | None) -> None:
        self._table, self._workers, self._character = table, workers, load_character(BODY)
        start: Mapping[str, float] = table["gains"]
        self.space = Space(tuple(
            Variable(name, low, high, min(max(start.get(name, low), low), high), spread)
            for name, (low, high, spread) in RANGES.items()
        ))  # fmt: skip

    def make_table(self, point: FloatArray, digits: int | None = None) -> dict[str, Any]:
        """The table of a candidate, rounded to `digits` significant digits."""
        found = self.space.decode(point)
        if digits is not None:
            found = {name: float(f"{value:.{digits}g}") for name, value in found.items()}
        return {**self._table, "gains": {**self._table["gains"], **found}}

    def evaluate(self, _generation: int, points: FloatArray) -> Judged:
        jobs = [partial(evaluate, self.make_table(point), self._character) for point in points]
        return judge(run_trials(jobs, workers=self._workers))


def tune_steering(order: Order, plan: Plan, start: Path, *, workers: int | None = None) -> Tuned:
    """Search for gains of the steered tracker, starting from a file, and write the final mean."""
    table = dict(load_table(start).data)
    gains = _Gains({key: value for key, value in table.items() if key in KEYS}, workers)
    optimizer = CmaEs(gains.space, population=POPULATION, seed=plan.seed)
    head: dict[str, Any] = {key: table[key] for key in ("method", "character", "description") if key in table}

    def make_table(point: FloatArray) -> Table:
        return head | gains.make_table(point, DIGITS)

    return tune(order, Method(optimizer, gains.evaluate, make_table, plan.generations, keeps_mean=True))
