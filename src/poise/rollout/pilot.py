"""Pilots decide at events, outside the compiled laws: a planner, a policy, a balancer that samples, a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from poise.world.world import World


class Pilot(Protocol):
    """Sees the world at the events it asks for and changes parameters; its own state goes into the snapshot.

    A pilot that belongs to a controller is also asked before the first tick.
    """

    #: Kinds of events at which it wants to decide: "foot_strike", "lift_off", "fall", "phase", "request"; and
    #: "parameter", for pilots that belong to a controller: one was set.
    events: Sequence[str]
    #: It also decides every so many seconds; 0 for never.
    period_s: float

    def decide(self, world: World) -> None:
        """Looks at the world, runs rollouts of its own if it wants to, and sets parameters."""

    def state(self) -> Any:
        """Everything it must remember, as plain data."""

    def restore(self, state: Any) -> None:
        """Goes back to a state that `state` gave."""
