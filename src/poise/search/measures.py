"""What an objective can look at: figures of a recording after its first seconds, each with its unit in its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES, swap_side
from poise.characters.sides import flips_when_mirrored
from poise.rollout.contacts import compute_foot_loaded
from poise.rollout.metrics import compute_forward_w, compute_way_m
from poise.rollout.recording import Event, FloatArray, Recording
from poise.rollout.rotations import compute_heading_rad, quat_rotate

_UP: Final = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Window:
    """A recording from `start_s` on; an impossible gait still has figures, so that a search can move away from it."""

    recording: Recording
    start_s: float

    @cached_property
    def frames(self) -> slice:
        first = int(np.searchsorted(self.recording.time_s, self.start_s))
        return slice(min(first, max(self.recording.frames - 2, 0)), self.recording.frames)

    @cached_property
    def time_s(self) -> FloatArray:
        return self.recording.time_s[self.frames]

    @property
    def seconds(self) -> float:
        return max(float(self.time_s[-1] - self.time_s[0]), 1e-9)

    @cached_property
    def way_m(self) -> FloatArray:
        return compute_way_m(self.recording)[self.frames]

    @cached_property
    def loaded(self) -> NDArray[np.bool_]:
        """Whether the left and right foot carry load, (F, 2)."""
        return compute_foot_loaded(self.recording)[self.frames]

    @cached_property
    def strikes(self) -> tuple[Event, ...]:
        found = self.recording.events_of(0, "foot_strike")
        return tuple(e for e in found if e.time_s >= self.time_s[0])

    def pitch_rad(self, role: str) -> FloatArray:
        """How far the segment of a role is turned forward about the axis across the heading, (F,)."""
        body = self.recording.characters[0]
        up = quat_rotate(self.recording.segment_quat_wxyz[self.frames, body.segment_names.index(body.roles[role])], _UP)
        forward = np.sum(up * compute_forward_w(self.recording)[self.frames], axis=-1)
        return np.arctan2(forward, up[:, 2])

    def roll_rad(self, role: str) -> FloatArray:
        """How far the segment of a role leans to the right, (F,)."""
        body = self.recording.characters[0]
        up = quat_rotate(self.recording.segment_quat_wxyz[self.frames, body.segment_names.index(body.roles[role])], _UP)
        forward = compute_forward_w(self.recording)[self.frames]
        return np.arctan2(up[:, 0] * forward[:, 1] - up[:, 1] * forward[:, 0], up[:, 2])

    def height_m(self, role: str) -> FloatArray:
        body = self.recording.characters[0]
        return self.recording.segment_pos_w_m[self.frames, body.segment_names.index(body.roles[role]), 2]

    def joints_rad(self, axis: str) -> FloatArray:
        """Angles of the left and the right axis of a name, (F, 2)."""
        body = self.recording.characters[0]
        return self.recording.joint_q_rad[self.frames][:, [body.axis_index(f"{side}_{axis}") for side in SIDES]]

    def stride_peaks(self, values: FloatArray, side: int) -> FloatArray:
        """The highest value between each two strikes of a foot; over the whole window where there are too few."""
        foot = self.recording.characters[0].roles[f"{SIDES[side]}_foot"]
        cuts = np.searchsorted(self.time_s, [e.time_s for e in self.strikes if e.segment == foot])
        peaks = [values[a:b].max() for a, b in pairwise(cuts) if b > a]
        return np.array(peaks or [values.max()])


def _speed(w: Window) -> float:
    return float(w.way_m[-1] - w.way_m[0]) / w.seconds


def _power(w: Window) -> float:
    whole_s = max(float(w.recording.time_s[-1] - w.recording.time_s[0]), 1e-9)
    return w.recording.tallies[0].absolute_work_j / (w.recording.characters[0].mass_kg * whole_s)


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
    """Way over the number of steps: a foot that bounces once more at its strike makes no further step."""
    sides = [e.segment for e in w.strikes]
    steps = sum(a != b for a, b in pairwise(sides))
    return float(w.way_m[-1] - w.way_m[0]) / max(steps, 1)


def _side_speed(w: Window) -> float:
    forward = compute_forward_w(w.recording)[w.frames]
    velocity = w.recording.com_vel_w_mps[w.frames, 0]
    return float((velocity[:, 1] * forward[:, 0] - velocity[:, 0] * forward[:, 1]).mean())


def _turn_rate(w: Window) -> float:
    body = w.recording.characters[0]
    pelvis = body.segment_names.index(body.roles["pelvis"])
    heading = np.unwrap(compute_heading_rad(w.recording.segment_quat_wxyz[w.frames, pelvis]))
    return float(heading[-1] - heading[0]) / w.seconds


def _strike_poses(w: Window) -> FloatArray:
    """Joint angles at each strike, (strikes, axes)."""
    at = np.searchsorted(w.time_s, [e.time_s for e in w.strikes]).clip(max=len(w.time_s) - 1)
    return w.recording.joint_q_rad[w.frames][at]


def _irregularity(w: Window) -> float:
    """Each strike's pose against the next one's mirror image: zero for a symmetric gait that repeats itself."""
    body = w.recording.characters[0]
    names = body.axis_names
    mirror = [names.index(swap_side(n)) for n in names]
    sign = np.array([-1.0 if flips_when_mirrored(a) else 1.0 for a in body.axes])
    poses = _strike_poses(w)
    if len(poses) < 2:
        return 1.0
    return float(np.abs(poses[1:] - sign * poses[:-1, mirror]).mean())


def _stride_irregularity(w: Window) -> float:
    """Each strike's pose against that of the same foot's next strike: zero for a gait that repeats itself."""
    sides = [e.segment for e in w.strikes]
    poses = _strike_poses(w)
    gaps = []
    for foot in set(sides):
        mine = poses[[k for k, side in enumerate(sides) if side == foot]]
        gaps += list(np.abs(np.diff(mine, axis=0)).mean(axis=1))
    return float(np.mean(gaps)) if gaps else 1.0


def _roughness(w: Window) -> float:
    speeds = w.recording.joint_v_radps[w.frames]
    return float(np.abs(np.diff(speeds, axis=0)).mean()) * max(len(w.time_s) - 1, 1) / w.seconds


Measure = Callable[[Window], float]

#: name -> what it gives. The unit is the name's last part; shares and ratios have none.
MEASURES: Final[Mapping[str, Measure]] = {
    "speed_mps": _speed,
    "distance_m": lambda w: float(w.way_m[-1] - w.way_m[0]),
    "power_w_per_kg": _power,
    "mean_torque_nm": lambda w: w.recording.tallies[0].mean_abs_torque_nm,
    "peak_torque_nm": lambda w: w.recording.tallies[0].peak_torque_nm,
    "lean_rad": lambda w: float(w.pitch_rad("trunk").mean()),
    "sway_rad": lambda w: float(w.pitch_rad("trunk").std()),
    "roll_sway_rad": lambda w: float(w.roll_rad("trunk").std()),
    "side_speed_mps": _side_speed,
    "turn_radps": _turn_rate,
    "bounce_m": lambda w: float(w.recording.com_w_m[w.frames, 0, 2].std()),
    "thigh_lift_rad": _thigh_lift,
    "foot_lift_m": _foot_lift,
    "swing_knee_rad": _swing_knee,
    "stance_knee_rad": _stance_knee,
    "flight_share": lambda w: float((~w.loaded).all(axis=1).mean()),
    "double_support_share": lambda w: float(w.loaded.all(axis=1).mean()),
    "steps_hz": lambda w: len(w.strikes) / w.seconds,
    "step_length_m": _step_length,
    "irregularity_rad": _irregularity,
    "stride_irregularity_rad": _stride_irregularity,
    "roughness_radps2": _roughness,
}
