"""Pilots decide between ticks, outside the compiled laws: a planner, a policy, a sampling balancer, a person.

Every character has a stack of pilots. The pilot of its active controller is at the bottom; `World.add_pilot` puts
others on top. `World.advance` calls them from top to bottom: a planner's commands reach the pilots below it within the
same tick. The state of all pilots, including those of inactive controllers, is part of every snapshot, in memory and in
files.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.world.event_kinds import LOOP_KINDS, PILOT_KINDS
from poise.world.watching import Happened, Subscription

if TYPE_CHECKING:
    from poise.world.world import World

START: Final = "start"
TIMER: Final = "timer"
CAUSES: Final = (START, TIMER, *PILOT_KINDS)
"""Why a pilot is called. All but "start" and "timer" come from its `events`, some with a segment: `touch:left_hand`."""

PlainState = Mapping[str, Any]
"""Text keys; values are None, bool, int, float, str, NumPy arrays of numbers, and sequences and mappings of these."""


_PARTS: Final = ("name", "events", "period_s", "decide", "state", "restore")


class Pilot(Protocol):
    """Observes the world between two ticks, runs rollouts in its own worlds, and sets parameters.

    It must be deterministic: its decisions depend only on the world and its own state. `poise check` verifies this,
    that its state is complete, and that its rollouts leave the world unchanged.
    """

    #: Its name in snapshots; a snapshot fits only a world whose pilots have the same names.
    name: str
    #: The events at which it decides: names in `PILOT_KINDS`. Contact events may name a segment of its character, as in
    #: "touch:left_hand"; "parameter" and "switch" are those of its character.
    events: Sequence[str]
    #: It also decides at every multiple of this period; 0 for never.
    period_s: float

    def decide(self, world: World, causes: Collection[str]) -> None:
        """Makes a decision. `causes` are one or more of `CAUSES`; before the first tick it is "start"."""

    def state(self) -> PlainState:
        """The complete state, as plain data that is not modified later."""

    def restore(self, state: PlainState) -> None:
        """Restores the result of `state`. From a file, tuples come as lists and keys of mappings as text."""


@dataclass(frozen=True)
class PilotState:
    """The state of a character's pilot in a snapshot."""

    character: int
    name: str
    state: PlainState


@dataclass(frozen=True)
class _Seat:
    pilot: Pilot
    character: int
    #: Its state when it was added.
    fresh: PlainState
    #: Its period in ticks; 0 for none.
    period: int
    #: The loop events at which it decides.
    subscriptions: tuple[Subscription, ...] = ()
    #: The cast member it belongs to; None for a pilot added from outside.
    member: int | None = None


class Crew:
    """All pilots of a world: calls them when they are due, and saves and restores their states."""

    def __init__(
        self,
        timestep_s: float,
        active: NDArray[np.int64],
        subscribe: Callable[[str, int], Sequence[Subscription]],
    ) -> None:
        self._timestep_s, self._subscribe = timestep_s, subscribe
        #: The active member of each character's cast, a view of the ledger.
        self._active = active
        #: Pilots of the controllers, and those added from outside, the last one on top.
        self._own: tuple[_Seat, ...] = ()
        self._added: tuple[_Seat, ...] = ()
        #: Pilots that are deciding: they are not notified of their own changes.
        self._deciding: list[Pilot] = []

    # -- seats ------------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[_Seat, ...]:
        """All seats, from the top of the stacks to the bottom."""
        return (*reversed(self._added), *self._own)

    def set_own(self, makers: Mapping[tuple[int, int], Callable[[int], Pilot]]) -> None:
        """Creates the controllers' pilots, by character and member, and resets the pilots added from outside."""
        self._own = tuple(self._sit(make(k), k, member) for (k, member), make in makers.items())
        for seat in self._added:
            seat.pilot.restore(seat.fresh)

    def add(self, pilot: Pilot, character: int) -> None:
        """Puts a pilot on top of a character's stack."""
        if any(seat.pilot is pilot for seat in self.seats):
            raise InputError(f"the pilot {pilot.name} is already in this world", where="world")
        self._added = (*self._added, self._sit(pilot, character))

    def remove(self, pilot: Pilot) -> None:
        """Removes a pilot added with `add`."""
        kept = tuple(seat for seat in self._added if seat.pilot is not pilot)
        if len(kept) == len(self._added):
            raise InputError(f"the pilot {pilot.name} was not added", where="world")
        self._added = kept

    def _sit(self, pilot: Pilot, character: int, member: int | None = None) -> _Seat:
        missing = [part for part in _PARTS if not hasattr(pilot, part)]
        if missing or isinstance(pilot, type):
            what = f"a pilot lacks {', '.join(missing)}" if missing else "a pilot must be an object, not its class"
            raise InputError(what, where="world", got=pilot, allowed=f"A pilot has {', '.join(_PARTS)}")
        for name in pilot.events:
            if name.partition(":")[0] not in PILOT_KINDS:
                what = f"the pilot {pilot.name} subscribes to an unknown event"
                raise InputError(what, where="world", got=name, allowed=f"Known here: {', '.join(PILOT_KINDS)}")
        looped = [name for name in pilot.events if name.partition(":")[0] in LOOP_KINDS]
        subscriptions = tuple(s for name in looped for s in self._subscribe(name, character))
        if not (math.isfinite(pilot.period_s) and pilot.period_s >= 0.0):
            what = f"the period of the pilot {pilot.name} must be finite and at least 0"
            raise InputError(what, where="world", got=pilot.period_s)
        period = max(1, round(pilot.period_s / self._timestep_s)) if pilot.period_s > 0.0 else 0
        return _Seat(pilot, character, pilot.state(), period, subscriptions, member)

    # -- calls ------------------------------------------------------------------------------------------------------

    @property
    def subscriptions(self) -> list[Subscription]:
        """The loop events at which any active pilot decides."""
        return [subscription for seat in self._active_seats() for subscription in seat.subscriptions]

    def ticks_to_timer(self, tick: int) -> int | None:
        """Ticks until the next timer; None if there is none."""
        return min((seat.period - tick % seat.period for seat in self._active_seats() if seat.period), default=None)

    def _active_seats(self) -> Iterator[_Seat]:
        """Seats of the active pilots. Each is checked when its turn comes, since a pilot may switch controllers."""
        return (s for s in self.seats if s.member is None or s.member == self._active[s.character])

    def begin(self, world: World) -> None:
        """Calls all active pilots before the first tick."""
        for seat in self._active_seats():
            self._ask(seat, world, (START,))

    def ask(self, world: World, happened: Happened) -> list[int]:
        """Calls the pilots concerned by the last tick's events; returns the characters whose timers expired."""
        timers = []
        for seat in self._active_seats():
            # A subscription to all touches expands to one for each segment.
            causes = list(dict.fromkeys(s.name for s in seat.subscriptions if happened.has(s)))
            if seat.period and world.tick % seat.period == 0:
                causes.append(TIMER)
                timers.append(seat.character)
            if causes:
                self._ask(seat, world, causes)
        return timers

    def tell(self, world: World, character: int, event: str) -> None:
        """Notifies the subscribed pilots of a character of a set parameter or a switch."""
        for seat in self._active_seats():
            listens = seat.character == character and event in seat.pilot.events
            if listens and not any(seat.pilot is busy for busy in self._deciding):
                self._ask(seat, world, (event,))

    def restart(self, world: World, character: int) -> None:
        """Resets the pilot of a character's active controller, and calls it as before the first tick."""
        for seat in self._active_seats():
            if seat.character == character and seat.member is not None:
                seat.pilot.restore(seat.fresh)
                if world.tick > 0:
                    self._ask(seat, world, (START,))

    def _ask(self, seat: _Seat, world: World, causes: Collection[str]) -> None:
        self._deciding.append(seat.pilot)
        try:
            seat.pilot.decide(world, causes)
        finally:
            self._deciding.pop()

    # -- states -----------------------------------------------------------------------------------------------------

    def states(self) -> tuple[PilotState, ...]:
        """The states of all pilots."""
        return tuple(PilotState(seat.character, seat.pilot.name, seat.pilot.state()) for seat in self.seats)

    def restore(self, states: Sequence[PilotState]) -> None:
        """Restores every pilot's state; if one fails, all keep their current states."""
        self.check(states)
        before = self.states()
        for k, (seat, saved) in enumerate(zip(self.seats, states, strict=True)):
            try:
                seat.pilot.restore(saved.state)
            except (InputError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
                for other, old in zip(self.seats[: k + 1], before, strict=False):
                    other.pilot.restore(old.state)
                what = f"the snapshot cannot be restored, the state of the pilot {saved.name} is damaged"
                raise InputError(what, where="world") from error

    def check(self, states: Sequence[PilotState]) -> None:
        """Raises unless a snapshot was taken with the same pilots."""
        ours = [(seat.character, seat.pilot.name) for seat in self.seats]
        theirs = [(saved.character, saved.name) for saved in states]
        if ours != theirs:
            raise InputError(
                f"the snapshot cannot be restored, it was taken with {_name(theirs)}, and this world has {_name(ours)}",
                where="world",
            )


def _name(pilots: Sequence[tuple[int, str]]) -> str:
    if not pilots:
        return "no pilot"
    return "the pilots " + ", ".join(f"{name} of character {character}" for character, name in pilots)
