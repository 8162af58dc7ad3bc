"""Checks that a run is bit-identical when repeated, resumed from a snapshot, or split into odd pieces."""

from __future__ import annotations

from collections.abc import Iterable

from poise.checking.subject import CheckResult, Subject, find_difference
from poise.world.world import World

#: One and a half seconds from the start, including a push.
TICKS = 3000
#: The snapshot is taken in the middle of the push.
SNAPSHOT_TICK = 450
#: Sizes that align neither with the loop's own pieces nor with each other.
PIECES = (1, 2, 7, 1, 333, 64, 5, 1021)


def _advance_in_pieces(world: World, ticks: int, pieces: Iterable[int]) -> None:
    sizes, k = tuple(pieces), 0
    while ticks > 0:
        size = min(sizes[k % len(sizes)], ticks)
        world.step(size)
        ticks -= size
        k += 1


def check_deterministic(subject: Subject) -> CheckResult:
    """Two fresh worlds run identically."""
    one, other = subject.open(pushed=True), subject.open(pushed=True)
    one.step(TICKS)
    other.step(TICKS)
    found = find_difference(one.snapshot(), other.snapshot())
    if found:
        return CheckResult("deterministic", False, detail=f"two runs from the same start differ in {found}.")
    return CheckResult("deterministic", True, detail=f"{TICKS} ticks, twice")


def check_snapshot(subject: Subject) -> CheckResult:
    """A run from a snapshot repeats exactly."""
    world = subject.open(pushed=True)
    world.step(SNAPSHOT_TICK)
    kept = world.snapshot()
    world.step(TICKS)
    first = world.snapshot()
    world.restore(kept)
    world.step(TICKS)
    found = find_difference(first, world.snapshot())
    if found:
        text = f"after restoring a snapshot, {found} differs: it keeps state outside its memory."
        return CheckResult("snapshot-exact", False, detail=text)
    return CheckResult("snapshot-exact", True, detail=f"{TICKS} ticks, twice from one snapshot")


def check_chunks(subject: Subject) -> CheckResult:
    """A run does not depend on how it is split into calls."""
    whole, cut = subject.open(pushed=True), subject.open(pushed=True)
    whole.step(TICKS)
    _advance_in_pieces(cut, TICKS, PIECES)
    found = find_difference(whole.snapshot(), cut.snapshot())
    if found:
        return CheckResult("chunk-exact", False, detail=f"split into odd pieces, the run differs in {found}.")
    return CheckResult(
        "chunk-exact", True, detail=f"{TICKS} ticks, whole and in pieces of {min(PIECES)} to {max(PIECES)}"
    )
