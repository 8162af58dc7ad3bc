"""Restarts an edited script: the new version runs from the start, or from the beginning of the phase in view.

The motion simulated before that moment becomes the past of the new run, as far as the new version can continue from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from poise.controllers.script.carry import Running, carry_memory, enter_phase
from poise.studio.actor import Drafts
from poise.studio.moment import Moment
from poise.studio.past import Entry, Past
from poise.studio.simulation import Simulation
from poise.studio.track import Track, make_track
from poise.world.layout import COUNTERS
from poise.world.world import Snapshot

Since = Literal["start", "phase"]

#: How far ahead the motion is predicted, and how much is simulated again at most to reach the moment in view.
AHEAD_S: Final = 3.0
CATCH_UP_S: Final = 60.0


@dataclass(frozen=True)
class Version:
    """An edited script: its texts, where its run starts, and the file in view."""

    number: int
    drafts: Drafts
    since: Since = "start"
    script: str = ""


@dataclass(frozen=True, eq=False)
class Rerun:
    """The time at which a new run departs from the old one, the motion of both around it, and a note for the user."""

    began_s: float
    mine: Track
    before: Track
    note: str = ""


def rerun(
    old: Simulation, new: Simulation, since: Since, script: str, *, playing: bool, fresh: Callable[[], bool]
) -> Rerun:
    """Replace the run `old` by `new`, which runs another version of its script.

    While `playing`, the new run begins where it departs from the old one; when paused, it is simulated up to the moment
    in view. `script` is the one whose phase is in view; `fresh` returns False once the result is no longer wanted.
    """
    keep_values(old, new)
    seen, note = old.moment, ""
    if since == "phase":
        note = begin_with_phase(old, new, script)
    began_s = new.moment.time_s
    if not playing and not _catch_up(new, seen, seen.time_s + old.behind_s, fresh):
        note = note or f"{seen.time_s:.0f} s is too far to catch up: stopped at {began_s:.2f} s"
    future = new.foresee(max(AHEAD_S - new.behind_s, 0.0))
    until_s = new.moment.time_s + AHEAD_S
    mine = make_track([*new.history.all(), *future])
    return Rerun(began_s, mine, _trace_old(old, until_s), note)


def _catch_up(new: Simulation, seen: Moment, live_s: float, fresh: Callable[[], bool]) -> bool:
    """Simulate up to the present of the old run and show the moment in view; False if that is too far."""
    if live_s - new.moment.time_s > CATCH_UP_S:
        return False
    for goal in (seen.tick, round(live_s / new.scenario.timestep_s)):
        while new.world.tick < goal and fresh():
            new.advance(min(goal - new.world.tick, new.history_ticks))
        if goal == seen.tick:
            new.keep()
    new.look_back(new.moment.time_s - seen.time_s)
    return True


def _trace_old(old: Simulation, until_s: float) -> Track:
    """The past of the previous version, and its predicted future."""
    moments = old.history.all()
    last_s = moments[-1].time_s if moments else 0.0
    if old.behind_s == 0.0 and 0.0 < until_s - last_s <= 2.0 * AHEAD_S:
        moments += old.foresee(until_s - last_s)
    return make_track(moments)


def keep_values(old: Simulation, new: Simulation) -> None:
    """Keep the parameters that the user has set; all others take the new version's defaults."""
    theirs = {p.name: p for p in old.controller.parameters}
    for mine in new.controller.parameters:
        other = theirs.get(mine.name)
        if other is None or old.params[other.index] == old.controller.params[other.index]:
            continue
        new.params[mine.index] = min(max(float(old.params[other.index]), mine.low), mine.high)
    new.restart()


def find_entry(simulation: Simulation, script: str) -> tuple[Entry, int]:
    """The entry into a script's phase at the moment in view, and the phase's place on the stack.

    If the script does not run then, the acting script is used. A phase that re-enters itself began at its first entry.
    """
    moment = simulation.moment
    levels = [k for k, place in enumerate(moment.stack) if place.script == script]
    level = levels[-1] if levels else len(moment.stack) - 1
    found = Entry(0, moment.stack)
    for entry in reversed([e for e in simulation.entries if e.tick < moment.tick]):
        if entry.stack[: level + 1] != moment.stack[: level + 1]:
            break
        found = entry
        if level == len(moment.stack) - 1:
            break
    return found, level


def begin_with_phase(old: Simulation, new: Simulation, script: str) -> str:
    """Put the new run at the beginning of the phase in view; returns the reason if it begins at the start instead."""
    before, after = old.running, new.running
    if before is None or after is None or not old.moment.stack:
        return "no phase runs here: from the start"
    entry, level = find_entry(old, script)
    if entry.tick == 0:
        return ""
    if not before.shares_surroundings_with(after) or old.character != new.character:
        return "the surroundings have changed: from the start"
    state = _find_state(old, before, entry, level)
    if state is None:
        return "the phase began more than half a minute ago: from the start"
    carried = carry_snapshot(old, new, state)
    if carried is None:
        return "the phase no longer exists: from the start"
    past = [m for m in old.history.all() if m.tick < entry.tick]
    moments = [m for m in (_carry_moment(old, new, m) for m in past) if m is not None]
    entries = [e for e in old.entries if e.tick < entry.tick]
    samples = old.samples.until(entry.tick * old.scenario.timestep_s)
    new.begin_at(carried, Past(moments, entries, samples))
    new.entries.append(entry)
    return ""


def _find_state(old: Simulation, running: Running, entry: Entry, level: int) -> Snapshot | None:
    """The state in which a phase begins: just before its first step, with the transition into it already made."""
    around = old.replay(entry.tick)
    if around is None:
        return None
    before, after = around
    memory = enter_phase(running, before.memories[0], after.memories[0], level)
    ledger = {**before.ledger, "random_state": after.ledger["random_state"]}
    return replace(before, memories=(memory,), ledger=ledger)


def carry_snapshot(old: Simulation, new: Simulation, snapshot: Snapshot) -> Snapshot | None:
    """A state of the old run converted for the new one; None if the new version lacks the phase."""
    before, after = old.running, new.running
    assert before is not None and after is not None
    memory = carry_memory(before, after, snapshot.memories[0])
    if memory is None:
        return None
    changes: dict[str, Any] = {"params": (new.params.copy(),), "memories": (memory,)}
    if not before.is_same_as(after):
        # Remove the endless external forces: the new version's pilot requests them again.
        pushes = snapshot.ledger["pushes"].copy()
        endless = np.isinf(pushes[:, 6]) & (pushes[:, 0] != 0.0)
        pushes[endless, 0] = 0.0
        counters = snapshot.ledger["counters"].copy()
        counters.view(COUNTERS)[0].pushes -= int(endless.sum())
        changes |= {"pilots": None, "ledger": {**snapshot.ledger, "pushes": pushes, "counters": counters}}
    return replace(snapshot, **changes)


def _carry_moment(old: Simulation, new: Simulation, moment: Moment) -> Moment | None:
    snapshot = carry_snapshot(old, new, moment.snapshot) if moment.snapshot else None
    return None if snapshot is None else replace(moment, snapshot=snapshot)
