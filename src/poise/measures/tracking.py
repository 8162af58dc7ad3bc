"""Measures of tracking: distances of a motion from a reference, another recording of the same body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from poise.errors import InputError
from poise.measures.window import Window
from poise.recordings.recording import FloatArray, Recording


def check_reference(reference: Recording, axis_names: tuple[str, ...], seconds: float) -> None:
    """Raises for a reference of another body, or one shorter than the trials."""
    if not reference.frames:
        raise InputError("the reference is empty")
    names = reference.characters[0].axis_names
    if names != axis_names:
        raise InputError(f"the reference has the joints {', '.join(names)}, the problem's body {', '.join(axis_names)}")
    lasts = float(reference.time_s[-1] - reference.time_s[0])
    # The last frame of a run comes up to one frame before its end.
    if lasts < seconds - 2.0 * lasts / max(reference.frames - 1, 1):
        raise InputError(f"the reference lasts {lasts:g} s, a trial {seconds:g} s. It must last at least as long")


def _at(reference: Recording, values: FloatArray, time_s: FloatArray) -> FloatArray:
    """A reference's values (F, k) at times since its start."""
    since = reference.time_s - reference.time_s[0]
    return np.stack([np.interp(time_s, since, column) for column in values.T], axis=1)


def _track_joints(w: Window, reference: Recording) -> float:
    """Root mean square difference of the joint angles at the same times."""
    count = len(w.recording.characters[0].axes)
    wanted = _at(reference, reference.joint_q_rad[:, :count], w.time_s)
    return float(np.sqrt(np.mean((w.recording.joint_q_rad[w.frames, :count] - wanted) ** 2)))


def _track_com(w: Window, reference: Recording) -> float:
    """Mean distance between the displacements of the centres of mass since the start."""
    moved = w.recording.com_w_m[:, 0] - w.recording.com_w_m[:1, 0]
    wanted = _at(reference, reference.com_w_m[:, 0] - reference.com_w_m[:1, 0], w.time_s)
    return float(np.linalg.norm(moved[w.frames] - wanted, axis=1).mean())


TRACKING: Final[Mapping[str, Callable[[Window, Recording], float]]] = {
    "tracking_rad": _track_joints,
    "com_tracking_m": _track_com,
}
