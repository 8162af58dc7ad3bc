"""The contract of an optimiser: `ask` for candidates, `tell` what they cost; lower is better."""

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
    """All that an optimiser was told: enough to bring another one, made in the same way, to the same state.

    Each generation has what `ask` gave at once, and that may be of any size.
    """

    candidates: tuple[FloatArray, ...]  # (count, n) of each generation
    #: (count,) of each generation, or (count, tasks); NaN for who failed before it could be judged.
    costs: tuple[FloatArray, ...]
    #: Names of the failures of each candidate of each generation; empty where an optimiser does not take them.
    failures: tuple[tuple[tuple[str, ...], ...], ...] = ()

    @property
    def generations(self) -> int:
        return len(self.costs)

    @property
    def evaluations(self) -> int:
        return sum(len(costs) for costs in self.costs)

    def best(self) -> Best | None:
        """The cheapest candidate that did not fail; of equals the first."""
        best: Best | None = None
        for generation, (points, costs) in enumerate(zip(self.candidates, self.costs, strict=True)):
            for k, (point, cost) in enumerate(zip(points, costs, strict=True)):
                failed = bool(self.failures) and bool(self.failures[generation][k])
                if not failed and np.isfinite(cost) and (best is None or cost < best.cost):
                    best = Best(point.copy(), float(cost), generation)
        return best


class Optimizer(Protocol):
    """What a search needs of an optimiser. Points are normalised (`poise.optim.space`)."""

    def ask(self) -> FloatArray:
        """The next candidates, (population, n)."""

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Takes the cost of each candidate that `ask` gave."""

    @property
    def best(self) -> Best | None:
        """The cheapest candidate so far; None before the first `tell`."""

    @property
    def spread(self) -> float:
        """How far the next candidates will scatter, as a part of the first spread."""

    def trace(self) -> Trace:
        """All that it was told."""


class LearnsFailures(Optimizer, Protocol):
    """An optimiser that is also told how candidates failed."""

    def tell(self, candidates: FloatArray, costs: FloatArray, failures: Sequence[Sequence[str]] | None = None) -> None:
        """Takes of each candidate the cost, the names of its failures, or both; a cost that is unknown is NaN."""


class AsksAndTells(Protocol):
    """The least that can be led through the past again."""

    def ask(self) -> FloatArray: ...

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None: ...


def replay(optimizer: AsksAndTells, trace: Trace) -> None:
    """Brings a fresh optimiser to where another was after `trace`, by asking and telling the same again."""
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
        raise InputError(f"optimiser: it needs {population} costs, one a candidate, got {checked.size}.")
    if not np.all(np.isfinite(checked)):
        raise InputError("optimiser: every cost must be finite", got=float(checked[~np.isfinite(checked)][0]))
    return checked
