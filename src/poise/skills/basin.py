"""A skill's basin of attraction: the moments from which it succeeds, learned from trials [Firmin15 §5.3, §6].

A support vector machine judges whether the skill may be entered at a moment, as for the constraints of searches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poise.optim.constraints import Constraint, Experience
from poise.skills.course import FloatArray


@dataclass(frozen=True, eq=False)
class Basin:
    """Trials of one skill: the features of their start moments, and whether each arrived."""

    skill: str
    features: FloatArray  # (N, n)
    arrived: NDArray[np.bool_]  # (N,)
    #: Standard deviations over the moments of all skills, (n,).
    scales: FloatArray

    @cached_property
    def _machine(self) -> Constraint:
        # Moments that differ by one scale in every feature are one kernel width apart.
        widths = self.scales * np.sqrt(len(self.scales))
        names = tuple(str(k) for k in range(len(self.scales)))
        return Constraint(Experience(self.skill, names, self.features.astype(float), self.arrived, widths))

    def judge(self, features: FloatArray) -> FloatArray:
        """Signed distances to the boundary, (N,), positive inside; in units of the machine's margin.

        With too few trials of either outcome to fit a boundary, all moments get the outcome of the majority.
        """
        points = np.atleast_2d(features)
        if self._machine.active:
            return self._machine.judge(points)
        return np.full(len(points), 1.0 if len(self.arrived) and self.arrived.mean() > 0.5 else -1.0)

    def accepts(self, features: FloatArray) -> bool:
        """Whether the skill may be entered at a moment."""
        return bool(self.judge(features)[0] > 0.0)


def compute_scales(features: FloatArray) -> FloatArray:
    """Standard deviation of each feature over many moments; at least 0.01, for features that never vary."""
    return np.maximum(np.std(features, axis=0), 0.01)


def cross_validate(basin: Basin, folds: int = 5) -> float:
    """Share of held-out trials that are predicted correctly."""
    count = len(basin.arrived)
    if count < folds:
        return float("nan")
    right, order = 0, np.random.default_rng(0).permutation(count)
    for fold in range(folds):
        held = np.zeros(count, dtype=bool)
        held[order[fold::folds]] = True
        rest = Basin(basin.skill, basin.features[~held], basin.arrived[~held], basin.scales)
        right += int(np.sum((rest.judge(basin.features[held]) > 0.0) == basin.arrived[held]))
    return right / count
