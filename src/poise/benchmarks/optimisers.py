"""Overhead of the optimisers: their own time per generation over that of simulating it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from poise.optim.cma_c import CmaC
from poise.optim.cma_es import CmaEs
from poise.optim.one_plus_one import OnePlusOne
from poise.optim.parametric import ParametricEs
from poise.optim.space import FloatArray, Space, Variable

SIZE: Final = 50
#: Candidates per generation at this size, as in `cma`: 4 + 3 ln n.
POPULATION: Final = 16
ROLLOUT_S: Final = 1.0
#: Number of first and of last generations that are averaged.
WINDOW: Final = 20


def measure_optimisers(generations: int) -> dict[str, dict[str, float]]:
    """For each optimiser, its own time over that of a batch of rollouts of 1 s computing time on all cores.

    The ratio is that of the last generations, when the optimiser stores the most; `first_ms` and `last_ms` are mean
    processor times of `ask` and `tell` together.
    """
    space = Space(tuple(Variable(f"x{k}", -5.0, 5.0, 0.0, 1.0) for k in range(SIZE)))
    makers: Mapping[str, Callable[[], Any]] = {
        "cma-es": lambda: CmaEs(space, population=POPULATION, seed=1),
        "one-plus-one": lambda: OnePlusOne(space, seed=1),
        "cma-c": lambda: CmaC(space, population=POPULATION, seed=1),
        "parametric": lambda: ParametricEs(space, seed=1),
    }
    return {name: _measure(make(), space, generations) for name, make in makers.items()}


def _measure(search: Any, space: Space, generations: int) -> dict[str, float]:
    spent: list[tuple[float, int]] = []
    for _ in range(generations):
        began = time.thread_time()
        points = search.ask()
        asked = time.thread_time()
        told = _judge(search, space.decode_many(points))
        halfway = time.thread_time()
        search.tell(points, *told)
        spent.append((asked - began + time.thread_time() - halfway, len(points)))
    own = np.array([s for s, _ in spent])
    batches = np.array([_count_rounds(n) * ROLLOUT_S for _, n in spent])
    return {
        "ratio": float(np.mean((own / batches)[-WINDOW:])),
        "first_ms": 1e3 * float(np.mean(own[:WINDOW])),
        "last_ms": 1e3 * float(np.mean(own[-WINDOW:])),
        "generations": generations,
    }


def _count_rounds(rollouts: int) -> int:
    """Number of rounds of rollouts with one per core."""
    return -(-rollouts // (os.cpu_count() or 1))


def _judge(search: Any, values: FloatArray) -> tuple[Any, ...]:
    """An off-centre bowl; with three kinds of failure for `CmaC`, with tasks for `ParametricEs`."""
    goal = np.linspace(-2.0, 2.0, SIZE)
    if isinstance(search, ParametricEs):
        goals = goal + search.tasks
        return (np.sum((values[:, np.newaxis] - goals) ** 2, axis=2),)
    costs = np.sum((values - goal) ** 2, axis=1)
    if not isinstance(search, CmaC):
        return (costs,)
    half = SIZE // 2
    failures = [
        [name for name, bad in {
            "left": v[:half].sum() > 1.0, "right": v[half:].sum() < -1.0, "far": np.abs(v).max() > 3.5,
        }.items() if bad]
        for v in values
    ]  # fmt: skip
    return costs, failures
