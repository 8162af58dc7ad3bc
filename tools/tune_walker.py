"""Finds the walker's balance parameters by CMA-ES: one set for all of what it must do.

The cost is the sum over trials of what went wrong: a fall costs 1 to 2 (the earlier, the more), a walk that does not
fall twice its error of speed (m/s), a turn its error of heading (30 degrees count 1). Trials: four speeds, two step
times, two turns at 1 m/s, two random bodies, and pushes of 0.1 s at 0.6 m/s from eight directions at mixed phases,
with legs that pass through each other and with legs that touch.

    .venv/bin/python tools/tune_walker.py out/walker.toml --generations 100 --seed 8 --force 600
"""

from __future__ import annotations

import argparse
import threading
import tomllib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.characters.random_bodies import random_body
from poise.controllers.catalog import find_controller
from poise.controllers.walker import spec
from poise.errors import DivergedError
from poise.world.compile import PhysicsSettings
from poise.world.world import Push, World

TIMESTEP_S = 0.001
#: What varies: the spread of its logarithm.
SPREADS = {
    "pendulum": 0.15, "pendulum_side": 0.15, "foresight_s": 0.5, "drive": 0.2, "speed_gain_nspm": 0.4,
    "speed_force_n": 0.3, "side_kp_npm": 0.4, "side_kd_nspm": 0.4, "side_force_n": 0.3, "hasten": 0.5, "level": 0.15,
    "sink": 0.3, "toe_off_rad": 0.4, "heel_rad": 0.4, "acceleration_mps2": 0.2, "lift": 0.2, "firm": 0.3, "grip": 0.3,
    "reach": 0.15, "touchdown_depth_m": 0.5, "pace": 0.12, "pace_slope": 0.3, "settle": 0.4, "step_width_m": 0.2,
    "step_height_m": 0.2,
}  # fmt: skip
GAINS = ("back", "chest", "knee", "ankle", "pelvis", "pelvis_yaw", "swing_hip", "swing_knee")
GAIN_SPREAD = 0.3
#: These mean nothing above one.
SHARES = ("level", "lift", "settle", "reach")

Table = Mapping[str, Any]


def decode(x: np.ndarray, start: Table) -> dict[str, Any]:
    """The table at a point of the search: each value times the exponential of its coordinate."""
    values = dict(start["values"])
    for k, (name, spread) in enumerate(SPREADS.items()):
        values[name] = float(values[name] * np.exp(spread * x[k]))
        if name in SHARES:
            values[name] = min(values[name], 1.0)
    gains = {name: list(pair) for name, pair in start["gains"].items()}
    for k, name in enumerate(GAINS):
        at = len(SPREADS) + 2 * k
        gains[name] = [float(g * np.exp(GAIN_SPREAD * x[at + j])) for j, g in enumerate(gains[name])]
    return {"values": values, "gains": gains}


class Bench:
    """Worlds that are used again, one set a thread."""

    def __init__(self) -> None:
        self._local = threading.local()
        humanoid = load_character("humanoid")
        self.bodies: dict[str, Character] = {"humanoid": humanoid}
        self.bodies |= {str(seed): random_body(humanoid, seed) for seed in (5, 13)}

    def open(self, table: Table, body: str = "humanoid", self_collision: str = "none", **commands: float) -> World:
        """A world at its start, with the table's parameters and some commands."""
        worlds = self._local.__dict__
        key = f"{body}/{self_collision}"
        controller = spec.build(self.bodies[body], "walker/walk", table=table).with_values(commands)
        if key not in worlds:
            settings = PhysicsSettings(timestep_s=TIMESTEP_S, self_collision=self_collision)
            worlds[key] = World([self.bodies[body]], [controller], settings=settings)
        world: World = worlds[key]
        world.controllers[0].params[:] = controller.params
        world.reset()
        return world


def goes_on(world: World, seconds: float) -> bool:
    """Runs; false if it fell."""
    try:
        world.advance(round(seconds / TIMESTEP_S), stop_on=["fall"])
    except DivergedError:
        return False
    return world.fell_at_s() is None


def fall_cost(world: World, seconds: float) -> float:
    return 2.0 - min((world.fell_at_s() or 0.0) / seconds, 1.0)


def walk_cost(world: World, speed: float, seconds: float = 8.0) -> float:
    if not goes_on(world, 0.45 * seconds):
        return fall_cost(world, seconds)
    time, x, y = world.time_s, *world.percepts[0].whole[:2]
    if not goes_on(world, 0.55 * seconds):
        return fall_cost(world, seconds)
    gone = world.time_s - time
    ahead, aside = (world.percepts[0].whole[0] - x) / gone, (world.percepts[0].whole[1] - y) / gone
    return float(min(2.0 * abs(ahead - speed) + abs(aside), 0.9))


def turn_cost(world: World, degrees: float) -> float:
    if not goes_on(world, 3.0):
        return 2.0
    world.set_parameter("heading_deg", degrees)
    if not goes_on(world, 5.0):
        return 2.0 - ((world.fell_at_s() or 3.0) - 3.0) / 5.0
    error = (np.degrees(world.percepts[0].whole[6]) - degrees + 180.0) % 360.0 - 180.0
    return float(min(abs(error) / 30.0, 0.9))


def push_cost(world: World, force_n: float, cases: list[tuple[float, float]]) -> float:
    """Sum over pushes (direction in degrees, seconds after a strike)."""
    if not goes_on(world, 4.0):
        return 2.0 * len(cases)
    world.run_until("foot_strike", timeout_s=2.0)
    snapshot, time = world.snapshot(), world.time_s
    cost = 0.0
    for direction, delay in cases:
        world.restore(snapshot)
        world.push(Push(force_n, direction, time + delay, 0.1))
        if not goes_on(world, 3.5 + delay):
            cost += 1.5 - 0.5 * min(((world.fell_at_s() or time) - time - delay) / 3.5, 1.0)
    return cost


def _walk(bench: Bench, table: Table, speed: float, body: str, commands: Mapping[str, float]) -> float:
    return walk_cost(bench.open(table, body, "none", speed=speed, **commands), speed)


def _turn(bench: Bench, table: Table, degrees: float) -> float:
    return turn_cost(bench.open(table, speed=1.0), degrees)


def _push(bench: Bench, table: Table, force_n: float, cases: list[tuple[float, float]], touch: str) -> float:
    world = bench.open(table, self_collision=touch, speed=0.6, pass_legs=1.0 if touch == "none" else 0.0)
    return push_cost(world, force_n, cases)


def trials(bench: Bench, table: Table, force_n: float) -> list[tuple[str, float, Callable[[], float]]]:
    """Name, weight and cost of each trial."""
    found: list[tuple[str, float, Callable[[], float]]] = []
    for v in (0.3, 1.2, 1.7, -0.6):
        found.append((f"speed {v}", 1.0, partial(_walk, bench, table, v, "humanoid", {})))
    for body in ("13", "5"):
        found.append((f"body {body}", 0.8, partial(_walk, bench, table, 0.6, body, {})))
    for t in (0.22, 1.0):
        found.append((f"time {t}", 0.7, partial(_walk, bench, table, 0.6, "humanoid", {"step_time": t})))
    for angle in (180.0, 90.0):
        found.append((f"turn {angle:g}", 0.8, partial(_turn, bench, table, angle)))
    for k in range(2):
        cases = [(45.0 * d, 0.11 * ((d + k) % 4) + 0.23 * k) for d in range(8)]
        found.append((f"push {k}", 0.35, partial(_push, bench, table, force_n, cases, "none")))
    cases = [(45.0 * d, 0.11 * ((3 * d) % 4) + 0.1) for d in range(8)]
    found.append(("push, legs touch", 0.35, partial(_push, bench, table, 0.9 * force_n, cases, "legs")))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the table that was found")
    parser.add_argument("--start", type=Path, default=find_controller("walker/walk"), help="where the search begins")
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--population", type=int, default=12)
    parser.add_argument("--sigma", type=float, default=0.3)
    parser.add_argument("--force", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="only measure the start")
    args = parser.parse_args()
    import cma

    start = tomllib.loads(args.start.read_text())
    bench = Bench()

    def measure(table: Table, pool: ThreadPoolExecutor, show: bool = False) -> float:
        found = trials(bench, table, args.force)
        costs = list(pool.map(lambda t: t[2](), found))
        if show:
            for (name, _, _), cost in zip(found, costs, strict=True):
                print(f"  {name:18} {cost:.2f}")
        return sum(weight * cost for (_, weight, _), cost in zip(found, costs, strict=True))

    size = len(SPREADS) + 2 * len(GAINS)
    options = {"popsize": args.population, "seed": args.seed, "verbose": -9, "CMA_diagonal": True}
    strategy = cma.CMAEvolutionStrategy(np.zeros(size), args.sigma, options)
    best = np.inf
    with ThreadPoolExecutor(2) as pool:
        print(f"start {measure(decode(np.zeros(size), start), pool, True):.3f}", flush=True)
        for generation in range(0 if args.show else args.generations):
            points = strategy.ask()
            costs = [measure(decode(x, start), pool) for x in points]
            strategy.tell(points, costs)
            if min(costs) < best:
                best = min(costs)
                args.out.parent.mkdir(parents=True, exist_ok=True)
                args.out.write_text(tomli_w.dumps(decode(points[int(np.argmin(costs))], start)))
            print(f"{generation} best {best:.3f} median {np.median(costs):.3f} sigma {strategy.sigma:.3f}", flush=True)


if __name__ == "__main__":
    main()
