"""Leaning, thrusting and landing of a jump as search problems: objectives and named failures [Ha15 Table 7].

Each problem is one phase of `jump/precision-jump` and begins where the previous phases end. A search moves in [-1, 1]ⁿ,
mapped to the ranges that the controller declares. A motion that fails ends immediately and costs K (T_max - t) in
addition to its objective [Ha15 §5.3.3].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from poise.controllers.phases.layout import read_memory
from poise.errors import DivergedError
from poise.optim.space import FloatArray, Space, Variable
from poise.recordings.contacts import foot_segments
from poise.rollout.scene import Scene
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.world import Snapshot, World

CONTROLLER: Final = "jump/precision-jump"
TIMESTEP_S: Final = 0.001
#: Interval between checks for failures and for the end.
WATCH_S: Final = 0.02
#: K and T_max of the penalty.
PENALTY_PER_S: Final = 1000.0
LONGEST_S: Final = 2.0
FALL_FORWARD, FALL_BACKWARD = "fall forward", "fall backward"


@dataclass(frozen=True)
class Trial:
    """Result of one motion: its cost, its failures, and the time at which it ended."""

    cost: float
    failures: tuple[str, ...]
    at_s: float


@dataclass(frozen=True)
class Stance:
    """The centre of mass relative to the feet along x, now and extrapolated."""

    ahead_m: float
    height_m: float
    speed_mps: float
    #: Where it is heading at its current speed, extrapolated as an inverted pendulum.
    bound_for_m: float


class Motion(ABC):
    """One phase as a search problem. It owns a world and must not be shared between threads."""

    name: ClassVar[str]
    #: Number of the phase in the controller's list.
    phase: ClassVar[int]
    variables: ClassVar[tuple[str, ...]]
    #: Fixed values that differ from the controller's.
    fixed: ClassVar[Mapping[str, float]] = {}
    #: Default goal.
    own_goal: ClassVar[tuple[float, float, float]]

    def __init__(self, goal: Sequence[float] | None = None) -> None:
        self._goal: FloatArray = np.array(self.own_goal if goal is None else goal)
        self._world: World = Scene(CONTROLLER, physics=PhysicsSettings(timestep_s=TIMESTEP_S)).open()
        self._world.warm_up()
        body = self._world.characters[0]
        self._feet = list(foot_segments(body).values())
        self._head = body.segment_names.index(body.roles["head"])
        self._soles = np.array([k for members in self._feet for k in members])
        parameters = [self.controller.parameter(name) for name in self.variables]
        self._low = np.array([p.low for p in parameters])
        self._high = np.array([p.high for p in parameters])
        self._start = self._find_start()
        self._begin()
        # The start in the middle with sigma 1 [Ha15 Table 7].
        self.space = Space(tuple(Variable(name, -1.0, 1.0, 0.0, 1.0) for name in self.variables))

    def _find_start(self) -> Snapshot:
        """The state at the end of the previous phases, run with the controller's own values."""
        world = self._world
        while self._now < self.phase:
            world.advance(1)
        return world.snapshot()

    @property
    def _now(self) -> int:
        return int(read_memory(self._world.memories[0]).phase)

    @property
    def controller(self) -> Controller:
        return self._world.controllers[0]

    def decode(self, point: FloatArray) -> dict[str, float]:
        """Values of the controller's parameters for a point of [-1, 1]ⁿ."""
        values = self._low + 0.5 * (np.asarray(point) + 1.0) * (self._high - self._low)
        return dict(zip(self.variables, np.clip(values, self._low, self._high).tolist(), strict=True))

    def encode(self, values: Mapping[str, float]) -> FloatArray:
        """The point of [-1, 1]ⁿ for values of the controller's parameters."""
        own = np.array([values[name] for name in self.variables])
        point: FloatArray = 2.0 * (own - self._low) / (self._high - self._low) - 1.0
        return point

    def try_out(self, point: FloatArray) -> Trial:
        """Run the phase with the values of a point."""
        world = self._world
        world.restore(self._start)
        for name, value in {**self.fixed, **self.decode(point)}.items():
            world.set_parameter(name, value)
        began, ticks = world.time_s, round(WATCH_S / TIMESTEP_S)
        self._begin()
        while True:
            try:
                world.advance(ticks)
            except DivergedError:
                return Trial(PENALTY_PER_S * LONGEST_S, (FALL_FORWARD,), 0.0)
            at_s = world.time_s - began
            stance = self._look()
            failure = self._find_failure(stance, at_s)
            if failure is None and not self._is_over(stance, at_s):
                continue
            cost = self._compute_cost()
            if failure is None:
                failure = self._find_end_failure()
            if failure is None:
                return Trial(cost, (), at_s)
            return Trial(cost + PENALTY_PER_S * (LONGEST_S - at_s), (failure,), at_s)

    def _look(self) -> Stance:
        percept = self._world.percepts[0]
        feet = np.mean([percept.segment_com_w[members[0]] for members in self._feet], axis=0)
        ahead, height, speed = float(percept.com_w[0] - feet[0]), float(percept.com_w[2]), float(percept.com_vel_w[0])
        return Stance(ahead, height, speed, ahead + speed * float(np.sqrt(max(height, 0.0) / percept.gravity_mps2)))

    def _find_fall(self) -> str | None:
        """The direction of a fall, from the side of the head: after a fall, the feet say little about it."""
        if self._world.fell_at_s() is None:
            return None
        percept = self._world.percepts[0]
        return name_fall(float(percept.segment_com_w[self._head, 0] - percept.com_w[0]))

    @abstractmethod
    def _begin(self) -> None:
        """Reset the state of the previous motion."""

    @abstractmethod
    def _find_failure(self, stance: Stance, at_s: float) -> str | None:
        """The failure at this moment, which ends the motion."""

    @abstractmethod
    def _is_over(self, stance: Stance, at_s: float) -> bool:
        """Whether the phase has ended."""

    def _find_end_failure(self) -> str | None:
        """The failure of a motion that reached its end."""
        return None

    @abstractmethod
    def _compute_cost(self) -> float:
        """The objective of the state in which the motion ended."""


def name_fall(place_m: float) -> str:
    return FALL_FORWARD if place_m > 0.0 else FALL_BACKWARD
