"""Detection of leading frames that are not part of the motion: a T-pose added by a program."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.motion.clip import Clip
from poise.motion.rotations import quat_conjugate, quat_multiply, quat_to_rotation_vector

_MOST_FRAMES: Final = 5
"""Programs add one frame before the motion, some a few."""

_JUMP: Final = 6.0
"""A change this many times the 90th percentile is not part of the motion."""

_MIN_JUMP_RAD: Final = 0.15
_USUAL_FRAMES: Final = 60
_RATE_HZ: Final = 30.0


def count_start_frames(clip: Clip) -> int:
    """Number of leading frames with a separate pose, not connected to the motion."""
    if clip.frames < _MOST_FRAMES + 3:
        return 0
    part = clip.quats_wxyz[: _USUAL_FRAMES + _MOST_FRAMES + 1]
    turns = quat_to_rotation_vector(quat_multiply(quat_conjugate(part[:-1]), part[1:]))
    # All joints count alike: a T-pose differs everywhere, a kick only in one leg.
    changes = np.sqrt(np.mean(np.sum(turns**2, axis=-1), axis=-1))
    usual = float(np.quantile(changes[_MOST_FRAMES:], 0.9))
    least = _MIN_JUMP_RAD * max(1.0, _RATE_HZ * clip.frame_s)
    jumps = np.flatnonzero(changes[:_MOST_FRAMES] > max(_JUMP * usual, least))
    return int(jumps[-1]) + 1 if len(jumps) else 0


def drop_start_frames(clip: Clip) -> Clip:
    """The clip without its leading frames."""
    count = count_start_frames(clip)
    if not count:
        return clip
    frames = "the first frame" if count == 1 else f"the first {count} frames"
    rest = clip.quats_wxyz[count - 1].copy()
    motion = replace(clip.cut(count, clip.frames - 1), rest_wxyz=rest)
    return motion.noted(f"{frames} left out: a separate pose before the motion")
