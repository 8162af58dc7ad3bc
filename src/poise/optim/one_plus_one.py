"""Our own (1+1)-CMA-ES: one parent, one child, a step size that follows the success rate [Firmin15 §4.3].

The algorithm is that of C. Igel, T. Suttorp, N. Hansen, "A Computational Efficient Covariance Matrix Update and a
(1+1)-CMA for Evolution Strategies", GECCO 2006. Parameterised searches use the same updates [Ha15 §7.3].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.optim.ask_tell import Best, Trace, check_costs
from poise.optim.space import FloatArray, Space

#: Target success rate, smoothing of its mean, and the rate above which the path takes no steps [Igel 2006].
TARGET_SUCCESS: Final = 2.0 / 11.0
SUCCESS_RATE: Final = 1.0 / 12.0
SUCCESS_LIMIT: Final = 0.44


@dataclass
class Shape:
    """A covariance as its factor, C = A Aᵀ, with the path of its successful steps."""

    factor: FloatArray  # A
    path: FloatArray  # p_c

    @classmethod
    def unit(cls, size: int) -> Shape:
        return cls(np.eye(size), np.zeros(size))

    def update(self, step: FloatArray, mean_success: float) -> None:
        """Take a successful step y, here (x_child - x_parent) / sigma [Igel 2006, updateCovariance].

        p_c <- (1 - c_c) p_c + sqrt(c_c (2 - c_c)) y and C <- (1 - c_cov) C + c_cov p_c p_cᵀ if success is rare;
        else p_c <- (1 - c_c) p_c and C <- (1 - c_cov) C + c_cov (p_c p_cᵀ + c_c (2 - c_c) C).
        c_c = 2 / (n + 2), c_cov = 2 / (n² + 6).
        """
        n = len(step)
        c_path, c_cov = 2.0 / (n + 2.0), 2.0 / (n * n + 6.0)
        kept = 1.0 - c_cov
        self.path = (1.0 - c_path) * self.path
        if mean_success < SUCCESS_LIMIT:
            self.path = self.path + np.sqrt(c_path * (2.0 - c_path)) * step
        else:
            kept += c_cov * c_path * (2.0 - c_path)
        self.factor = update_factor(self.factor, self.path, kept, c_cov)


def update_factor(factor: FloatArray, v: FloatArray, kept: float, added: float) -> FloatArray:
    """A' with A' A'ᵀ = kept A Aᵀ + added v vᵀ, without a decomposition [Igel 2006, Theorem 1].

    A' = sqrt(kept) (A + (sqrt(1 + added / kept |w|²) - 1) / |w|² v wᵀ), where A w = v.
    """
    w = np.linalg.solve(factor, v)
    length = float(w @ w)
    if length == 0.0:
        return np.sqrt(kept) * factor
    gain = (np.sqrt(1.0 + added / kept * length) - 1.0) / length
    result: FloatArray = np.sqrt(kept) * (factor + gain * np.outer(v, w))
    return result


def compute_step_factor(mean_success: float, size: int) -> float:
    """Return the factor for the step size [Igel 2006, updateStepSize], with d = 1 + n / 2."""
    odds = TARGET_SUCCESS / (1.0 - TARGET_SUCCESS)
    return float(np.exp((mean_success - odds * (1.0 - mean_success)) / (1.0 + 0.5 * size)))


class OnePlusOne:
    """(1+1)-CMA-ES in a space's normalised coordinates. The first candidate is the start itself.

    A child with the same cost as its parent replaces it and counts as a success, as in Igel 2006 and in the listing of
    [Firmin15 §4.3]. Deviation: the text of §4.3 requires a lower cost. The spreads of the space replace the source's
    single step size of 0.002, which does not suit unknowns between 0.001 and 3000.
    """

    def __init__(self, space: Space, *, seed: int) -> None:
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._low, self._high = space.bounds()
        size = len(space)
        self._parent, self._parent_cost = np.zeros(size), np.inf
        self._shape = Shape.unit(size)
        self._sigma, self._mean_success = 1.0, TARGET_SUCCESS
        self._candidates: list[FloatArray] = []
        self._costs: list[float] = []
        self._best: Best | None = None

    def ask(self) -> FloatArray:
        """The next candidate, (1, n), within the bounds."""
        if not self._costs:
            return self._parent[np.newaxis].copy()
        child = self._parent + self._sigma * self._shape.factor @ self._random.standard_normal(len(self._parent))
        # Clamped to the bounds, not drawn again: otherwise a minimum on the bounds would never be reached.
        return np.clip(child, self._low, self._high)[np.newaxis]

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Take the cost of the candidate."""
        cost = float(check_costs(costs, 1)[0])
        child = np.array(candidates, dtype=float).reshape(len(self._parent))
        success = cost <= self._parent_cost
        if self._costs:
            self._mean_success += SUCCESS_RATE * (float(success) - self._mean_success)
            step = (child - self._parent) / self._sigma
            self._sigma *= compute_step_factor(self._mean_success, len(child))
            if success:
                self._shape.update(step, self._mean_success)
        if success:
            self._parent, self._parent_cost = child, cost
        if self._best is None or cost < self._best.cost:
            self._best = Best(child.copy(), cost, len(self._costs))
        self._candidates.append(child)
        self._costs.append(cost)

    @property
    def best(self) -> Best | None:
        return self._best

    @property
    def spread(self) -> float:
        return float(self._sigma * np.sqrt(np.mean(np.sum(self._shape.factor**2, axis=1))))

    def trace(self) -> Trace:
        return Trace(tuple(p[np.newaxis] for p in self._candidates), tuple(np.array([c]) for c in self._costs))
