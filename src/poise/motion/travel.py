"""Travel of walks in place: on a treadmill, or with their travel removed by a program.

In such a clip the pelvis stays where it is and the foot on the ground moves backward at the walking speed. The clip
gets that speed back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.kernels.fixed import cos, sin
from poise.motion.clip import BoolArray, Clip
from poise.motion.contacts import MAX_RISE_M, find_runs
from poise.motion.conventions import LEG_M, compute_leg_length
from poise.motion.mapping import Mapping
from poise.motion.rotations import FloatArray

MIN_SPEED_MPS: Final = 0.2
"""Feet on the ground that move more slowly only slide."""

MAX_DRIFT: Final = 0.25
"""Largest speed of the pelvis relative to that of the feet on the ground, of a walk in place."""

_EVEN: Final = 0.8
"""Least length of the mean velocity of feet on the ground, relative to their mean speed."""

_WITH_FEET: Final = 0.5
"""A foot slower than this fraction of the usual one is landing or leaving the ground."""

_LOWEST: Final = 0.03
_MIN_STANCE_S: Final = 0.1
_SMOOTH_S: Final = 0.15


def restore_travel(clip: Clip, mapping: Mapping) -> Clip:
    """The clip with its travel if it walks in place, and a note; any other clip unchanged."""
    found = _find_velocity(clip, mapping)
    if found is None:
        return clip
    steps = np.zeros_like(clip.root_pos_m)
    steps[1:, :2] = 0.5 * clip.frame_s * (found[1:] + found[:-1])
    speed = float(np.linalg.norm(found, axis=-1).mean())
    note = f"walks in place: its travel at {speed:.2f} m/s is that of the foot on the ground"
    return replace(clip, root_pos_m=clip.root_pos_m + np.cumsum(steps, axis=0), in_place=True).noted(note)


def compute_body_heading_rad(clip: Clip, mapping: Mapping) -> FloatArray:
    """Direction in which the hips face, (F,), continuous in time."""
    across = clip.places_w_m[:, mapping.joints["left_thigh"]] - clip.places_w_m[:, mapping.joints["right_thigh"]]
    return np.unwrap(np.arctan2(-across[:, 0], across[:, 1]))


def _find_velocity(clip: Clip, mapping: Mapping) -> FloatArray | None:
    """Velocity (F, 2) that brings the feet on the ground to rest; None unless the clip walks in place."""
    feet, leg_m = mapping.feet, compute_leg_length(clip.skeleton, mapping, clip.shifts_m)
    if feet is None or leg_m is None or mapping.missing_legs or clip.frames < 3:
        return None
    scale = leg_m / LEG_M
    ankles = clip.places_w_m[:, feet]
    heights = ankles[..., 2] - np.quantile(ankles[..., 2], _LOWEST)
    # The lower foot counts more: the other one may be about to land.
    weights = np.maximum(0.0, 1.0 - heights / (MAX_RISE_M * scale)) ** 2
    heading = compute_body_heading_rad(clip, mapping)
    speeds = _turn(np.gradient(ankles[..., :2], clip.frame_s, axis=0), -heading)
    total = float(weights.sum())
    mean = (weights[..., None] * speeds).sum(axis=(0, 1)) / total
    size = float(np.linalg.norm(mean))
    if size < MIN_SPEED_MPS * np.sqrt(scale):
        return None
    along = speeds @ (mean / size)
    stands = (weights > 0.0) & (along > _WITH_FEET * size)
    if not _is_in_place(clip, mapping, size) or not _steps(stands, clip.frame_s):
        return None
    weights = np.where(stands, weights, 0.0)
    if size < _EVEN * float((weights * np.linalg.norm(speeds, axis=-1)).sum() / max(float(weights.sum()), 1e-12)):
        return None
    return _turn(_fill(-speeds, weights, clip.frame_s)[:, None], heading)[:, 0]


def _turn(vectors: FloatArray, angle_rad: FloatArray) -> FloatArray:
    """Vectors (F, N, 2) rotated by angles (F,)."""
    c, s = cos(angle_rad)[:, None], sin(angle_rad)[:, None]
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)


def _is_in_place(clip: Clip, mapping: Mapping, speed_mps: float) -> bool:
    pelvis = clip.places_w_m[:, mapping.joints["pelvis"], :2]
    return float(np.linalg.norm(pelvis[-1] - pelvis[0])) < MAX_DRIFT * speed_mps * clip.duration_s


def _steps(stands: BoolArray, frame_s: float) -> bool:
    """Whether each foot stands for a while."""
    shortest = _MIN_STANCE_S / frame_s
    return all(any(b - a + 1 >= shortest for a, b in find_runs(stands[:, k])) for k in range(len(SIDES)))


def _fill(velocities: FloatArray, weights: FloatArray, frame_s: float) -> FloatArray:
    """Weighted means (F, 2) of velocities (F, 2, 2) of both feet, interpolated over flight, and smoothed."""
    total = weights.sum(axis=1)
    known = np.flatnonzero(total > 0.0)
    means = (weights[..., None] * velocities).sum(axis=1)[known] / total[known, None]
    count = max(1, round(_SMOOTH_S / frame_s)) | 1
    out = []
    for k in range(2):
        values = np.interp(np.arange(len(total)), known, means[:, k])
        out.append(np.convolve(np.pad(values, count // 2, mode="edge"), np.ones(count) / count, mode="valid"))
    return np.stack(out, axis=-1)
