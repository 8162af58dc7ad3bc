"""Finds numbers of a pose graph's table by CMA-ES: those that do the most steps, and of these the fastest.

A number is named by its way through the table; `states.S1+S2` means both states at once. Each varies evenly between
two bounds. What is worth the most is a step; 1 m/s ahead is worth one more, and the share of time in the air `--air`
more. Equal numbers and seeds find the same again.

    .venv/bin/python tools/tune_graph.py walk.toml out/walk.toml --vary values.target 0.1 0.4 \\
        --vary start.pitch_deg -10 10 --vary states.S2+S3.hold_s 0.15 0.25 --generations 20 --seed 3
"""

from __future__ import annotations

import argparse
import copy
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from poise.characters.model import ROLES, SIDES
from poise.controllers.limit_cycle.balance import find_balancer
from poise.controllers.limit_cycle.spec import build_from_table
from poise.errors import DivergedError
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.ground import SLIPS, PenaltyGround
from poise.world.world import World

HEAD = ("method", "character", "description", "provenance")
FEET = [ROLES.index(f"{side}_foot") for side in SIDES]
#: How often the feet are looked at.
LOOK_S = 0.005


@dataclass(frozen=True)
class Trial:
    """What became of one run; speed is that of the second half, along where it began to face."""

    steps: int
    time_s: float
    speed_mps: float
    air: float


def places(table: dict[str, Any], way: str) -> list[tuple[dict[str, Any], str]]:
    """The tables, and the key in them, that a way leads to."""
    *path, key = way.split(".")
    entries = [table]
    if path[:1] == ["states"]:
        entries = [state for state in table["states"] if state["name"] in path[1].split("+")]
        path = path[2:]
    for part in path:
        entries = [entry.setdefault(part, {}) for entry in entries]
    if not entries:
        raise SystemExit(f"{way}: leads nowhere.")
    return [(entry, key) for entry in entries]


def put(table: dict[str, Any], way: str, value: Any) -> None:
    for entry, key in places(table, way):
        entry[key] = value


def open_world(table: dict[str, Any], timestep_s: float, ground: PenaltyGround | None = None) -> World:
    """The table's controller on its character, at the start."""
    character = load_any_character(table["character"])
    own = {k: v for k, v in table.items() if k not in HEAD}
    settings = PhysicsSettings(timestep_s=timestep_s)
    return World([character], [build_from_table(own, character, "tuned", "")], settings=settings, ground=ground)


def run(table: dict[str, Any], args: argparse.Namespace) -> Trial:
    """One run on the ground of the arguments."""
    stiffness, damping = args.ground or (0.0, 0.0)
    world = open_world(table, args.timestep, PenaltyGround(stiffness, damping, slip=args.slip) if args.ground else None)
    pilot, percept = find_balancer(world), world.percepts[0]
    looks = airborne = 0
    try:
        while len(pilot.steps) < args.steps and world.fell_at_s() is None and world.time_s < args.seconds:
            world.advance(round(LOOK_S / args.timestep), stop_on=["down"])
            looks += 1
            airborne += all(percept.touch_load[percept.roles[foot]] <= 0.0 for foot in FEET)
    except DivergedError:
        pass  # it counts for what it did before
    steps = pilot.steps
    speed = 0.0
    if len(steps) > 3:
        half = steps[len(steps) // 2]
        speed = (steps[-1].at[0] - half.at[0]) / max(steps[-1].time_s - half.time_s, LOOK_S)
    return Trial(len(steps), world.time_s, speed, airborne / max(looks, 1))


def score(trial: Trial, args: argparse.Namespace) -> float:
    """Higher is better. The time of a fall tells apart those of equal steps."""
    late = min(trial.time_s, 1.0) if trial.steps < args.steps else 1.0
    return trial.steps + late + min(max(trial.speed_mps, -3.0), 5.0) + args.air * trial.air


def parse(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("out", type=Path, help="the best table that was found")
    parser.add_argument("--vary", nargs=3, action="append", default=[], metavar=("WAY", "LOW", "HIGH"))
    parser.add_argument("--set", nargs=2, action="append", default=[], metavar=("WAY", "VALUE"))
    parser.add_argument("--ground", nargs=2, type=float, metavar=("N/m", "N·s/m"), help="penalty ground")
    parser.add_argument("--slip", choices=SLIPS, default="text", help="what becomes of a point that slips on it")
    parser.add_argument("--timestep", type=float, default=0.0005)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--air", type=float, default=0.0)
    parser.add_argument("--generations", type=int, default=20)
    parser.add_argument("--population", type=int, default=12)
    parser.add_argument("--sigma", type=float, default=0.25, help="of the distance between the bounds")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    if len(args.vary) < 2:
        parser.error("--vary: CMA-ES needs two numbers or more.")
    return args


def main() -> None:
    args = parse()
    import cma

    start = tomllib.loads(args.table.read_text())
    for way, value in args.set:
        put(start, way, tomllib.loads(f"value = {value}")["value"])
    ways = [way for way, _, _ in args.vary]
    low, high = (np.array([float(v[k]) for v in args.vary]) for k in (1, 2))

    def decode(x: np.ndarray) -> dict[str, Any]:
        table = copy.deepcopy(start)
        for way, value in zip(ways, low + x * (high - low), strict=True):
            put(table, way, round(float(value), 6))
        return table

    found = [float(places(start, way)[0][0].get(places(start, way)[0][1], math.nan)) for way in ways]
    begin = np.clip(np.nan_to_num((np.array(found) - low) / (high - low), nan=0.5), 0.0, 1.0)
    options = {"popsize": args.population, "seed": args.seed, "verbose": -9, "bounds": [0.0, 1.0]}
    search = cma.CMAEvolutionStrategy(begin, args.sigma, options)
    best = -math.inf
    for generation in range(args.generations):
        points = search.ask()
        trials = [run(decode(x), args) for x in points]
        scores = [score(trial, args) for trial in trials]
        search.tell(points, [-s for s in scores])
        top = int(np.argmax(scores))
        if scores[top] > best:
            best = scores[top]
            args.out.parent.mkdir(parents=True, exist_ok=True)
            args.out.write_text(tomli_w.dumps(decode(points[top])))
        print(f"{generation} best {best:.2f} median {np.median(scores):.2f} {trials[top]}", flush=True)


if __name__ == "__main__":
    main()
