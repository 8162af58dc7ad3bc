"""`Gait`: a character's fall, velocity and steps in one window of time."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from poise.brief import count
from poise.documents import make_plain
from poise.measures.metrics import compute_forward_w
from poise.measures.steps import find_steps, measure_steps
from poise.recordings.recording import FloatArray, Recording

#: Shortest displacement that has a direction.
_MIN_WAY_M: Final = 1e-6


@dataclass(frozen=True)
class Gait:
    """Metrics of one character from `start_s` to `end_s`, at most up to its fall. None if nothing can be measured."""

    start_s: float
    end_s: float
    fell_at_s: float | None
    #: Mean velocity of the centre of mass along the current heading; negative is backward.
    speed_mps: float
    #: Likewise to the left of the heading.
    side_speed_mps: float
    #: Mean velocity in the world: displacement over time.
    velocity_w_mps: tuple[float, float]
    #: Mean yaw of the pelvis; 0 is along x, 90 along y.
    heading_deg: float
    #: Foot strikes of alternating feet: a bounce is not a second step.
    steps: int
    step_times_s: tuple[float, ...]
    #: From the previous strike's foot to the striking foot, along the heading.
    step_lengths_m: tuple[float, ...]
    #: Likewise across the heading, positive if the left foot is on the left.
    step_widths_m: tuple[float, ...]

    def __repr__(self) -> str:
        end = "" if self.fell_at_s is None else f", fell at {self.fell_at_s:.2f} s"
        span = f"from {self.start_s:.4g} to {self.end_s:.4g} s"
        return f"<Gait {span}: {self.speed_mps + 0.0:.2f} m/s, {count(self.steps, 'step')}{end}>"

    @property
    def fell(self) -> bool:
        return self.fell_at_s is not None

    @property
    def seconds(self) -> float:
        return self.end_s - self.start_s

    @property
    def mean_step_time_s(self) -> float | None:
        return _mean(self.step_times_s)

    @property
    def mean_step_length_m(self) -> float | None:
        return _mean(self.step_lengths_m)

    @property
    def mean_step_width_m(self) -> float | None:
        return _mean(self.step_widths_m)

    def heading_error_deg(self, target_deg: float) -> float:
        """Target minus heading, wrapped to -180..180."""
        return wrap_deg(target_deg - self.heading_deg)

    def speed_along_mps(self, direction_deg: float) -> float:
        """Mean velocity in the world along a direction; 0 is along x, 90 along y."""
        angle = math.radians(direction_deg)
        return self.velocity_w_mps[0] * math.cos(angle) + self.velocity_w_mps[1] * math.sin(angle)

    @property
    def course_deg(self) -> float | None:
        """The direction of travel, regardless of the heading; None if it hardly moved."""
        x, y = (v * self.seconds for v in self.velocity_w_mps)
        return math.degrees(math.atan2(y, x)) if math.hypot(x, y) > _MIN_WAY_M else None

    def as_dict(self) -> dict[str, Any]:
        """Plain values and the means, for JSON."""
        means = {name: getattr(self, name) for name in ("mean_step_time_s", "mean_step_length_m", "mean_step_width_m")}
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        plain: dict[str, Any] = make_plain({**fields, **means}, finite=True)
        return plain


def measure_gait(
    recording: Recording,
    *,
    start_s: float = 0.0,
    end_s: float = math.inf,
    fell_at_s: float | None = None,
    character: int = 0,
) -> Gait:
    """The gait of one character between two times of a recording, up to its fall."""
    falls = recording.events_of(character, "down")
    fell = fell_at_s if fell_at_s is not None else falls[0].time_s if falls else None
    last = float(recording.time_s[-1]) if recording.frames else 0.0
    end = min(end_s, last, math.inf if fell is None else fell)
    start = min(start_s, end)
    chosen = (recording.time_s >= start - 1e-9) & (recording.time_s <= end + 1e-9)
    forward = compute_forward_w(recording, character)
    speed, side, velocity = _measure_velocity(recording, character, forward, chosen)
    yaw = forward[chosen].mean(axis=0) if chosen.any() else np.array([1.0, 0.0, 0.0])
    strikes = find_steps(recording, character, start, end)
    lengths, widths = measure_steps(recording, character, forward, strikes)
    return Gait(
        start_s=start,
        end_s=end,
        fell_at_s=fell,
        speed_mps=speed,
        side_speed_mps=side,
        velocity_w_mps=velocity,
        heading_deg=math.degrees(math.atan2(yaw[1], yaw[0])),
        steps=len(strikes),
        step_times_s=tuple(b.time_s - a.time_s for a, b in pairwise(strikes)),
        step_lengths_m=lengths,
        step_widths_m=widths,
    )


def wrap_deg(angle_deg: float) -> float:
    """The angle wrapped to -180..180."""
    return (angle_deg + 180.0) % 360.0 - 180.0


def _measure_velocity(
    recording: Recording, character: int, forward: FloatArray, chosen: Any
) -> tuple[float, float, tuple[float, float]]:
    """Mean speed along and to the left of the heading, and mean velocity in the world."""
    if chosen.sum() < 2:
        return 0.0, 0.0, (0.0, 0.0)
    time, ahead = recording.time_s[chosen], forward[chosen]
    com = recording.com_w_m[chosen, character]
    seconds = float(time[-1] - time[0])
    # Differences of positions, rotated by the mid-interval heading, do not drift even at low recording rates.
    middle = 0.5 * (ahead[1:] + ahead[:-1])
    middle /= np.maximum(np.linalg.norm(middle, axis=1, keepdims=True), 1e-12)
    moved = np.diff(com, axis=0)
    along = float(np.sum(moved * middle)) / seconds
    across = float(np.sum(moved[:, 1] * middle[:, 0] - moved[:, 0] * middle[:, 1])) / seconds
    whole = (com[-1] - com[0]) / seconds
    return along, across, (float(whole[0]), float(whole[1]))


def _mean(values: tuple[float, ...]) -> float | None:
    return float(np.mean(values)) if values else None
