"""Output of the readers: a motion in the units and axes of its file, as far as they are known."""

from __future__ import annotations

from dataclasses import dataclass, field

from poise.motion.rotations import FloatArray
from poise.motion.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class RawClip:
    """A motion as in its file; `poise.motion.conventions` turns it into a clip. Lengths are in the file's unit."""

    name: str
    skeleton: Skeleton
    #: None if the file does not say.
    frame_s: float | None
    root_pos: FloatArray
    quats_wxyz: FloatArray
    shifts: FloatArray | None = None
    #: Metres per unit, if the format defines it.
    unit_m: float | None = None
    #: `y`, `z` or another axis of `poise.motion.conventions.AXES`, if the format defines it.
    up: str | None = None
    loops: bool = False
    notes: tuple[str, ...] = field(default=())
