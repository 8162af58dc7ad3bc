"""The window of a recording that measures evaluate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES
from poise.measures.metrics import compute_forward_w, compute_way_m
from poise.measures.steps import find_steps
from poise.recordings.contacts import compute_foot_loaded
from poise.recordings.recording import Event, FloatArray, Recording
from poise.recordings.rotations import quat_rotate

_UP: Final = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Window:
    """A recording from `start_s`. Even an impossible gait has finite measures, so a search can move away from it."""

    recording: Recording
    start_s: float
    #: Time at which the run failed, or None.
    failed_at_s: float | None = None

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
    def steps(self) -> tuple[Event, ...]:
        """Foot strikes of alternating feet."""
        return find_steps(self.recording, start_s=float(self.time_s[0]))

    def pitch_rad(self, role: str) -> FloatArray:
        """Forward pitch of a role's segment about the lateral axis of the heading, (F,)."""
        body = self.recording.characters[0]
        up = quat_rotate(self.recording.segment_quat_wxyz[self.frames, body.segment_names.index(body.roles[role])], _UP)
        forward = np.sum(up * compute_forward_w(self.recording)[self.frames], axis=-1)
        return np.arctan2(forward, up[:, 2])

    def roll_rad(self, role: str) -> FloatArray:
        """Lean of a role's segment to the right, (F,)."""
        body = self.recording.characters[0]
        up = quat_rotate(self.recording.segment_quat_wxyz[self.frames, body.segment_names.index(body.roles[role])], _UP)
        forward = compute_forward_w(self.recording)[self.frames]
        return np.arctan2(up[:, 0] * forward[:, 1] - up[:, 1] * forward[:, 0], up[:, 2])

    def height_m(self, role: str) -> FloatArray:
        body = self.recording.characters[0]
        return self.recording.segment_pos_w_m[self.frames, body.segment_names.index(body.roles[role]), 2]

    def joints_rad(self, axis: str) -> FloatArray:
        """Angles of the left and right axis with a name, (F, 2)."""
        body = self.recording.characters[0]
        return self.recording.joint_q_rad[self.frames][:, [body.axis_index(f"{side}_{axis}") for side in SIDES]]

    def stride_peaks(self, values: FloatArray, side: int) -> FloatArray:
        """The maximum between consecutive steps of a foot, or over the whole window if there are too few steps."""
        foot = self.recording.characters[0].roles[f"{SIDES[side]}_foot"]
        cuts = np.searchsorted(self.time_s, [e.time_s for e in self.steps if e.segment == foot])
        peaks = [values[a:b].max() for a, b in pairwise(cuts) if b > a]
        return np.array(peaks or [values.max()])
