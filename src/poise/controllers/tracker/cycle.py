"""An endless motion: one of its cycles is closed and repeated [Lee10 code]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.controllers.tracker.reference import Reference
from poise.controllers.tracker.walk_check import explain_no_cycle, explain_no_walk, explain_stances
from poise.errors import InputError
from poise.kernels.fixed import arctan2
from poise.motion.fragments import Fragment
from poise.motion.rotations import (
    FloatArray,
    quat_conjugate,
    quat_multiply,
    quat_to_rotation_vector,
    rotation_vector_to_quat,
)

SEARCH_FRAMES: Final = 10
"""The end of a cycle is searched this far before and after the landing of the foot."""

CLOSING_FRAMES: Final = 10
"""The remaining gap between the ends of a cycle is spread over this many frames before its end."""

STRIDE_FRAMES: Final = (18, 60)
"""Shortest and longest stride that is sought without landings."""

_COPIES: Final = 3
JOINT_WEIGHT, SPEED_WEIGHT, LEAD_WEIGHT, AWAY_WEIGHT = 2.0, 1.0, 1.0, 0.05
"""Weights of joints, speeds, turns before it and distance from the middle cycle, relative to the rotation of the root,
in the choice of a cycle. With these, cycles in the middle of recorded walks win, and none that turns, starts or stops.
"""

AWAY_MOST: Final = 5
"""Cycles farther from the middle one are equal: in a long recording with few walks, the middle may be anything."""

LEAD_SLACK_RAD: Final = 0.3
"""The pelvis yaws this far in a straight walk."""


@dataclass(frozen=True, eq=False)
class Track:
    """A motion with its fragments, and the fragment that follows the last one: -1 if the motion ends there."""

    reference: Reference
    fragments: tuple[Fragment, ...]
    back_to: int = -1
    #: Which cycle of the motion is repeated; None if none is.
    cycle: int | None = None
    #: Changes to each fragment, (F, 14), as defined in `retouch`; None if there are none.
    retouch: FloatArray | None = None

    @property
    def is_endless(self) -> bool:
        return self.back_to >= 0


def make_track(reference: Reference) -> Track:
    """The unchanged motion."""
    return Track(reference, reference.fragments())


def make_endless(reference: Reference, *, cycle: int | None = None, lead_in: bool = True) -> Track:
    """The motion up to one of its cycles, which is then repeated; by default, the cycle that closes best.

    Without the lead-in it starts in the cycle. Raises if none of the cycles is a walk. A cycle that is given need not
    be one.
    """
    cycles = find_cycles(reference)
    if cycle is None or not cycles:
        found = find_walk(reference, cycles, lead_in=lead_in)
        if isinstance(found, Track):
            return found
        way = "Play it once: --once, endless = false"
        way += ". Or choose a cycle yourself: --cycle K, cycle = K" if cycles else ""
        raise InputError(f"no walk to repeat: {found}", where=reference.name, allowed=way)
    if not 0 <= cycle < len(cycles):
        raise InputError("no such cycle", where="cycle", got=cycle, allowed=f"Allowed: 0 to {len(cycles) - 1}")
    track = _repeat_cycle(reference, cycles[cycle], lead_in)
    if track is None:
        raise InputError(f"its cycle {cycle} has fewer than two steps", where=reference.name)
    return replace(track, cycle=cycle)


def find_walk(reference: Reference, cycles: Sequence[tuple[int, int]], *, lead_in: bool = True) -> Track | str:
    """The motion up to the cycle that closes best among those that walk; the reason if none does."""
    reasons = [] if cycles else [explain_no_cycle(reference)]
    for k in _rank(reference, cycles):
        track = _repeat_walk(reference, cycles[k], lead_in)
        if isinstance(track, Track):
            return replace(track, cycle=k)
        reasons.append(track)
    return reasons[0]


def _repeat_walk(reference: Reference, cycle: tuple[int, int], lead_in: bool) -> Track | str:
    """The motion up to a cycle, which is repeated; the reason if it does not walk."""
    reason = explain_no_walk(reference, *cycle)
    track = None if reason else _repeat_cycle(reference, cycle, lead_in)
    if track is not None:
        reason = explain_stances([f.stance for f in track.fragments[track.back_to :]])
    return track if track is not None and not reason else reason or "its cycles have fewer than two steps"


def _repeat_cycle(reference: Reference, cycle: tuple[int, int], lead_in: bool) -> Track | None:
    first, last = cycle
    return _repeat(_close(reference.cut(0, last), first), first, last - first, lead_in)


def drop_lead_in(track: Track) -> Track:
    """The cycle of an endless motion without what precedes it; retouches of the cycle are kept."""
    first = max(track.back_to, 0)
    rows = None if track.retouch is None else track.retouch[first:]
    return replace(track, fragments=track.fragments[first:], back_to=min(track.back_to, 0), retouch=rows)


def find_cycles(reference: Reference) -> list[tuple[int, int]]:
    """First and last frames of the cycles: from a landing of the left foot to the most similar pose near the next.

    A motion in which the left foot lands only once is searched for landings of the right foot. If no cycle begins with
    a landing, it is the stride between the two most similar frames: at frame 0 a foot stands, but need not have landed.
    """
    landings = [[f.first for f in reference.fragments() if f.stance == side] for side in SIDES]
    starts = next((frames for frames in landings if len(frames) > 1), [])
    places = reference.places_w_m()
    shapes = places - places[:, :1]
    cycles = [(first, _find_end(shapes, first, near)) for first, near in pairwise(starts)]
    if any(first > 0 for first, _ in cycles):
        return cycles
    stride = _find_stride(shapes) if all(landings) else None
    return [stride] if stride is not None and isinstance(_repeat_walk(reference, stride, True), Track) else cycles


def _rank(reference: Reference, cycles: Sequence[tuple[int, int]]) -> list[int]:
    """Indices of the cycles, sorted from the most to the least similar ends.

    The cost is the rotation of the root (rad), the mean rotation of the joints (rad) and the change of speed (m/s),
    plus the turn of the motion before the cycle, which the character must get through first.
    Deviation: the source takes the cycle in the middle, which here only decides between equals: in other recordings it
    may be a turn.
    """
    speeds = np.linalg.norm(reference.velocities_mps()[:, :2], axis=1)
    yaws = np.unwrap(2.0 * arctan2(reference.turns[:, 0, 3], reference.turns[:, 0, 0]))
    costs = []
    for k, (first, last) in enumerate(cycles):
        turns = quat_multiply(quat_conjugate(reference.turns[last]), reference.turns[first])
        angles = np.linalg.norm(quat_to_rotation_vector(turns), axis=-1)
        away = min(abs(k - len(cycles) // 2), AWAY_MOST)
        change = abs(speeds[last] - speeds[first])
        lead = max(0.0, float(np.abs(yaws[: first + 1] - yaws[0]).max()) - LEAD_SLACK_RAD)
        closing = angles[0] + JOINT_WEIGHT * angles[1:].mean() + SPEED_WEIGHT * change
        costs.append(closing + LEAD_WEIGHT * lead + AWAY_WEIGHT * away)
    return [int(k) for k in np.argsort(costs, kind="stable")]


def _find_stride(shapes: FloatArray) -> tuple[int, int] | None:
    """The two frames a stride apart whose joint positions about the root are most similar; None if it is too short."""
    best, found = np.inf, None
    for length in range(STRIDE_FRAMES[0], min(STRIDE_FRAMES[1], len(shapes) - 1) + 1):
        errors = np.linalg.norm(shapes[length:] - shapes[:-length], axis=-1).sum(axis=1)
        first = int(np.argmin(errors))
        if errors[first] < best:
            best, found = errors[first], (first, first + length)
    return found


def _find_end(shapes: FloatArray, first: int, near: int) -> int:
    """The frame near `near` whose joint positions about the root are most similar to those of the first."""
    low, high = max(first + SEARCH_FRAMES, near - SEARCH_FRAMES), min(len(shapes) - 1, near + SEARCH_FRAMES)
    errors = [np.linalg.norm(shapes[k] - shapes[first], axis=-1).sum() for k in range(low, high + 1)]
    return low + int(np.argmin(errors)) if errors else near


def _close(reference: Reference, first: int) -> Reference:
    """The motion with its last pose equal to the first frame of its cycle, except for the position on the ground."""
    count = min(CLOSING_FRAMES, reference.frames - 1 - first)
    turns, places = reference.turns.copy(), reference.root_pos_m.copy()
    gap = quat_to_rotation_vector(quat_multiply(quat_conjugate(turns[-1]), turns[first]))
    drop = places[first, 2] - places[-1, 2]
    parts = np.arange(1, count + 1) / count
    turns[-count:] = quat_multiply(turns[-count:], rotation_vector_to_quat(parts[:, None, None] * gap))
    places[-count:, 2] += parts * drop
    return replace(reference, turns=turns, root_pos_m=places)


def _repeat(reference: Reference, first: int, length: int, lead_in: bool) -> Track | None:
    """The motion with copies of its cycle, cut into fragments; the second copy is the one that repeats.

    None if the cycle has fewer than two steps.
    """
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
        return None
    kept = fragments[: cycle[-1] + 1] if lead_in else fragments[cycle[0] : cycle[-1] + 1]
    return Track(whole, kept, cycle[0] if lead_in else 0)


def compute_gaps(track: Track) -> FloatArray:
    """Difference between the last and the first pose of an endless motion: one angle per segment (rad)."""
    last, first = track.fragments[-1].last, track.fragments[track.back_to].first
    turns = track.reference.turns
    gap = quat_multiply(quat_conjugate(turns[last]), turns[first])
    return np.linalg.norm(quat_to_rotation_vector(gap), axis=-1)
