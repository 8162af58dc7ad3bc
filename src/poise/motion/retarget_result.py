"""What comes out of a retargeting: the clip on the character, angles of its joints, and what became of the motion."""

from __future__ import annotations

from dataclasses import dataclass

from poise.motion.clip import Clip
from poise.motion.rotations import FloatArray


@dataclass(frozen=True)
class RetargetReport:
    """What became of a motion on its way; `_before` is without the correction of the feet."""

    scale: float
    floor_slope: float
    #: Mean speed of soles that touch the ground.
    skate_before_mps: float
    skate_mps: float
    #: Deepest point of a foot below the ground.
    sunk_before_m: float
    sunk_m: float
    #: Largest distance between where an ankle should be and where it came to.
    ankle_miss_m: float
    root_lowered_m: float
    #: For a body that lies or kneels deeper than the ground, or feet that limits keep from standing on it.
    root_lifted_m: float
    #: Axes whose limits cut the motion, with the largest cut in degrees.
    cut_deg: dict[str, float]


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A clip on a character's own skeleton, with the angles (F, axes) of its joints."""

    clip: Clip
    angles_rad: FloatArray
    report: RetargetReport
