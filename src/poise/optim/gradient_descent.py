"""Gradient descent by finite differences with a line search by halving [Coros10 §3.3.2]."""

from __future__ import annotations

from typing import Final

import numpy as np

from poise.errors import InputError, out_of_range
from poise.optim.ask_tell import check_costs
from poise.optim.space import FloatArray

#: Largest number of descents [Coros10 §3.3.2].
MAX_DESCENTS: Final = 15
#: Largest number of halvings of a step; the source gives no number.
MAX_HALVINGS: Final = 12
#: Half the width of the differences, and the first step, as fractions of the spread; the source gives neither.
DIFFERENCE, FIRST_STEP = 0.01, 1.0


class GradientDescent:
    """Descent from a normalised point until it no longer improves. No random numbers.

    `ask` returns in turn the start, all points of the centred differences, (2 n, n), and points along the gradient, one
    by one. A step is halved until it helps, and further as long as half of it is better still.
    """

    def __init__(self, start: FloatArray, low: FloatArray, high: FloatArray, descents: int = MAX_DESCENTS) -> None:
        if descents < 1:
            raise out_of_range("gradient descent", "descents", descents, 1, np.inf)
        self._low, self._high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        self._point = np.clip(np.array(start, dtype=float), self._low, self._high)
        self._cost, self._left, self._done = np.inf, descents, False
        self._stage = "start"
        self._step, self._halvings = FIRST_STEP, 0
        self._direction = np.zeros_like(self._point)
        #: The best point of the line so far.
        self._found: tuple[FloatArray, float] | None = None

    @property
    def done(self) -> bool:
        return self._done

    @property
    def point(self) -> FloatArray:
        return self._point.copy()

    @property
    def cost(self) -> float:
        return self._cost

    def ask(self) -> FloatArray:
        """The next candidates, within the bounds."""
        if self._done:
            raise InputError("gradient descent: it has finished.")
        if self._stage == "start":
            points = self._point[np.newaxis]
        elif self._stage == "gradient":
            moves = DIFFERENCE * np.eye(len(self._point))
            points = self._point + np.vstack([moves, -moves])
        else:
            points = (self._point + self._step * self._direction)[np.newaxis]
        return np.clip(points, self._low, self._high)

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Take the cost of each candidate."""
        points = np.array(candidates, dtype=float)
        checked = check_costs(costs, 2 * len(self._point) if self._stage == "gradient" else 1)
        if self._stage == "start":
            self._cost, self._stage = float(checked[0]), "gradient"
        elif self._stage == "gradient":
            self._take_gradient(points, checked)
        else:
            self._take_step(points[0], float(checked[0]))

    def _take_gradient(self, points: FloatArray, costs: FloatArray) -> None:
        n = len(self._point)
        # On a bound the difference is one-sided.
        widths = np.maximum(np.diagonal(points[:n] - points[n:]), 1e-12)
        gradient = (costs[:n] - costs[n:]) / widths
        length = float(np.linalg.norm(gradient))
        if length == 0.0:
            self._done = True
            return
        self._direction, self._stage = -gradient / length, "line"
        self._step, self._halvings, self._found = FIRST_STEP, 0, None

    def _take_step(self, point: FloatArray, cost: float) -> None:
        best = self._cost if self._found is None else self._found[1]
        if cost < best:
            self._found = (point, cost)
        if (self._found is not None and cost >= best) or self._halvings == MAX_HALVINGS:
            self._end_line()
            return
        self._step *= 0.5
        self._halvings += 1

    def _end_line(self) -> None:
        self._left -= 1
        if self._found is None:
            self._done = True
            return
        self._point, self._cost = self._found
        self._stage, self._done = "gradient", self._left == 0
