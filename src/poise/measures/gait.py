"""Measures of a gait: speed, steps and regularity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from poise.characters.model import SIDES, swap_side
from poise.characters.sides import flips_when_mirrored
from poise.measures.metrics import compute_forward_w
from poise.measures.window import Window
from poise.recordings.recording import FloatArray
from poise.recordings.rotations import compute_heading_rad


def _speed(w: Window) -> float:
    return float(w.way_m[-1] - w.way_m[0]) / w.seconds


def _side_speed(w: Window) -> float:
    forward = compute_forward_w(w.recording)[w.frames]
    velocity = w.recording.com_vel_w_mps[w.frames, 0]
    return float((velocity[:, 1] * forward[:, 0] - velocity[:, 0] * forward[:, 1]).mean())


def _turn_rate(w: Window) -> float:
    body = w.recording.characters[0]
    pelvis = body.segment_names.index(body.roles["pelvis"])
    heading = np.unwrap(compute_heading_rad(w.recording.segment_quat_wxyz[w.frames, pelvis]))
    return float(heading[-1] - heading[0]) / w.seconds


def _thigh_lift(w: Window) -> float:
    peaks = [w.stride_peaks(-w.pitch_rad(f"{side}_thigh"), k).mean() for k, side in enumerate(SIDES)]
    return float(np.mean(peaks))


def _foot_lift(w: Window) -> float:
    lifts = []
    for k, side in enumerate(SIDES):
        height = w.height_m(f"{side}_foot")
        lifts.append(w.stride_peaks(height, k).mean() - height.min())
    return float(np.mean(lifts))


def _swing_knee(w: Window) -> float:
    knees = w.joints_rad("knee_pitch")
    return float(np.mean([w.stride_peaks(knees[:, k], k).mean() for k in range(len(SIDES))]))


def _stance_knee(w: Window) -> float:
    knees = w.joints_rad("knee_pitch")
    return float(knees[w.loaded].mean()) if w.loaded.any() else float(knees.mean())


def _step_length(w: Window) -> float:
    """Distance per step."""
    return float(w.way_m[-1] - w.way_m[0]) / max(len(w.steps) - 1, 1)


def _step_poses(w: Window) -> FloatArray:
    """Joint angles at the strike of each step, (steps, axes)."""
    at = np.searchsorted(w.time_s, [e.time_s for e in w.steps]).clip(max=len(w.time_s) - 1)
    return w.recording.joint_q_rad[w.frames][at]


def _irregularity(w: Window) -> float:
    """Mean difference of the pose at each step from the last step's mirror image: 0 for a regular symmetric gait."""
    body = w.recording.characters[0]
    names = body.axis_names
    mirror = [names.index(swap_side(n)) for n in names]
    sign = np.array([-1.0 if flips_when_mirrored(a) else 1.0 for a in body.axes])
    poses = _step_poses(w)
    if len(poses) < 2:
        return 1.0
    return float(np.abs(poses[1:] - sign * poses[:-1, mirror]).mean())


def _stride_irregularity(w: Window) -> float:
    """Mean difference of the pose at each step from that foot's last step: 0 for a regular gait."""
    sides = [e.segment for e in w.steps]
    poses = _step_poses(w)
    gaps = []
    for foot in set(sides):
        mine = poses[[k for k, side in enumerate(sides) if side == foot]]
        gaps += list(np.abs(np.diff(mine, axis=0)).mean(axis=1))
    return float(np.mean(gaps)) if gaps else 1.0


GAIT: Final[Mapping[str, Callable[[Window], float]]] = {
    "speed_mps": _speed,
    "distance_m": lambda w: float(w.way_m[-1] - w.way_m[0]),
    "side_speed_mps": _side_speed,
    "turn_radps": _turn_rate,
    "thigh_lift_rad": _thigh_lift,
    "foot_lift_m": _foot_lift,
    "swing_knee_rad": _swing_knee,
    "stance_knee_rad": _stance_knee,
    "flight_share": lambda w: float((~w.loaded).all(axis=1).mean()),
    "double_support_share": lambda w: float(w.loaded.all(axis=1).mean()),
    "steps_hz": lambda w: len(w.steps) / w.seconds,
    "step_length_m": _step_length,
    "irregularity_rad": _irregularity,
    "stride_irregularity_rad": _stride_irregularity,
}
