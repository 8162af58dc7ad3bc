"""Checks that a pilot's state is complete, also in files, and that its rollouts leave the world unchanged."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np

from poise.checking.bits import TICKS
from poise.checking.subject import CheckResult, Subject, find_difference
from poise.errors import InputError
from poise.world.pilot import Pilot, PlainState
from poise.world.snapshots import Snapshot, copy_through_file
from poise.world.world import World

STATE, ROLLOUTS = "pilot state", "pilot rollouts"


class _Watched:
    """Wraps a pilot and detects what its decisions change in the world besides parameters and memories."""

    def __init__(self, pilot: Pilot) -> None:
        self._pilot = pilot
        self.name, self.events, self.period_s = pilot.name, pilot.events, pilot.period_s
        self.decisions, self.found = 0, ""

    def decide(self, world: World, causes: Collection[str]) -> None:
        before = world.snapshot()
        self._pilot.decide(world, causes)
        self.decisions += 1
        after = world.snapshot()
        # Intended effects on bodies are recorded in the notebook.
        if before.notebook.to_json() == after.notebook.to_json():
            self.found = self.found or _find_trace(before, after)

    def state(self) -> PlainState:
        return self._pilot.state()

    def restore(self, state: PlainState) -> None:
        self._pilot.restore(state)


def _find_trace(before: Snapshot, after: Snapshot) -> str:
    if before.physics.tobytes() != after.physics.tobytes():
        return "the physics"
    for name, array in before.ledger.items():
        # A pilot may switch controllers.
        if name != "active" and not np.array_equal(array, after.ledger[name], equal_nan=array.dtype.kind == "f"):
            return f"the ledger ({name})"
    return ""


def check_state(subject: Subject) -> CheckResult:
    """A fresh world continues from a snapshot's file exactly as the original does."""
    world, other = subject.open(pushed=True), subject.open(pushed=True)
    if not world.pilots:
        return CheckResult(STATE, True, True, "it has no pilot")
    world.step(TICKS)
    try:
        other.restore(copy_through_file(world.snapshot()))
    except InputError as error:
        return CheckResult(STATE, False, detail=str(error))
    for each in (world, other):
        each.step(TICKS)
    found = find_difference(world.snapshot(), other.snapshot())
    if found:
        text = f"in a world that continues from a snapshot's file, {found} differs: its state is not complete."
        return CheckResult(STATE, False, detail=text)
    return CheckResult(STATE, True, detail=f"{TICKS} ticks, from a snapshot's file")


def check_rollouts(subject: Subject) -> CheckResult:
    """A pilot runs its rollouts only in its own worlds."""
    make = subject.controller.pilot
    if make is None:
        return CheckResult(ROLLOUTS, True, True, "it has no pilot")
    watched: list[_Watched] = []

    def watch(character: int) -> _Watched:
        watched.append(_Watched(make(character)))
        return watched[-1]

    replace(subject, controller=replace(subject.controller, pilot=watch)).open(pushed=True).step(TICKS)
    decisions = sum(pilot.decisions for pilot in watched)
    for pilot in watched:
        if pilot.found:
            return CheckResult(ROLLOUTS, False, detail=f"a decision of the pilot {pilot.name} changes {pilot.found}.")
    return CheckResult(ROLLOUTS, True, detail=f"{decisions} decisions")


def with_pilot(subject: Subject, make: Callable[[], Pilot]) -> Subject:
    """The subject with its controller's pilot replaced by the one to check."""
    return replace(subject, controller=replace(subject.controller, pilot=lambda _: make()))
