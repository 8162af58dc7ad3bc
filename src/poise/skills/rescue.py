"""What helps after a fall: the skills that came back from where other bodies had been let fall like this one.

Of whoever lies somewhere, basins say little: most skills fail from all falls, and how far a moment is outside of a
basin is no measure of that. Falls are few, so that each counts by how near it is.
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

#: A fall that differs in every feature by this part of its spread over all moments counts for 1/√e of one like this.
NEAR: Final = 0.5
#: What a skill is worth that has just failed after this fall.
FAILED_PART: Final = 0.5


class Rescue:
    """From which falls which skills came back."""

    def __init__(self, graph: SkillGraph) -> None:
        self._skills = graph.skills
        self._falls: dict[str, list[tuple[FloatArray, float]]] = {name: [] for name in self._skills}
        for (source, target), arrived in graph.outcomes.items():
            if source.partition(TOUR_MARK)[0].endswith(FALLEN_MARK) and target in self._falls:
                self._falls[target] += zip(graph.moments[source], arrived, strict=True)
        self._scales = compute_scales(np.concatenate(list(graph.moments.values()))) if graph.moments else np.ones(1)

    def judge(self, skill: str, features: FloatArray) -> float:
        """The chance that a skill comes back from here: its share of all falls, corrected by those that are near."""
        falls = self._falls[skill]
        if not falls:
            return 0.0
        rows, arrived = np.array([row for row, _ in falls]), np.array([came for _, came in falls])
        apart = np.mean(((rows - features) / self._scales) ** 2, axis=1)
        weights = np.exp(-0.5 * apart / NEAR**2)
        return float((weights @ arrived + arrived.mean()) / (weights.sum() + 1.0))

    def choose(self, features: FloatArray, failed: Collection[str], preferred: Collection[str]) -> str:
        """The skill that helps most probably; those that are not preferred come last."""
        times = Counter(failed)

        def rank(skill: str) -> tuple[bool, float]:
            return skill in preferred, self.judge(skill, features) * FAILED_PART ** times[skill]

        return max(self._skills, key=rank)
