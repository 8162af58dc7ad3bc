"""DIRECT by scipy, inverted into ask and tell: one candidate at a time, without random numbers.

It divides the whole box and needs neither a start nor a spread, as in [Ha15 §8].
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poise.errors import InputError, out_of_range
from poise.optim.ask_tell import Best, Trace, check_costs
from poise.optim.space import FloatArray, Space

MAX_EVALUATIONS: Final = 10_000


class _Unknown(Exception):  # noqa: N818 -- a signal, not an error
    """Carries the first point whose cost is still unknown."""

    def __init__(self, point: FloatArray) -> None:
        self.point = point


class Direct:
    """Dividing rectangles in a space's normalised coordinates, for about `evaluations` evaluations.

    scipy wants a function. For each candidate, scipy runs from the beginning with the known costs until it asks for an
    unknown one. That takes milliseconds and no thread, and the state consists only of the known costs.
    """

    def __init__(self, space: Space, *, evaluations: int = 1000) -> None:
        if not 1 <= evaluations <= MAX_EVALUATIONS:
            raise out_of_range("DIRECT", "evaluations", evaluations, 1, MAX_EVALUATIONS)
        self._low, self._high = space.bounds()
        self._most = evaluations
        self._known: dict[bytes, float] = {}
        self._points: list[FloatArray] = []
        self._costs: list[float] = []
        self._next = self._advance()

    def _advance(self) -> FloatArray | None:
        """The next point with unknown cost; None when finished."""
        from scipy.optimize import Bounds, direct

        def look_up(point: FloatArray) -> float:
            key = np.asarray(point, dtype=float).tobytes()
            if key not in self._known:
                raise _Unknown(np.array(point, dtype=float))
            return self._known[key]

        try:
            direct(
                look_up, Bounds(self._low, self._high), maxfun=self._most, maxiter=self._most, vol_tol=0.0, len_tol=0.0
            )
        except _Unknown as signal:
            return signal.point
        return None

    @property
    def done(self) -> bool:
        """Whether it has finished and has no more candidates."""
        return self._next is None

    def ask(self) -> FloatArray:
        """The next candidate, (1, n)."""
        if self._next is None:
            raise InputError(f"DIRECT: it has finished after {len(self._costs)} evaluations.")
        return self._next[np.newaxis].copy()

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Take the cost of the candidate."""
        cost = float(check_costs(costs, 1)[0])
        point = np.array(candidates, dtype=float).reshape(len(self._low))
        self._known[point.tobytes()] = cost
        self._points.append(point)
        self._costs.append(cost)
        self._next = self._advance()

    @property
    def best(self) -> Best | None:
        return self.trace().best()

    @property
    def spread(self) -> float:
        """1 until finished, since it searches the whole box; then 0."""
        return 0.0 if self.done else 1.0

    def trace(self) -> Trace:
        return Trace(tuple(p[np.newaxis] for p in self._points), tuple(np.array([c]) for c in self._costs))
