"""Cost of a skill run: terms that vary gradually, to let a search rank two failures.

A term is written `name`, `name:value`, or with a weight `3*name:value`. Every term is zero when its goal is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.errors import InputError, unknown_name
from poise.recordings.recording import Recording
from poise.reproduce.firmin import judges
from poise.reproduce.firmin.gait_judges import compute_leap_m, count_skips, count_stray_flights
from poise.reproduce.firmin.judges import FloatArray, Pose, compute_lean_rad, find_segment

Term = Callable[[Recording, float], float]
#: Duration at the end over which a pose or a speed is measured.
POSE_S, SPEED_S = 0.3, 5.0
#: A trunk that leans further than the first has fallen; one within the second of upside down is inverted.
FALLEN_RAD, INVERTED_RAD = 1.2, 0.64


def _excess(values: FloatArray, band: tuple[float, float]) -> FloatArray:
    """Distance of values outside a band, (F,)."""
    return np.asarray(np.maximum(np.maximum(band[0] - values, values - band[1]), 0.0))


def _wrap(angle: FloatArray, middle: float) -> FloatArray:
    return np.asarray((angle - middle + np.pi) % (2.0 * np.pi) + middle - np.pi)


def _end(recording: Recording, values: FloatArray, last_s: float = POSE_S) -> FloatArray:
    return values[recording.time_s >= recording.time_s[-1] - last_s]


def _contact(recording: Recording, names: tuple[str, ...]) -> FloatArray:
    """1 where any of some segments touches anything, else 0, (F,)."""
    wanted = [recording.characters[0].segment_names.index(name) for name in names]
    rows = np.isin(recording.contact_segment, wanted) | np.isin(recording.contact_other, wanted)
    touched = np.zeros(recording.frames)
    touched[recording.contact_frame[rows]] = 1.0
    return touched


def _rest_in(pose: Pose) -> Term:
    """Distance of the end from a pose at rest: radians, metres and m/s outside its judge's limits."""

    def term(recording: Recording, _: float) -> float:
        lean = _wrap(_end(recording, compute_lean_rad(recording)), float(np.mean(pose.lean_rad)))
        on_feet = pose.name in ("standing", "squatting")
        height = judges.compute_pelvis_m(recording) if on_feet else find_segment(recording, "pelvis")[:, 2]
        speed = np.abs(_end(recording, recording.com_vel_w_mps[:, 0, 0]))
        return float(
            _excess(lean, pose.lean_rad).max()
            + 2.0 * _excess(_end(recording, height), pose.pelvis_m).max()
            + max(float(speed.max()) - judges.STILL_MPS, 0.0)
        )

    return term


def turned(recording: Recording, turns: float) -> float:
    """Difference of the trunk's revolutions at the end from the requested number."""
    return abs(float(compute_lean_rad(recording)[-1]) / (2.0 * np.pi) - turns)


def fallen(recording: Recording, limit_rad: float) -> float:
    """Share of the time in which the trunk leans beyond a limit (1.2 rad by default)."""
    lean = np.abs(_wrap(compute_lean_rad(recording), 0.0))
    return float(np.mean(lean > (limit_rad or FALLEN_RAD)))


def cut_short(recording: Recording, seconds: float) -> float:
    """Missing share of the full duration, if a failure phase ended the run early."""
    return max(1.0 - float(recording.time_s[-1] - recording.time_s[0]) / seconds, 0.0)


def head_low(recording: Recording, least_m: float) -> float:
    """Metres by which the neck came lower than `least_m`."""
    return max(least_m - float(find_segment(recording, "head")[:, 2].min()), 0.0)


def slow(recording: Recording, speed_mps: float) -> float:
    """Difference of the pelvis's mean speed in the last seconds from `speed_mps`."""
    x, time = (_end(recording, v, SPEED_S) for v in (find_segment(recording, "pelvis")[:, 0], recording.time_s))
    return abs(float((x[-1] - x[0]) / max(time[-1] - time[0], 1e-6)) - speed_mps)


def went(recording: Recording, least_m: float) -> float:
    """Metres by which the pelvis fell short of moving `least_m` forward."""
    x = find_segment(recording, "pelvis")[:, 0]
    return max(least_m - float(x[-1] - x[0]), 0.0)


def flew(recording: Recording, least_m: float) -> float:
    """Metres by which the feet were never both `least_m` above the ground."""
    return max(least_m - float(judges.compute_clearance_m(recording).max()), 0.0)


def split(recording: Recording, least_rad: float) -> float:
    """Radians by which the thighs were never `least_rad` apart while the trunk was upside down."""
    return max(least_rad - judges.compute_split_rad(recording), 0.0)


def upright(recording: Recording, _: float) -> float:
    """Mean lean of the trunk, in radians, beyond 0.3."""
    return float(np.mean(_excess(np.abs(_wrap(compute_lean_rad(recording), 0.0)), (0.0, 0.3))))


def off_hands(recording: Recording, last_s: float) -> float:
    """Share of the last seconds in which the trunk is not upside down, or a foot is low."""
    lean = np.abs(_wrap(compute_lean_rad(recording), np.pi) - np.pi)
    below = np.minimum(find_segment(recording, "left_foot")[:, 2], find_segment(recording, "right_foot")[:, 2]) < 0.5
    return float(np.mean(_end(recording, np.asarray((lean > INVERTED_RAD) | below, dtype=float), last_s)))


def swayed(recording: Recording, last_s: float) -> float:
    """Mean distance of the trunk from upside down in the last seconds, in radians."""
    lean = np.abs(_wrap(compute_lean_rad(recording), np.pi) - np.pi)
    return float(np.mean(_end(recording, lean, last_s)))


def knocked(recording: Recording, _: float) -> float:
    """Share of the time in which the head or trunk touches the ground."""
    return float(np.mean(_contact(recording, ("head", "neck", "upper_trunk", "lower_trunk", "pelvis"))))


def effort(recording: Recording, _: float) -> float:
    """Mean over time of the sum of squared torques, in (100 N·m)²."""
    return float(np.mean(np.sum((recording.torque_nm / 100.0) ** 2, axis=1)))


def few_skips(recording: Recording, times: float) -> float:
    """Missing share of the requested hops on alternating feet."""
    return max(1.0 - count_skips(recording) / times, 0.0)


def stray_flights(recording: Recording, start_s: float) -> float:
    """Flights per second after a time that are not such hops."""
    return count_stray_flights(recording, start_s) / max(float(recording.time_s[-1]) - start_s, 1.0)


def short_leap(recording: Recording, least_m: float) -> float:
    """Metres by which no flight moved both feet `least_m` forward."""
    return max(least_m - compute_leap_m(recording), 0.0)


def off_block(recording: Recording, least_m: float) -> float:
    """Share of the last seconds in which the lower foot is less than `least_m` above its height at the start."""
    return float(np.mean(_end(recording, judges.compute_clearance_m(recording), SPEED_S) < least_m))


TERMS: Final[Mapping[str, Term]] = {
    "standing": _rest_in(judges.STANDING),
    "squatting": _rest_in(judges.SQUATTING),
    "supine": _rest_in(judges.SUPINE),
    "inverted": _rest_in(judges.INVERTED),
    "turned": turned,
    "fallen": fallen,
    "short": cut_short,
    "head": head_low,
    "speed": slow,
    "went": went,
    "flew": flew,
    "split": split,
    "upright": upright,
    "off-hands": off_hands,
    "sway": swayed,
    "knocked": knocked,
    "effort": effort,
    "skips": few_skips,
    "stray": stray_flights,
    "off-block": off_block,
    "leap": short_leap,
}


@dataclass(frozen=True)
class Part:
    """One term of a cost, with its value and weight."""

    name: str
    value: float
    weight: float

    def __call__(self, recording: Recording) -> float:
        return self.weight * TERMS[self.name](recording, self.value)


def read_part(text: str) -> Part:
    """Parse a part such as `3*turned:1`."""
    weight, _, rest = text.rpartition("*")
    name, _, value = rest.partition(":")
    if name not in TERMS:
        raise unknown_name("cost", "term", name, list(TERMS))
    try:
        return Part(name, float(value or 0.0), float(weight or 1.0))
    except ValueError:
        raise InputError(f"cost: {text!r} is not a term. Allowed: name, name:value, weight*name:value.") from None
