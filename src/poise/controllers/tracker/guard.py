"""The numbers of a tracker's state that its law uses as indices; `engine` rewrites some of them during a run."""

from __future__ import annotations

from typing import Final

import numpy as np

from poise.controllers.tracker import layout
from poise.errors import InputError
from poise.world.controller import FloatArray
from poise.world.guard import check_whole, make_guard

MAX_FRAME: Final = 2**31
"""Frames that a fragment may be held beyond its end; more than a year."""


def check_fragments(params: FloatArray, memory: FloatArray) -> None:
    """Raise unless the frames, the gains and the successors of every fragment are in the tables."""
    count, start = int(params[layout.FRAGMENTS]), int(params[layout.FRAGMENT_TABLE])
    rows = params[start : start + layout.FRAGMENT_ROW * count].reshape(count, layout.FRAGMENT_ROW)
    room = len(params) - int(params[layout.FRAME_TABLE])
    frames = room // layout.frame_row(int(params[layout.SEGMENTS]))
    ranges = (
        (layout.FIRST, 0, frames - 1),
        (layout.LENGTH, 0, frames - 1),
        (layout.STANCE, layout.LEFT, layout.NONE),
        (layout.FOLLOWING, -1, count - 1),
        (layout.GAINS, 0, len(params) - layout.SETTINGS),
        (layout.AGAIN, -1, count - 1),
    )
    places, low, high = (np.array(column) for column in zip(*ranges, strict=True))
    numbers = rows[:, places]
    fits = np.all((numbers >= low) & (numbers <= high) & (numbers == np.floor(numbers)))
    if not fits or np.any(rows[:, layout.FIRST] + rows[:, layout.LENGTH] > frames - 1):
        raise InputError("its fragments point outside its tables")
    check_whole("fragment", float(memory[layout.FRAGMENT]), 0, count - 1)
    check_whole("frame", float(memory[layout.FRAME]), 0, MAX_FRAME)


_FIXED: Final = (
    layout.SEGMENTS, layout.FRAGMENTS, layout.FRAGMENT_TABLE, layout.FRAME_TABLE, *range(layout.LEGS, layout.OFFSETS),
)  # fmt: skip
GUARD: Final = make_guard(_FIXED, also=check_fragments)
