"""`poise tune graph`: search by CMA-ES for numbers of a pose graph's table: most steps, then the highest speed.

A path names a number in the table: `values.target`, or `states.S1+S2.hold_s` for two states at once. Each number varies
between two bounds. A step is worth 1, each m/s forward 1, and the share of time in the air `air`.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise.batches.threads import run_trials
from poise.characters.model import ROLES, SIDES
from poise.controllers.limit_cycle.balance import find_balancer
from poise.controllers.limit_cycle.spec import build_from_table
from poise.errors import DivergedError, InputError
from poise.optim.cma_es import RawCmaEs
from poise.optim.space import FloatArray
from poise.rollout.scene import Scene
from poise.search.drive import Judged
from poise.search.tuning.run import Method, Order, Tuned, judge, tune
from poise.tables import load_table
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.ground import PenaltyGround
from poise.world.world import World

OBJECTIVE: Final = "steps, speed and share of time in the air: poise.search.tuning.graph"
HEAD = ("method", "character", "description", "provenance")
FEET = [ROLES.index(f"{side}_foot") for side in SIDES]
#: Decimals of written numbers.
DIGITS = 6
#: Sampling interval of the foot contacts.
LOOK_S = 0.005


@dataclass(frozen=True)
class Plan:
    """Which numbers vary, over which runs."""

    #: Path of each number through the table, and its bounds.
    vary: Mapping[str, tuple[float, float]]
    #: Numbers to set before the search.
    set: Mapping[str, Any] = field(default_factory=dict)
    #: Stiffness (N/m) and damping (N s/m) of a penalty ground; None for MuJoCo's ground.
    ground: tuple[float, float] | None = None
    #: How a point slips on the penalty ground.
    slip: str = "text"
    timestep_s: float = 0.0005
    steps: int = 60
    seconds: float = 60.0
    #: Worth of the share of time in the air.
    air: float = 0.0
    generations: int = 20
    population: int = 12
    #: First spread, as a share of the distance between the bounds.
    sigma: float = 0.25
    seed: int = 1

    def __post_init__(self) -> None:
        if len(self.vary) < 2:
            raise InputError("CMA-ES needs two numbers or more", where="poise tune graph: --vary")
        for path, (low, high) in self.vary.items():
            if not low < high:
                raise InputError(
                    "the lower bound must be below the upper one",
                    where=f"poise tune graph: --vary {path}",
                    got=f"{low:g}:{high:g}",
                )


@dataclass(frozen=True)
class Trial:
    """Result of one run; the speed is that of the second half, along the initial heading."""

    steps: int
    time_s: float
    speed_mps: float
    air: float


def find_entries(table: dict[str, Any], path: str) -> list[tuple[dict[str, Any], str]]:
    """The tables that a path refers to, each with the key in it."""
    *parts, key = path.split(".")
    entries = [table]
    if len(parts) > 1 and parts[0] == "states":
        entries = [state for state in table["states"] if state["name"] in parts[1].split("+")]
        parts = parts[2:]
    for part in parts:
        entries = [entry.setdefault(part, {}) for entry in entries]
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        raise InputError("no such entry in the table", where=f"poise tune graph: {path}")
    return [(entry, key) for entry in entries]


def put(table: dict[str, Any], path: str, value: Any) -> None:
    """Set the numbers that a path refers to."""
    for entry, key in find_entries(table, path):
        entry[key] = value


def open_world(table: dict[str, Any], timestep_s: float, ground: PenaltyGround | None = None) -> World:
    """The table's controller on its character, at the start."""
    character = load_any_character(table["character"])
    controller = build_from_table({k: v for k, v in table.items() if k not in HEAD}, character, "tuned", "")
    return Scene(controller, character, physics=PhysicsSettings(timestep_s=timestep_s), ground=ground).open()


def run(table: dict[str, Any], plan: Plan) -> Trial:
    """One run on the ground of the plan."""
    ground = None if plan.ground is None else PenaltyGround(*plan.ground, slip=plan.slip)
    world = open_world(table, plan.timestep_s, ground)
    pilot, percept = find_balancer(world), world.percepts[0]
    pilot.workers = 1
    looks = airborne = 0
    try:
        while len(pilot.steps) < plan.steps and world.fell_at_s() is None and world.time_s < plan.seconds:
            world.advance(round(LOOK_S / plan.timestep_s), stop_on=["down"])
            looks += 1
            airborne += all(percept.touch_load[percept.roles[foot]] <= 0.0 for foot in FEET)
    except DivergedError:
        pass  # the steps before it count
    steps = pilot.steps
    speed = 0.0
    if len(steps) > 3:
        half = steps[len(steps) // 2]
        speed = (steps[-1].at[0] - half.at[0]) / max(steps[-1].time_s - half.time_s, LOOK_S)
    return Trial(len(steps), world.time_s, speed, airborne / max(looks, 1))


def score(trial: Trial, plan: Plan) -> float:
    """Higher is better. The time of a fall ranks trials with equally many steps."""
    late = min(trial.time_s, 1.0) if trial.steps < plan.steps else 1.0
    return trial.steps + late + min(max(trial.speed_mps, -3.0), 5.0) + plan.air * trial.air


def evaluate(table: dict[str, Any], plan: Plan) -> float:
    """Cost of a table."""
    return -score(run(table, plan), plan)


class _Numbers:
    """Conversion from points of the unit cube to tables."""

    def __init__(self, table: dict[str, Any], plan: Plan) -> None:
        self._table, self._plan = copy.deepcopy(table), plan
        for path, value in plan.set.items():
            put(self._table, path, value)
        self._low, self._high = (np.array([v[k] for v in plan.vary.values()], dtype=float) for k in (0, 1))

    def start(self) -> FloatArray:
        """The point of the initial table; a number that it lacks starts in the middle of its range."""
        found = [float(entries[0][0].get(entries[0][1], math.nan)) for entries in map(self._find, self._plan.vary)]
        return np.clip(np.nan_to_num((np.array(found) - self._low) / (self._high - self._low), nan=0.5), 0.0, 1.0)

    def _find(self, path: str) -> list[tuple[dict[str, Any], str]]:
        return find_entries(self._table, path)

    def decode(self, point: FloatArray) -> dict[str, Any]:
        table = copy.deepcopy(self._table)
        for path, value in zip(self._plan.vary, self._low + point * (self._high - self._low), strict=True):
            put(table, path, round(float(value), DIGITS))
        return table


def tune_graph(order: Order, plan: Plan, table: Path, *, workers: int | None = None) -> Tuned:
    """Search for numbers of a pose graph's table, and write the best table."""
    numbers = _Numbers(dict(load_table(table).data), plan)

    def judge_all(_generation: int, points: FloatArray) -> Judged:
        return judge(run_trials([partial(evaluate, numbers.decode(x), plan) for x in points], workers=workers))

    optimizer = RawCmaEs(numbers.start(), plan.sigma, population=plan.population, seed=plan.seed, bounds=(0.0, 1.0))
    return tune(order, Method(optimizer, judge_all, numbers.decode, plan.generations))
