"""What taming could do with the motion files of a folder, found within seconds: the walk in each, or why none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np

from poise.characters.model import Character
from poise.constants import GRAVITY_MPS2
from poise.controllers.tracker.cycle import Track, find_cycles, find_walk
from poise.controllers.tracker.reference import RATE_HZ, make_reference
from poise.errors import FileFormatError, InputError, PoiseError
from poise.files import load_bytes
from poise.motion.body_plan import BodyPlan
from poise.motion.clip import Clip
from poise.motion.contacts import find_clip_floor, find_hips_w_m
from poise.motion.conventions import LEG_M, compute_leg_length, name_unit
from poise.motion.load import READ_SUFFIXES
from poise.motion.mapping import Mapping, guess_mapping
from poise.motion.read_settings import PLAIN_READING, ReadSettings
from poise.motion.repeat import lengthen
from poise.motion.text import MAX_CLIP_BYTES
from poise.motion.travel import compute_body_heading_rad

RUN_FROUDE: Final = 0.5
"""Squared speed over gravity and leg length above which people run."""

_FOREIGN: Final = {".json": b'"Frames"', ".txt": b'"Frames"', ".npz": b"quats_wxyz"}
"""Suffixes that other files use as well, and what every motion file with them contains."""


@dataclass(frozen=True)
class ClipRow:
    """What a motion file holds, in one line; only file and verdict if it cannot be read."""

    file: str
    #: `walk`, `run`, `walk in place`, `walk on a ramp of 12 %`, or the reason why there is no walk or no motion.
    verdict: str
    is_walk: bool = False
    unit: str | None = None
    #: Distance of the pelvis from start to end.
    travel_m: float | None = None
    #: Number of the cycle that `poise clip tame` repeats, and how many there are.
    cycle: int | None = None
    cycles: int = 0
    #: Speed of that cycle, or of the whole motion.
    speed_mps: float | None = None
    #: Change of heading from start to end, positive to the left.
    turn_deg: float | None = None


def find_motion_files(folder: str | PathLike[str]) -> list[Path]:
    """Motion files in a folder and below, sorted by path; raises if there are none."""
    found = sorted(p for p in Path(folder).rglob("*") if p.suffix.lower() in READ_SUFFIXES and p.is_file())
    shown = (p for p in found if not any(part.startswith(".") for part in p.relative_to(folder).parts))
    files = [p for p in shown if _is_motion(p)]
    if not files:
        raise InputError("no motion files", where=folder, allowed=f"Allowed: {', '.join(READ_SUFFIXES)}")
    return files


def _is_motion(path: Path) -> bool:
    """Whether a file of a suffix that others use as well may hold a motion; a file that cannot be read may."""
    mark = _FOREIGN.get(path.suffix.lower())
    try:
        return mark is None or mark in load_bytes(path, MAX_CLIP_BYTES)
    except PoiseError:
        return True


def survey_folder(
    folder: str | PathLike[str],
    character: Character,
    read: ReadSettings = PLAIN_READING,
    progress: Callable[[float], None] | None = None,
) -> list[ClipRow]:
    """A row for every motion file in a folder and below."""
    files, rows = find_motion_files(folder), []
    for k, path in enumerate(files):
        rows.append(survey_file(path, character, read, name=path.relative_to(folder).as_posix()))
        if progress is not None:
            progress((k + 1) / len(files))
    return rows


def survey_file(
    path: str | PathLike[str], character: Character, read: ReadSettings = PLAIN_READING, *, name: str = ""
) -> ClipRow:
    """The row of a motion file."""
    name = name or Path(path).name
    try:
        clip = read.load(path)
        return survey_clip(clip, guess_mapping(clip.skeleton), character, name)
    except FileFormatError as error:
        place = "" if error.line is None else f"line {error.line}: "
        return ClipRow(name, f"cannot be read: {place}{_shorten(error.reason)}")
    except PoiseError as error:
        return ClipRow(name, f"cannot be read: {_shorten(str(error))}")


def survey_clip(clip: Clip, mapping: Mapping, character: Character, name: str) -> ClipRow:
    """The row of a clip whose joints have these roles."""
    hips = find_hips_w_m(clip, mapping)
    travel = float(np.linalg.norm(hips[-1, :2] - hips[0, :2]))
    speed = travel / clip.duration_s if clip.frames > 1 else 0.0
    if mapping.missing_legs:
        verdict = f"no legs found: --map {mapping.missing_legs[0]}=JOINT"
        return ClipRow(name, verdict, unit=name_unit(clip.unit_m), travel_m=travel, speed_mps=speed)
    heading = compute_body_heading_rad(clip, mapping)
    reference = make_reference(lengthen(clip), character)
    cycles = find_cycles(reference)
    found = find_walk(reference, cycles)
    is_walk = isinstance(found, Track)
    if isinstance(found, Track):
        # The reference has the size of the character.
        scale = (compute_leg_length(clip.skeleton, mapping, clip.shifts_m) or LEG_M) / BodyPlan(character).leg_m
        speed = scale * _find_speed_mps(found)
    return ClipRow(
        name,
        _name_walk(clip, mapping, speed) if is_walk else f"no walk: {found}",
        is_walk,
        name_unit(clip.unit_m),
        travel,
        found.cycle if isinstance(found, Track) else None,
        len(cycles),
        speed,
        float(np.degrees(heading[-1] - heading[0])),
    )


def _find_speed_mps(track: Track) -> float:
    """Speed of the repeated cycle, at the size of the character."""
    first, last = track.fragments[track.back_to].first, track.fragments[-1].last
    places = track.reference.root_pos_m
    return float(np.linalg.norm(places[last, :2] - places[first, :2])) * RATE_HZ / (last - first)


def _name_walk(clip: Clip, mapping: Mapping, speed_mps: float) -> str:
    leg_m = compute_leg_length(clip.skeleton, mapping, clip.shifts_m) or LEG_M
    name = "run" if speed_mps**2 > RUN_FROUDE * GRAVITY_MPS2 * leg_m else "walk"
    name += " in place" if clip.in_place else ""
    floor = find_clip_floor(clip, mapping)
    return f"{name} on a ramp of {100.0 * abs(floor.slope):.0f} %" if floor is not None and floor.is_ramp else name


def _shorten(text: str) -> str:
    """A message on one line, without the source line under it."""
    return text.partition("\n")[0].rstrip(".")
