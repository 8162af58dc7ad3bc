"""Course of a search: one row per generation, the best so far, and how candidates failed."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from os import PathLike
from typing import Any

import numpy as np

from poise.files import write_atomic
from poise.optim.ask_tell import Best
from poise.optim.space import FloatArray
from poise.search.drive import Names


@dataclass(frozen=True)
class Generation:
    """One row of the history."""

    #: Counted from 1.
    generation: int
    #: Candidates so far.
    evaluations: int
    #: Cost of the best so far; with tasks, the mean cost of the best function.
    best_cost: float
    #: Lowest cost of the generation; with tasks, the mean of the lowest cost for each task.
    generation_best_cost: float
    generation_median_cost: float
    #: Candidates of the generation that failed.
    failed: int
    #: Spread of the next candidates, as a fraction of the initial spread.
    spread: float


class Course:
    """Rows of the history, the best candidate and the failures, generation by generation."""

    def __init__(self) -> None:
        self.rows: list[Generation] = []
        #: The cheapest candidate that did not fail; the cheapest of all while every one fails.
        self.best: Best | None = None
        self._best_failed = True
        self._failures: list[Names] = []

    def take(self, points: FloatArray, costs: FloatArray, failures: Names, optimizer: Any) -> None:
        """Add a generation whose costs the optimiser has received."""
        self._failures.append(failures)
        if costs.ndim == 1:
            self._note_best(points, costs, failures)
        found: Any = self.best if costs.ndim == 1 else optimizer.best
        self.rows.append(
            Generation(
                generation=len(self.rows) + 1,
                evaluations=(self.rows[-1].evaluations if self.rows else 0) + len(costs),
                best_cost=float(found.cost),
                generation_best_cost=float(np.mean(costs.min(axis=0))),
                generation_median_cost=float(np.median(costs)),
                failed=sum(map(bool, failures)),
                spread=float(optimizer.spread),
            )
        )

    def _note_best(self, points: FloatArray, costs: FloatArray, failures: Names) -> None:
        for point, cost, names in zip(points, costs, failures, strict=True):
            failed = bool(names)
            if self.best is None or (failed, cost) < (self._best_failed, self.best.cost):
                self.best, self._best_failed = Best(point.copy(), float(cost), len(self.rows)), failed

    def count_failures(self) -> dict[str, int]:
        """Number of failed candidates by the name of the failure; one that failed in two ways counts for both."""
        counts = Counter(name for row in self._failures for names in row for name in names)
        return dict(sorted(counts.items()))


def save_history(path: str | PathLike[str], rows: Sequence[Generation]) -> None:
    """Write the history as CSV."""
    names = [f.name for f in fields(Generation)]
    with write_atomic(path, "w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(map(attrgetter(*names), rows))


def save_convergence_plot(path: str | PathLike[str], rows: Sequence[Generation], title: str) -> None:
    """Plot cost, spread and failures over evaluations as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 6.0), layout="constrained")
    cost, spread, failed = figure.subplots(3, 1, sharex=True, height_ratios=(3, 1, 1))
    evaluations = [row.evaluations for row in rows]
    cost.plot(evaluations, [row.generation_median_cost for row in rows], color="#b9bec6", label="median")
    cost.plot(evaluations, [row.generation_best_cost for row in rows], color="#4f8fc0", label="best of generation")
    cost.plot(evaluations, [row.best_cost for row in rows], color="#d9694a", label="best so far")
    cost.set(ylabel="cost", title=title, yscale="log" if min(r.generation_best_cost for r in rows) > 0.0 else "linear")
    cost.legend(frameon=False)
    spread.plot(evaluations, [row.spread for row in rows], color="#6a6f78")
    spread.set(ylabel="spread", yscale="log" if min(r.spread for r in rows) > 0.0 else "linear")
    failed.plot(evaluations, compute_failed_shares(rows), color="#a3546a")
    failed.set(ylabel="failed", ylim=(-0.05, 1.05), xlabel="evaluations")
    with write_atomic(path) as file:
        figure.savefig(file, format="png", dpi=120)


def compute_failed_shares(rows: Sequence[Generation], over: int = 16) -> FloatArray:
    """Share of failures among the last `over` candidates or the last generation, whichever is more.

    The share of a single candidate could only be 0 or 1.
    """
    done = np.array([0, *(row.evaluations for row in rows)])
    lost = np.cumsum([0, *(row.failed for row in rows)])
    ends = np.arange(1, len(done))
    starts = np.minimum(np.maximum(np.searchsorted(done, done[1:] - over, side="right") - 1, 0), ends - 1)
    shares: FloatArray = (lost[ends] - lost[starts]) / (done[ends] - done[starts])
    return shares
