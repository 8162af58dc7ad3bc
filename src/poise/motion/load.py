"""Read and write clips in all supported file formats, chosen by suffix."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Final

from poise.errors import FileFormatError, InputError
from poise.motion.clip import Clip
from poise.motion.clip_file import read_clip_file, save_clip
from poise.motion.contacts import annotate, find_clip_floor, find_hips_w_m
from poise.motion.conventions import SAME_RATE, place_clip
from poise.motion.find_roles import add_roles, find_roles
from poise.motion.loops import find_loop
from poise.motion.mapping import Mapping, guess_mapping
from poise.motion.moving_root import move_root
from poise.motion.noise import smooth_noise
from poise.motion.raw import RawClip
from poise.motion.read_amc import read_amc
from poise.motion.read_bvh import read_bvh
from poise.motion.read_deepmimic import read_deepmimic
from poise.motion.separate_poses import drop_separate_poses
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
    raw = find_roles(raw, roles or {})
    mapping = guess_mapping(raw.skeleton)
    clip = move_root(place_clip(raw, mapping, unit=unit, up=up, rate_hz=rate_hz), mapping)
    clip = clip if keep_start else drop_separate_poses(clip, mapping)
    clip = find_loop(restore_travel(smooth_noise(clip, mapping), mapping))
    return _note_ramp(annotate(clip, mapping), mapping)


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
        clip = replace(clip, skeleton=add_roles(clip.skeleton, roles))
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
