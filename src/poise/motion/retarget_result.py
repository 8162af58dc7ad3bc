"""Result of retargeting: the clip on the character, its joint angles, and a report on the motion."""

from __future__ import annotations

from dataclasses import dataclass

from poise.motion.clip import Clip
from poise.motion.rotations import FloatArray


@dataclass(frozen=True)
class RetargetReport:
    """Changes to a motion by retargeting; `_before` means without the correction of the feet."""

    scale: float
    floor_slope: float
    #: Mean sliding speed of soles that touch the ground.
    skate_before_mps: float
    skate_mps: float
    #: Deepest point of a foot below the ground.
    sunk_before_m: float
    sunk_m: float
    #: Largest distance between an ankle and its goal.
    ankle_miss_m: float
    root_lowered_m: float
    #: Lift of a body that lies or kneels below the ground, or of feet that joint limits force into it.
    root_lifted_m: float
    #: Axes whose limits cut the motion, and the largest cut in degrees.
    cut_deg: dict[str, float]


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A clip on a character's own skeleton, with the angles (F, axes) of its joints."""

    clip: Clip
    angles_rad: FloatArray
    report: RetargetReport
