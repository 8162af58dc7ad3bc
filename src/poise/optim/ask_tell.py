"""The contract of an optimiser: `ask` for candidates, `tell` their costs; lower is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from poise.errors import InputError
from poise.optim.space import FloatArray


@dataclass(frozen=True)
class Best:
    """The cheapest candidate so far."""

    point: FloatArray
    cost: float
    #: Counted from 0.
    generation: int


@dataclass(frozen=True)
class Trace:
    """History of an optimiser: enough to bring a new one, created in the same way, to the same state.

    A generation is the result of one `ask`, of any size.
    """

    candidates: tuple[FloatArray, ...]  # (count, n) of each generation
    #: (count,) of each generation, or (count, tasks); NaN for a candidate that failed before it could be judged.
    costs: tuple[FloatArray, ...]
    #: Names of the failures of each candidate of each generation; empty if the optimiser does not take them.
    failures: tuple[tuple[tuple[str, ...], ...], ...] = ()

    @property
    def generations(self) -> int:
        return len(self.costs)

    @property
    def evaluations(self) -> int:
        return sum(len(costs) for costs in self.costs)

    def best(self) -> Best | None:
        """The cheapest candidate that did not fail; the first one if several are equal."""
        best: Best | None = None
        for generation, (points, costs) in enumerate(zip(self.candidates, self.costs, strict=True)):
            for k, (point, cost) in enumerate(zip(points, costs, strict=True)):
                failed = bool(self.failures) and bool(self.failures[generation][k])
                if not failed and np.isfinite(cost) and (best is None or cost < best.cost):
                    best = Best(point.copy(), float(cost), generation)
        return best


class Optimizer(Protocol):
    """Interface that a search needs. Points are normalised (`poise.optim.space`)."""

    def ask(self) -> FloatArray:
        """The next candidates, (population, n)."""

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Take the cost of each candidate from `ask`."""

    @property
    def best(self) -> Best | None:
        """The cheapest candidate so far; None before the first `tell`."""

    @property
    def spread(self) -> float:
        """Spread of the next candidates, as a fraction of the initial spread."""

    def trace(self) -> Trace:
        """All candidates and costs so far."""


class LearnsFailures(Optimizer, Protocol):
    """An optimiser that also takes the names of failures."""

    def tell(self, candidates: FloatArray, costs: FloatArray, failures: Sequence[Sequence[str]] | None = None) -> None:
        """Take the cost of each candidate, the names of its failures, or both; an unknown cost is NaN."""


class AsksAndTells(Protocol):
    """The minimal interface for a replay."""

    def ask(self) -> FloatArray: ...

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None: ...


def replay(optimizer: AsksAndTells, trace: Trace) -> None:
    """Bring a fresh optimiser to the state of another after `trace` by repeating its asks and tells."""
    for candidates, costs in zip(trace.candidates, trace.costs, strict=True):
        optimizer.ask()
        optimizer.tell(candidates, costs)


def replay_failures(optimizer: LearnsFailures, trace: Trace) -> None:
    """The same for an optimiser that learns from failures."""
    for candidates, costs, failures in zip(trace.candidates, trace.costs, trace.failures, strict=True):
        optimizer.ask()
        optimizer.tell(candidates, costs, failures)


def check_costs(costs: FloatArray, population: int) -> FloatArray:
    """Costs as an array of finite numbers, one for each candidate."""
    checked = np.asarray(costs, dtype=float)
    if checked.shape != (population,):
        raise InputError(f"optimiser: it needs {population} costs, one per candidate, got {checked.size}.")
    if not np.all(np.isfinite(checked)):
        raise InputError("optimiser: every cost must be finite", got=float(checked[~np.isfinite(checked)][0]))
    return checked
