"""Read and write clips in all supported file formats, chosen by suffix."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np

from poise.errors import FileFormatError, InputError
from poise.motion.bases import sample_joints
from poise.motion.clip import Clip
from poise.motion.clip_file import read_clip_file, save_clip
from poise.motion.contacts import annotate, find_clip_floor, find_hips_w_m
from poise.motion.conventions import SAME_RATE, place_clip
from poise.motion.mapping import LEG_ROLES, Mapping, guess_mapping
from poise.motion.raw import RawClip
from poise.motion.read_amc import read_amc
from poise.motion.read_bvh import read_bvh
from poise.motion.read_deepmimic import read_deepmimic
from poise.motion.rotations import quat_rotate
from poise.motion.separate_poses import drop_separate_poses
from poise.motion.skeleton import Skeleton
from poise.motion.topology import find_limbs
from poise.motion.travel import restore_travel
from poise.motion.write_bvh import save_bvh

READ_SUFFIXES: Final = (".bvh", ".amc", ".json", ".txt", ".npz")
WRITTEN_SUFFIXES: Final = (".bvh", ".npz")


def load_clip(
    path: str | PathLike[str],
    *,
    unit: str | None = None,
    up: str | None = None,
    rate_hz: float | None = None,
    skeleton: str | PathLike[str] | None = None,
    roles: Table[str, str] | None = None,
    keep_start: bool = False,
) -> Clip:
    """Load the clip in a motion file. Options supply what the file lacks; the clip's notes list what was guessed.

    `skeleton` is the ASF file of an AMC file, `roles` are joints by role, for names that do not reveal their part.
    T-poses at both ends are dropped unless `keep_start` is set. Walks in place get their travel. Foot contacts are
    found.
    """
    if Path(path).suffix.lower() == ".npz":
        return _adjust(read_clip_file(path), unit=unit, up=up, rate_hz=rate_hz, roles=roles)
    raw = _read(path, skeleton)
    raw = _find_roles(raw, roles or {})
    mapping = guess_mapping(raw.skeleton)
    clip = place_clip(raw, mapping, unit=unit, up=up, rate_hz=rate_hz)
    clip = clip if keep_start else drop_separate_poses(clip, mapping)
    return _note_ramp(annotate(restore_travel(clip, mapping), mapping), mapping)


def write_clip(clip: Clip, path: str | PathLike[str], unit_m: float = 1.0) -> None:
    """Write a clip atomically in the format of the suffix; `unit_m` is the length of a unit in BVH."""
    suffix = Path(path).suffix.lower()
    if suffix == ".bvh":
        save_bvh(clip, path, unit_m)
    elif suffix == ".npz":
        save_clip(clip, path)
    else:
        raise InputError(
            "not a motion format that Poise writes",
            where=path,
            got=suffix,
            allowed=f"Allowed: {', '.join(WRITTEN_SUFFIXES)}",
        )


def _adjust(
    clip: Clip, *, unit: str | None, up: str | None, rate_hz: float | None, roles: Table[str, str] | None
) -> Clip:
    """A clip of Poise's own with the options that apply to one; its lengths and axes are known."""
    if unit is not None or up is not None:
        named = " and ".join(name for name, given in (("--unit", unit), ("--up", up)) if given is not None)
        clip = clip.noted(f"a clip file is in metres, z up: {named} {'have' if unit and up else 'has'} no effect")
    if roles:
        clip = replace(clip, skeleton=_know(clip.skeleton, roles))
    if rate_hz is not None and abs(clip.frame_s * rate_hz - 1.0) > SAME_RATE:
        note = f"{rate_hz:g} frames per second, as given, instead of {clip.rate_hz:.4g}"
        clip = replace(clip, frame_s=1.0 / rate_hz).noted(note)
    return clip


def _note_ramp(clip: Clip, mapping: Mapping) -> Clip:
    floor = find_clip_floor(clip, mapping)
    if floor is None or not floor.is_ramp:
        return clip
    hips = find_hips_w_m(clip, mapping)
    travel = float((hips[-1] - hips[0])[:2] @ floor.way)
    rises = floor.slope * travel > 0.0
    return clip.noted(f"the floor is a ramp: it {'rises' if rises else 'falls'} by {100.0 * abs(floor.slope):.0f} %")


def _know(skeleton: Skeleton, roles: Table[str, str]) -> Skeleton:
    """The skeleton with given roles, which are checked."""
    guess_mapping(skeleton, roles)
    return replace(skeleton, known_roles={**skeleton.known_roles, **roles})


def _find_roles(raw: RawClip, roles: Table[str, str]) -> RawClip:
    """The motion with given roles and, if names do not reveal the legs, with roles from the shape of the body."""
    skeleton = _know(raw.skeleton, roles)
    mapping = guess_mapping(skeleton)
    if mapping.missing_legs:
        places, turns = sample_joints(raw)
        joints, offsets = [e.joint for e in skeleton.ends], np.array([e.offset_m for e in skeleton.ends])
        tips = places[:, joints] + quat_rotate(turns[:, joints], offsets.reshape(-1, 3))
        found = find_limbs(skeleton, places, tips, frozenset(skeleton.names.index(name) for name in roles.values()))
        found = {role: joint for role, joint in found.items() if role not in roles}
        if found:
            named = {role: skeleton.names[joint] for role, joint in found.items()}
            legs = ", ".join(f"{role} {name}" for role, name in named.items() if role in LEG_ROLES)
            skeleton = _know(skeleton, {**named, **roles})
            raw = replace(raw, notes=(*raw.notes, f"names do not reveal the legs; from the shape of the body: {legs}"))
    return replace(raw, skeleton=skeleton)


def _read(path: str | PathLike[str], skeleton: str | PathLike[str] | None) -> RawClip:
    suffix = Path(path).suffix.lower()
    if suffix == ".bvh":
        return read_bvh(path)
    if suffix == ".amc":
        return read_amc(path, skeleton)
    if suffix in (".json", ".txt"):
        return read_deepmimic(path)
    if suffix == ".asf":
        raise FileFormatError(
            "holds a skeleton without motion", path=path, allowed="Give the AMC file that belongs to it"
        )
    raise FileFormatError(
        "not a motion format that Poise reads",
        path=path,
        got=suffix,
        allowed=f"Allowed: {', '.join(READ_SUFFIXES)}",
    )
