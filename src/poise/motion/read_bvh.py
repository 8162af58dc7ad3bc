"""BVH files as motions in their own units and axes.

The rotations of a joint's channels multiply in the order listed: R = R_first R_second R_third. Position channels
replace the offset of a joint or, since programs differ, are added to it. The values show which for most joints. For the
joints that carry the whole body it is decided later, by where the feet are.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np

from poise.errors import FileFormatError
from poise.motion.bvh_hierarchy import BvhJoint, Hierarchy, parse_hierarchy
from poise.motion.clip import GIVE_RATE, MAX_RATE_HZ, MIN_RATE_HZ
from poise.motion.raw import Base, RawClip
from poise.motion.resample import interpolate, interpolate_quats
from poise.motion.rotations import IDENTITY_WXYZ, FloatArray, quat_about, quat_align_signs, quat_multiply
from poise.motion.skeleton import EndSite, Skeleton
from poise.motion.text import Lines, load_lines, parse_row, parse_rows

_RIGID: Final = 1e-4
"""Positions that change by less than this fraction of the longest bone do not change."""

_STEADY: Final = 0.02
"""Positions that change by less are the bones of a skeleton, with noise."""

_FEWEST_CHANNELS: Final = 6
"""Fewer channels may all be zero in the motion itself."""

_FRAMES: Final = re.compile(r"\s*frames\s*[:=]?\s*(\S*)\s*$", re.IGNORECASE)
_FRAME_TIME: Final = re.compile(r"\s*frame\s*time\s*[:=]?\s*(\S*)\s*$", re.IGNORECASE)


def read_bvh(path: str | PathLike[str]) -> RawClip:
    """Read the motion of a BVH file."""
    lines = load_lines(path)
    hierarchy = parse_hierarchy(lines)
    head = _parse_head(lines, hierarchy.motion_line)
    rows, notes = _read_rows(lines, head.first, hierarchy.width, head.frames)
    joints = [j for j in hierarchy.joints if not j.is_end]
    quats, shifts, bases = _compute_motion(joints, rows)
    quats, shifts, more = _fill_blank(rows, quats, shifts)
    skeleton = _make_skeleton(hierarchy, shifts)
    return RawClip(
        name=Path(path).stem,
        skeleton=skeleton,
        frame_s=head.frame_s,
        frame_fault=head.fault,
        root_pos=shifts[:, 0],
        quats_wxyz=quats,
        shifts=None if _is_rigid(skeleton, shifts) else shifts,
        bases=tuple(bases),
        notes=(*lines.notes, *hierarchy.notes, *notes, *more),
    )


def _is_rigid(skeleton: Skeleton, shifts: FloatArray) -> bool:
    """Whether no joint slides."""
    size = float(np.abs(skeleton.offsets_m).max())
    return bool(np.abs(shifts[:, 1:] - skeleton.offsets_m[1:]).max(initial=0.0) <= _RIGID * size)


def _fill_blank(rows: FloatArray, quats: FloatArray, shifts: FloatArray) -> tuple[FloatArray, FloatArray, list[str]]:
    """The motion with frames whose channels are all zero interpolated, except at its ends, and a note about them.

    Blank frames at the ends are separate poses.
    """
    used = np.flatnonzero(rows.any(axis=1))
    if rows.shape[1] < _FEWEST_CHANNELS or not len(used) or len(used) == used[-1] - used[0] + 1:
        return quats, shifts, []
    moments = np.interp(np.arange(len(rows)), used, np.arange(len(used)))
    moments[: used[0]], moments[used[-1] + 1 :] = 0.0, len(used) - 1.0
    inside = slice(int(used[0]), int(used[-1]) + 1)
    quats, shifts = quats.copy(), shifts.copy()
    blank = used[-1] - used[0] + 1 - len(used)
    filled = interpolate_quats(quats[used], moments[inside]), interpolate(shifts[used], moments[inside])
    quats[inside], shifts[inside] = filled
    what = "a blank frame is" if blank == 1 else f"{blank} blank frames are"
    return quat_align_signs(quats), shifts, [f"{what} interpolated: all of their channels are zero"]


@dataclass
class _Head:
    """The announced number of frames, the frame time or what is wrong with it, and the line of the first frame."""

    frames: int | None = None
    frame_s: float | None = None
    fault: FileFormatError | None = None
    first: int = 0


def _parse_head(lines: Lines, first: int) -> _Head:
    head = _Head()
    number = first
    while number <= len(lines.lines):
        text = lines.lines[number - 1]
        if match := _FRAMES.match(text):
            head.frames = _parse_count(lines, number, match[1])
        elif match := _FRAME_TIME.match(text):
            _parse_frame_time(lines, number, match, head)
        elif text.strip():
            break
        number += 1
    if number <= len(lines.lines):
        word = lines.words(number)[0]
        if re.match(r"[A-Za-z]", word.text) and word.text.lower() not in ("nan", "inf", "infinity"):
            raise lines.error_at(f"unexpected {word.text!r}", word, allowed="Allowed: Frames:, Frame Time:")
    head.first = number
    return head


def _parse_count(lines: Lines, number: int, text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text):
        raise lines.error(f"Frames must be a whole number, got {text!r}", number)
    return int(text)


def _parse_frame_time(lines: Lines, number: int, match: re.Match[str], head: _Head) -> None:
    """Set the frame time, or its fault: the user may know the rate."""
    column = match.start(1) + 1
    try:
        value = float(match[1].replace(",", "."))
    except ValueError:
        head.fault = lines.error(f"Frame Time is not a number, got {match[1]!r}", number, column, allowed=GIVE_RATE)
        return
    # Some programs write 0 for an unknown rate.
    if value == 0.0:
        return
    if not math.isfinite(value) or not 1.0 / MAX_RATE_HZ <= value <= 1.0 / MIN_RATE_HZ:
        way = f"If it is a rate, give it with --fps {value:g}" if 10.0 < value <= MAX_RATE_HZ else GIVE_RATE
        allowed = f"Allowed: 0.0001 to 10 s. {way}"
        head.fault = lines.error(f"Frame Time is out of range, got {match[1]}", number, column, allowed=allowed)
        return
    head.frame_s = value


def _read_rows(lines: Lines, first: int, width: int, said: int | None) -> tuple[FloatArray, list[str]]:
    """One row of channels per frame, and notes about irregularities."""
    if width == 0:
        raise FileFormatError("no joint has channels, so there is no motion", path=lines.path)
    rows, numbers = parse_rows(lines, first, width, "a channel")
    rest_line = (numbers[-1] if numbers else first - 1) + 1
    rest = [k for k in range(rest_line, len(lines.lines) + 1) if lines.lines[k - 1].strip()]
    notes: list[str] = []
    if rest:
        wrapped = _read_wrapped(lines, first, width, said)
        if wrapped is not None:
            return wrapped, ["frames that run over several lines"]
        if len(rest) > 1 or said is None or len(rows) >= said:
            found = len(lines.words(rest[0]))
            raise lines.error(f"a frame has {width} numbers, one per channel; this line has {found}", rest[0])
        notes.append("the last frame is cut off and was left out")
    elif said is not None and len(rows) < said and lines.lines[-1].strip():
        # The file is cut off, and the last number may have lost digits.
        rows = rows[:-1]
        notes.append("the file is cut off: its last frame was left out")
    if not len(rows):
        raise lines.error("no frames", min(first, len(lines.lines)))
    if said is not None and said != len(rows):
        notes.append(f"the file says {said} frames but holds {len(rows)}")
    return rows, notes


def _read_wrapped(lines: Lines, first: int, width: int, said: int | None) -> FloatArray | None:
    """Frames wrapped over several lines, if their total count of numbers is as announced."""
    rows = {k: lines.lines[k - 1].split() for k in range(first, len(lines.lines) + 1)}
    if said is None or not said or sum(map(len, rows.values())) != said * width:
        return None
    numbers = [parse_row(lines, k, row, "a channel") for k, row in rows.items() if row]
    return np.concatenate(numbers).reshape(said, width)


def _make_skeleton(hierarchy: Hierarchy, shifts: FloatArray) -> Skeleton:
    """The skeleton, with the offsets that the motion holds: some programs write bones as position channels only."""
    index = {id(j): k for k, j in enumerate(j for j in hierarchy.joints if not j.is_end)}
    joints = [j for j in hierarchy.joints if not j.is_end]

    def parent_of(joint: BvhJoint) -> int:
        return -1 if joint.parent < 0 else index[id(hierarchy.joints[joint.parent])]

    ends = tuple(EndSite(parent_of(j), j.offset or (0.0, 0.0, 0.0)) for j in hierarchy.joints if j.is_end)
    offsets = np.array([j.offset for j in joints], dtype=np.float64)
    usual = np.median(shifts, axis=0)
    steady = np.abs(shifts - usual).max(axis=(0, 2)) <= _STEADY * float(np.abs(usual[1:]).max(initial=0.0))
    steady[0] = False
    offsets = np.where(steady[:, None], usual, offsets)
    return Skeleton(tuple(j.name for j in joints), tuple(map(parent_of, joints)), offsets, ends)


def _compute_motion(joints: list[BvhJoint], rows: FloatArray) -> tuple[FloatArray, FloatArray, list[Base]]:
    """Rotations (F, J, 4) and positions in the parent's frame (F, J, 3) of all joints, and joints with positions."""
    frames = len(rows)
    quats = np.tile(np.array(IDENTITY_WXYZ), (frames, len(joints), 1))
    shifts = np.tile(np.array([j.offset for j in joints], dtype=np.float64), (frames, 1, 1))
    bases, column = [], 0
    for k, joint in enumerate(joints):
        values = rows[:, column : column + len(joint.channels)]
        column += len(joint.channels)
        for channel, value in zip(joint.channels, values.T):
            if channel >= 3:
                turn = quat_about(np.eye(3)[channel - 3], np.radians(value))
                quats[:, k] = quat_multiply(quats[:, k], turn)
        slides = [(c, value) for c, value in zip(joint.channels, values.T) if c < 3]
        if slides:
            added = k > 0 and _are_added(np.array(joint.offset), slides)
            offset = np.zeros(3)
            for channel, value in slides:
                offset[channel] = shifts[0, k, channel]
                shifts[:, k, channel] = value + (offset[channel] if added else 0.0)
            bases.append(Base(k, offset, added))
    return quat_align_signs(quats), shifts, bases


def _are_added(offset: FloatArray, slides: list[tuple[int, FloatArray]]) -> bool:
    """Whether positions are nearer to zero than to the offset, and so are added to it."""
    apart = sum(float(np.abs(value - offset[c]).mean()) for c, value in slides)
    alone = sum(float(np.abs(value).mean()) for _, value in slides)
    return alone < apart
