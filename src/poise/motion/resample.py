"""Resampling to another frame rate, and low-pass filtering."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.errors import out_of_range
from poise.motion.clip import MAX_RATE_HZ, MIN_RATE_HZ, Clip
from poise.motion.rotations import FloatArray, quat_align_signs, quat_normalize, quat_slerp

_ORDER: Final = 2
"""The effective order is twice this: the filter runs forwards and backwards, without delay."""


def resample(clip: Clip, rate_hz: float) -> Clip:
    """The clip at another rate, with linear interpolation of positions and slerp of rotations."""
    if not MIN_RATE_HZ <= rate_hz <= MAX_RATE_HZ:
        raise out_of_range(f"clip {clip.name}", "the frame rate", rate_hz, MIN_RATE_HZ, MAX_RATE_HZ, "Hz")
    # A little slack: despite rounding, 4 s at 30 Hz should end with the last frame.
    count = int(clip.duration_s * rate_hz + 1e-3) + 1
    moments = np.minimum(np.arange(count) * clip.rate_hz / rate_hz, clip.frames - 1.0)
    return replace(
        clip,
        frame_s=1.0 / rate_hz,
        root_pos_m=interpolate(clip.root_pos_m, moments),
        quats_wxyz=interpolate_quats(clip.quats_wxyz, moments),
        shifts_m=None if clip.shifts_m is None else interpolate(clip.shifts_m, moments),
        contacts=None if clip.contacts is None else clip.contacts[np.round(moments).astype(int)],
    )


def interpolate(values: FloatArray, moments: FloatArray) -> FloatArray:
    """Interpolated values, (N, ...), at moments given in frames."""
    low, part = _split(moments, len(values))
    part = part.reshape(-1, *[1] * (values.ndim - 1))
    return (1.0 - part) * values[low] + part * values[np.minimum(low + 1, len(values) - 1)]


def interpolate_quats(quats_wxyz: FloatArray, moments: FloatArray) -> FloatArray:
    """Interpolated rotations, (N, J, 4), at moments given in frames."""
    low, part = _split(moments, len(quats_wxyz))
    high = np.minimum(low + 1, len(quats_wxyz) - 1)
    return quat_align_signs(quat_slerp(quats_wxyz[low], quats_wxyz[high], part[:, None]))


def smooth(clip: Clip, cutoff_hz: float) -> Clip:
    """The clip low-pass filtered at about `cutoff_hz`, without delay.

    A Butterworth filter runs forwards and backwards, as is usual for recorded motion; 6 Hz preserves a walk.
    """
    highest = 0.45 * clip.rate_hz
    if not 0.0 < cutoff_hz <= highest:
        raise out_of_range(f"clip {clip.name}", "the cutoff frequency", cutoff_hz, 0.0, highest, "Hz")
    quats = quat_normalize(_filter(quat_align_signs(clip.quats_wxyz), cutoff_hz, clip.rate_hz))
    return replace(
        clip,
        root_pos_m=_filter(clip.root_pos_m, cutoff_hz, clip.rate_hz),
        quats_wxyz=quats,
        shifts_m=None if clip.shifts_m is None else _filter(clip.shifts_m, cutoff_hz, clip.rate_hz),
    )


def _filter(values: FloatArray, cutoff_hz: float, rate_hz: float) -> FloatArray:
    from scipy.signal import butter, sosfiltfilt  # slow to import

    sections = butter(_ORDER, cutoff_hz, fs=rate_hz, output="sos")
    pad = min(len(values) - 1, int(3.0 * rate_hz / cutoff_hz))
    return np.asarray(sosfiltfilt(sections, values, axis=0, padlen=pad), dtype=np.float64)


def _split(moments: FloatArray, frames: int) -> tuple[np.ndarray, FloatArray]:
    low = np.clip(np.floor(moments).astype(int), 0, frames - 1)
    return low, moments - low
