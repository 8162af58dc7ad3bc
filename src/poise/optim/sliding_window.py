"""A long sequence of actions, optimised a few at a time in a window that advances by one [Coros10 §3.3.2].

Each action is optimised several times, at different positions in the window, and only the last result is kept.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poise.errors import InputError, out_of_range
from poise.optim.ask_tell import Trace
from poise.optim.gradient_descent import MAX_DESCENTS, GradientDescent
from poise.optim.space import FloatArray, Space

#: Actions in a window [Coros10 §3.3.2].
WINDOW: Final = 3


class SlidingWindow:
    """A search for `count` actions, each a point of the space, all starting from the space's start.

    A candidate holds the actions of the window in sequence, (window n). Its cost is that of executing them after the
    actions in `settled`. When a window is done, its first action is settled, and the next window starts from the
    others. At the end of the sequence, windows are shorter.
    """

    def __init__(self, space: Space, *, count: int, window: int = WINDOW, descents: int = MAX_DESCENTS) -> None:
        if count < 1:
            raise InputError("sliding window: there must be at least 1 action", got=count)
        if not 1 <= window <= count:
            raise out_of_range("sliding window", "window", window, 1, count)
        self._low, self._high = space.bounds()
        self._count, self._window, self._descents = count, window, descents
        self._settled: list[FloatArray] = []
        self._descent = self._begin([np.zeros(len(space))] * window)
        self._candidates: list[FloatArray] = []
        self._costs: list[FloatArray] = []

    def _begin(self, actions: list[FloatArray]) -> GradientDescent:
        size = len(actions)
        return GradientDescent(
            np.concatenate(actions), np.tile(self._low, size), np.tile(self._high, size), self._descents
        )

    @property
    def settled(self) -> FloatArray:
        """The final actions so far, normalised, (k, n)."""
        return np.array(self._settled).reshape(-1, len(self._low))

    @property
    def done(self) -> bool:
        return len(self._settled) == self._count

    def ask(self) -> FloatArray:
        """The next candidates, (m, window n)."""
        if self.done:
            raise InputError(f"sliding window: all {self._count} actions are settled.")
        return self._descent.ask()

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Take the cost of each candidate."""
        points = np.array(candidates, dtype=float)
        self._descent.tell(points, costs)
        self._candidates.append(points)
        self._costs.append(np.array(costs, dtype=float))
        if self._descent.done:
            self._move()

    def _move(self) -> None:
        actions = list(self._descent.point.reshape(-1, len(self._low)))
        self._settled.append(actions.pop(0))
        if len(self._settled) + len(actions) < self._count:
            actions.append(np.zeros(len(self._low)))
        if actions:
            self._descent = self._begin(actions)

    def trace(self) -> Trace:
        """All candidates and costs so far; candidates are shorter at the end of the sequence."""
        return Trace(tuple(self._candidates), tuple(self._costs))
