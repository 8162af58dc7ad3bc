"""Subscriptions to events such as `touch:left_hand`, and the latches of watched segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from poise.characters.model import Character
from poise.errors import InputError, PoiseError, unknown_name
from poise.world.event_kinds import LOOP_KINDS, SEGMENT_KINDS, EventKind
from poise.world.layout import UNKNOWN, UNWATCHED
from poise.world.stage import Ledger, Stage, Tape

#: Body of a subscription without a segment. Body 0 is the world itself.
ANY: Final = 0


class Subscription(NamedTuple):
    """An event that a pilot or a run waits for."""

    name: str
    kind: EventKind
    body: int = ANY

    @property
    def bit(self) -> int:
        return 1 << self.kind


class Happened(NamedTuple):
    """Events of the last tick of a call."""

    bits: int
    #: Kind and body of the events on the tape.
    places: frozenset[tuple[int, int]]

    def has(self, subscription: Subscription) -> bool:
        """Whether a subscription's event happened."""
        if not self.bits & subscription.bit:
            return False
        return subscription.body == ANY or (int(subscription.kind), subscription.body) in self.places

    def name(self, subscriptions: Iterable[Subscription]) -> tuple[str, ...]:
        """Names of all kinds that happened, and of the subscriptions whose events happened."""
        kinds = [name for name, kind in LOOP_KINDS.items() if self.bits & 1 << kind]
        return tuple(dict.fromkeys([*kinds, *(s.name for s in subscriptions if self.has(s))]))


def read_happened(bits: int, mask: int, tape: Tape) -> Happened:
    """The events of the last tick of a call, which returns at the first event in its mask."""
    if not bits:
        return Happened(0, frozenset())
    rows = tape.events[: int(tape.written[2])]
    places = frozenset((int(kind), int(body)) for _, kind, _, body in rows if mask & 1 << int(kind))
    return Happened(bits, places)


def find_mask(subscriptions: Iterable[Subscription]) -> int:
    """The bits of all subscribed kinds."""
    mask = 0
    for subscription in subscriptions:
        mask |= subscription.bit
    return mask


class Watcher:
    """Resolves subscriptions to bodies, and maintains latches for the segments that they name."""

    def __init__(self, characters: Sequence[Character], stage: Stage, ledger: Ledger) -> None:
        self._characters, self._stage, self._ledger = tuple(characters), stage, ledger
        #: Body of a foot or its toes -> body of the foot.
        self._foot = {int(b): int(foot[0]) for feet in stage.feet for foot in feet for b in foot if b >= 0}

    def subscribe(self, name: str, character: int) -> list[Subscription]:
        """The subscriptions that an event's name stands for, for one character."""
        kind_name, colon, segment = name.partition(":")
        if kind_name not in LOOP_KINDS:
            raise unknown_name("world", "event", kind_name, list(LOOP_KINDS))
        kind = LOOP_KINDS[kind_name]
        if not colon:
            bodies = self._find_others(character) if kind == EventKind.TOUCH else [ANY]
            return [Subscription(name, kind, body) for body in bodies]
        if kind not in SEGMENT_KINDS:
            allowed = ", ".join(k.label for k in SEGMENT_KINDS)
            raise InputError(
                "this kind of event has no segment", where="world", got=name, allowed=f"Kinds that do: {allowed}"
            )
        body = self._find_body(segment, character)
        if body in self._foot and kind == EventKind.TOUCH:
            kind = EventKind.STRIKE
        if body not in self._foot and kind in (EventKind.STRIKE, EventKind.STEP):
            raise InputError(f"only feet have {kind.label} events", where="world", got=name, allowed="Use touch")
        return [Subscription(name, kind, self._foot.get(body, body))]

    def subscribe_all(self, names: Sequence[str]) -> list[Subscription]:
        """The subscriptions for all characters; each name must be valid for at least one of them."""
        found: list[Subscription] = []
        for name in names:
            errors: list[PoiseError] = []
            for character in range(len(self._characters)):
                try:
                    found += self.subscribe(name, character)
                except PoiseError as error:
                    errors.append(error)
            if len(errors) == len(self._characters):
                raise errors[0]
        return found

    def _find_body(self, segment: str, character: int) -> int:
        body = self._characters[character]
        name = body.roles.get(segment, segment)
        if name not in body.segment_names:
            raise unknown_name("world", "segment", segment, [*body.segment_names, *body.roles])
        return int(self._stage.characters[character].first_body) + body.segment_names.index(name)

    def _find_others(self, character: int) -> list[int]:
        """All bodies of a character except its feet."""
        own = self._stage.characters[character]
        bodies = range(int(own.first_body), int(own.first_body + own.bodies))
        return [b for b in bodies if b not in self._foot]

    def watch(self, subscriptions: Iterable[Subscription]) -> None:
        """Starts the latches of newly subscribed segments and clears those of all others."""
        kinds = (EventKind.TOUCH, EventKind.LIFT)
        wanted = {s.body for s in subscriptions if s.kind in kinds and s.body != ANY and s.body not in self._foot}
        watching, latches = self._ledger.watching, self._ledger.touch_latch
        if not wanted and not watching.any():
            return
        for body, latch in enumerate(latches):
            if body not in wanted:
                latch[:] = UNWATCHED, -1.0
            elif latch[0] == UNWATCHED:
                latch[:] = UNKNOWN, -1.0
        owners = self._stage.body_character[sorted(wanted)]
        watching[:] = np.bincount(owners, minlength=len(watching)) if len(owners) else 0
