"""Fills the store of models that a balanced walk looks up: states in which steps begin, and what they come to.

Walks from rest are disturbed by small pushes and by targets that change, and every step is sampled. Then it walks on
with what it knows and samples only where that fails, so that the store also covers the states it leads itself into.

    .venv/bin/python tools/record_models.py limit-cycle/human-walk out/models.npz --seed 0
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from poise.controllers.limit_cycle.balance import Balancer, find_balancer
from poise.controllers.limit_cycle.models import ModelStore
from poise.rollout.scene import Scene
from poise.world.world import Push, World


def walk_on(world: World, balancer: Balancer, steps: int, random: np.random.Generator, force_n: float) -> None:
    """Walks so many steps with a push every other one and another target every third."""
    target = world.controllers[0].value("target")
    while len(balancer.steps) < steps and world.fell_at_s() is None:
        world.advance(6000, stop_on=["phase", "down"])
        if len(balancer.steps) % 2 == 0:
            push = Push(
                random.uniform(0.0, force_n), random.uniform(0.0, 360.0), world.time_s + random.uniform(0, 0.3), 0.1
            )
            world.push(push)
        if len(balancer.steps) % 3 == 0:
            world.set_parameter("target", target + random.uniform(-0.03, 0.03))


def record(controller: str, steps: int, force_n: float, seen: list[Any], seed: int) -> list[Any]:
    """Models of one walk; with some to begin with, only those that had to be sampled and what came of the others."""
    models = "reuse" if seen else "sample"
    world = Scene(controller, values={"strategy": "jacobian", "models": models}, seed=seed).open()
    balancer = find_balancer(world)
    balancer.workers, balancer.seen = 1, list(seen)
    walk_on(world, balancer, steps, np.random.default_rng(seed), force_n)
    return balancer.seen[len(seen) :]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("controller")
    parser.add_argument("out", type=Path)
    parser.add_argument("--walks", type=int, default=12)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--force", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3, help="rounds in which it walks with what it knows")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    seen: list[Any] = []
    with ThreadPoolExecutor(2) as pool:
        for number in range(args.rounds + 1):
            seeds = range(args.seed + 100 * number, args.seed + 100 * number + args.walks)
            found = list(pool.map(partial(record, args.controller, args.steps, args.force, seen), seeds))
            seen += [model for walk in found for model in walk]
            print(f"round {number}: steps {[len(w) for w in found]}, {len(seen)} models", flush=True)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    ModelStore.gather(seen).save(args.out)


if __name__ == "__main__":
    main()
