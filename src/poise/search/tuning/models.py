"""`poise tune models`: fill the store of models that a balanced walk looks up: states at steps, and effects.

First, walks from rest are disturbed by small pushes and changing targets, and every step is sampled. Then the character
walks with these models and samples only where they fail, so that the store covers the states that it leads to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from poise.batches.threads import run_trials
from poise.controllers.limit_cycle.balance import Balancer, find_balancer
from poise.controllers.limit_cycle.models import ModelStore
from poise.errors import InputError
from poise.rollout.scene import Scene
from poise.world.disturbances import Push
from poise.world.world import World


@dataclass(frozen=True)
class Plan:
    """Settings of the sampling."""

    walks: int = 12
    steps: int = 30
    #: Largest force of a push.
    force_n: float = 20.0
    #: Rounds in which the character walks with the models found so far.
    rounds: int = 3
    seed: int = 0


def walk(world: World, balancer: Balancer, steps: int, random: np.random.Generator, force_n: float) -> None:
    """Walk some steps, with a push at every second and a new target at every third."""
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


def record(controller: str, plan: Plan, seen: list[Any], seed: int) -> list[Any]:
    """New models of one walk; if models were seen already, only where these failed."""
    models = "reuse" if seen else "sample"
    world = Scene(controller, values={"strategy": "jacobian", "models": models}, seed=seed).open()
    balancer = find_balancer(world)
    balancer.workers, balancer.seen = 1, list(seen)
    walk(world, balancer, plan.steps, np.random.default_rng(seed), plan.force_n)
    return balancer.seen[len(seen) :]


def tune_models(
    controller: str, out: Path, plan: Plan, *, workers: int | None = None, say: Callable[[str], None] | None = None
) -> int:
    """Write the models of a controller and return their number."""
    if out.suffix != ".npz":
        raise InputError("models are written to an .npz file", where="poise tune models", got=str(out))
    seen: list[Any] = []
    for number in range(plan.rounds + 1):
        seeds = range(plan.seed + 100 * number, plan.seed + 100 * number + plan.walks)
        found = run_trials([partial(record, controller, plan, seen, seed) for seed in seeds], workers=workers)
        seen += [model for models in found for model in models]
        if say is not None:
            say(f"round {number} of {plan.rounds}: {sum(map(len, found))} new models, {len(seen)} in all")
    ModelStore.gather(seen).save(out)
    return len(seen)
