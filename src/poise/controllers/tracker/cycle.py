"""A motion that goes on for ever: one of its cycles is closed and repeated [Lee10 code]."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from poise.controllers.tracker.reference import Reference
from poise.errors import InputError
from poise.motion.fragments import Fragment
from poise.motion.rotations import (
    FloatArray,
    quat_conjugate,
    quat_multiply,
    quat_to_rotation_vector,
    rotation_vector_to_quat,
)

SEARCH_FRAMES: Final = 10
"""The end of a cycle is looked for this far about the landing of the foot."""

CLOSING_FRAMES: Final = 10
"""What is left between the ends of a cycle is spread over this many frames before its end."""

_COPIES: Final = 3


@dataclass(frozen=True, eq=False)
class Track:
    """A motion with its fragments, and which fragment follows the last one: -1 where the motion ends there."""

    reference: Reference
    fragments: tuple[Fragment, ...]
    back_to: int = -1
    #: How each fragment is retouched, (F, 14), as `retouch` says; None where none is.
    retouch: FloatArray | None = None

    @property
    def is_endless(self) -> bool:
        return self.back_to >= 0


def make_track(reference: Reference) -> Track:
    """The motion as it is."""
    return Track(reference, reference.fragments())


def make_endless(reference: Reference, *, cycle: int | None = None, lead_in: bool = True) -> Track:
    """The motion up to one of its cycles, which is then repeated; the middle cycle unless another is given.

    Without the lead-in it begins in the cycle.
    """
    starts = [f.first for f in reference.fragments() if f.stance == "left"]
    if len(starts) < 2:
        raise InputError(
            f"it has {len(starts)} landings of the left foot, and a cycle needs two", where=reference.character.name
        )
    chosen = (len(starts) - 1) // 2 if cycle is None else cycle
    if not 0 <= chosen < len(starts) - 1:
        raise InputError("no such cycle", where="tracker", got=cycle, allowed=f"Allowed: 0 to {len(starts) - 2}")
    first = starts[chosen]
    last = _find_end(reference, first, starts[chosen + 1])
    closed = _close(reference.cut(0, last), first)
    return _repeat(closed, first, last - first, lead_in)


def _find_end(reference: Reference, first: int, near: int) -> int:
    """The frame near another whose joints are placed about the root most as those of the first are."""
    places = reference.places_w_m()
    shapes = places - places[:, :1]
    low, high = max(first + SEARCH_FRAMES, near - SEARCH_FRAMES), min(reference.frames - 1, near + SEARCH_FRAMES)
    errors = [np.linalg.norm(shapes[k] - shapes[first], axis=-1).sum() for k in range(low, high + 1)]
    return low + int(np.argmin(errors))


def _close(reference: Reference, first: int) -> Reference:
    """The motion whose last pose is, but for its place on the ground, that of the first frame of its cycle."""
    count = min(CLOSING_FRAMES, reference.frames - 1 - first)
    turns, places = reference.turns.copy(), reference.root_pos_m.copy()
    gap = quat_to_rotation_vector(quat_multiply(quat_conjugate(turns[-1]), turns[first]))
    drop = places[first, 2] - places[-1, 2]
    parts = np.arange(1, count + 1) / count
    turns[-count:] = quat_multiply(turns[-count:], rotation_vector_to_quat(parts[:, None, None] * gap))
    places[-count:, 2] += parts * drop
    return replace(reference, turns=turns, root_pos_m=places)


def _repeat(reference: Reference, first: int, length: int, lead_in: bool) -> Track:
    """The motion with copies of its cycle, cut into fragments; the second copy is the one that comes back."""
    step = (reference.root_pos_m[-1] - reference.root_pos_m[first]) * np.array([1.0, 1.0, 0.0])
    places, turns = [reference.root_pos_m], [reference.turns]
    for k in range(1, _COPIES):
        places.append(reference.root_pos_m[first + 1 :] + k * step)
        turns.append(reference.turns[first + 1 :])
    whole = replace(reference, root_pos_m=np.concatenate(places), turns=np.concatenate(turns))
    fragments = whole.fragments()
    begin, end = first + length // 2, first + length + length // 2
    cycle = [k for k, f in enumerate(fragments) if begin <= f.first < end]
    if len(cycle) < 2:
        raise InputError("its cycle has fewer than two steps", where=reference.character.name)
    kept = fragments[: cycle[-1] + 1] if lead_in else fragments[cycle[0] : cycle[-1] + 1]
    return Track(whole, kept, cycle[0] if lead_in else 0)


def compute_gaps(track: Track) -> FloatArray:
    """How far apart the last and the first pose of an endless motion are: one angle a segment (rad)."""
    last, first = track.fragments[-1].last, track.fragments[track.back_to].first
    turns = track.reference.turns
    gap = quat_multiply(quat_conjugate(turns[last]), turns[first])
    return np.linalg.norm(quat_to_rotation_vector(gap), axis=-1)
