"""Judges of skill runs: each returns why a run is not what the skill's name says, or an empty text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.recordings.recording import Recording

FloatArray = NDArray[np.float64]
#: Returns in a few words what is wrong with a run; an empty text means success.
Judge = Callable[[Recording], str]

#: Duration over which the end of a run is judged.
END_S: Final = 0.3
#: Depth of the sole below the foot's origin, and the height at which a foot counts as lifted.
SOLE_M, LIFTED_M = 0.042, 0.08
STILL_MPS: Final = 0.2


def find_segment(recording: Recording, name: str) -> FloatArray:
    """Path of a segment's origin, (F, 3)."""
    return np.asarray(recording.segment_pos_w_m[:, recording.characters[0].segment_names.index(name)])


def compute_pitch_rad(recording: Recording, name: str) -> FloatArray:
    """Forward rotation of a segment from upright, unwrapped, (F,)."""
    quat = recording.segment_quat_wxyz[:, recording.characters[0].segment_names.index(name)]
    return np.asarray(np.unwrap(2.0 * np.arctan2(quat[:, 2], quat[:, 0])))


def compute_lean_rad(recording: Recording) -> FloatArray:
    """Forward rotation of the trunk from upright, unwrapped, (F,)."""
    return compute_pitch_rad(recording, recording.characters[0].roles["trunk"])


def compute_split_rad(recording: Recording) -> float:
    """The greatest angle between the thighs while the trunk is upside down."""
    inverted = np.cos(compute_lean_rad(recording)) < -0.5
    apart = compute_pitch_rad(recording, "left_thigh") - compute_pitch_rad(recording, "right_thigh")
    return float(np.abs(apart[inverted]).max(initial=0.0))


def compute_pelvis_m(recording: Recording) -> FloatArray:
    """Height of the pelvis above the sole of the lower foot, (F,)."""
    feet = np.minimum(find_segment(recording, "left_foot")[:, 2], find_segment(recording, "right_foot")[:, 2])
    return np.asarray(find_segment(recording, "pelvis")[:, 2] - feet + SOLE_M)


def compute_clearance_m(recording: Recording) -> FloatArray:
    """Height of the lower foot's origin, the ankle, above its height when standing, (F,)."""
    feet = np.minimum(find_segment(recording, "left_foot")[:, 2], find_segment(recording, "right_foot")[:, 2])
    return np.asarray(feet - SOLE_M)


def _end(recording: Recording, values: FloatArray) -> FloatArray:
    return values[recording.time_s >= recording.time_s[-1] - END_S]


@dataclass(frozen=True)
class Pose:
    """A pose at rest at the end: trunk lean modulo full rotations, and pelvis height above the ground or the feet."""

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
    """Stays up and keeps its speed in the last part of the run."""

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
        return "" if self.speed_mps[0] < speed < self.speed_mps[1] else f"moved at {speed:.2f} m/s"


def both(*judges: Judge) -> Judge:
    """All of several judges; the first failure counts."""

    def judge(recording: Recording) -> str:
        return next((why for why in (j(recording) for j in judges) if why), "")

    return judge


def turned(turns: float) -> Judge:
    """The trunk has rotated by `turns` revolutions at the end, forward positive."""

    def judge(recording: Recording) -> str:
        lean = compute_lean_rad(recording)
        done = float(lean[-1]) / (2.0 * np.pi)
        return "" if abs(done - turns) < 0.2 else f"rotated {done:.2f} times"

    return judge


def flew(least_m: float = LIFTED_M) -> Judge:
    """Both feet are at least `least_m` off the ground at the same time."""

    def judge(recording: Recording) -> str:
        most = float(compute_clearance_m(recording).max())
        return "" if most >= least_m else f"feet only {most:.2f} m up"

    return judge


def hopped_on_one_leg(times: int) -> Judge:
    """The right foot leaves the ground at least `times` times while the left one is lifted."""

    def judge(recording: Recording) -> str:
        right, left = (find_segment(recording, f"{side}_foot")[:, 2] - SOLE_M for side in ("right", "left"))
        up = right > 0.5 * LIFTED_M
        hops = int(np.sum(up[1:] & ~up[:-1] & (left[1:] > LIFTED_M)))
        return "" if hops >= times else f"hopped {hops} times"

    return judge


def head_stays_above(least_m: float) -> Judge:
    """The head's origin, the neck, stays above a height: the character did not fall on its head."""

    def judge(recording: Recording) -> str:
        low = float(find_segment(recording, "head")[:, 2].min())
        return "" if low >= least_m else f"head at {low:.2f} m"

    return judge


def went(least_m: float) -> Judge:
    """The right foot ends at least `least_m` ahead of its rearmost position."""

    def judge(recording: Recording) -> str:
        foot = find_segment(recording, "right_foot")
        way = float(foot[-1, 0] - foot[:, 0].min())
        return "" if way >= least_m else f"moved {way:.2f} m forward"

    return judge


def stands_at(least_m: float) -> Judge:
    """Both feet are at least `least_m` higher at the end."""

    def judge(recording: Recording) -> str:
        height = float(compute_clearance_m(recording)[-1])
        return "" if height >= least_m else f"feet at {height:.2f} m"

    return judge


def find_touching(recording: Recording, *parts: str) -> NDArray[np.bool_]:
    """Whether segments whose names end in `parts` touch anything, (F,)."""
    names = recording.characters[0].segment_names
    wanted = [k for k, name in enumerate(names) if name.endswith(parts)]
    rows = np.isin(recording.contact_segment, wanted) | np.isin(recording.contact_other, wanted)
    touching = np.zeros(recording.frames, dtype=bool)
    touching[recording.contact_frame[rows]] = True
    return touching


def split(least_rad: float) -> Judge:
    """The thighs are at least `least_rad` apart while upside down: one leg passes over after the other."""

    def judge(recording: Recording) -> str:
        most = compute_split_rad(recording)
        return "" if most >= least_rad else f"legs only {most:.2f} rad apart"

    return judge


def carried_by_hands(least_s: float) -> Judge:
    """For at least `least_s`, hands but not feet touch the ground with the trunk upside down."""

    def judge(recording: Recording) -> str:
        alone = find_touching(recording, "hand") & ~find_touching(recording, "foot", "shank")
        inverted = np.cos(compute_lean_rad(recording)) < 0.0
        time = float(np.sum(alone & inverted) * (recording.time_s[1] - recording.time_s[0]))
        return "" if time >= least_s else f"on its hands for {time:.2f} s"

    return judge


def touched_only(*parts: str) -> Judge:
    """Only these parts of the body touch the ground."""

    def judge(recording: Recording) -> str:
        names = recording.characters[0].segment_names
        others = tuple(name for name in names if not name.endswith(parts))
        at = np.flatnonzero(find_touching(recording, *others))
        return f"touched the ground with another part at {recording.time_s[at[0]]:.2f} s" if len(at) else ""

    return judge


def stepped_on_hands(times: int) -> Judge:
    """Each hand is lifted at least `times` times while the other one is on the ground."""

    def judge(recording: Recording) -> str:
        left, right = (find_touching(recording, f"{side}_hand") for side in ("left", "right"))
        steps = min(_count_begins(~left & right), _count_begins(~right & left))
        return "" if steps >= times else f"each hand stepped {steps} times"

    return judge


def _count_begins(state: NDArray[np.bool_], frames: int = 5) -> int:
    """Number of times that a state begins and lasts for some frames: a chattering contact is not a step."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], state.astype(int), [0]])))
    return int(np.sum(edges[1::2] - edges[::2] >= frames))


def hands_went(least_m: float) -> Judge:
    """Both hands move at least `least_m` along the ground."""

    def judge(recording: Recording) -> str:
        way = min(float(np.ptp(find_segment(recording, f"{side}_hand")[:, 0])) for side in ("left", "right"))
        return "" if way >= least_m else f"hands moved {way:.2f} m"

    return judge


def was_in_the_air(least_s: float) -> Judge:
    """For at least `least_s` without interruption, nothing touches the ground."""

    def judge(recording: Recording) -> str:
        free = np.diff(recording.contact_start) == 0
        edges = np.flatnonzero(np.diff(np.concatenate([[0], free.astype(int), [0]])))
        longest = int(max(edges[1::2] - edges[::2], default=0))
        time = longest * float(recording.time_s[1] - recording.time_s[0])
        return "" if time >= least_s else f"in the air for {time:.2f} s"

    return judge
