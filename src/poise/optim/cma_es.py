"""CMA-ES by the package `cma`, with bounds and its own random numbers. Its history determines its state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poise.errors import out_of_range
from poise.optim.ask_tell import Best, Trace, check_costs
from poise.optim.space import FloatArray, Space

MAX_POPULATION = 10_000


class CmaEs:
    """Covariance matrix adaptation in a space's normalised coordinates, from its start and with its spread."""

    def __init__(self, space: Space, *, population: int, seed: int) -> None:
        low, high = space.bounds()
        random = np.random.Generator(np.random.PCG64(seed))
        self._begin(random, np.zeros(len(space)), 1.0, population, {"bounds": [low.tolist(), high.tolist()]})

    def _begin(
        self,
        random: np.random.Generator | np.random.RandomState,
        start: FloatArray,
        sigma: float,
        population: int,
        options: Mapping[str, Any],
    ) -> None:
        # The import takes more than a second, and most commands never search.
        import cma

        if not 4 <= population <= MAX_POPULATION:
            raise out_of_range("search", "population", population, 4, MAX_POPULATION)
        self._random = random
        # By default it would use numpy's global random numbers.
        own = {"popsize": population, "randn": self._draw, "seed": np.nan, "verbose": -9, "verb_log": 0}
        self._strategy: Any = cma.CMAEvolutionStrategy(start, sigma, {**own, **options})
        self._population = population
        self._candidates: list[FloatArray] = []
        self._costs: list[FloatArray] = []
        self._best: Best | None = None

    def _draw(self, *shape: int) -> FloatArray:
        return np.asarray(self._random.standard_normal(shape))

    def ask(self) -> FloatArray:
        """The next candidates, (population, n), all within the bounds."""
        return np.array(self._strategy.ask())

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Take the cost of each candidate."""
        checked = check_costs(costs, self._population)
        points = np.array(candidates, dtype=float)
        self._strategy.tell(list(points), checked.tolist())
        k = int(np.argmin(checked))
        if self._best is None or checked[k] < self._best.cost:
            self._best = Best(points[k].copy(), float(checked[k]), len(self._costs))
        self._candidates.append(points)
        self._costs.append(checked.copy())

    @property
    def mean(self) -> FloatArray:
        """Mean of the distribution of the candidates, normalised."""
        return np.array(self._strategy.mean)

    @property
    def best(self) -> Best | None:
        return self._best

    @property
    def spread(self) -> float:
        return float(self._strategy.sigma * np.mean(self._strategy.sm.variances) ** 0.5)

    @property
    def sigma(self) -> float:
        """The step size, without the covariance."""
        return float(self._strategy.sigma)

    def whiten(self, points: FloatArray) -> FloatArray:
        """Points (N, n) in coordinates where the distribution of the candidates is isotropic with spread one."""
        root = np.linalg.cholesky(self._strategy.sm.covariance_matrix) * self._strategy.sigma
        result: FloatArray = np.linalg.solve(root, points.T).T
        return result

    def trace(self) -> Trace:
        return Trace(tuple(self._candidates), tuple(self._costs))


class RawCmaEs(CmaEs):
    """CMA-ES in the coordinates of the caller, with the random numbers that `cma` itself draws from a seed.

    Its candidates are bit-identical to those of `cma.CMAEvolutionStrategy(start, sigma, {"seed": seed, …})`, but it
    leaves numpy's global random numbers alone. `bounds` apply to all coordinates.
    """

    def __init__(
        self,
        start: FloatArray,
        sigma: float,
        *,
        population: int,
        seed: int,
        bounds: tuple[float, float] | None = None,
        diagonal: bool = False,
    ) -> None:
        options = {**({"bounds": list(bounds)} if bounds else {}), **({"CMA_diagonal": True} if diagonal else {})}
        self._begin(np.random.RandomState(seed), start, sigma, population, options)
