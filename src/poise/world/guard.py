"""What of a controller's state its law uses as an index: checked when a snapshot is put in place, never in the loop.

Compiled laws do not check bounds. A number that a law takes for a row of a table must therefore be one of its rows
wherever a state comes from outside: from a file, or from another world.
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
    """The places of `params` that lay out a law's tables and never change, and the indices in its memory."""

    fixed: NDArray[np.intp]
    whole: tuple[Whole, ...] = ()
    #: What a range cannot say, as a function of params and memory, which have passed the rest.
    also: Callable[[FloatArray, FloatArray], None] | None = None

    def check(self, own: FloatArray, params: FloatArray, memory: FloatArray) -> None:
        """Raises unless the law can run on this state; `own` are the parameters with which the controller was made."""
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
    """A guard of plain lists."""
    return Guard(np.array(fixed, dtype=np.intp), tuple(whole), also)


def check_whole(name: str, value: float, low: int, high: int) -> int:
    """The number as an index, if it is one from `low` to `high`."""
    # Written so that a NaN fails.
    if not (low <= value <= high and value == int(value)):
        raise InputError(f"{name} must be a whole number from {low} to {high}", got=value)
    return int(value)
