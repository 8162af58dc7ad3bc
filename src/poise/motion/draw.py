"""A clip in one picture: poses along the path, heights of the feet with contacts, speed, bending of the knees."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poise.characters.model import SIDES
from poise.files import write_atomic
from poise.motion.clip import Clip
from poise.motion.contacts import find_clip_floor, find_runs
from poise.motion.conventions import LEG_M, compute_leg_length
from poise.motion.derivatives import differentiate
from poise.motion.mapping import Mapping
from poise.motion.rotations import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLORS: Final = {"left": "#d9694a", "right": "#4f8fc0", "": "#5b6472"}
_INK: Final = "#2b3038"
_POSES: Final = 14
_LOWEST: Final = 0.03
_LYING_POSES: Final = 5
_SLOT: Final = 0.45
"""Least spacing of poses, in heights: nearer ones would hide each other."""

_LYING_SLOT: Final = 0.95
"""Least spacing of poses that are longer than high, in lengths."""

_ANKLE_M: Final = 0.08
_TIP_M: Final = 0.02
"""Height of an adult's ankle over the sole; a tip of the foot lies at least this much lower than a standing ankle."""

_LEVEL_M: Final = 0.05
"""A floor nearer to height zero is at zero."""


def export_clip_picture(clip: Clip, mapping: Mapping, path: str | PathLike[str]) -> None:
    """Write the picture atomically as PNG, SVG or PDF, by its suffix."""
    suffix = str(path).rpartition(".")[2].lower()
    with write_atomic(path) as file:
        draw_clip(clip, mapping).savefig(file, format=suffix if suffix in ("svg", "pdf") else "png", dpi=140)


def draw_clip(clip: Clip, mapping: Mapping) -> Figure:
    """The picture as a matplotlib figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 9.0), facecolor="white", layout="constrained")
    rows = figure.subplots(4, 1, height_ratios=(2.6, 1.0, 1.0, 1.2))
    _draw_poses(rows[0], clip, mapping)
    _draw_feet(rows[1], clip, mapping)
    _draw_speed(rows[2], clip, mapping)
    _draw_bending(rows[3], clip, mapping)
    for axes in rows[1:]:
        axes.set_xlim(0.0, max(clip.duration_s, clip.frame_s))
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.25)
    rows[3].set_xlabel("time (s)")
    rows[0].set_title(f"{clip.name}: {clip.frames} frames at {clip.rate_hz:.4g} Hz", loc="left", color=_INK)
    return figure


def _draw_poses(axes: Any, clip: Clip, mapping: Mapping) -> None:
    """Stick figures seen from the right of the path, each at its position or, to avoid overlap, side by side."""
    pelvis = mapping.joints.get("pelvis", 0)
    across = _find_transition(clip, pelvis)
    places = clip.places_w_m
    height, length = (float(np.median(np.ptp(v, axis=1))) for v in (places[..., 2], places @ across))
    lies = length > height
    frames = np.unique(np.linspace(0, clip.frames - 1, _LYING_POSES if lies else _POSES).astype(int))
    along = places[:, pelvis] @ across
    slots = _spread(along[frames], _LYING_SLOT * length if lies else _SLOT * height)
    ground = find_ground_m(clip, mapping)[frames]
    for frame, slot, base in zip(frames, slots, ground):
        flat = np.stack([places[frame] @ across - along[frame] + slot, places[frame][:, 2]], axis=-1)
        for joint, parent in enumerate(clip.skeleton.parents):
            if parent >= 0:
                color = _COLORS[_find_side(clip, mapping, joint)]
                axes.plot(*zip(flat[parent], flat[joint]), color=color, linewidth=2.0, solid_capstyle="round")
        axes.text(
            slot, base - 0.06 * height, f"{frame * clip.frame_s:.2f} s", ha="center", va="top", fontsize=8, color=_INK
        )
    ends = [slots[0] - 0.5 * max(height, length), *slots, slots[-1] + 0.5 * max(height, length)]
    axes.plot(ends, [ground[0], *ground, ground[-1]], color=_INK, linewidth=0.8, zorder=0, gid="ground")
    axes.set_aspect("equal")
    axes.set_axis_off()


def find_ground_m(clip: Clip, mapping: Mapping) -> FloatArray:
    """Height of the ground under the pelvis, (F,): a ramp if the clip is on one, else a level."""
    floor = find_clip_floor(clip, mapping)
    if floor is None:
        return np.zeros(clip.frames)
    below = [joint for foot in mapping.feet or () for joint in clip.skeleton.below(foot)]
    points = clip.places_w_m[:, below]
    sole = -float(np.quantile((points[..., 2] - floor.height_m(points)).min(axis=1), _LOWEST))
    leg_m = compute_leg_length(clip.skeleton, mapping, clip.shifts_m) or LEG_M
    heights = floor.height_m(clip.places_w_m[:, mapping.joints.get("pelvis", 0)])
    heights = heights - (sole if sole > _TIP_M else _ANKLE_M * leg_m / LEG_M)
    if floor.is_ramp:
        return heights
    level = float(np.median(heights))
    return np.full(clip.frames, level if abs(level) > _LEVEL_M else 0.0)


def _find_transition(clip: Clip, pelvis: int) -> FloatArray:
    """Direction of the pelvis from its first position to its last; x if they are close."""
    way = (clip.places_w_m[-1, pelvis] - clip.places_w_m[0, pelvis]) * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(way))
    return way / length if length > 0.3 else np.array([1.0, 0.0, 0.0])


def _spread(places: FloatArray, least: float) -> FloatArray:
    """The same positions, moved forward to be at least `least` apart."""
    out = places.copy()
    for k in range(1, len(out)):
        out[k] = max(out[k], out[k - 1] + least)
    return out


def _find_side(clip: Clip, mapping: Mapping, joint: int) -> str:
    above = set(clip.skeleton.up_from(joint))
    for side in SIDES:
        if any(mapping.joints.get(f"{side}_{part}") in above for part in ("thigh", "upper_arm")):
            return side
    return ""


def _draw_feet(axes: Any, clip: Clip, mapping: Mapping) -> None:
    for k, side in enumerate(SIDES):
        foot = mapping.joints.get(f"{side}_foot")
        if foot is None:
            continue
        axes.plot(clip.time_s, clip.places_w_m[:, foot, 2], color=_COLORS[side], label=side)
        if clip.contacts is not None:
            for first, last in find_runs(clip.contacts[:, k]):
                ends = clip.time_s[[first, last]]
                axes.plot(ends, [-0.02 - 0.02 * k] * 2, color=_COLORS[side], linewidth=4.0, solid_capstyle="butt")
    axes.set_ylabel("ankle height (m),\nbars: contacts")


def _draw_speed(axes: Any, clip: Clip, mapping: Mapping) -> None:
    pelvis = clip.places_w_m[:, mapping.joints.get("pelvis", 0)]
    speed = np.linalg.norm(differentiate(pelvis, clip.frame_s)[:, :2], axis=-1)
    axes.plot(clip.time_s, speed, color=_COLORS[""])
    axes.set_ylim(0.0, max(0.2, 1.1 * float(speed.max())))
    axes.set_ylabel("speed of the\npelvis (m/s)")


def _draw_bending(axes: Any, clip: Clip, mapping: Mapping) -> None:
    for side in SIDES:
        joints = [mapping.joints.get(f"{side}_{part}") for part in ("thigh", "shank", "foot")]
        if None in joints:
            continue
        hip, knee, ankle = (clip.places_w_m[:, j] for j in joints)
        axes.plot(clip.time_s, compute_bend_deg(hip, knee, ankle), color=_COLORS[side], label=f"{side} knee")
    axes.set_ylabel("bend of the\nknee (deg)")
    axes.legend(loc="upper right", fontsize=8, frameon=False)


def compute_bend_deg(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Angle by which the path from a via b to c bends at b, (F,)."""
    u, v = b - a, c - b
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(u, v), axis=-1), np.sum(u * v, axis=-1)))
