"""Kinds of events: one list for worlds, pilots and recordings."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class EventKind(IntEnum):
    """What can happen. The numbers stand on the tape; everybody else uses the names in lower case."""

    #: A foot strikes the ground.
    STRIKE = 0
    #: A foot, or a segment that somebody watches, has left what it touched.
    LIFT = 1
    #: The character has fallen: trunk too far over, head or pelvis too low, or what may not touch the ground does.
    DOWN = 2
    #: A pilot's period is over.
    TIMER = 3
    #: A push starts.
    PUSH = 4
    #: A parameter was set between two ticks.
    PARAMETER = 5
    #: The law has come to another phase.
    PHASE = 6
    #: The controller asks something of the world.
    REQUEST = 7
    #: Another controller has become active.
    SWITCH = 8
    #: A foot strikes that is not the foot of the step before: bounces of one foot are not steps.
    STEP = 9
    #: A segment that somebody watches, other than a foot, touches something.
    TOUCH = 10
    #: After `DOWN`, the character is back on its feet and has been for a short time.
    UP = 11

    @property
    def label(self) -> str:
        """The name that people use."""
        return self.name.lower()


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
"""Names in files of earlier versions, and what they are called now."""
