"""Displacements of a body by LOAD, which puts it elsewhere: they are not part of the distance that it travels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from poise.recordings.recording import FloatArray, Recording


class Jump(NamedTuple):
    """A displacement of the centre of mass, at once or at each tick of an interval."""

    start_s: float
    end_s: float
    shift_m: FloatArray


def find_jumps(recording: Recording, character: int = 0) -> list[Jump]:
    """All displacements of a character by its controller's requests."""
    return list(_read_jumps(recording, character))


def compute_shift_w_m(recording: Recording, character: int = 0) -> FloatArray:
    """Sum of the displacements since the start, (F, 3)."""
    shift, dt = np.zeros((recording.frames, 3)), recording.timestep_s
    for jump in _read_jumps(recording, character):
        # A request that was repeated at every tick moves the body a little each time.
        passed = (recording.time_s - jump.start_s + dt) / (jump.end_s - jump.start_s + dt)
        shift += np.where(recording.time_s < jump.start_s - 0.5 * dt, 0.0, np.minimum(passed, 1.0))[:, None] * jump[2]
    return shift


def _read_jumps(recording: Recording, character: int) -> Iterator[Jump]:
    """The jumps in a recording's meta, which may come from any file."""
    for row in recording.meta.get("requests") or ():
        if not isinstance(row, Mapping) or row.get("character") != character:
            continue
        numbers = [row.get("start_s"), row.get("end_s"), *(row.get("shift_m") or ())]
        if len(numbers) != 5 or not all(isinstance(v, int | float) and math.isfinite(v) for v in numbers):
            continue
        start_s, end_s, *shift = (float(v) for v in numbers if v is not None)
        if any(shift):
            yield Jump(start_s, max(start_s, end_s), np.array(shift))
