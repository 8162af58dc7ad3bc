"""AMC files: the motion of a skeleton that is in a separate ASF file."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np

from poise.errors import FileFormatError, find_nearest_name
from poise.motion.raw import Base, RawClip
from poise.motion.read_asf import AsfSkeleton, Bone, read_asf, turn_in_order
from poise.motion.rotations import FloatArray, quat_align_signs, quat_conjugate, quat_multiply
from poise.motion.text import Lines, Word, load_lines

RATE_HZ: Final = 120.0
"""Frame rate of the CMU database. AMC files cannot state it."""


def read_amc(path: str | PathLike[str], skeleton: str | PathLike[str] | None = None) -> RawClip:
    """Read the motion of an AMC file and the skeleton of an ASF file, by default found beside it."""
    asf_path = find_asf(path) if skeleton is None else Path(skeleton)
    asf = read_asf(asf_path)
    lines = load_lines(path)
    values, degrees, notes = _read_frames(lines, asf)
    root_pos, quats = _compute_motion(asf, values, degrees)
    return RawClip(
        name=Path(path).stem,
        skeleton=asf.skeleton,
        frame_s=1.0 / RATE_HZ,
        root_pos=root_pos,
        quats_wxyz=quats,
        unit_m=asf.unit_m,
        bases=(Base(0, asf.root_pos, False),),
        frame_guess=f"{RATE_HZ:g} frames per second, as in the CMU database: --fps sets another rate",
        notes=(*asf.notes, *lines.notes, *notes, f"the skeleton is that of {asf_path.name}"),
    )


def find_asf(path: str | PathLike[str]) -> Path:
    """Find the ASF file of an AMC file: by the same name, by subject (`07.asf` for `07_01.amc`), or the only one."""
    amc = Path(path)
    if not amc.is_file():
        raise FileFormatError("no such file", path=path)
    found = sorted(p for p in amc.parent.iterdir() if p.suffix.lower() == ".asf")
    for stem in (amc.stem, amc.stem.partition("_")[0]):
        for candidate in found:
            if candidate.stem.lower() == stem.lower():
                return candidate
    if len(found) == 1:
        return found[0]
    there = f" Found: {', '.join(p.name for p in found[:8])}" if found else ""
    raise FileFormatError("needs the ASF file of its skeleton", path=path, allowed=f"Give it with --skeleton F.{there}")


def _read_frames(lines: Lines, asf: AsfSkeleton) -> tuple[list[dict[str, list[float]]], bool, list[str]]:
    """Numbers of every bone in every frame, whether angles are in degrees, and notes."""
    bones = {bone.name: bone for bone in asf.bones}
    frames: list[dict[str, list[float]]] = []
    starts: list[int] = []
    degrees = asf.degrees
    for number in range(1, len(lines.lines) + 1):
        words = lines.words(number)
        if not words or words[0].text.startswith("#"):
            continue
        head = words[0].text
        if head.startswith(":"):
            degrees = {":degrees": True, ":radians": False}.get(head.lower(), degrees)
        elif len(words) == 1 and re.fullmatch(r"\d+", head):
            frames.append({})
            starts.append(number)
        elif not frames:
            raise lines.error_at("not an AMC file", words[0], allowed="A frame begins with its number on its own line")
        else:
            _read_bone(lines, words, bones, frames[-1])
    if not frames:
        raise lines.error("no frames", len(lines.lines))
    notes = _drop_cut_frame(frames, starts, asf, lines)
    return frames, degrees, notes


def _read_bone(lines: Lines, words: list[Word], bones: dict[str, Bone], frame: dict[str, list[float]]) -> None:
    name = words[0].text
    if name not in bones:
        raise lines.error_at(f"no bone is named {name!r}", words[0], did_you_mean=find_nearest_name(name, bones))
    if name in frame:
        raise lines.error_at(f"{name!r} twice in one frame", words[0])
    wanted = len(bones[name].dofs)
    last = words[0].line >= len(lines.lines)
    if len(words) - 1 != wanted and not (last and len(words) - 1 < wanted):
        raise lines.error_at(f"{name!r} has {wanted} numbers, got {len(words) - 1}", words[0])
    values = lines.numbers(words[1:], f"a value of {name!r}")
    if len(values) == wanted:
        frame[name] = values


def _drop_cut_frame(
    frames: list[dict[str, list[float]]], starts: list[int], asf: AsfSkeleton, lines: Lines
) -> list[str]:
    """Raise if a frame lacks a bone; drop a last frame that is cut off."""
    wanted = [bone.name for bone in asf.bones if bone.dofs]
    for k, (frame, start) in enumerate(zip(frames, starts)):
        lacking = [name for name in wanted if name not in frame]
        if lacking and k and k == len(frames) - 1:
            frames.pop()
            return ["the last frame is cut off and was left out"]
        if lacking:
            raise lines.error(f"this frame lacks {lacking[0]!r}", start)
    return []


def _compute_motion(
    asf: AsfSkeleton, frames: list[dict[str, list[float]]], degrees: bool
) -> tuple[FloatArray, FloatArray]:
    root_pos = np.zeros((len(frames), 3))
    quats = np.zeros((len(frames), len(asf.bones), 4))
    quats[..., 0] = 1.0
    for k, bone in enumerate(asf.bones):
        values = np.array([frame[bone.name] for frame in frames]) if bone.dofs else np.zeros((len(frames), 0))
        turns = [c for c, dof in enumerate(bone.dofs) if dof.startswith("r")]
        angles = np.radians(values[:, turns]) if degrees else values[:, turns]
        turn = turn_in_order("".join(bone.dofs[c][1] for c in turns), angles)
        if bone.axis_wxyz is not None:
            turn = quat_multiply(quat_multiply(bone.axis_wxyz, turn), quat_conjugate(bone.axis_wxyz))
        quats[:, k] = turn
        for c, dof in enumerate(bone.dofs):
            if dof.startswith("t"):
                root_pos[:, "xyz".index(dof[1])] = values[:, c]
    return root_pos, quat_align_signs(quats)
