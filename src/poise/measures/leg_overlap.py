"""Penetration depth of a character's legs during a run."""

from __future__ import annotations

import numpy as np

from poise.recordings.recording import FloatArray, Recording
from poise.world.leg_overlap import LegOverlap


def compute_leg_depths_m(recording: Recording, character: int = 0) -> FloatArray:
    """Penetration depth of the solids of the two legs at each frame, (F,); zero if they are clear."""
    legs = LegOverlap(recording.check_character(character))
    mine = recording.segments_of(character)
    pos, quat = recording.segment_pos_w_m[:, mine], recording.segment_quat_wxyz[:, mine]
    return np.array([legs.depth_m(p, q) for p, q in zip(pos, quat)], dtype=float)


def compute_legs_overlap_m(recording: Recording, character: int = 0) -> float:
    """The metric `legs_overlap_m`: the maximum depth over all frames."""
    return float(compute_leg_depths_m(recording, character).max(initial=0.0))
