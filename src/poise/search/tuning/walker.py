"""`poise tune walker`: search by CMA-ES for the walker's balance parameters, one set for all of its tasks.

The cost is the weighted sum over all trials. A fall costs 1 to 2, more the earlier it happens. A walk without a fall
costs twice its speed error (m/s), its step-time error (s), and any shortfall of its height below nine tenths of the
standing height. A turn costs its heading error (30 degrees count 1). A shove while standing costs if the walker does
not stand again after 5 s. To prevent overfitting, push timings and headings change from generation to generation; they
are the same for all candidates of one generation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

import numpy as np

from poise.batches.threads import run_trials
from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.characters.random_bodies import random_body
from poise.controllers.walker import layout, spec
from poise.controllers.walker.fields import load_fields
from poise.errors import DivergedError, unknown_name
from poise.optim.cma_es import RawCmaEs
from poise.optim.space import FloatArray
from poise.rollout.scene import Scene
from poise.search.drive import Judged
from poise.search.tuning.run import Method, Order, Table, Tuned, judge, tune
from poise.tables import load_table
from poise.world.compile import PhysicsSettings
from poise.world.disturbances import Push
from poise.world.world import World

OBJECTIVE: Final = (
    "falls, errors of speed, step time, height and heading over walks, turns, slopes, bodies, pushes and shoves: "
    "poise.search.tuning.walker"
)
TIMESTEP_S = 0.001
#: Searched parameters: the spread of the logarithm of each.
SPREADS = {
    "pendulum_gain": 0.15, "pendulum_gain_side": 0.15, "prediction_horizon_s": 0.5, "placement_speed_gain": 0.2,
    "speed_gain_nspm": 0.4, "speed_force_n": 0.3, "side_kp_npm": 0.4, "side_kd_nspm": 0.4, "side_force_n": 0.3,
    "step_shortening_gain": 0.5, "height_control": 0.15, "long_step_drop": 0.3, "toe_off_rad": 0.4,
    "heel_strike_rad": 0.4, "acceleration_mps2": 0.2, "support_feedforward": 0.2, "full_support_load": 0.3,
    "foot_twist_limit": 0.3, "reach": 0.15, "touchdown_depth_m": 0.5, "rest_step_time": 0.12, "step_time_slope": 0.3,
    "knee_settle_phase": 0.4, "step_width_m": 0.2, "step_height_m": 0.2, "foot_spin_damping_nms_per_rad": 0.4,
    "foot_gap_m": 0.4, "max_yaw_ahead_rad": 0.3, "strike_load": 0.3, "strike_filter_s": 0.3, "impact_gain": 0.4,
    "speed_profile": 0.4, "arm_swing_gain": 0.3,
}  # fmt: skip
GAINS = ("back", "chest", "knee", "ankle", "pelvis", "pelvis_yaw", "swing_hip", "swing_knee")
GAIN_SPREAD = 0.3
HIGHEST = {f.name: f.high for f in load_fields().all.values()}
#: Parameters that are limited to one.
SHARES = ("height_control", "support_feedforward", "knee_settle_phase", "reach", "speed_profile")
#: A walk whose mean height is below this share of the standing height counts as stooped.
LOW = 0.9

NAMES: Final = (*SPREADS, *GAINS)


def decode(x: FloatArray, start: Table, vary: Sequence[str]) -> dict[str, Any]:
    """The table at a point of the search: each value times the exponential of its coordinate."""
    values = dict(start["values"])
    gains = {name: list(pair) for name, pair in start["gains"].items()}
    coordinates = iter(x)
    for name in vary:
        if name in SPREADS:
            most = 1.0 if name in SHARES else HIGHEST[name]
            values[name] = min(float(values[name] * np.exp(SPREADS[name] * next(coordinates))), most)
        else:
            gains[name] = [float(g * np.exp(GAIN_SPREAD * next(coordinates))) for g in gains[name]]
    return {"values": values, "gains": gains}


class Bench:
    """A pool of reusable worlds; no two trials share one at a time."""

    def __init__(self) -> None:
        self._free: defaultdict[str, SimpleQueue[World]] = defaultdict(SimpleQueue)
        humanoid = load_character("humanoid")
        self.bodies: dict[str, Character] = {n: load_character(n) for n in ("humanoid", "beast1", "beast2", "robot")}
        self.bodies |= {str(seed): random_body(humanoid, seed) for seed in range(40)}

    @contextmanager
    def open(
        self, table: Table, body: str = "humanoid", touch: bool = False, terrain: str = "flat", **commands: float
    ) -> Iterator[World]:
        """A world at its start, with the table's parameters and the given commands."""
        free = self._free[f"{body}/{touch}/{terrain}"]
        controller = spec.build(self.bodies[body], "walker/walk", table=table).with_values(commands)
        try:
            world = free.get_nowait()
        except Empty:
            physics = PhysicsSettings(timestep_s=TIMESTEP_S, self_collision="legs" if touch else "none")
            world = Scene(controller, self.bodies[body], terrain=terrain, physics=physics).open()
        try:
            world.controllers[0].params[:] = controller.params
            world.reset()
            yield world
        finally:
            free.put(world)


def goes_on(world: World, seconds: float) -> bool:
    """Run; False after a fall or divergence."""
    try:
        world.advance(round(seconds / TIMESTEP_S), stop_on=["down"])
    except DivergedError:
        return False
    return world.fell_at_s() is None


def memory_of(world: World) -> Any:
    return world.memories[0].view(layout.MEMORY)[0]


def fall_cost(world: World, seconds: float) -> float:
    return 2.0 - min((world.fell_at_s() or 0.0) / seconds, 1.0)


def walk_cost(world: World, speed: float, seconds: float = 9.0, step_time_s: float = 0.0) -> float:
    goes_on(world, TIMESTEP_S)
    upright = world.percepts[0].com_w[2]
    if not goes_on(world, 0.45 * seconds):
        return fall_cost(world, seconds)
    time, steps, (x, y) = world.time_s, memory_of(world).steps, world.percepts[0].com_w[:2].copy()
    heights = []
    for _ in range(10):
        if not goes_on(world, 0.055 * seconds):
            return fall_cost(world, seconds)
        heights.append(world.percepts[0].com_w[2])
    gone = world.time_s - time
    ahead, aside = (world.percepts[0].com_w[0] - x) / gone, (world.percepts[0].com_w[1] - y) / gone
    cost = 2.0 * abs(ahead - speed) + abs(aside)
    if world.terrain.name == "flat":
        cost += 4.0 * max(LOW - float(np.mean(heights)) / upright, 0.0)
    if step_time_s > 0.0:
        cost += abs(gone / max(memory_of(world).steps - steps, 1.0) - step_time_s)
    return float(min(cost, 0.9))


def turn_cost(world: World, headings: list[float], every_s: float) -> float:
    """Cost of taking each heading in sequence: the heading error before the next command."""
    seconds = 3.0 + every_s * len(headings)
    if not goes_on(world, 3.0):
        return 2.0
    cost = 0.0
    for degrees in headings:
        world.set_parameter("heading_deg", degrees)
        if not goes_on(world, every_s):
            return fall_cost(world, seconds)
        error = (np.degrees(world.percepts[0].heading_rad[0]) - degrees + 180.0) % 360.0 - 180.0
        cost += min(max(abs(error) - 3.0, 0.0) / 30.0, 0.9) / len(headings)
    return cost


def push_cost(world: World, force_n: float, cases: list[tuple[float, float]]) -> float:
    """Sum of the costs of pushes (direction in degrees, seconds after a strike)."""
    if not goes_on(world, 4.0):
        return 2.0 * len(cases)
    world.run_until("strike", timeout_s=2.0)
    snapshot, time = world.snapshot(), world.time_s
    cost = 0.0
    for direction, delay in cases:
        world.restore(snapshot)
        world.push(Push(force_n, direction, time + delay, 0.1))
        if not goes_on(world, 3.0 + delay):
            cost += 1.2 - 0.4 * min(((world.fell_at_s() or time) - time - delay) / 3.0, 1.0)
    return cost


def train_cost(world: World, force_n: float, direction: float, count: int = 5) -> float:
    for k in range(count):
        world.push(Push(force_n, direction, 4.0 + 4.0 * k, 0.4))
    return 0.0 if goes_on(world, 4.0 + 4.0 * count) else fall_cost(world, 4.0 + 4.0 * count)


def shove_cost(world: World, force_n: float, directions: list[float]) -> float:
    """Cost of shoves while standing: 1 for a fall, 0.4 for not standing again within five seconds."""
    if not goes_on(world, 2.0):
        return 2.0 * len(directions)
    snapshot, cost = world.snapshot(), 0.0
    for direction in directions:
        world.restore(snapshot)
        world.push(Push(force_n, direction, 2.0, 0.1))
        if not goes_on(world, 5.1):
            cost += 1.0
        elif memory_of(world).mode != layout.STAND:
            cost += 0.4
    return cost


@dataclass(frozen=True)
class Trial:
    """One of the trials of a candidate."""

    name: str
    weight: float
    cost: Callable[[], float]


@dataclass
class Trials:
    """All trials of a candidate."""

    bench: Bench
    table: Table
    random: np.random.Generator
    force_n: float = 600.0
    pushes: int = 3
    found: list[Trial] = field(default_factory=list)

    def add(self, name: str, weight: float, cost: Callable[[World], float], **scene: Any) -> None:
        def measure() -> float:
            with self.bench.open(self.table, **scene) as world:
                return cost(world)

        self.found.append(Trial(name, weight, measure))

    def fill(self) -> None:
        random = self.random
        for v, weight in ((-0.6, 1.0), (0.3, 1.0), (1.2, 1.0), (1.5, 1.0), (1.7, 1.0), (1.9, 0.5)):
            self.add(f"speed {v}", weight, partial(walk_cost, speed=v), speed=v)
        for t in (0.2, 0.8, 0.9, 1.0, 1.0):
            v = float(random.uniform(0.56, 0.64))
            cost = partial(walk_cost, speed=v, seconds=16.0 if t > 0.5 else 8.0, step_time_s=t)
            self.add(f"time {t}", 0.6, cost, speed=v, step_time=t)
        for body in random.choice(40, 3, replace=False).astype(str):
            self.add(f"body {body}", 0.7, partial(walk_cost, speed=0.6), body=str(body), speed=0.6)
        for body, v in (("beast1", -0.6), ("beast1", 1.5), ("robot", 1.5), ("robot", 1.7)):
            self.add(f"{body} {v}", 0.5, partial(walk_cost, speed=v), body=body, speed=v)
        for angle in (8.0, -8.0):
            self.add(
                f"slope {angle}", 0.8, partial(walk_cost, speed=0.6), speed=0.6, terrain=f"slope:angle_deg={angle}"
            )
        turns = [180.0, *np.cumsum(random.uniform(-120.0, 120.0, 4)) + 180.0]
        self.add("turns", 1.5, partial(turn_cost, headings=turns, every_s=3.0), speed=1.0, touch=True)
        for direction, force in ((0.0, 170.0), (180.0, 170.0), (90.0, 120.0), (270.0, 120.0)):
            self.add(f"train {direction:.0f}", 0.6, partial(train_cost, force_n=force, direction=direction), speed=0.6)
        shoves = list(22.5 * random.choice(16, 6, replace=False))
        self.add("shoves", 0.4, partial(shove_cost, force_n=300.0, directions=shoves), touch=True)
        for k in range(self.pushes):
            delays = random.uniform(0.0, 1.0, 16)
            cases = [(22.5 * d, float(delays[d])) for d in range(16)]
            cost = partial(push_cost, force_n=self.force_n, cases=cases)
            touch = k > 0
            self.add(f"push {k}", 0.3, cost, speed=0.6, touch=touch, pass_legs=0.0 if touch else 1.0)


@dataclass(frozen=True)
class Plan:
    """Settings of the search."""

    generations: int = 60
    population: int = 12
    sigma: float = 0.3
    #: Force of the pushes, and sets of 16 pushes per candidate; in the first set, legs pass through each other.
    force_n: float = 600.0
    pushes: int = 3
    #: Parameters and gains to search.
    vary: tuple[str, ...] = NAMES
    seed: int = 1

    def __post_init__(self) -> None:
        for name in self.vary:
            if name not in NAMES:
                raise unknown_name("poise tune walker", "parameter", name, NAMES)


class _Walker:
    """A search in progress."""

    def __init__(self, plan: Plan, start: Table, workers: int | None) -> None:
        self._plan, self._start, self._workers, self._bench = plan, start, workers, Bench()
        self.size = sum(2 if name in GAINS else 1 for name in plan.vary)

    def decode(self, point: FloatArray) -> dict[str, Any]:
        return decode(point, self._start, self._plan.vary)

    def evaluate(self, generation: int, points: FloatArray) -> Judged:
        """The cost of each candidate; the trials of a generation are the same for all of them."""
        plan, candidates = self._plan, list[Trials]()
        for point in points:
            random = np.random.default_rng([plan.seed, generation - 1])
            candidates.append(Trials(self._bench, self.decode(point), random, plan.force_n, plan.pushes))
            candidates[-1].fill()
        # The last trials are the longest, so they begin first.
        jobs = [trial.cost for trials in candidates for trial in reversed(trials.found)]
        costs = np.array(run_trials(jobs, workers=self._workers)).reshape(len(points), -1)[:, ::-1]
        weights = [trial.weight for trial in candidates[0].found]
        return judge([sum(w * float(c) for w, c in zip(weights, row, strict=True)) for row in costs])


def tune_walker(order: Order, plan: Plan, start: Path, *, workers: int | None = None) -> Tuned:
    """Search for the walker's parameters, starting from a file, and write the final mean."""
    table = dict(load_table(start).data)
    walker = _Walker(plan, table, workers)
    optimizer = RawCmaEs(np.zeros(walker.size), plan.sigma, population=plan.population, seed=plan.seed, diagonal=True)
    head = {key: value for key, value in table.items() if key != "provenance"}

    def make_table(point: FloatArray) -> Table:
        return {**head, **walker.decode(point)}

    method = Method(optimizer, walker.evaluate, make_table, plan.generations, keeps_mean=True)
    return tune(order, method)
