"""The three searched phases of a jump: their ends, failures and costs [Ha15 Table 7]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

import numpy as np

from poise.optim.space import FloatArray
from poise.reproduce.ha.motion_problems import Motion, Stance, name_fall
from poise.world.senses import sense


class Leaning(Motion):
    """From standing to a still crouch with the centre of mass C at a goal: |C - goal|², in m².

    The source does not say when leaning ends or when it takes too long. Here it ends when the body is still, and fails
    as soon as the extrapolated centre of mass (`Stance.bound_for_m`) leaves the feet's support.
    """

    name = "leaning"
    phase = 0
    variables = ("lean_crouch_rad", "lean_angle_rad", "lean_trunk_rad", "lean_arms_rad")
    fixed: ClassVar[Mapping[str, float]] = {"lean_s": 2.0}
    #: Limits of the soles' support from the middle of the feet, with a margin of 4 cm.
    FRONT_M, BACK_M = 0.16, -0.13
    REST_MPS, REST_LOOKS, SETTLE_S, TIME_OUT_S = 0.05, 5, 0.4, 1.5
    #: (forward, left, up), in m.
    own_goal = (0.06, 0.0, 0.68)

    def _begin(self) -> None:
        self._calm = 0

    def _find_failure(self, stance: Stance, at_s: float) -> str | None:
        if fall := self._find_fall():
            return fall
        if not self.BACK_M < stance.bound_for_m < self.FRONT_M:
            return name_fall(stance.bound_for_m)
        speed = float(np.linalg.norm(self._world.percepts[0].com_vel_w))
        self._calm = self._calm + 1 if speed < self.REST_MPS and at_s > self.SETTLE_S else 0
        return "time-out" if at_s >= self.TIME_OUT_S and self._calm < self.REST_LOOKS else None

    def _is_over(self, stance: Stance, at_s: float) -> bool:
        return self._calm >= self.REST_LOOKS

    def _compute_cost(self) -> float:
        return float(np.sum((sense(self._world).com_w_m - self._goal) ** 2))


class Thrusting(Motion):
    """From the crouch into the air, with momenta P and L at lift-off: |P - goal|² + |L - goal|², in (N·s)², (N·m·s)².

    Momenta are in the frame of [Ha15 Table 10], (forward, up, right): a positive angular momentum about the last axis
    pitches backward. A body that leaves the ground pitching forward cannot bring its feet under it.
    """

    name = "thrusting"
    phase = 2
    variables = ("thrust_up_n", "thrust_forward_n", "thrust_hip_rad")
    FRONT_M, BACK_M = 0.45, -0.25
    #: Velocity of the centre of mass at lift-off, in m/s.
    own_goal = (0.8, 1.95, 0.0)
    SPIN_NMS: FloatArray = np.array([0.0, 0.0, 5.0])

    def _begin(self) -> None:
        """This phase has no state between checks."""

    def _find_failure(self, stance: Stance, at_s: float) -> str | None:
        if fall := self._find_fall():
            return fall
        return None if self.BACK_M < stance.ahead_m < self.FRONT_M else name_fall(stance.ahead_m)

    def _is_over(self, stance: Stance, at_s: float) -> bool:
        return self._now != self.phase

    def _momenta(self) -> tuple[FloatArray, FloatArray]:
        """Linear and angular momentum (forward, up, right)."""
        senses = sense(self._world)
        turned = [(v[0], v[2], -v[1]) for v in (senses.linear_momentum_w_kgmps, senses.angular_momentum_w_kgm2ps)]
        return np.array(turned[0]), np.array(turned[1])

    def _find_end_failure(self) -> str | None:
        return "negative angular momentum" if self._momenta()[1][2] < 0.0 else None

    def _compute_cost(self) -> float:
        linear, angular = self._momenta()
        wanted = self._world.characters[0].mass_kg * self._goal
        return float(np.sum((linear - wanted) ** 2) + np.sum((angular - self.SPIN_NMS) ** 2))


class Landing(Motion):
    """From the first touch of the mark to a standstill: |C - goal|² + |S - goal|², S the centre of pressure, in m²."""

    name = "landing"
    phase = 4
    variables = ("land_crouch_rad", "land_angle_rad", "land_trunk_rad", "land_balance")
    FRONT_M, BACK_M, BOUND_M, SETTLE_S, END_S = 0.35, -0.35, 0.2, 0.3, 1.0
    #: Feet that are off the ground for more checks than this have jumped again.
    MOST_LOOKS_IN_AIR = 4
    #: Goal of the centre of mass (forward, left, up), in m. The centre of pressure should be below it.
    own_goal = (0.70, 0.0, 0.68)

    def _begin(self) -> None:
        self._in_air = 0

    def _find_failure(self, stance: Stance, at_s: float) -> str | None:
        load = self._world.percepts[0].touch_load
        self._in_air = 0 if np.any(load[self._soles] > 0.0) else self._in_air + 1
        if np.any(np.delete(load, self._soles) > 0.0) or self._in_air > self.MOST_LOOKS_IN_AIR:
            return "invalid contact"
        settled = at_s > self.SETTLE_S
        if fall := self._find_fall():
            return fall
        if not self.BACK_M < stance.ahead_m < self.FRONT_M:
            return name_fall(stance.bound_for_m)
        return name_fall(stance.bound_for_m) if settled and abs(stance.bound_for_m) > self.BOUND_M else None

    def _is_over(self, stance: Stance, at_s: float) -> bool:
        return at_s >= self.END_S

    def _compute_cost(self) -> float:
        senses = sense(self._world)
        pressure = senses.center_of_pressure_w_m
        cost = float(np.sum((senses.com_w_m - self._goal) ** 2))
        # There is none in the air; a motion that ends there has failed and is penalised for that.
        return cost if pressure is None else cost + float(np.sum((pressure - self._goal * [1.0, 1.0, 0.0]) ** 2))


MOTIONS: Final[Mapping[str, type[Motion]]] = {m.name: m for m in (Leaning, Thrusting, Landing)}
