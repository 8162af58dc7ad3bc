"""Poise's own clip files (`.npz`): lossless, with contacts."""

from __future__ import annotations

from os import PathLike
from typing import Any, Final

import numpy as np

from poise.archives import Field, load_archive, save_archive
from poise.errors import FileFormatError, InputError
from poise.motion.clip import Clip
from poise.motion.mapping import guess_mapping
from poise.motion.rotations import quat_normalize
from poise.motion.skeleton import EndSite, Skeleton
from poise.motion.text import MAX_CLIP_BYTES

_KIND: Final = "poise clip 1"
_FIELDS: Final = {
    "kind": Field("text", shape=()),
    "name": Field("text", shape=()),
    "character": Field("text", shape=()),
    "loops": Field("bool", shape=()),
    "notes": Field("text", shape=(None,)),
    "names": Field("text", shape=("joints",)),
    "parents": Field("int", shape=("joints",)),
    "offsets_m": Field(shape=("joints", 3)),
    "end_joints": Field("int", shape=("ends",)),
    "end_offsets_m": Field(shape=("ends", 3)),
    "frame_s": Field(shape=()),
    "root_pos_m": Field(shape=("frames", 3)),
    "quats_wxyz": Field(shape=("frames", "joints", 4)),
    "shifts_m": Field(shape=("frames", "joints", 3), required=False),
    "contacts": Field("bool", shape=("frames", None), required=False),
    "rest_wxyz": Field(required=False),
    "known_roles": Field("text", shape=(None, 2), required=False),
}


def save_clip(clip: Clip, path: str | PathLike[str]) -> None:
    """Write a clip atomically."""
    skeleton = clip.skeleton
    data: dict[str, Any] = {
        "kind": _KIND,
        "name": clip.name,
        "character": clip.character,
        "loops": clip.loops,
        "notes": np.array(clip.notes, dtype=np.str_),
        "names": np.array(skeleton.names, dtype=np.str_),
        "parents": np.array(skeleton.parents),
        "offsets_m": skeleton.offsets_m,
        "end_joints": np.array([e.joint for e in skeleton.ends], dtype=np.int64),
        "end_offsets_m": np.array([e.offset_m for e in skeleton.ends], dtype=np.float64).reshape(-1, 3),
        "frame_s": clip.frame_s,
        "root_pos_m": clip.root_pos_m,
        "quats_wxyz": clip.quats_wxyz,
    }
    if skeleton.known_roles:
        data["known_roles"] = np.array(list(skeleton.known_roles.items()), dtype=np.str_)
    for name in ("shifts_m", "contacts", "rest_wxyz"):
        if getattr(clip, name) is not None:
            data[name] = getattr(clip, name)
    save_archive(path, data)


def read_clip_file(path: str | PathLike[str]) -> Clip:
    """Read a clip from a file written by `save_clip`."""
    advice = "Recordings of runs are not clips"
    data = load_archive(path, _FIELDS, kind="clip file of Poise", max_bytes=MAX_CLIP_BYTES, advice=advice)
    if str(data["kind"]) != _KIND:
        raise FileFormatError("not a clip file of Poise", path=path, allowed=advice)
    try:
        return _build(data)
    except (InputError, ValueError, TypeError, IndexError) as error:
        raise FileFormatError(f"a damaged clip file: {error}", path=path) from error


def _build(data: dict[str, Any]) -> Clip:
    ends = zip(data["end_joints"].tolist(), data["end_offsets_m"].tolist())
    skeleton = Skeleton(
        tuple(map(str, data["names"].tolist())),
        tuple(map(int, data["parents"].tolist())),
        data["offsets_m"].astype(np.float64),
        tuple(EndSite(int(joint), (float(x), float(y), float(z))) for joint, (x, y, z) in ends),
        {str(role): str(joint) for role, joint in data.get("known_roles", ())},
    )
    guess_mapping(skeleton, skeleton.known_roles)
    return Clip(
        name=str(data["name"]),
        skeleton=skeleton,
        frame_s=float(data["frame_s"]),
        root_pos_m=data["root_pos_m"].astype(np.float64),
        quats_wxyz=quat_normalize(data["quats_wxyz"].astype(np.float64)),
        shifts_m=data["shifts_m"].astype(np.float64) if "shifts_m" in data else None,
        contacts=data["contacts"].astype(np.bool_) if "contacts" in data else None,
        rest_wxyz=data["rest_wxyz"].astype(np.float64) if "rest_wxyz" in data else None,
        loops=bool(data["loops"]),
        character=str(data["character"]),
        notes=tuple(map(str, data["notes"].tolist())),
    )
