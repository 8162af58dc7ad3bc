"""Hands that act on the character from outside: they push it, throw balls at it, and pull it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from poise.studio.aim import aim_ball
from poise.studio.balls import Balls, name_ball
from poise.studio.observer import Observer
from poise.world.disturbances import Push
from poise.world.world import World

#: Duration of the pushes in the literature.
PUSH_S: Final = 0.1
#: A pulling hand: the humanoid's weight at a distance of one metre, and its largest force.
PULL_WEIGHTS_PER_M: Final = 1.0
PULL_LIMIT_WEIGHTS: Final = 1.5
#: Damping / stiffness of the pulling hand, large enough that the held segment does not oscillate.
PULL_DAMPING_S: Final = 0.05


class Hands:
    """All hands on the first character of a world."""

    def __init__(self, world: World, observer: Observer, balls: Balls) -> None:
        self._world, self._observer, self._balls = world, observer, balls
        self._throws = 0
        self._spring: int | None = None

    def push(self, force_n: float, direction_deg: float) -> None:
        """Push the trunk for 0.1 s; 0 is forward, 90 to the left."""
        self._world.push(Push(force_n, direction_deg, self._world.time_s, PUSH_S))

    def throw_ball(self, speed_mps: float, direction_deg: float) -> None:
        """Throw a ball at the trunk. The direction is the ball's, in the heading frame: 0 comes from behind."""
        percept = self._world.percepts[0]
        start, velocity = aim_ball(
            self._observer.trunk_com_w_m,
            percept.com_vel_w,
            percept.heading_rad[0] + math.radians(direction_deg),
            speed_mps,
            self._world.settings.gravity_mps2,
            distance_m=self._balls.start_m,
            floor_m=self._balls.floor_m,
        )
        self._world.throw(name_ball(self._throws), start.tolist(), velocity.tolist())
        self._throws += 1

    def pull(self, segment: int, point_b_m: Sequence[float], target_w_m: Sequence[float]) -> None:
        """Pull a point of a segment towards a point of the world with a spring, until `let_go`."""
        self.let_go()
        weight_n = self._observer.weight_n
        stiffness = PULL_WEIGHTS_PER_M * weight_n / self._balls.scale.length
        self._spring = self._world.attach(
            self._world.characters[0].segment_names[segment],
            point_b_m,
            "world",
            target_w_m,
            stiffness_npm=stiffness,
            damping_nspm=PULL_DAMPING_S * stiffness,
            max_force_n=PULL_LIMIT_WEIGHTS * weight_n,
        )

    def let_go(self) -> None:
        if self._spring is not None:
            self._world.detach(self._spring)
            self._spring = None

    def forget(self) -> None:
        """Forget a pull that belongs to another time of the world."""
        self._world.ledger.springs[:] = 0.0
        self._spring = None

    @property
    def pulling(self) -> bool:
        return self._spring is not None
