"""Signals to watch while a trial runs: one number per frame of a recording, with the unit in each name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from poise.characters.model import Character
from poise.errors import unknown_name
from poise.measures.metrics import compute_forward_w
from poise.recordings.contacts import external_contacts
from poise.recordings.recording import FloatArray, Recording
from poise.recordings.rotations import quat_rotate

_UP: Final = np.array([0.0, 0.0, 1.0])


def find_part(body: Character, role_or_segment: str) -> int:
    """The index of a segment by its role or its name."""
    name = body.roles.get(role_or_segment, role_or_segment)
    if name not in body.segment_names:
        known = [*body.roles, *(s for s in body.segment_names if s not in body.roles)]
        raise unknown_name(f"character {body.name}", "part", role_or_segment, known)
    return body.segment_names.index(name)


def compute_height_m(recording: Recording, part: str) -> FloatArray:
    """Height of a part's origin above the initial ground level, (F,)."""
    return recording.segment_pos_w_m[:, find_part(recording.characters[0], part), 2]


def compute_up_w(recording: Recording, part: str) -> FloatArray:
    """Direction of the axis of a part that is vertical in the reference pose, (F, 3)."""
    return quat_rotate(recording.segment_quat_wxyz[:, find_part(recording.characters[0], part)], _UP)


def compute_load_n(recording: Recording, part: str) -> FloatArray:
    """Magnitude of the external contact force on a part, (F,)."""
    frame, segment, _, force = external_contacts(recording)
    mine = segment == find_part(recording.characters[0], part)
    loads = np.zeros((recording.frames, 3))
    np.add.at(loads, frame[mine], force[mine])
    return np.linalg.norm(loads, axis=1)


def _compute_tilt_rad(recording: Recording, part: str) -> FloatArray:
    return np.arccos(np.clip(compute_up_w(recording, part)[:, 2], -1.0, 1.0))


def _compute_speed_mps(recording: Recording) -> FloatArray:
    result: FloatArray = np.sum(recording.com_vel_w_mps[:, 0] * compute_forward_w(recording), axis=1)
    return result


def _compute_side_m(recording: Recording) -> FloatArray:
    way = recording.com_w_m[:, 0] - recording.com_w_m[:1, 0]
    forward = compute_forward_w(recording)[0]
    return way[:, 1] * forward[0] - way[:, 0] * forward[1]


#: Signals of the whole body. Left is positive.
SIGNALS: Final[Mapping[str, Callable[[Recording], FloatArray]]] = {
    "com_height_m": lambda r: r.com_w_m[:, 0, 2],
    "com_speed_mps": _compute_speed_mps,
    "com_side_m": _compute_side_m,
    "torque_nm": lambda r: np.abs(r.torque_nm).max(axis=1, initial=0.0),
}
#: Signals of one part, given by its role or name.
PART_SIGNALS: Final[Mapping[str, Callable[[Recording, str], FloatArray]]] = {
    "height_m": compute_height_m,
    "tilt_rad": _compute_tilt_rad,
    "load_n": compute_load_n,
}
