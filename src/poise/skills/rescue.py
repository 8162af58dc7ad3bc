"""Choosing a skill after a fall: those that recovered from similar falls.

Basins say little about a fallen body: most skills fail from every fall, and the distance outside a basin does not
measure how badly. Falls are few, so each is weighted by its similarity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

import numpy as np

from poise.skills.basin import compute_scales
from poise.skills.course import FloatArray
from poise.skills.explore import FALLEN_MARK, TOUR_MARK
from poise.skills.graph import SkillGraph

#: A fall that differs in every feature by this fraction of its standard deviation has a weight of 1/√e.
NEAR: Final = 0.5
#: Factor on the chance of a skill for each time that it has just failed after this fall.
FAILED_PART: Final = 0.5


class Rescue:
    """Recoveries of each skill from the falls of a graph."""

    def __init__(self, graph: SkillGraph) -> None:
        self._skills = graph.skills
        self._falls: dict[str, list[tuple[FloatArray, float]]] = {name: [] for name in self._skills}
        for (source, target), arrived in graph.outcomes.items():
            if source.partition(TOUR_MARK)[0].endswith(FALLEN_MARK) and target in self._falls:
                self._falls[target] += zip(graph.moments[source], arrived, strict=True)
        self._scales = compute_scales(np.concatenate(list(graph.moments.values()))) if graph.moments else np.ones(1)

    def judge(self, skill: str, features: FloatArray) -> float:
        """Estimated chance that a skill recovers from here: its share over all falls, corrected by similar ones."""
        falls = self._falls[skill]
        if not falls:
            return 0.0
        rows, arrived = np.array([row for row, _ in falls]), np.array([came for _, came in falls])
        apart = np.mean(((rows - features) / self._scales) ** 2, axis=1)
        weights = np.exp(-0.5 * apart / NEAR**2)
        return float((weights @ arrived + arrived.mean()) / (weights.sum() + 1.0))

    def choose(self, features: FloatArray, failed: Collection[str], preferred: Collection[str]) -> str:
        """The skill most likely to recover; those that are not preferred come last."""
        times = Counter(failed)

        def rank(skill: str) -> tuple[bool, float]:
            return skill in preferred, self.judge(skill, features) * FAILED_PART ** times[skill]

        return max(self._skills, key=rank)
