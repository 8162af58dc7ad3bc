"""DIRECT by scipy, turned round: it is asked for one candidate after the other and has no random numbers at all.

It divides the whole box and needs neither a start nor a spread; [Ha15 §8] searches in this way.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poise.errors import InputError, out_of_range
from poise.optim.ask_tell import Best, Trace, check_costs
from poise.optim.space import FloatArray, Space

MAX_EVALUATIONS: Final = 10_000


class _Unknown(Exception):  # noqa: N818 -- a signal, not an error
    """Carries the first point whose cost is not known yet."""

    def __init__(self, point: FloatArray) -> None:
        self.point = point


class Direct:
    """Dividing rectangles in a space's normalised coordinates, for about so many evaluations.

    scipy wants a function. It is run from the beginning for each candidate, with the costs that are known, until it
    asks for one that is not. That takes milliseconds, needs no thread, and its state is what it was told.
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
        """The point that it wants to know next; None at its end."""
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
        """Whether it has come to its end and can be asked no more."""
        return self._next is None

    def ask(self) -> FloatArray:
        """The next candidate, (1, n)."""
        if self._next is None:
            raise InputError(f"DIRECT: it has come to its end after {len(self._costs)} evaluations.")
        return self._next[np.newaxis].copy()

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Takes the cost of the candidate."""
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
        """It looks everywhere until its end."""
        return 0.0 if self.done else 1.0

    def trace(self) -> Trace:
        return Trace(tuple(p[np.newaxis] for p in self._points), tuple(np.array([c]) for c in self._costs))
