"""`Clip`: a motion of a skeleton at a constant frame rate. Metres, x forward, y left, z up, quaternions wxyz."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.motion.rotations import FloatArray
from poise.motion.skeleton import Skeleton

BoolArray = NDArray[np.bool_]

MIN_RATE_HZ: Final = 0.1
MAX_RATE_HZ: Final = 10_000.0
"""Allowed frame rates: the range includes time lapse and high-speed cameras."""

GIVE_RATE: Final = "Give the rate with --fps"
"""What to do about a frame time that is missing or wrong."""


@dataclass(frozen=True, eq=False)
class Clip:
    """F frames of a skeleton with J joints.

    A frame is a pose (v0, q1 ... qJ) as in [Lee10 §4.1]: the root's position and orientation in the world, and the
    rotation of every other joint relative to its parent.
    """

    name: str
    skeleton: Skeleton
    frame_s: float
    root_pos_m: FloatArray  # (F, 3)
    quats_wxyz: FloatArray  # (F, J, 4)
    #: For joints that slide: their positions in the parent's frame, (F, J, 3); the root's is not used.
    shifts_m: FloatArray | None = None
    #: Whether the left and the right foot stand on the ground, (F, 2); None if unknown.
    contacts: BoolArray | None = None
    #: Rotations of the joints, (J, 4), in a standing pose before the motion; None if the file has no such pose.
    rest_wxyz: FloatArray | None = None
    #: Whether the last frame leads to the first, according to the file.
    loops: bool = False
    #: Length of a unit of the file; None if the clip is not from a file with units.
    unit_m: float | None = None
    #: Whether the file walks in place, and its travel was restored.
    in_place: bool = False
    #: Name of the character, if the skeleton belongs to one.
    character: str = ""
    #: Messages for the user about what was found, guessed and repaired on reading.
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frames, joints = len(self.root_pos_m), len(self.skeleton.names)
        where = f"clip {self.name}"
        if not frames:
            raise InputError("a clip needs at least one frame", where=where)
        if not 1.0 / MAX_RATE_HZ <= self.frame_s <= 1.0 / MIN_RATE_HZ:
            raise InputError(
                "frame_s is out of range", where=where, got=self.frame_s, allowed="Allowed: 0.0001 to 10 s"
            )
        wanted: dict[str, tuple[int, ...]] = {
            "root_pos_m": (frames, 3),
            "quats_wxyz": (frames, joints, 4),
            "shifts_m": (frames, joints, 3),
        }
        wanted |= {"contacts": (frames, 2), "rest_wxyz": (joints, 4)}
        for name, shape in wanted.items():
            value = getattr(self, name)
            if value is not None and value.shape != shape:
                raise InputError(f"{name} must have the shape {shape}, got {value.shape}", where=where)
            if value is not None and not np.isfinite(value).all():
                raise InputError(f"{name} must be finite", where=where)

    @property
    def frames(self) -> int:
        return len(self.root_pos_m)

    @property
    def rate_hz(self) -> float:
        return 1.0 / self.frame_s

    @property
    def duration_s(self) -> float:
        """Time from the first frame to the last."""
        return (self.frames - 1) * self.frame_s

    @property
    def time_s(self) -> FloatArray:
        return self.frame_s * np.arange(self.frames, dtype=np.float64)

    @cached_property
    def _globals(self) -> tuple[FloatArray, FloatArray]:
        return self.skeleton.compute_globals(self.root_pos_m, self.quats_wxyz, self.shifts_m)

    @property
    def places_w_m(self) -> FloatArray:
        """Positions of the joints in the world, (F, J, 3)."""
        return self._globals[0]

    @property
    def turns_wxyz(self) -> FloatArray:
        """Orientations of the joints in the world, (F, J, 4)."""
        return self._globals[1]

    def cut(self, first: int, last: int) -> Clip:
        """The frames from `first` to `last`, both included."""
        if not 0 <= first <= last < self.frames:
            raise InputError(
                f"no frames {first} to {last}", where=f"clip {self.name}", allowed=f"Allowed: 0 to {self.frames - 1}"
            )
        part = slice(first, last + 1)
        return replace(
            self,
            root_pos_m=self.root_pos_m[part],
            quats_wxyz=self.quats_wxyz[part],
            shifts_m=None if self.shifts_m is None else self.shifts_m[part],
            contacts=None if self.contacts is None else self.contacts[part],
            loops=self.loops and first == 0 and last == self.frames - 1,
        )

    def noted(self, *notes: str) -> Clip:
        """The same clip with more notes."""
        return replace(self, notes=(*self.notes, *notes))
