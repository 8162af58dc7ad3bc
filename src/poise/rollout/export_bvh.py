"""Exports a recorded character as BVH, the motion format that Blender and most animation programs read.

BVH is y up and faces z: our x (forward) is its z, our y (left) its x, our z (up) its y. With default settings,
Blender's importer then places the character upright, facing the front view, at one unit per metre.
"""

from __future__ import annotations

import re
from os import PathLike
from typing import Final

import numpy as np

from poise.characters.model import Character, Segment, Vec3
from poise.errors import InputError
from poise.files import save_text
from poise.recordings.recording import FloatArray, IntArray, Recording
from poise.recordings.rotations import (
    make_euler_continuous,
    matrix_to_euler_rad,
    quat_conjugate,
    quat_multiply,
    quat_to_matrix,
)

_TO_BVH: Final = (1, 2, 0)
"""Indices of our axes for BVH's x, y and z."""

_ROOT_ORDER: Final = (2, 0, 1)
"""Yaw, roll, pitch (BVH's y, z, x): singular only when lying on a side, never on face or back."""

_MIN_BONE_M: Final = 0.02
"""Shorter end bones could not be drawn."""

Order = tuple[int, int, int]


def export_bvh(recording: Recording, path: str | PathLike[str], character: int = 0, unit_m: float = 1.0) -> None:
    """Writes one character as BVH, atomically; `unit_m` is the length of a unit, 0.01 for centimetres.

    Each segment is a joint named after it. The three rotations of a joint are in the order of its own axes, so for most
    joints they are the joint angles. BVH frames are evenly spaced; each takes the nearest recorded frame.
    """
    if not (np.isfinite(unit_m) and unit_m > 0.0):
        raise InputError("unit_m must be a positive length", where="BVH", got=unit_m)
    body = recording.check_character(character)
    if not recording.frames:
        raise InputError("the recording has no frames", where=path)
    frames, frame_time = _choose_frames(recording.time_s)
    orders = [_choose_order(segment) for segment in body.segments]
    channels = _compute_channels(recording, character, frames, orders, unit_m)
    head = "\n".join(["HIERARCHY", *_write_hierarchy(body, orders, unit_m)])
    motion = f"MOTION\nFrames: {len(frames)}\nFrame Time: {frame_time:.10g}\n"
    rows = "\n".join(" ".join(f"{value:.6f}" for value in row) for row in channels.tolist())
    save_text(path, f"{head}\n{motion}{rows}\n")


def _choose_frames(time_s: FloatArray) -> tuple[IntArray, float]:
    """Recorded frames nearest to evenly spaced times, and the spacing."""
    if len(time_s) < 2:
        return np.zeros(1, dtype=np.int64), 1.0 / 30.0
    spacing = float(np.median(np.diff(time_s)))
    count = round(float(time_s[-1] - time_s[0]) / spacing) + 1
    moments = time_s[0] + spacing * np.arange(count)
    return np.searchsorted(0.5 * (time_s[1:] + time_s[:-1]), moments).astype(np.int64), spacing


def _choose_order(segment: Segment) -> Order:
    """The order of the rotations as indices of our axes: the joint's own first, in its order."""
    if segment.joint is None:
        return _ROOT_ORDER
    chosen: list[int] = []
    for axis in segment.joint.axes:
        nearest = int(np.argmax(np.abs(axis.direction)))
        if nearest not in chosen:
            chosen.append(nearest)
    rest = [k for k in (1, 0, 2) if k not in chosen]
    i, j, k = chosen + rest
    return i, j, k


def _compute_channels(
    recording: Recording, character: int, frames: IntArray, orders: list[Order], unit_m: float
) -> FloatArray:
    """One row per frame: the root's position, then three angles (degrees) per segment in the hierarchy's order."""
    body = recording.characters[character]
    span = recording.segments_of(character)
    quat = recording.segment_quat_wxyz[frames, span]
    names = body.segment_names
    angles = []
    for k, segment in enumerate(body.segments):
        local = quat[:, k]
        if segment.parent is not None:
            local = quat_multiply(quat_conjugate(quat[:, names.index(segment.parent)]), local)
        angles.append(matrix_to_euler_rad(quat_to_matrix(local), orders[k]))
    smooth = np.rad2deg(make_euler_continuous(np.stack(angles, axis=1)))
    root = recording.segment_pos_w_m[frames, span.start][:, _TO_BVH] / unit_m
    written = [names.index(name) for name in _depth_first(body)]
    return np.concatenate([root, smooth[:, written].reshape(len(frames), -1)], axis=1)


def _depth_first(character: Character) -> list[str]:
    """Segments in the nesting order of the hierarchy."""
    order: list[str] = []
    waiting = [character.segments[0].name]
    while waiting:
        name = waiting.pop()
        order.append(name)
        waiting += reversed([s.name for s in character.segments if s.parent == name])
    return order


def _write_hierarchy(character: Character, orders: list[Order], unit_m: float) -> list[str]:
    labels = _make_labels(character)
    lines: list[str] = []

    def write(index: int, depth: int) -> None:
        segment = character.segments[index]
        pad, inner = "\t" * depth, "\t" * (depth + 1)
        turns = " ".join(f"{'XYZ'[_TO_BVH.index(axis)]}rotation" for axis in orders[index])
        is_root = segment.parent is None
        lines.append(f"{pad}{'ROOT' if is_root else 'JOINT'} {labels[index]}")
        lines.append(f"{pad}{{")
        lines.append(f"{inner}{_offset((0.0, 0.0, 0.0) if is_root else segment.origin_m, unit_m)}")
        lines.append(f"{inner}CHANNELS {'6 Xposition Yposition Zposition' if is_root else '3'} {turns}")
        children = [k for k, s in enumerate(character.segments) if s.parent == segment.name]
        for child in children:
            write(child, depth + 1)
        if not children:
            end = _offset(_find_end_m(segment), unit_m)
            lines.extend([f"{inner}End Site", f"{inner}{{", f"{inner}\t{end}", f"{inner}}}"])
        lines.append(f"{pad}}}")

    write(0, 0)
    return lines


def _make_labels(character: Character) -> list[str]:
    """Unique names without characters that would end a word in BVH."""
    labels: list[str] = []
    for name in character.segment_names:
        label = base = re.sub(r"[^\w.:-]", "_", name) or "segment"
        count = 2
        while label in labels:
            label, count = f"{base}_{count}", count + 1
        labels.append(label)
    return labels


def _find_end_m(segment: Segment) -> Vec3:
    """End of a leaf segment: twice as far from the joint as its centre of mass."""
    x, y, z = (2.0 * c for c in segment.com_m)
    return (x, y, z) if np.linalg.norm((x, y, z)) > _MIN_BONE_M else (0.0, 0.0, -_MIN_BONE_M)


def _offset(position_m: Vec3, unit_m: float) -> str:
    return "OFFSET " + " ".join(f"{position_m[axis] / unit_m:.6f}" for axis in _TO_BVH)
