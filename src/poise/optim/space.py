"""Search space: named variables with a range, a start and a spread, in normalised coordinates for optimisers.

In these coordinates the start is the origin and every variable's spread is one: radians, seconds and gains are searched
alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, out_of_range

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Variable:
    """One number to search, in its own unit."""

    name: str
    low: float
    high: float
    start: float
    #: Standard deviation of the first candidates.
    spread: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise InputError(f"variable {self.name}: low must be below high, got {self.low:g} and {self.high:g}.")
        if not self.low <= self.start <= self.high:
            raise out_of_range(f"variable {self.name}", "start", self.start, self.low, self.high)
        if not 0.0 < self.spread <= self.high - self.low:
            raise InputError(
                f"variable {self.name}: spread must be above 0 and at most the width of the range, "
                f"{self.high - self.low:g}, got {self.spread:g}."
            )


@dataclass(frozen=True)
class Space:
    """The variables of one search, in order."""

    variables: tuple[Variable, ...]

    def __post_init__(self) -> None:
        names = [v.name for v in self.variables]
        if not names:
            raise InputError("search: nothing to vary. At least one variable is needed.")
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise InputError(f"search: {', '.join(twice)} is varied twice. Each name may appear once.")

    def __len__(self) -> int:
        return len(self.variables)

    @property
    def _start(self) -> FloatArray:
        return np.array([v.start for v in self.variables])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(v.name for v in self.variables)

    @property
    def spreads(self) -> FloatArray:
        """Spread of each variable in its own unit, (n,)."""
        return np.array([v.spread for v in self.variables])

    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Lowest and highest point, normalised."""
        low = np.array([v.low for v in self.variables])
        high = np.array([v.high for v in self.variables])
        return (low - self._start) / self.spreads, (high - self._start) / self.spreads

    def decode(self, point: Sequence[float] | FloatArray) -> dict[str, float]:
        """Values by name at a normalised point, clamped to their ranges against rounding."""
        values = self._start + np.asarray(point, dtype=float) * self.spreads
        return {v.name: float(min(max(x, v.low), v.high)) for v, x in zip(self.variables, values, strict=True)}

    def decode_many(self, points: FloatArray) -> FloatArray:
        """Values in the variables' own units at normalised points, both (N, n)."""
        low = np.array([v.low for v in self.variables])
        high = np.array([v.high for v in self.variables])
        return np.clip(self._start + np.asarray(points, dtype=float) * self.spreads, low, high)

    def encode(self, values: Mapping[str, float]) -> FloatArray:
        """Normalised point of values by name."""
        return (np.array([values[v.name] for v in self.variables]) - self._start) / self.spreads
