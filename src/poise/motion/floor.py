"""The floor of a clip, found from its feet: its height, and its slope along the path walked.

Recorded floors are rarely level: a badly calibrated room rises by centimetres within a few steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.motion.rotations import FloatArray

_LOWEST: Final = 0.03
"""Share of all heights that may lie below the floor: feet dip, and markers slip."""

_MIN_WAY_M: Final = 1.0
"""A shorter path does not determine a slope."""

_RISE_M: Final = 0.03
"""A slow ankle higher than this above the floor does not stand."""

MAX_SLOPE: Final = 0.2
_ROUNDS: Final = 8


@dataclass(frozen=True, eq=False)
class Floor:
    """Height of standing ankles: level_m + slope · (position along the path)."""

    level_m: float
    slope: float
    #: Horizontal unit vector of the path, (2,).
    way: FloatArray

    def height_m(self, places_w_m: FloatArray) -> FloatArray:
        """Floor height below positions (..., 3)."""
        return self.level_m + self.slope * (places_w_m[..., :2] @ self.way)


def find_floor(ankles_w_m: FloatArray, slow: np.ndarray) -> Floor:
    """The floor under ankles (F, 2, 3); those marked `slow` (F, 2) may stand on it."""
    level = float(np.quantile(ankles_w_m[..., 2], _LOWEST))
    flat = Floor(level, 0.0, np.array([1.0, 0.0]))
    points = ankles_w_m[slow]
    if len(points) < 8:
        return flat
    spread = points[:, :2] - points[:, :2].mean(axis=0)
    way = np.linalg.svd(spread, full_matrices=False)[2][0]
    along = points[:, :2] @ way
    if float(np.ptp(along)) < _MIN_WAY_M:
        return flat
    return _fit(points[:, 2], along, way, flat)


def _fit(heights: FloatArray, along: FloatArray, way: FloatArray, flat: Floor) -> Floor:
    """Fit a line through the low points by repeatedly dropping points above it."""
    line = np.polynomial.Polynomial.fit(along, heights, 1).convert()
    for _ in range(_ROUNDS):
        low = heights - line(along) < _RISE_M
        if low.sum() < 8 or float(np.ptp(along[low])) < _MIN_WAY_M:
            return flat
        line = np.polynomial.Polynomial.fit(along[low], heights[low], 1).convert()
    level, slope = (*line.coef.tolist(), 0.0)[:2]
    return Floor(level, slope, way) if abs(slope) <= MAX_SLOPE else flat
