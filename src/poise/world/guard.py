"""Checks the parts of a controller's state that its law uses as indices, when a snapshot is restored.

Compiled laws do not check bounds. Any number that a law uses as a table row must therefore be checked when a state
comes from outside, from a file or another world. The loop never checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError

FloatArray = NDArray[np.float64]


class Whole(NamedTuple):
    """A whole number in a controller's memory, from `low` to `high`."""

    name: str
    at: int
    low: int
    high: int


@dataclass(frozen=True, eq=False)
class Guard:
    """The entries of `params` that lay out a law's tables and never change, and the indices in its memory."""

    fixed: NDArray[np.intp]
    whole: tuple[Whole, ...] = ()
    #: Checks that a range cannot express: a function of params and memory that have passed the others.
    also: Callable[[FloatArray, FloatArray], None] | None = None

    def check(self, own: FloatArray, params: FloatArray, memory: FloatArray) -> None:
        """Raises unless the law can run on this state; `own` are the controller's original parameters."""
        if not np.array_equal(own[self.fixed], params[self.fixed]):
            raise InputError("its parameters are laid out for another controller")
        for name, at, low, high in self.whole:
            check_whole(name, float(memory[at]), low, high)
        if self.also is not None:
            self.also(params, memory)


def make_guard(
    fixed: Sequence[int] | NDArray[np.intp] = (),
    whole: Sequence[Whole] = (),
    also: Callable[[FloatArray, FloatArray], None] | None = None,
) -> Guard:
    """A guard from plain lists."""
    return Guard(np.array(fixed, dtype=np.intp), tuple(whole), also)


def check_whole(name: str, value: float, low: int, high: int) -> int:
    """The number as an index; raises unless it is a whole number from `low` to `high`."""
    # Written so that a NaN fails.
    if not (low <= value <= high and value == int(value)):
        raise InputError(f"{name} must be a whole number from {low} to {high}", got=value)
    return int(value)
