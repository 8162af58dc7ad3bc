"""A clip in one picture: poses along the path, heights of the feet with contacts, speed, bending of the knees."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poise.characters.model import SIDES
from poise.files import write_atomic
from poise.motion.clip import Clip
from poise.motion.contacts import find_runs
from poise.motion.derivatives import differentiate
from poise.motion.mapping import Mapping
from poise.motion.rotations import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLORS: Final = {"left": "#d9694a", "right": "#4f8fc0", "": "#5b6472"}
_INK: Final = "#2b3038"
_POSES: Final = 14
_SLOT: Final = 0.45
"""Least spacing of poses, in heights: nearer ones would hide each other."""


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
    _draw_speed(rows[2], clip)
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
    frames = np.unique(np.linspace(0, clip.frames - 1, _POSES).astype(int))
    across = _find_transition(clip)
    places = clip.places_w_m
    height = float(np.median(np.ptp(places[..., 2], axis=1)))
    along = places[:, 0] @ across
    slots = _spread(along[frames], _SLOT * height)
    for frame, slot in zip(frames, slots):
        flat = np.stack([places[frame] @ across - along[frame] + slot, places[frame][:, 2]], axis=-1)
        for joint, parent in enumerate(clip.skeleton.parents):
            if parent >= 0:
                color = _COLORS[_find_side(clip, mapping, joint)]
                axes.plot(*zip(flat[parent], flat[joint]), color=color, linewidth=2.0, solid_capstyle="round")
        axes.text(slot, -0.06 * height, f"{frame * clip.frame_s:.2f} s", ha="center", va="top", fontsize=8, color=_INK)
    axes.axhline(0.0, color=_INK, linewidth=0.8)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _find_transition(clip: Clip) -> FloatArray:
    """Direction from the first position to the last; x if they are close."""
    way = (clip.root_pos_m[-1] - clip.root_pos_m[0]) * [1.0, 1.0, 0.0]
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


def _draw_speed(axes: Any, clip: Clip) -> None:
    speed = np.linalg.norm(differentiate(clip.root_pos_m, clip.frame_s)[:, :2], axis=-1)
    axes.plot(clip.time_s, speed, color=_COLORS[""])
    axes.set_ylim(0.0, max(0.2, 1.1 * float(speed.max())))
    axes.set_ylabel("speed of the\nroot (m/s)")


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
