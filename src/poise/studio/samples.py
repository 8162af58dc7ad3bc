"""What the plots show: the measures that `poise run` exports, at the rate at which it records."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from poise.constants import DEFAULT_RECORD_HZ
from poise.measures.metrics import compute_forward_w
from poise.measures.signals import compute_up_w
from poise.recordings.contacts import compute_foot_forces_w_n
from poise.recordings.recording import FloatArray, Recording
from poise.studio.moment import HISTORY_S

#: Time span of the live plot.
TRACE_S = 10.0
#: time_s, speed_mps, lean_rad, and the vertical force on the left and on the right foot.
COLUMNS = 5


def compute_samples(recording: Recording) -> FloatArray:
    """One row per frame, see `COLUMNS`."""
    forward = compute_forward_w(recording)
    up = compute_up_w(recording, "trunk")
    rows = np.empty((recording.frames, COLUMNS))
    rows[:, 0] = recording.time_s
    rows[:, 1] = np.sum(recording.com_vel_w_mps[:, 0] * forward, axis=1)
    rows[:, 2] = np.arctan2(np.sum(up * forward, axis=1), up[:, 2])
    rows[:, 3:] = compute_foot_forces_w_n(recording)[:, :, 2]
    return rows


class Samples:
    """The rows of the last half minute and of what is plotted before it."""

    def __init__(self) -> None:
        self._rows: deque[FloatArray] = deque(maxlen=math.ceil((HISTORY_S + TRACE_S) * DEFAULT_RECORD_HZ))

    def clear(self) -> None:
        self._rows.clear()

    def take(self, rows: Iterable[NDArray[np.float64]]) -> None:
        self._rows.extend(rows)

    def until(self, time_s: float) -> list[FloatArray]:
        """The rows before a time."""
        return [row for row in self._rows if row[0] < time_s - 1e-9]

    def forget_from(self, time_s: float) -> None:
        """Drop all rows from a time on, at which the run now continues differently."""
        while self._rows and self._rows[-1][0] >= time_s - 1e-9:
            self._rows.pop()

    def trace(self, span_s: float = TRACE_S) -> FloatArray:
        """The rows of the last `span_s` seconds."""
        if not self._rows:
            return np.zeros((0, COLUMNS))
        since_s, rows = self._rows[-1][0] - span_s - 1e-9, []
        for row in reversed(self._rows):
            if row[0] < since_s:
                break
            rows.append(row)
        return np.array(rows[::-1])
