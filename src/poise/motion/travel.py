"""Travel of walks in place: on a treadmill, or with their travel removed by a program.

In such a clip the pelvis stays where it is and the foot on the ground moves backward at the walking speed. The clip
gets that speed back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.kernels.fixed import arctan2, cos, sin
from poise.motion.clip import BoolArray, Clip
from poise.motion.contacts import MAX_TOE_RISE_M, find_hips_w_m, find_runs
from poise.motion.conventions import LEG_M, compute_leg_length
from poise.motion.mapping import Mapping
from poise.motion.rotations import FloatArray, quat_rotate

MIN_SPEED_MPS: Final = 0.2
"""Feet on the ground that move more slowly only slide."""

MAX_DRIFT: Final = 0.25
"""Largest speed of the pelvis relative to that of the feet on the ground, of a walk in place."""

_EVEN: Final = 0.8
"""Least length of the mean velocity of feet on the ground, relative to their mean speed."""

_WITH_FEET: Final = 0.5
"""A foot slower than this fraction of the usual one is landing or leaving the ground."""

_APART: Final = 0.6
"""Least mean difference of the velocities of both feet, relative to their speed on the ground: one swings ahead."""

_UPRIGHT: Final = 0.6
"""Least height of the hips over the ankles, in leg lengths."""

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
    return np.unwrap(arctan2(-across[:, 0], across[:, 1]))


def _find_velocity(clip: Clip, mapping: Mapping) -> FloatArray | None:
    """Velocity (F, 2) that brings the feet on the ground to rest; None unless the clip walks in place."""
    feet, leg_m = mapping.feet, compute_leg_length(clip.skeleton, mapping, clip.shifts_m)
    if feet is None or leg_m is None or mapping.missing_legs or clip.frames < 3:
        return None
    low = np.quantile(clip.places_w_m[:, feet, 2], _LOWEST)
    if np.quantile(find_hips_w_m(clip, mapping)[:, 2] - low, _LOWEST) < _UPRIGHT * leg_m:
        return None
    scale = leg_m / LEG_M
    heading = compute_body_heading_rad(clip, mapping)
    soles = [_find_sole(clip, foot, heading) for foot in feet]
    heights, speeds = (np.stack(values, axis=1) for values in zip(*(_find_lowest(*sole) for sole in soles)))
    # The lower foot counts more: the other one may be about to land.
    weights = np.maximum(0.0, 1.0 - heights / (MAX_TOE_RISE_M * scale)) ** 2
    mean = (weights[..., None] * speeds).sum(axis=(0, 1)) / float(weights.sum())
    size = float(np.linalg.norm(mean))
    if size < MIN_SPEED_MPS * np.sqrt(scale):
        return None
    along = speeds @ (mean / size)
    stands = (weights > 0.0) & (along > _WITH_FEET * size)
    swings = float(np.abs(along[:, 0] - along[:, 1]).mean()) > _APART * size
    if not swings or not _is_in_place(clip, mapping, size) or not _steps(stands, clip.frame_s):
        return None
    weights = np.where(stands, weights, 0.0)
    if size < _EVEN * float((weights * np.linalg.norm(speeds, axis=-1)).sum() / max(float(weights.sum()), 1e-12)):
        return None
    ground = _find_ground(soles, mean, MAX_TOE_RISE_M * scale)
    return _turn(-_smooth(ground, clip.frame_s)[:, None], heading)[:, 0]


def _find_sole(clip: Clip, foot: int, heading_rad: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Heights (F, P) over their lowest positions, and velocities (F, P, 2) to the heading, of points of a foot."""
    points = [clip.places_w_m[:, joint] for joint in clip.skeleton.below(foot)]
    for end in clip.skeleton.ends:
        if foot in clip.skeleton.up_from(end.joint):
            offset = np.broadcast_to(end.offset_m, (clip.frames, 3))
            points.append(clip.places_w_m[:, end.joint] + quat_rotate(clip.turns_wxyz[:, end.joint], offset))
    places = np.stack(points, axis=1)
    heights = places[..., 2] - np.quantile(places[..., 2], _LOWEST, axis=0)
    return heights, _turn(np.gradient(places[..., :2], clip.frame_s, axis=0), -heading_rad)


def _find_lowest(heights: FloatArray, velocities: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Height (F,) and velocity (F, 2) of the lowest point: the ankle when the heel lands, and then the toes."""
    lowest, frames = np.argmin(heights, axis=1), np.arange(len(heights))
    return heights[frames, lowest], velocities[frames, lowest]


def _find_ground(soles: list[tuple[FloatArray, FloatArray]], mean: FloatArray, low_m: float) -> FloatArray:
    """Velocity of the ground (F, 2): that of the point of both feet that follows it best.

    No point of a foot is faster than the ground that carries it; points about which the foot rolls are slower.
    """
    heights, velocities = (np.concatenate(values, axis=1) for values in zip(*soles))
    size = float(np.linalg.norm(mean))
    along = np.where(heights < low_m, velocities @ (mean / size), -np.inf)
    best, frames = np.argmax(along, axis=1), np.arange(len(along))
    known = np.flatnonzero(along[frames, best] > _WITH_FEET * size)
    found = velocities[frames, best][known]
    return np.stack([np.interp(frames, known, found[:, k]) for k in range(2)], axis=-1)


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


def _smooth(values: FloatArray, frame_s: float) -> FloatArray:
    """Moving averages of values (F, 2)."""
    count = max(1, round(_SMOOTH_S / frame_s)) | 1
    padded = np.pad(values, ((count // 2, count // 2), (0, 0)), mode="edge")
    return np.stack([np.convolve(column, np.ones(count) / count, mode="valid") for column in padded.T], axis=-1)
