"""Recordings that tremble, as those of depth cameras do: they are smoothed, because feet that tremble never stand."""

from __future__ import annotations

from typing import Final

import numpy as np

from poise.motion.clip import Clip
from poise.motion.conventions import LEG_M, compute_leg_length
from poise.motion.mapping import Mapping
from poise.motion.resample import smooth
from poise.motion.rotations import FloatArray

CUTOFF_HZ: Final = 6.0
"""It preserves a walk."""

FEET_M: Final = 0.0015
PELVIS_M: Final = 0.0004
"""Usual distances of feet and pelvis from a smooth path, above which a clip trembles. Marker systems stay below a tenth
of both; in a fast run the feet, but not the pelvis, reach theirs.
"""

_MIN_RATE_HZ: Final = 25.0
"""At lower rates, the motion itself differs as much from frame to frame."""

_MIN_FRAMES: Final = 15
_QUADRATIC: Final = np.array([-3.0, 12.0, 17.0, 12.0, -3.0]) / 35.0
"""Weights of five samples in the middle value of the parabola fitted to them."""


def smooth_noise(clip: Clip, mapping: Mapping) -> Clip:
    """The clip, smoothed with a note if it trembles."""
    if clip.frames < _MIN_FRAMES or clip.rate_hz < _MIN_RATE_HZ or mapping.feet is None:
        return clip
    scale = (compute_leg_length(clip.skeleton, mapping, clip.shifts_m) or LEG_M) / LEG_M
    feet, pelvis = (
        measure_noise_m(clip.places_w_m[:, joints]) for joints in (mapping.feet, [mapping.joints["pelvis"]])
    )
    if feet < FEET_M * scale or pelvis < PELVIS_M * scale:
        return clip
    note = f"positions tremble by {1000.0 * feet:.0f} mm from frame to frame: smoothed at {CUTOFF_HZ:g} Hz"
    return smooth(clip, CUTOFF_HZ).noted(note)


def measure_noise_m(places_m: FloatArray) -> float:
    """Median distance, along each axis, of points (F, N, 3) from a parabola through five frames."""
    count = len(places_m) - len(_QUADRATIC) + 1
    fitted = sum(weight * places_m[k : k + count] for k, weight in enumerate(_QUADRATIC.tolist()))
    middle = places_m[len(_QUADRATIC) // 2 :][:count]
    return float(np.median(np.abs(middle - fitted)))
