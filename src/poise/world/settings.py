"""Physics settings, and the named grounds that a controller may ask for.

A controller may need the ground it was designed on. `Controller.ground` names it, and the world uses it unless
`PhysicsSettings.ground`, or the terrain's friction, overrides it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from poise.constants import CONTACT_SOLREF, DEFAULT_TIMESTEP_S, GRAVITY_MPS2, MAX_TIMESTEP_S, MIN_TIMESTEP_S
from poise.errors import out_of_range, unknown_name
from poise.world.ground import PenaltyGround
from poise.world.terrain_model import DEFAULT_FRICTION

CONES: Final = ("pyramidal", "elliptic")
#: Which parts of one character collide with each other: none, its two legs, or all except neighbours.
SELF_COLLISION: Final = ("none", "legs", "all")


@dataclass(frozen=True)
class Ground:
    """Contact properties."""

    #: The pyramidal cone suffices for walking at ordinary friction; at very high friction the elliptic is far better.
    cone: str = "pyramidal"
    contact_time_s: float = CONTACT_SOLREF[0]
    friction: float = DEFAULT_FRICTION
    #: Props have the same contact properties.
    props: bool = False
    #: Springs at points of the bodies instead of contacts of solids; `friction` above overrides the springs' own.
    penalty: PenaltyGround | None = None


#: `firm` approximates the world of [Firmin15], whose released code has infinite friction and hard contacts at 0.1 ms.
#: Its joint limits are harder, too, but here they would make feet rattle at 1 ms. `springs` is the ground of
#: [Lee10 §5], applied to each of the many points of a foot.
GROUNDS: Final = {
    "default": Ground(),
    "firm": Ground("elliptic", contact_time_s=0.002, friction=100.0, props=True),
    "springs": Ground(friction=1.0, penalty=PenaltyGround(2000.0, 2.0 * math.sqrt(2000.0), slip="fade")),
}


@dataclass(frozen=True)
class PhysicsSettings:
    """Integration and contact settings of a world."""

    timestep_s: float = DEFAULT_TIMESTEP_S
    gravity_mps2: float = GRAVITY_MPS2
    #: None, here and below: the ground's value.
    cone: str | None = None
    contact_time_s: float | None = None
    #: One of SELF_COLLISION; older settings have False and True for "none" and "all".
    self_collision: str = "none"
    #: One of GROUNDS; None for the one that the controllers ask for.
    ground: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.self_collision, bool):
            object.__setattr__(self, "self_collision", "all" if self.self_collision else "none")
        if self.self_collision not in SELF_COLLISION:
            raise unknown_name("physics", "self_collision", str(self.self_collision), SELF_COLLISION)
        if not MIN_TIMESTEP_S <= self.timestep_s <= MAX_TIMESTEP_S:
            raise out_of_range("physics", "timestep_s", self.timestep_s, MIN_TIMESTEP_S, MAX_TIMESTEP_S, "s")
        if not 0.0 <= self.gravity_mps2 <= 100.0:
            raise out_of_range("physics", "gravity_mps2", self.gravity_mps2, 0.0, 100.0, "m/s²")
        if self.contact_time_s is not None and not 0.0005 <= self.contact_time_s <= 0.1:
            raise out_of_range("physics", "contact_time_s", self.contact_time_s, 0.0005, 0.1, "s")
        if self.cone is not None and self.cone not in CONES:
            raise unknown_name("physics", "friction cone", self.cone, CONES)
        if self.ground is not None:
            check_ground("physics", self.ground)

    @property
    def feel(self) -> Ground:
        """The ground's contact properties, with the overrides in these settings."""
        ground = GROUNDS[self.ground or "default"]
        return replace(
            ground,
            cone=ground.cone if self.cone is None else self.cone,
            contact_time_s=ground.contact_time_s if self.contact_time_s is None else self.contact_time_s,
        )

    def made_for(self, grounds: Iterable[str | None]) -> PhysicsSettings:
        """These settings with every None resolved; the ground is the controllers' if they agree on one."""
        named = {g for g in grounds if g is not None}
        ground = self.ground or (named.pop() if len(named) == 1 else "default")
        settled = replace(self, ground=ground)
        return replace(settled, cone=settled.feel.cone, contact_time_s=settled.feel.contact_time_s)


def check_ground(where: str, name: str) -> str:
    """The name; raises unless it is that of a ground."""
    if name not in GROUNDS:
        raise unknown_name(where, "ground", name, list(GROUNDS))
    return name
