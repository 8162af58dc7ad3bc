"""The balls that people throw at a character, as props."""

from __future__ import annotations

import math
from typing import Final

from poise.world.props import Prop, ball
from poise.world.terrain import Terrain

BALLS: Final = 3
BALL_RADIUS_M: Final = 0.11
BALL_MASS_KG: Final = 4.0
#: Balls that have not been thrown wait far to the left, out of sight.
BALL_PARK_M: Final = 80.0


def name_ball(throws: int) -> str:
    """The ball to throw after a number of throws: they take turns."""
    return f"ball_{throws % BALLS + 1}"


def make_balls(terrain: Terrain) -> list[Prop]:
    """All balls, waiting on the terrain."""
    balls = []
    for k in range(BALLS):
        x_m, y_m = 4.0 * BALL_RADIUS_M * k, BALL_PARK_M
        height_m = terrain.height_m(x_m, y_m)
        z_m = BALL_RADIUS_M + (height_m if math.isfinite(height_m) else 0.0)
        balls.append(ball(BALL_RADIUS_M, BALL_MASS_KG, position_m=(x_m, y_m, z_m), name=name_ball(k)))
    return balls


def floor_m(terrain: Terrain, x_m: float, y_m: float) -> float:
    """Lowest height of a ball's centre over a point of the terrain; minus infinity over a hole."""
    height_m = terrain.height_m(x_m, y_m)
    return height_m + BALL_RADIUS_M if math.isfinite(height_m) else -math.inf
