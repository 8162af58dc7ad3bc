"""Clips whose last frame leads to their first, although the file does not say so: single strides from libraries."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.motion.clip import Clip
from poise.motion.rotations import FloatArray, quat_conjugate, quat_multiply, quat_to_rotation_vector

_GAP_STEPS: Final = 1.5
"""Largest gap between both ends, in changes from a frame to the next: the first frame may be the one after the last."""

_GAP_PART: Final = 0.15
"""The same relative to the largest difference from the first frame."""

_GAP_RAD: Final = 0.14
"""Largest gap of a single joint."""

_LEAST_RAD: Final = 0.05
"""A motion whose joints turn by less on average is a pose."""

_MOVING: Final = 0.4
"""Least change at both ends relative to the usual one: a motion that begins and ends at rest is no loop."""

_HEIGHT_M: Final = 0.02
_MIN_FRAMES: Final = 8


def find_loop(clip: Clip) -> Clip:
    """The clip, marked as a loop if its last frame leads to its first, with a note."""
    if clip.loops or clip.frames < _MIN_FRAMES or not _closes(clip):
        return clip
    return replace(clip, loops=True).noted("a loop: its last frame leads to its first")


def _closes(clip: Clip) -> bool:
    quats = clip.quats_wxyz[:, 1:]
    if not quats.shape[1]:
        return False
    changes = _angles(quats[:-1], quats[1:]).mean(axis=1)
    usual, gap = float(np.median(changes)), _angles(quats[-1], quats[0])
    spread = float(_angles(quats[:1], quats).mean(axis=1).max())
    return bool(
        spread > _LEAST_RAD
        and gap.mean() <= _GAP_STEPS * usual
        and gap.mean() <= _GAP_PART * spread
        and gap.max() <= _GAP_RAD
        and min(changes[0], changes[-1]) >= _MOVING * usual
        and abs(clip.root_pos_m[-1, 2] - clip.root_pos_m[0, 2]) <= _HEIGHT_M
    )


def _angles(a_wxyz: FloatArray, b_wxyz: FloatArray) -> FloatArray:
    """Angles between rotations (..., 4)."""
    return np.asarray(np.linalg.norm(quat_to_rotation_vector(quat_multiply(quat_conjugate(a_wxyz), b_wxyz)), axis=-1))
