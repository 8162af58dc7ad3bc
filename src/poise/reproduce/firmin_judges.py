"""What a run of a skill must show for its name to be true: judges that say why it failed, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.rollout.recording import Recording

FloatArray = NDArray[np.float64]
#: Says in a few words what is wrong with a run; the empty text is praise.
Judge = Callable[[Recording], str]

#: Ends are judged over the last so many seconds.
END_S: Final = 0.3
#: Where the sole is below the foot's origin, and how high a foot counts as lifted.
SOLE_M, LIFTED_M = 0.042, 0.08
STILL_MPS: Final = 0.2


def find_segment(recording: Recording, name: str) -> FloatArray:
    """Path of a segment's origin, (F, 3)."""
    return np.asarray(recording.segment_pos_w_m[:, recording.characters[0].segment_names.index(name)])


def compute_lean_rad(recording: Recording) -> FloatArray:
    """How far the trunk has turned forward since upright, whole turns counted, (F,)."""
    character = recording.characters[0]
    quat = recording.segment_quat_wxyz[:, character.segment_names.index(character.roles["trunk"])]
    return np.asarray(np.unwrap(2.0 * np.arctan2(quat[:, 2], quat[:, 0])))


def compute_pelvis_m(recording: Recording) -> FloatArray:
    """The pelvis above the sole of the lower foot, (F,)."""
    feet = np.minimum(find_segment(recording, "left_foot")[:, 2], find_segment(recording, "right_foot")[:, 2])
    return np.asarray(find_segment(recording, "pelvis")[:, 2] - feet + SOLE_M)


def compute_clearance_m(recording: Recording) -> FloatArray:
    """The origin of the lower foot above where it stands at the start, (F,): an ankle that is in the air."""
    feet = np.minimum(find_segment(recording, "left_foot")[:, 2], find_segment(recording, "right_foot")[:, 2])
    return np.asarray(feet - SOLE_M)


def _end(recording: Recording, values: FloatArray) -> FloatArray:
    return values[recording.time_s >= recording.time_s[-1] - END_S]


@dataclass(frozen=True)
class Pose:
    """A pose at the end, at rest: lean of the trunk, turns apart, and height of the pelvis above the ground."""

    name: str
    lean_rad: tuple[float, float]
    pelvis_m: tuple[float, float]
    still: bool = True

    def __call__(self, recording: Recording) -> str:
        lean = _end(recording, compute_lean_rad(recording))
        lean = (lean - self.lean_rad[0] + 0.5) % (2.0 * np.pi) + self.lean_rad[0] - 0.5
        if lean.min() < self.lean_rad[0] or lean.max() > self.lean_rad[1]:
            return f"not {self.name}: trunk at {lean[-1]:.2f} rad"
        height = _end(recording, compute_pelvis_m(recording) if self.on_feet else _pelvis_z(recording))
        if height.min() < self.pelvis_m[0] or height.max() > self.pelvis_m[1]:
            return f"not {self.name}: pelvis at {height[-1]:.2f} m"
        speed = float(np.abs(_end(recording, recording.com_vel_w_mps[:, 0])).max())
        return f"not {self.name}: still moves at {speed:.2f} m/s" if self.still and speed > STILL_MPS else ""

    @property
    def on_feet(self) -> bool:
        return self.name in ("standing", "squatting")


def _pelvis_z(recording: Recording) -> FloatArray:
    return np.asarray(find_segment(recording, "pelvis")[:, 2])


STANDING: Final = Pose("standing", (-0.3, 0.4), (0.85, 1.0))
SQUATTING: Final = Pose("squatting", (-0.2, 1.0), (0.5, 0.8))
ON_HANDS_AND_KNEES: Final = Pose("on hands and knees", (1.1, 1.9), (0.38, 0.6))
SUPINE: Final = Pose("lying on the back", (-1.9, -1.2), (0.0, 0.2))
INVERTED: Final = Pose("on its hands", (2.8, 3.5), (0.95, 1.3))


@dataclass(frozen=True)
class Gait:
    """Stays up, and keeps a speed in the last part of the run."""

    speed_mps: tuple[float, float]
    last_s: float = 5.0
    lean_rad: tuple[float, float] = (-1.0, 1.2)
    pelvis_m: tuple[float, float] = (0.6, 1.2)

    def __call__(self, recording: Recording) -> str:
        window = recording.time_s >= recording.time_s[-1] - self.last_s
        lean, height = compute_lean_rad(recording)[window], _pelvis_z(recording)[window]
        lean = lean - 2.0 * np.pi * np.round((lean[0] - np.mean(self.lean_rad)) / (2.0 * np.pi))
        if lean.min() < self.lean_rad[0] or lean.max() > self.lean_rad[1]:
            return f"fell: trunk at {lean[-1]:.2f} rad"
        if height.min() < self.pelvis_m[0] or height.max() > self.pelvis_m[1]:
            return f"fell: pelvis at {height[-1]:.2f} m"
        way, time = find_segment(recording, "pelvis")[window, 0], recording.time_s[window]
        speed = float((way[-1] - way[0]) / (time[-1] - time[0]))
        return "" if self.speed_mps[0] < speed < self.speed_mps[1] else f"went at {speed:.2f} m/s"


def both(*judges: Judge) -> Judge:
    """All of several judges; the first complaint counts."""

    def judge(recording: Recording) -> str:
        return next((why for why in (j(recording) for j in judges) if why), "")

    return judge


def turned(turns: float) -> Judge:
    """Has turned over so many times at the end, forward positive."""

    def judge(recording: Recording) -> str:
        lean = compute_lean_rad(recording)
        done = float(lean[-1]) / (2.0 * np.pi)
        return "" if abs(done - turns) < 0.2 else f"turned {done:.2f} times"

    return judge


def flew(least_m: float = LIFTED_M) -> Judge:
    """Both feet were so far off the ground at once."""

    def judge(recording: Recording) -> str:
        most = float(compute_clearance_m(recording).max())
        return "" if most >= least_m else f"feet only {most:.2f} m up"

    return judge


def hopped_on_one_leg(times: int) -> Judge:
    """The right foot left the ground so many times while the left one was lifted."""

    def judge(recording: Recording) -> str:
        right, left = (find_segment(recording, f"{side}_foot")[:, 2] - SOLE_M for side in ("right", "left"))
        up = right > 0.5 * LIFTED_M
        hops = int(np.sum(up[1:] & ~up[:-1] & (left[1:] > LIFTED_M)))
        return "" if hops >= times else f"hopped {hops} times"

    return judge


def head_stays_above(least_m: float) -> Judge:
    """The neck never came lower: it did not fall on its head."""

    def judge(recording: Recording) -> str:
        low = float(find_segment(recording, "head")[:, 2].min())
        return "" if low >= least_m else f"head at {low:.2f} m"

    return judge


def went(least_m: float) -> Judge:
    """The feet came to stand so far ahead of where they were before the last flight or step."""

    def judge(recording: Recording) -> str:
        foot = find_segment(recording, "right_foot")
        way = float(foot[-1, 0] - foot[:, 0].min())
        return "" if way >= least_m else f"came {way:.2f} m forward"

    return judge


def stands_at(least_m: float) -> Judge:
    """Both feet stand so high at the end."""

    def judge(recording: Recording) -> str:
        height = float(compute_clearance_m(recording)[-1])
        return "" if height >= least_m else f"feet at {height:.2f} m"

    return judge
