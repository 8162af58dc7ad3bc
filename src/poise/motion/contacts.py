"""Foot contacts found from the motion itself, and the sliding of feet during contact.

As in the released code of [Lee10]: a foot stands while its ankle is low and slow. Ankle height is relative to the
lowest positions of the ankles along the path, so that other feet and other floors make no difference.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.motion.clip import BoolArray, Clip
from poise.motion.conventions import LEG_M, compute_leg_length
from poise.motion.floor import Floor, find_floor
from poise.motion.mapping import Mapping
from poise.motion.rotations import FloatArray, quat_rotate

MAX_RISE_M: Final = 0.055
"""Largest rise of a standing ankle above its lowest height: 0.1 m over the ground less 0.045 m at rest [Lee10 code]."""

MAX_TOE_RISE_M: Final = 0.03
"""The same for toes, over which the foot rolls without lifting them."""

MAX_SPEED_MPS: Final = 0.4
MIN_CONTACT_S: Final = 0.06
"""Shorter contacts, and shorter breaks in them, are noise."""


@dataclass(frozen=True)
class Skate:
    """Sliding of feet during contact: mean speed, and mean distance per contact."""

    mean_speed_mps: float
    slide_m: float
    contacts: int


def find_contacts(clip: Clip, mapping: Mapping) -> BoolArray | None:
    """Whether the left and the right foot stand, (F, 2); None if the feet are unknown."""
    feet = mapping.feet
    leg_m = compute_leg_length(clip.skeleton, mapping, clip.shifts_m)
    if feet is None or leg_m is None:
        return None
    ankles = clip.places_w_m[:, feet]
    scale = leg_m / LEG_M
    slow = compute_speed_mps(ankles, clip.frame_s) < MAX_SPEED_MPS * np.sqrt(scale)
    floor = find_floor(ankles, slow, find_hips_w_m(clip, mapping))
    low = ankles[..., 2] - floor.height_m(ankles) < MAX_RISE_M * scale
    shortest = max(1, round(MIN_CONTACT_S / clip.frame_s))
    return np.stack([_drop_short_runs(low[:, k] & slow[:, k], shortest) for k in range(2)], axis=1)


def find_toe_contacts(clip: Clip, mapping: Mapping) -> BoolArray:
    """Whether the toes of the left and the right foot are on the ground, (F, 2); all False if toes are unknown."""
    flags = np.zeros((clip.frames, 2), dtype=np.bool_)
    leg_m = compute_leg_length(clip.skeleton, mapping, clip.shifts_m)
    toes = [_find_toes_w_m(clip, mapping, side) for side in SIDES]
    if leg_m is None or toes[0] is None or toes[1] is None:
        return flags
    points = np.stack([toes[0], toes[1]], axis=1)
    scale = leg_m / LEG_M
    slow = compute_speed_mps(points, clip.frame_s) < MAX_SPEED_MPS * np.sqrt(scale)
    floor = find_floor(points, slow, find_hips_w_m(clip, mapping))
    return slow & (points[..., 2] - floor.height_m(points) < MAX_TOE_RISE_M * scale)


def find_hips_w_m(clip: Clip, mapping: Mapping) -> FloatArray:
    """Middle between both hips, (F, 3), or the pelvis of a body whose hips are unknown."""
    hips = [mapping.joints[role] for role in ("left_thigh", "right_thigh") if role in mapping.joints]
    return clip.places_w_m[:, hips or [mapping.joints.get("pelvis", 0)]].mean(axis=1)


def find_clip_floor(clip: Clip, mapping: Mapping) -> Floor | None:
    """The floor under the ankles of a clip; None if its feet are unknown."""
    feet = mapping.feet
    if feet is None:
        return None
    ankles = clip.places_w_m[:, feet]
    scale = (compute_leg_length(clip.skeleton, mapping, clip.shifts_m) or LEG_M) / LEG_M
    slow = compute_speed_mps(ankles, clip.frame_s) < MAX_SPEED_MPS * np.sqrt(scale)
    return find_floor(ankles, slow, find_hips_w_m(clip, mapping))


def _find_toes_w_m(clip: Clip, mapping: Mapping, side: str) -> FloatArray | None:
    """Position of the toe joint, (F, 3), or of the end of the foot."""
    toes, foot = mapping.joints.get(f"{side}_toes"), mapping.joints.get(f"{side}_foot")
    if toes is not None:
        return clip.places_w_m[:, toes]
    bone = np.zeros(3) if foot is None else clip.skeleton.bone_m(foot)
    if foot is None or not bone.any():
        return None
    return clip.places_w_m[:, foot] + quat_rotate(clip.turns_wxyz[:, foot], np.broadcast_to(bone, (clip.frames, 3)))


def annotate(clip: Clip, mapping: Mapping) -> Clip:
    """The clip with its contacts, unless it already has some or they cannot be found."""
    return clip if clip.contacts is not None else replace(clip, contacts=find_contacts(clip, mapping))


def compute_speed_mps(places_m: FloatArray, frame_s: float) -> FloatArray:
    """Speed of points over frames, (F, ...), by central differences, one-sided at the ends."""
    if len(places_m) < 2:
        return np.zeros(places_m.shape[:-1])
    return np.linalg.norm(np.gradient(places_m, frame_s, axis=0), axis=-1)


def find_runs(flags: BoolArray) -> list[tuple[int, int]]:
    """First and last frame of every run of true flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2])]


def measure_sole_skate_mps(soles_w_m: list[FloatArray], frame_s: float, touch_m: float) -> float:
    """Mean sliding speed of soles, each of points (F, N, 3), while they touch level ground.

    A sole touches with the points that are lower than `touch_m` in two consecutive frames. It slides at the speed of
    the slowest of them, so pivoting about one point does not count.
    """
    speeds = []
    for points in soles_w_m:
        low = points[..., 2] < touch_m
        both = low[1:] & low[:-1]
        ways = np.linalg.norm(np.diff(points[..., :2], axis=0), axis=-1)
        least = np.where(both, ways, np.inf).min(axis=1)
        speeds.append(least[np.isfinite(least)] / frame_s)
    found = np.concatenate(speeds)
    return float(found.mean()) if len(found) else 0.0


def measure_skate(points_w_m: FloatArray, contacts: BoolArray, frame_s: float) -> Skate:
    """Sliding of one point per foot, (F, 2, 3), during its contacts."""
    ways, time = [], 0.0
    for k in range(2):
        for first, last in find_runs(contacts[:, k]):
            path = points_w_m[first : last + 1, k, :2]
            ways.append(float(np.linalg.norm(np.diff(path, axis=0), axis=-1).sum()))
            time += (last - first) * frame_s
    if not ways:
        return Skate(0.0, 0.0, 0)
    return Skate(sum(ways) / time if time > 0.0 else 0.0, sum(ways) / len(ways), len(ways))


def _drop_short_runs(flags: BoolArray, shortest: int) -> BoolArray:
    """The same flags with gaps shorter than `shortest` frames filled, and then shorter runs removed."""
    out = flags.copy()
    for first, last in find_runs(~out):
        if last - first + 1 < shortest and first > 0 and last < len(out) - 1:
            out[first : last + 1] = True
    for first, last in find_runs(out):
        if last - first + 1 < shortest and first > 0 and last < len(out) - 1:
            out[first : last + 1] = False
    return out
