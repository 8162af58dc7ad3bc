"""Read and write clips in all supported file formats, chosen by suffix."""

from __future__ import annotations

from collections.abc import Mapping as Table
from os import PathLike
from pathlib import Path
from typing import Final

from poise.errors import FileFormatError, InputError
from poise.motion.clip import Clip
from poise.motion.clip_file import read_clip_file, save_clip
from poise.motion.contacts import annotate
from poise.motion.conventions import place_clip
from poise.motion.mapping import guess_mapping
from poise.motion.raw import RawClip
from poise.motion.read_amc import read_amc
from poise.motion.read_bvh import read_bvh
from poise.motion.read_deepmimic import read_deepmimic
from poise.motion.start_pose import drop_start_frames
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
    Leading T-poses are dropped unless `keep_start` is set. Foot contacts are found.
    """
    if Path(path).suffix.lower() == ".npz":
        return read_clip_file(path)
    raw = _read(path, skeleton)
    mapping = guess_mapping(raw.skeleton, roles)
    clip = place_clip(raw, mapping, unit=unit, up=up, rate_hz=rate_hz)
    return annotate(clip if keep_start else drop_start_frames(clip), mapping)


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
