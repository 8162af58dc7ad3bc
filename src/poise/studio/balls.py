"""The balls that people throw at a character, as props. Their size and mass follow the character's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from poise.studio.body_scale import BodyScale
from poise.world.props import Prop, ball
from poise.world.terrain import Terrain

BALLS: Final = 3
#: Balls for the humanoid.
BALL_RADIUS_M: Final = 0.11
BALL_MASS_KG: Final = 4.0
#: Distance from the target at which a ball starts.
BALL_START_M: Final = 3.0
#: Balls that have not been thrown wait far to the left, out of sight.
BALL_PARK_M: Final = 80.0


def name_ball(throws: int) -> str:
    """The ball to throw after a number of throws: they take turns."""
    return f"ball_{throws % BALLS + 1}"


@dataclass(frozen=True)
class Balls:
    """The balls for a character on its terrain."""

    scale: BodyScale
    terrain: Terrain

    @property
    def radius_m(self) -> float:
        return BALL_RADIUS_M * self.scale.length

    @property
    def mass_kg(self) -> float:
        return BALL_MASS_KG * self.scale.mass

    @property
    def start_m(self) -> float:
        """Distance from the target at which a ball starts."""
        return BALL_START_M * self.scale.length

    def make(self) -> list[Prop]:
        """All balls, waiting on the terrain."""
        balls = []
        for k in range(BALLS):
            x_m, y_m = 4.0 * self.radius_m * k, BALL_PARK_M
            z_m = self.floor_m(x_m, y_m)
            position_m = (x_m, y_m, z_m if math.isfinite(z_m) else self.radius_m)
            balls.append(ball(self.radius_m, self.mass_kg, position_m=position_m, name=name_ball(k)))
        return balls

    def floor_m(self, x_m: float, y_m: float) -> float:
        """Lowest height of a ball's centre over a point of the terrain; minus infinity over a hole."""
        return self.terrain.height_m(x_m, y_m) + self.radius_m
