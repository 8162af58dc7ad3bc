"""Kinds of events: one list for worlds, pilots and recordings."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class EventKind(IntEnum):
    """Kinds of events. The tape holds the numbers; everything else uses the names in lower case."""

    #: A foot strikes the ground.
    STRIKE = 0
    #: A foot, or a watched segment, has lost contact.
    LIFT = 1
    #: The character has fallen: trunk tilted too far, head or pelvis too low, or a forbidden ground contact.
    DOWN = 2
    #: A pilot's period has elapsed.
    TIMER = 3
    #: A push starts.
    PUSH = 4
    #: A parameter was set between two ticks.
    PARAMETER = 5
    #: The law has entered another phase.
    PHASE = 6
    #: The controller has sent a request to the world.
    REQUEST = 7
    #: Another controller has become active.
    SWITCH = 8
    #: A foot other than that of the last step strikes: bounces of one foot are not steps.
    STEP = 9
    #: A watched segment other than a foot touches something.
    TOUCH = 10
    #: After `DOWN`, the character is back on its feet and has been for a short time.
    UP = 11

    @property
    def label(self) -> str:
        """The name that users see."""
        return self.name.lower()


JOURNAL_BIT: Final = 1 << 30
"""Bit of a law's full journal, at which every call of the loop returns; not an event."""

EVENT_KINDS: Final = tuple(kind.label for kind in EventKind)
"""Names of all kinds, by number."""

LOOP_KINDS: Final = {
    kind.label: kind
    for kind in (
        EventKind.STEP,
        EventKind.STRIKE,
        EventKind.TOUCH,
        EventKind.LIFT,
        EventKind.DOWN,
        EventKind.UP,
        EventKind.PHASE,
        EventKind.REQUEST,
    )
}
"""Kinds at which a run can stop and a pilot can decide."""

PILOT_KINDS: Final = {**LOOP_KINDS, "parameter": EventKind.PARAMETER, "switch": EventKind.SWITCH}
"""Kinds to which pilots can subscribe."""

SEGMENT_KINDS: Final = (EventKind.STEP, EventKind.STRIKE, EventKind.TOUCH, EventKind.LIFT)
"""Kinds that may name a segment, as in `touch:left_hand`."""

EARLIER_NAMES: Final = {"foot_strike": "strike", "lift_off": "lift", "fall": "down"}
"""Names in files of earlier versions -> current names."""
