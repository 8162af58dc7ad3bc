"""The floor of a clip, found from its feet: its height, and its slope along the path walked.

Recorded floors are rarely level: a badly calibrated room rises by centimetres within a few steps. A steep floor is a
ramp only if there is evidence for it: several stances of each foot on one line, and hips that rise with them.
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

MAX_SLOPE: Final = 0.3
LEVEL_SLOPE: Final = 0.05
"""A floor that slopes less is taken as level; a steeper one is a ramp and kept."""

_RAMP_RISE_M: Final = 0.12
"""A ramp rises by more than this from the first stance to the last."""

_RAMP_STANCES: Final = 2
"""Least number of stances of each foot on a ramp."""

_RAMP_MISS_M: Final = 0.04
"""Stances lie nearer than this to the line of a ramp."""

_AGREE: Final = (0.03, 0.35)
"""Slopes under the left foot, the right foot and the hips agree to this difference or, on steep ramps, part."""

_ROUNDS: Final = 8


@dataclass(frozen=True, eq=False)
class Floor:
    """Height of standing ankles: level_m + slope · (position along the path)."""

    level_m: float
    slope: float
    #: Horizontal unit vector of the path, (2,).
    way: FloatArray

    @property
    def is_ramp(self) -> bool:
        return abs(self.slope) >= LEVEL_SLOPE

    def height_m(self, places_w_m: FloatArray) -> FloatArray:
        """Floor height below positions (..., 3)."""
        return self.level_m + self.slope * (places_w_m[..., :2] @ self.way)


def find_floor(ankles_w_m: FloatArray, slow: np.ndarray, hips_w_m: FloatArray) -> Floor:
    """The floor under ankles (F, 2, 3) and hips (F, 3); ankles marked `slow` (F, 2) may stand on it."""
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
    floor = _fit(points[:, 2], along, way, flat)
    return flat if floor.is_ramp and not _is_proven(floor, ankles_w_m, slow, hips_w_m) else floor


def _is_proven(floor: Floor, ankles_w_m: FloatArray, slow: np.ndarray, hips_w_m: FloatArray) -> bool:
    """Whether both feet stand on a ramp, several times each, and the hips rise with it."""
    along = ankles_w_m[..., :2] @ floor.way
    above = ankles_w_m[..., 2] - floor.height_m(ankles_w_m)
    slopes = []
    for k in range(ankles_w_m.shape[1]):
        stances = np.split(np.arange(len(slow)), np.flatnonzero(np.diff(slow[:, k])) + 1)
        stances = [run for run in stances if slow[run[0], k] and float(np.abs(above[run, k]).min()) < _RAMP_MISS_M]
        if len(stances) < _RAMP_STANCES:
            return False
        lows = [run[np.argmin(above[run, k])] for run in stances]
        if float(np.ptp(ankles_w_m[lows, k, 2])) < _RAMP_RISE_M:
            return False
        slopes.append(np.polyfit(along[lows, k], ankles_w_m[lows, k, 2], 1)[0])
    slopes.append(np.polyfit(hips_w_m[:, :2] @ floor.way, hips_w_m[:, 2], 1)[0])
    apart, part = _AGREE
    return all(abs(slope - floor.slope) < max(apart, part * abs(floor.slope)) for slope in slopes)


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
