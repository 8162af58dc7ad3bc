"""Metrics of one run: distance, speed, steps, cost and falls."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from poise.brief import count
from poise.characters.model import SIDES
from poise.constants import GRAVITY_MPS2
from poise.documents import make_plain
from poise.measures.ending import crop_to_end, find_end_s
from poise.measures.loads import compute_shift_w_m, find_jumps
from poise.measures.steps import find_steps, measure_steps
from poise.measures.upright import is_up_at_end
from poise.recordings.contacts import compute_foot_loaded
from poise.recordings.recording import FloatArray, Recording, Tally
from poise.recordings.rotations import compute_heading_rad

MIN_TRAVEL_M: Final = 0.1
"""Over shorter distances, the cost of transport would depend more on where the run ended than on the gait."""


@dataclass(frozen=True)
class Metrics:
    """Metrics of one character in one recording. None if there is nothing to measure.

    After the end of a script the body is limp: all metrics are those of the time before.
    """

    controller: str
    character: str
    #: Duration of the run.
    seconds: float
    #: The time at which its script ended.
    ended_at_s: float | None
    fallen: bool
    #: The first time at which a fall rule is met. Somersaults meet one too, yet end upright.
    fell_at_s: float | None
    up_at_end: bool
    #: Displacement of the centre of mass along the initial heading; negative is backward.
    distance_m: float
    #: Along the heading, over the second half of the run; negative is backward.
    mean_speed_mps: float
    #: Foot strikes of alternating feet, up to the fall if there was one.
    steps: int
    #: From each strike to the next: distance along the heading between the strike positions of the feet.
    step_lengths_m: tuple[float, ...]
    step_times_s: tuple[float, ...]
    mean_step_length_m: float | None
    mean_step_time_s: float | None
    max_torque_nm: float
    #: Mean of the absolute torque over time and joint axes.
    mean_torque_nm: float
    #: Absolute mechanical work of all joints: negative work counts as much as positive.
    work_j: float
    #: Work / (weight × distance along the heading).
    cost_of_transport: float | None
    #: Per side, the fraction of the time up to the fall in which the foot carries load.
    duty_factor: Mapping[str, float]

    def describe(self) -> str:
        """The run on one line: who, how long, how far, and how it ended."""
        distance = f"{self.distance_m + 0.0:.2f} m at {self.mean_speed_mps + 0.0:.2f} m/s"
        end = "on its feet" if self.up_at_end else "not on its feet"
        fall = "" if self.fell_at_s is None else f"fell at {self.fell_at_s:.2f} s, "
        who = f"{self.controller} on {self.character}"
        return f"{who}: {self.seconds:.4g} s, {distance}, {count(self.steps, 'step')}, {fall}{end}"

    def __repr__(self) -> str:
        return f"<Metrics of {self.describe()}>"

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {f.name: make_plain(getattr(self, f.name), finite=True) for f in dataclasses.fields(self)}


def compute_metrics(recording: Recording, character: int = 0) -> Metrics:
    """The metrics of one character."""
    body, ended_at = recording.check_character(character), find_end_s(recording, character)
    recording = crop_to_end(recording, character)
    falls = recording.events_of(character, "down")
    fell_at = falls[0].time_s if falls else None
    way = compute_way_m(recording, character)
    lengths, times, strikes = _compute_steps(recording, character, fell_at)
    tally = _find_tally(recording, character)
    travel = float(way[-1]) if recording.frames else 0.0
    return Metrics(
        controller=recording.controllers[character],
        character=body.name,
        seconds=_find_seconds(recording),
        ended_at_s=ended_at,
        fallen=fell_at is not None,
        fell_at_s=fell_at,
        up_at_end=is_up_at_end(recording, character),
        distance_m=_compute_distance_m(recording, character),
        mean_speed_mps=_compute_mean_speed_mps(recording.time_s, way),
        steps=strikes,
        step_lengths_m=lengths,
        step_times_s=times,
        mean_step_length_m=float(np.mean(lengths)) if lengths else None,
        mean_step_time_s=float(np.mean(times)) if times else None,
        max_torque_nm=tally.peak_torque_nm,
        mean_torque_nm=tally.mean_abs_torque_nm,
        work_j=tally.absolute_work_j,
        cost_of_transport=tally.absolute_work_j / (body.mass_kg * GRAVITY_MPS2 * abs(travel))
        if abs(travel) >= MIN_TRAVEL_M
        else None,
        duty_factor=_compute_duty_factor(recording, character, fell_at),
    )


def compute_forward_w(recording: Recording, character: int = 0) -> FloatArray:
    """Unit vector of the heading at each frame, (F, 3): yaw of the pelvis; for a planar body, the initial heading."""
    body = recording.check_character(character)
    pelvis = recording.segments_of(character).start + body.segment_names.index(body.roles["pelvis"])
    heading = compute_heading_rad(recording.segment_quat_wxyz[:, pelvis])
    if body.root == "planar":
        heading = np.broadcast_to(heading[:1], heading.shape)
    return np.stack([np.cos(heading), np.sin(heading), np.zeros_like(heading)], axis=-1)


def compute_way_m(recording: Recording, character: int = 0) -> FloatArray:
    """Signed distance of the centre of mass along the heading since the first frame, (F,).

    For a planar body it is the displacement; otherwise the integral of the velocity along the current heading. A
    displacement by LOAD does not count.
    """
    forward = compute_forward_w(recording, character)
    if recording.characters[character].root == "planar":
        com = recording.com_w_m[:, character] - compute_shift_w_m(recording, character)
        return np.sum((com - com[:1]) * forward, axis=-1)
    speed = np.sum(recording.com_vel_w_mps[:, character] * forward, axis=-1)
    return _integrate(recording.time_s, speed)


def _find_seconds(recording: Recording) -> float:
    """Duration of the run as noted in its meta, since the last frame may come a little earlier."""
    noted = recording.meta.get("seconds")
    if isinstance(noted, int | float):
        return float(noted)
    return float(recording.time_s[-1] - recording.time_s[0]) if recording.frames else 0.0


def _integrate(time_s: FloatArray, rate: FloatArray) -> FloatArray:
    """Integral since the first frame by the trapezoidal rule, (F,)."""
    area = 0.5 * (rate[1:] + rate[:-1]) * np.diff(time_s)
    return np.concatenate([np.zeros(min(len(rate), 1)), np.cumsum(area)])


def _compute_distance_m(recording: Recording, character: int) -> float:
    if not recording.frames:
        return 0.0
    com = recording.com_w_m[:, character] - compute_shift_w_m(recording, character)
    return float((com[-1] - com[0]) @ compute_forward_w(recording, character)[0])


def _compute_mean_speed_mps(time_s: FloatArray, way_m: FloatArray) -> float:
    if len(time_s) < 2:
        return 0.0
    middle = 0.5 * (time_s[0] + time_s[-1])
    return float((way_m[-1] - np.interp(middle, time_s, way_m)) / (time_s[-1] - middle))


def _compute_steps(
    recording: Recording, character: int, fell_at_s: float | None
) -> tuple[tuple[float, ...], tuple[float, ...], int]:
    """Lengths and times of the steps, and their number."""
    strikes = find_steps(recording, character, end_s=math.inf if fell_at_s is None else fell_at_s)
    if not strikes or not recording.frames:
        return (), (), len(strikes)
    lengths, _ = measure_steps(recording, character, compute_forward_w(recording, character), strikes)
    jumps = find_jumps(recording, character)
    # A step across a LOAD has no length.
    kept = [
        (length, b.time_s - a.time_s)
        for length, (a, b) in zip(lengths, pairwise(strikes), strict=True)
        if not any(jump.start_s <= b.time_s and jump.end_s >= a.time_s for jump in jumps)
    ]
    return tuple(length for length, _ in kept), tuple(time for _, time in kept), len(strikes)


def _find_tally(recording: Recording, character: int) -> Tally:
    """The loop's sums over all ticks, or if missing, the same computed from the frames."""
    if recording.tallies:
        return recording.tallies[character]
    chosen = recording.axes_of(character)
    torque = recording.torque_nm[:, chosen]
    power = torque * recording.joint_v_radps[:, chosen]
    if not torque.size:
        return Tally()
    return Tally(
        positive_work_j=float(_integrate(recording.time_s, np.maximum(power, 0.0).sum(axis=1))[-1]),
        absolute_work_j=float(_integrate(recording.time_s, np.abs(power).sum(axis=1))[-1]),
        peak_torque_nm=float(np.abs(torque).max()),
        mean_abs_torque_nm=float(np.abs(torque).mean()),
    )


def _compute_duty_factor(recording: Recording, character: int, fell_at_s: float | None) -> dict[str, float]:
    upright = recording.time_s <= (np.inf if fell_at_s is None else fell_at_s)
    if not upright.any():
        return dict.fromkeys(SIDES, 0.0)
    share = compute_foot_loaded(recording, character)[upright].mean(axis=0)
    return {side: float(value) for side, value in zip(SIDES, share)}
