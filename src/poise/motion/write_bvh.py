"""Clips as BVH: y up, facing z. Our x (forward) is its z, our y (left) its x, our z (up) its y."""

from __future__ import annotations

import re
from dataclasses import replace
from os import PathLike
from typing import Final

import numpy as np

from poise.errors import InputError
from poise.files import save_text
from poise.motion.clip import Clip
from poise.motion.mapping import MARK, guess_mapping
from poise.motion.rotations import FloatArray, make_euler_continuous, matrix_to_euler_rad, quat_to_matrix
from poise.motion.skeleton import Skeleton

_TO_BVH: Final = (1, 2, 0)
"""Indices of our axes for BVH's x, y and z."""

_ORDER: Final = (0, 1, 2)
"""Our roll, pitch, yaw are BVH's Z, X, Y: the order of most programs."""

_LETTERS: Final = "ZXY"
_DIGITS: Final = 8
"""Significant digits, and decimals, of angles in degrees and lengths: reading them back loses nothing visible."""


def save_bvh(clip: Clip, path: str | PathLike[str], unit_m: float = 1.0) -> None:
    """Write a clip as BVH atomically; `unit_m` is the length of a unit, 0.01 for centimetres."""
    save_text(path, format_bvh(clip, unit_m))


def format_bvh(clip: Clip, unit_m: float = 1.0) -> str:
    """Text of a BVH file with the clip's skeleton and motion."""
    if not (np.isfinite(unit_m) and unit_m > 0.0):
        raise InputError("unit_m must be a positive length", where="BVH", got=unit_m)
    sliding = clip.shifts_m is not None
    head = _write_hierarchy(clip.skeleton, unit_m, sliding)
    rows = _compute_channels(clip, unit_m)
    motion = ["MOTION", f"Frames: {clip.frames}", f"Frame Time: {clip.frame_s:.10g}"]
    table = [" ".join(f"{value:.{_DIGITS}g}" for value in row) for row in rows.tolist()]
    return "\n".join(["HIERARCHY", *head, *motion, *table]) + "\n"


def _compute_channels(clip: Clip, unit_m: float) -> FloatArray:
    euler = make_euler_continuous(matrix_to_euler_rad(quat_to_matrix(clip.quats_wxyz), _ORDER))
    angles = np.rad2deg(euler)
    columns = []
    for joint in clip.skeleton.depth_first:
        place = clip.root_pos_m if joint == 0 else None if clip.shifts_m is None else clip.shifts_m[:, joint]
        if place is not None:
            columns.append(place[:, _TO_BVH] / unit_m)
        columns.append(angles[:, joint])
    # Adding zero turns -0.0 into 0.0.
    return np.asarray(np.round(np.concatenate(columns, axis=1), _DIGITS) + 0.0, dtype=np.float64)


def _write_hierarchy(skeleton: Skeleton, unit_m: float, sliding: bool) -> list[str]:
    labels = _make_labels(_mark_roles(skeleton))
    lines: list[str] = []
    turns = " ".join(f"{letter}rotation" for letter in _LETTERS)

    def write(joint: int, depth: int) -> None:
        pad, inner = "\t" * depth, "\t" * (depth + 1)
        is_root = joint == 0
        place = "6 Xposition Yposition Zposition" if is_root or sliding else "3"
        offset = np.zeros(3) if is_root else skeleton.offsets_m[joint]
        lines.extend([f"{pad}{'ROOT' if is_root else 'JOINT'} {labels[joint]}", f"{pad}{{"])
        lines.extend([f"{inner}{_offset(offset, unit_m)}", f"{inner}CHANNELS {place} {turns}"])
        for child in skeleton.children[joint]:
            write(child, depth + 1)
        ends = [np.array(e.offset_m) for e in skeleton.ends if e.joint == joint]
        if not ends and not skeleton.children[joint]:
            ends = [np.zeros(3)]
        for end in ends:
            lines.extend([f"{inner}End Site", f"{inner}{{", f"{inner}\t{_offset(end, unit_m)}", f"{inner}}}"])
        lines.append(f"{pad}}}")

    write(0, 0)
    return lines


def _mark_roles(skeleton: Skeleton) -> tuple[str, ...]:
    """Names of the joints; those with known roles that their names would not reveal are named after the role."""
    names = list(skeleton.names)
    guessed = guess_mapping(replace(skeleton, known_roles={})).joints
    for role, joint in guess_mapping(skeleton).joints.items():
        if role in skeleton.known_roles and guessed.get(role) != joint:
            names[joint] = MARK + role
    return tuple(names)


def _make_labels(names: tuple[str, ...]) -> list[str]:
    """Unique names without characters that would end a word in BVH."""
    labels: list[str] = []
    for name in names:
        label = base = re.sub(r"[^\w.:-]", "_", name) or "joint"
        count = 2
        while label in labels:
            label, count = f"{base}_{count}", count + 1
        labels.append(label)
    return labels


def _offset(place_m: FloatArray, unit_m: float) -> str:
    return "OFFSET " + " ".join(f"{np.round(place_m[axis] / unit_m, _DIGITS) + 0.0:.{_DIGITS}g}" for axis in _TO_BVH)
