"""How a world is integrated, and the grounds that have a name: what a controller may ask for by one word.

A controller is made on some ground and may need it: `Controller.ground` names it, and the world takes it unless
`PhysicsSettings.ground`, or a friction of the terrain, says otherwise.
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
#: Which parts of one character collide with each other: none, its two legs, or all that are not neighbours.
SELF_COLLISION: Final = ("none", "legs", "all")


@dataclass(frozen=True)
class Ground:
    """How contacts feel."""

    #: The pyramidal cone serves walking at ordinary friction; at very high friction the elliptic one is far better.
    cone: str = "pyramidal"
    contact_time_s: float = CONTACT_SOLREF[0]
    friction: float = DEFAULT_FRICTION
    #: Props feel like the ground, too.
    props: bool = False
    #: Springs at the points of the bodies instead of contacts of solids; its friction is the one above.
    penalty: PenaltyGround | None = None


#: `firm` is the world of [Firmin15] as near as this engine comes to it: its released code has infinite friction and
#: hard contacts, at 0.1 ms. It has harder stops of joints, too; here they would make feet rattle at 1 ms. `springs` is
#: the ground of [Lee10 §5], for each of the many points of a foot.
GROUNDS: Final = {
    "default": Ground(),
    "firm": Ground("elliptic", contact_time_s=0.002, friction=100.0, props=True),
    "springs": Ground(friction=1.0, penalty=PenaltyGround(2000.0, 2.0 * math.sqrt(2000.0), slip="fade")),
}


@dataclass(frozen=True)
class PhysicsSettings:
    """How the world is integrated and how its contacts feel."""

    timestep_s: float = DEFAULT_TIMESTEP_S
    gravity_mps2: float = GRAVITY_MPS2
    #: None, here and below: as the ground has it.
    cone: str | None = None
    contact_time_s: float | None = None
    #: One of SELF_COLLISION; False and True, as older settings have it, stand for "none" and "all".
    self_collision: str = "none"
    #: One of GROUNDS; None is the one that the controllers ask for.
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
        """The ground, with what these settings say of their own."""
        ground = GROUNDS[self.ground or "default"]
        return replace(
            ground,
            cone=ground.cone if self.cone is None else self.cone,
            contact_time_s=ground.contact_time_s if self.contact_time_s is None else self.contact_time_s,
        )

    def made_for(self, grounds: Iterable[str | None]) -> PhysicsSettings:
        """The same with nothing left open: the ground is the one for which all controllers are that name one."""
        named = {g for g in grounds if g is not None}
        ground = self.ground or (named.pop() if len(named) == 1 else "default")
        settled = replace(self, ground=ground)
        return replace(settled, cone=settled.feel.cone, contact_time_s=settled.feel.contact_time_s)


def check_ground(where: str, name: str) -> str:
    """The name of a ground, if there is one of that name."""
    if name not in GROUNDS:
        raise unknown_name(where, "ground", name, list(GROUNDS))
    return name
