"""DeepMimic motions: JSON with a row of 44 numbers per frame, on the humanoid of that release.

A row holds the frame's duration, the root's position and orientation, then every joint in the order of the character:
four numbers (quaternion wxyz) for a ball joint, one (an angle about z) for a knee or an elbow. x is forward, y up, z to
the right.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise.documents import load_json
from poise.errors import FileFormatError
from poise.motion.clip import GIVE_RATE, MAX_RATE_HZ, MIN_RATE_HZ
from poise.motion.raw import RawClip
from poise.motion.resample import interpolate, interpolate_quats
from poise.motion.rotations import FloatArray, quat_about, quat_align_signs
from poise.motion.skeleton import EndSite, Skeleton
from poise.motion.text import MAX_CLIP_BYTES, MAX_NUMBER

#: Name, parent, position in the parent's frame, numbers per frame: the humanoid of the DeepMimic release.
JOINTS: Final = (
    ("root", -1, (0.0, 0.0, 0.0), 4),
    ("chest", 0, (0.0, 0.236151, 0.0), 4),
    ("neck", 1, (0.0, 0.223894, 0.0), 4),
    ("right_hip", 0, (0.0, 0.0, 0.084887), 4),
    ("right_knee", 3, (0.0, -0.421546, 0.0), 1),
    ("right_ankle", 4, (0.0, -0.40987, 0.0), 4),
    ("right_shoulder", 1, (-0.02405, 0.2435, 0.18311), 4),
    ("right_elbow", 6, (0.0, -0.274788, 0.0), 1),
    ("left_hip", 0, (0.0, 0.0, -0.084887), 4),
    ("left_knee", 8, (0.0, -0.421546, 0.0), 1),
    ("left_ankle", 9, (0.0, -0.40987, 0.0), 4),
    ("left_shoulder", 1, (-0.02405, 0.2435, -0.18311), 4),
    ("left_elbow", 11, (0.0, -0.274788, 0.0), 1),
)
_ENDS: Final = {2: (0.0, 0.175, 0.0), 5: (0.1335, -0.0225, 0.0), 10: (0.1335, -0.0225, 0.0)}
_WRIST: Final = (0.0, -0.258947, 0.0)
_NEAR_UNIT: Final = (0.5, 2.0)
"""Quaternions of these lengths are rounded or blended ones, and normalised; others are damaged."""

_NOTED_OFF_UNIT: Final = 0.01
"""Quaternions that are off their length by less are not reported."""

_MOST_FRAMES: Final = 1_000_000
WIDTH: Final = 4 + sum(joint[3] for joint in JOINTS)

_TURN: Final = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
"""To y up and facing z, as in other files."""


def read_deepmimic(path: str | PathLike[str]) -> RawClip:
    """Read the motion of a DeepMimic file."""
    data = _load(path)
    rows = _check_rows(path, data.get("Frames"))
    try:
        frame_s, moments = _space_evenly(path, rows[:, 0])
        fault = None
    except FileFormatError as error:
        frame_s, moments, fault = None, None, error
    quats = np.zeros((len(rows), len(JOINTS), 4))
    column = 4
    for k, (_, _, _, count) in enumerate(JOINTS):
        values = rows[:, column : column + count]
        quats[:, k] = values if count == 4 else quat_about((0.0, 0.0, 1.0), values[:, 0])
        column += count
    quats, notes = _normalise(path, quats)
    quats = quat_align_signs(np.concatenate([quats[..., :1], quats[..., 1:] @ _TURN.T], axis=-1))
    root = rows[:, 1:4] @ _TURN.T
    if moments is not None:
        root, quats = interpolate(root, moments), interpolate_quats(quats, moments)
    return RawClip(
        name=Path(path).stem,
        skeleton=_make_skeleton(),
        frame_s=frame_s,
        root_pos=root,
        quats_wxyz=quats,
        unit_m=1.0,
        up="y",
        loops=str(data.get("Loop", "none")).lower() not in ("none", "clamp", "false"),
        frame_fault=fault,
        notes=(*notes, *(() if moments is None else ("frames of different durations are interpolated",))),
    )


def _normalise(path: str | PathLike[str], quats: FloatArray) -> tuple[FloatArray, tuple[str, ...]]:
    """Unit quaternions, and a note if some were not; raises for lengths far from 1."""
    size = np.linalg.norm(quats, axis=-1)
    low, high = _NEAR_UNIT
    wrong = np.argwhere((size < low) | (size > high))
    if len(wrong):
        frame, joint = (int(i) for i in wrong[0])
        raise FileFormatError(
            f"frame {frame + 1}: the quaternion of {JOINTS[joint][0]!r} is not of length 1",
            path=path,
            got=round(float(size[frame, joint]), 3),
            allowed=f"Allowed: {low:g} to {high:g}, which is normalised",
        )
    off = np.abs(size - 1.0).max(axis=1) > _NOTED_OFF_UNIT
    note = f"quaternions of length {size.min():.2f} to {size.max():.2f} in {off.sum()} frames are normalised"
    return quats / size[..., None], (note,) if off.any() else ()


def _load(path: str | PathLike[str]) -> dict[str, Any]:
    data = load_json(path, MAX_CLIP_BYTES)
    if not isinstance(data, dict) or "Frames" not in data:
        raise FileFormatError("not a DeepMimic motion", path=path, allowed="It must be an object with Frames")
    return data


def _check_rows(path: str | PathLike[str], frames: object) -> FloatArray:
    if not isinstance(frames, list) or not frames:
        raise FileFormatError("Frames must be a list of at least one frame", path=path)
    for k, row in enumerate(frames, start=1):
        if not isinstance(row, list) or len(row) != WIDTH:
            got = f"{len(row)} of them" if isinstance(row, list) else repr(row)[:40]
            raise FileFormatError(f"frame {k}: a frame must be a list of {WIDTH} numbers, got {got}", path=path)
        for value in row:
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_NUMBER:
                raise FileFormatError(f"frame {k}: not a finite number", path=path, got=value)
    return np.array(frames, dtype=np.float64)


def _space_evenly(path: str | PathLike[str], durations_s: FloatArray) -> tuple[float, FloatArray | None]:
    """Median frame time and, if frames differ, the evenly spaced moments to sample, in frames."""
    used = durations_s[:-1] if len(durations_s) > 1 else durations_s
    spacing = float(np.median(used))
    if not (used > 0.0).all() or not 1.0 / MAX_RATE_HZ <= spacing <= 1.0 / MIN_RATE_HZ:
        worst = int(np.argmin(used))
        raise FileFormatError(
            f"frame {worst + 1}: its duration is out of range",
            path=path,
            got=durations_s[worst],
            allowed=f"Allowed: 0.0001 to 10 s. {GIVE_RATE}",
        )
    if np.ptp(used) <= 1e-3 * spacing:
        return spacing, None
    times = np.concatenate([[0.0], np.cumsum(used)])
    if times[-1] / spacing > _MOST_FRAMES:
        raise FileFormatError("durations of frames differ too much", path=path, allowed=GIVE_RATE)
    even = spacing * np.arange(int(times[-1] / spacing + 1e-6) + 1)
    return spacing, np.interp(even, times, np.arange(len(times)))


def _make_skeleton() -> Skeleton:
    names = tuple(joint[0] for joint in JOINTS)
    offsets = np.array([joint[2] for joint in JOINTS]) @ _TURN.T
    ends = {**_ENDS, **{names.index(f"{side}_elbow"): _WRIST for side in ("left", "right")}}
    placed = {k: _TURN @ np.array(end) for k, end in ends.items()}
    return Skeleton(
        names,
        tuple(joint[1] for joint in JOINTS),
        offsets,
        tuple(EndSite(k, (float(v[0]), float(v[1]), float(v[2]))) for k, v in placed.items()),
    )
