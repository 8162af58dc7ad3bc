"""Repetition of clips that loop."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.errors import InputError
from poise.motion.clip import Clip
from poise.motion.rotations import (
    quat_conjugate,
    quat_multiply,
    quat_to_rotation_vector,
    rotation_vector_to_quat,
)

CLOSING_S: Final = 1.0 / 3.0
"""Time at the end of a clip over which the gap between its ends is distributed [Lee10 code]."""

COPIES: Final = 3


def lengthen(clip: Clip) -> Clip:
    """A clip that loops, repeated three times so that it contains a whole cycle; any other clip unchanged."""
    return repeat(clip, COPIES) if clip.loops else clip


def repeat(clip: Clip, copies: int) -> Clip:
    """The clip repeated `copies` times; each copy continues from the end of the last, with the heading of the first.

    The last frame doubles as the first of the next copy. Contacts are dropped: they may change at the seam.
    """
    if copies < 1 or clip.frames < 2:
        raise InputError("it cannot be repeated", where=f"clip {clip.name}", got=copies, allowed="At least once")
    count = max(1, min(round(CLOSING_S * clip.rate_hz), clip.frames - 1))
    parts = np.arange(1, count + 1) / count
    turns, places = clip.quats_wxyz.copy(), clip.root_pos_m.copy()
    gap = quat_to_rotation_vector(quat_multiply(quat_conjugate(turns[-1]), turns[0]))
    turns[-count:] = quat_multiply(turns[-count:], rotation_vector_to_quat(parts[:, None, None] * gap))
    places[-count:, 2] += parts * (places[0, 2] - places[-1, 2])
    way = places[-1] - places[0]
    shifts = clip.shifts_m
    return replace(
        clip,
        root_pos_m=np.concatenate([places[:1], *(places[1:] + k * way for k in range(copies))]),
        quats_wxyz=np.concatenate([turns[:1], *(turns[1:] for _ in range(copies))]),
        shifts_m=None if shifts is None else np.concatenate([shifts[:1], *(shifts[1:] for _ in range(copies))]),
        contacts=None,
    )
