"""Measures of the whole body: posture, height and balance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from poise.measures.signals import compute_height_m
from poise.measures.window import Window
from poise.recordings.contacts import compute_center_of_pressure_m, compute_support_polygon_m
from poise.recordings.recording import FloatArray

#: Distance from the support assigned to a body that never touches the ground.
_NO_SUPPORT_M: Final = 1.0


def _com_height_m(w: Window) -> FloatArray:
    return w.recording.com_w_m[w.frames, 0, 2]


def _com_cop_m(w: Window) -> FloatArray:
    """Horizontal distances of the centre of mass from the centre of pressure, flight excluded, (K,)."""
    away = (w.recording.com_w_m[:, 0] - compute_center_of_pressure_m(w.recording))[w.frames, :2]
    distances = np.linalg.norm(away, axis=1)
    return distances[np.isfinite(distances)]


def _mean_com_cop(w: Window) -> float:
    distances = _com_cop_m(w)
    return float(np.sqrt(np.mean(distances**2))) if len(distances) else _NO_SUPPORT_M


def _sum_com_cop(w: Window) -> float:
    """Sum over frames of squared distances [Ha15 §7.4.1], times the frame time to be independent of the rate."""
    frame_s = w.seconds / max(len(w.time_s) - 1, 1)
    return float(np.sum(_com_cop_m(w) ** 2)) * frame_s


def _com_outside(w: Window) -> float:
    """Mean horizontal distance of the centre of mass from the support polygon; 0 inside and in flight."""
    coms = w.recording.com_w_m[w.frames, 0, :2]
    gaps = []
    for k, com in enumerate(coms):
        corners = compute_support_polygon_m(w.recording, k + w.frames.start)
        gaps.append(compute_distance_to_polygon_m(com, corners) if len(corners) else 0.0)
    return float(np.mean(gaps))


def compute_distance_to_polygon_m(point: FloatArray, corners: FloatArray) -> float:
    """Distance of a point from a convex polygon, counter-clockwise; 0 inside. It may degenerate to a line or point."""
    ends = np.roll(corners, -1, axis=0)
    edges, ways = ends - corners, point - corners
    if len(corners) > 2 and np.all(edges[:, 0] * ways[:, 1] - edges[:, 1] * ways[:, 0] >= 0.0):
        return 0.0
    lengths = np.maximum(np.sum(edges**2, axis=1), 1e-18)
    along = np.clip(np.sum(ways * edges, axis=1) / lengths, 0.0, 1.0)
    return float(np.linalg.norm(ways - along[:, np.newaxis] * edges, axis=1).min())


BODY: Final[Mapping[str, Callable[[Window], float]]] = {
    "lean_rad": lambda w: float(w.pitch_rad("trunk").mean()),
    "sway_rad": lambda w: float(w.pitch_rad("trunk").std()),
    "roll_sway_rad": lambda w: float(w.roll_rad("trunk").std()),
    "bounce_m": lambda w: float(_com_height_m(w).std()),
    "com_height_m": lambda w: float(_com_height_m(w).mean()),
    "apex_m": lambda w: float(_com_height_m(w).max()),
    "com_cop_m": _mean_com_cop,
    "com_cop_m2s": _sum_com_cop,
    "com_outside_m": _com_outside,
}
#: Measures of one part, given by its role or name.
PART: Final[Mapping[str, Callable[[Window, str], float]]] = {
    "part_height_m": lambda w, part: float(compute_height_m(w.recording, part)[w.frames].mean()),
    "part_apex_m": lambda w, part: float(compute_height_m(w.recording, part)[w.frames].max()),
}
