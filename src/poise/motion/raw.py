"""What readers hand over: a motion in the units and axes of its file, with what is known of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from poise.motion.rotations import FloatArray
from poise.motion.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class RawClip:
    """A motion as its file has it; `poise.motion.conventions` makes it a clip. Lengths are in the file's unit."""

    name: str
    skeleton: Skeleton
    #: None where the file does not tell.
    frame_s: float | None
    root_pos: FloatArray
    quats_wxyz: FloatArray
    shifts: FloatArray | None = None
    #: Metres a unit, where the format tells.
    unit_m: float | None = None
    #: `y`, `z` or another axis of `poise.motion.conventions.AXES`, where the format tells.
    up: str | None = None
    loops: bool = False
    notes: tuple[str, ...] = field(default=())
