"""Fragments of a clip: half cycles from landing to landing, and periods of standing or flight [Lee10 §3].

As in the released code: frames are classified by which feet stand. Short double support belongs to the step that
follows, short flight to the one before, so that a fragment begins when a foot lands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from poise.errors import InputError
from poise.motion.clip import BoolArray, Clip

Stance = Literal["left", "right", "both", "none"]

_STANCES: Final[tuple[Stance, ...]] = ("none", "left", "right", "both")
MIN_DOUBLE_S: Final = 0.5
"""Shorter double support and flight are parts of steps: 15 frames at 30 Hz in the released code."""


@dataclass(frozen=True)
class Fragment:
    """Frames from `first` to `last`, which is also the first of the next fragment; `stance` names the stance feet."""

    first: int
    last: int
    stance: Stance

    @property
    def swing(self) -> Literal["left", "right"] | None:
        """The swing foot of a step."""
        return {"left": "right", "right": "left"}.get(self.stance)  # type: ignore[return-value]


def find_fragments(clip: Clip) -> tuple[Fragment, ...]:
    """The fragments of a clip with known contacts, in order of time."""
    if clip.contacts is None:
        raise InputError("foot contacts are unknown", where=f"clip {clip.name}")
    shortest = max(1, round(MIN_DOUBLE_S / clip.frame_s))
    runs = _merge_short(_find_runs(clip.contacts), shortest)
    starts = [first for first, _ in runs]
    ends = [*starts[1:], clip.frames - 1]
    return tuple(Fragment(a, b, _STANCES[state]) for a, b, (_, state) in zip(starts, ends, runs))


def _find_runs(contacts: BoolArray) -> list[tuple[int, int]]:
    """First frame and state of every run of one state: 0 flight, 1 left, 2 right, 3 both."""
    states = contacts[:, 0].astype(int) + 2 * contacts[:, 1].astype(int)
    starts = [0, *(np.flatnonzero(np.diff(states)) + 1).tolist()]
    return [(start, int(states[start])) for start in starts]


def _merge_short(runs: list[tuple[int, int]], shortest: int) -> list[tuple[int, int]]:
    """Merge short double support with the next run and short flight with the one before, or with the only neighbour."""
    kept: list[tuple[int, int]] = []
    pending: int | None = None
    for k, (start, state) in enumerate(runs):
        is_last = k == len(runs) - 1
        short = not is_last and runs[k + 1][0] - start < shortest and state in (0, 3)
        begin = start if pending is None else pending
        pending = None
        if short and (state == 3 or not kept):
            pending = begin
        elif not short and not (kept and kept[-1][1] == state):
            kept.append((begin, state))
    return kept


def describe_fragments(fragments: tuple[Fragment, ...]) -> str:
    """One line: `both 0-52, left 52-70, right 70-92`."""
    return ", ".join(f"{f.stance} {f.first}-{f.last}" for f in fragments)
