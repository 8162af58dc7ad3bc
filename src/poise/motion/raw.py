"""Output of the readers: a motion in the units and axes of its file, as far as they are known."""

from __future__ import annotations

from dataclasses import dataclass, field

from poise.errors import FileFormatError
from poise.motion.rotations import FloatArray
from poise.motion.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Base:
    """A joint whose positions may be relative to its offset: programs differ."""

    joint: int
    #: The offset along the axes that have position channels, in the parent's frame, (3,).
    offset: FloatArray
    #: Whether the positions already include it.
    added: bool


@dataclass(frozen=True, eq=False)
class RawClip:
    """A motion as in its file; `poise.motion.conventions` turns it into a clip. Lengths are in the file's unit."""

    name: str
    skeleton: Skeleton
    #: None if the file does not say, or says something impossible.
    frame_s: float | None
    root_pos: FloatArray
    quats_wxyz: FloatArray
    shifts: FloatArray | None = None
    #: Metres per unit, if the format defines it.
    unit_m: float | None = None
    #: `y`, `z` or another axis of `poise.motion.conventions.AXES`, if the format defines it.
    up: str | None = None
    loops: bool = False
    #: Joints whose positions may be relative to their offsets; `place_clip` decides where the feet are on the floor.
    bases: tuple[Base, ...] = ()
    #: What is wrong with the frame time in the file; raised unless a rate is given.
    frame_fault: FileFormatError | None = None
    #: Note for the user if `frame_s` was guessed.
    frame_guess: str = ""
    notes: tuple[str, ...] = field(default=())
