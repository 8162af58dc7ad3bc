"""Groups of samples, one for each task, from which a parameterised search fits its next function [Ha15 §7.3.2.3]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.optim.space import FloatArray

IntArray = NDArray[np.intp]


@dataclass(frozen=True)
class Elites:
    """Samples and the best of them for each task."""

    points: FloatArray  # (K, n)
    costs: FloatArray  # of each sample for each task, (K, M)
    #: Indices of the best samples for each task, the best one first, (nu, M).
    best: IntArray
    #: Projection of points, one for each task, onto the residual of a fit, (M, M).
    leftover: FloatArray

    @classmethod
    def select(cls, points: FloatArray, costs: FloatArray, count: int, leftover: FloatArray) -> Elites:
        """Select the best `count` samples for each task."""
        return cls(points, costs, np.argsort(costs, axis=0, kind="stable")[:count], leftover)

    def compute_lowest_cost(self) -> float:
        """Mean over the tasks of the cost of the best sample."""
        return float(np.mean(self.costs[self.best[0], np.arange(self.best.shape[1])]))

    def make_groups(self, picks: IntArray) -> IntArray:
        """Sample indices from ranks for each task; both (N, M)."""
        return self.best[picks, np.arange(self.best.shape[1])]

    def judge(self, groups: IntArray, fit_weight: float) -> FloatArray:
        """Cost of groups (N, M) plus their weighted distance from a function [Ha15 Eq. 42], (N,)."""
        misfits = np.linalg.norm(self.leftover @ self.points[groups], axis=2).sum(axis=1)
        totals: FloatArray = self.costs[groups, np.arange(groups.shape[1])].sum(axis=1) + fit_weight * misfits
        return totals

    def exchange(self, group: IntArray, fit_weight: float) -> IntArray:
        """A group that no exchange of a single sample improves, (M,)."""
        total, before = float(self.judge(group[np.newaxis], fit_weight)[0]), np.inf
        while total < before:
            before = total
            for task in range(len(group)):
                tried = np.tile(group, (len(self.best), 1))
                tried[:, task] = self.best[:, task]
                totals = self.judge(tried, fit_weight)
                k = int(np.argmin(totals))
                if totals[k] < total:
                    group, total = tried[k], float(totals[k])
        return group
