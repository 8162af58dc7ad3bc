"""Random candidates from a distribution that costs do not change, for a search without a good start."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poise.optim.ask_tell import Best, Trace, check_costs
from poise.optim.space import FloatArray


class Draws:
    """Generations of `population` candidates, each drawn by a function of a random generator."""

    def __init__(self, draw: Callable[[np.random.Generator], FloatArray], *, population: int, seed: int) -> None:
        self._draw, self._population = draw, population
        self._random = np.random.default_rng(seed)
        self._candidates: list[FloatArray] = []
        self._costs: list[FloatArray] = []
        self._best: Best | None = None

    def ask(self) -> FloatArray:
        """The next candidates, (population, n)."""
        return np.array([self._draw(self._random) for _ in range(self._population)])

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Take the cost of each candidate."""
        checked = check_costs(costs, self._population)
        k = int(np.argmin(checked))
        if self._best is None or checked[k] < self._best.cost:
            self._best = Best(np.array(candidates[k], dtype=float), float(checked[k]), len(self._costs))
        self._candidates.append(np.array(candidates, dtype=float))
        self._costs.append(checked.copy())

    @property
    def best(self) -> Best | None:
        return self._best

    @property
    def spread(self) -> float:
        return 1.0

    def trace(self) -> Trace:
        return Trace(tuple(self._candidates), tuple(self._costs))
