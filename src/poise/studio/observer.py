"""Measuring what pages show of a world: one `Moment` per call."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.characters.kinematics import compute_height_m
from poise.characters.model import SIDES, Character
from poise.controllers.script.whereabouts import Stack, read_stack
from poise.controllers.walker.facing import is_walker
from poise.controllers.walker.plan import read_step_plan
from poise.studio.moment import Moment
from poise.studio.posture import Posture
from poise.world.disturbances import Spawn
from poise.world.world import World

#: Depth of a hole that the steering arrow bridges, in body heights, as in `web/theatre.js`.
HOLE: Final = 0.25


class Observer:
    """Measures the first character of a world. `phases` are the phase names of its script, if it runs one."""

    def __init__(self, world: World, bodies: Sequence[str], spawn: Spawn, phases: Sequence[str] = ()) -> None:
        self._world, self._spawn, self._phases = world, spawn, phases
        self._character: Character = world.characters[0]
        self._bodies = np.array([world.body(name) for name in bodies])
        names, roles = self._character.segment_names, self._character.roles
        self._trunk = names.index(roles["trunk"])
        self._hole_m = HOLE * compute_height_m(self._character)
        self._feet = [names.index(roles[f"{side}_foot"]) for side in SIDES]

    @property
    def weight_n(self) -> float:
        """Weight of the character; without gravity, as if it were 1 m/s²."""
        return self._character.mass_kg * max(self._world.settings.gravity_mps2, 1.0)

    @property
    def trunk_com_w_m(self) -> NDArray[np.float64]:
        """Centre of mass of the trunk."""
        return self._world.percepts[0].segment_com_w[self._trunk]

    def measure(self, posture: Posture) -> Moment:
        """The current moment of a run with a posture."""
        world, percept = self._world, self._world.percepts[0]
        pose = np.empty((len(self._bodies), 7))
        pose[:, :3] = world.state.body_pos_w_m[self._bodies]
        pose[:, 3:] = world.state.body_quat_wxyz[self._bodies]
        com, (cos, sin) = percept.com_w, percept.heading_w
        return Moment(
            time_s=world.time_s,
            pose=pose,
            pushes=self._measure_pushes(),
            com_w_m=(float(com[0]), float(com[1]), float(com[2])),
            speed_mps=float(percept.com_vel_w[0] * cos + percept.com_vel_w[1] * sin),
            posture=posture,
            scripted=bool(self._phases),
            heading_rad=float(percept.heading_rad[0]),
            distance_m=self._measure_distance_m(),
            floor_m=self._measure_floor_m(),
            phase=self._measure_phase(),
            stack=self.measure_stack(),
            tick=world.tick,
        )

    def measure_stack(self) -> Stack:
        """The phases of a script that are running."""
        world = self._world
        return read_stack(self._phases, world.params[0], world.memories[0]) if self._phases else ()

    def _measure_distance_m(self) -> float:
        """Distance from the start: along x for planar characters, straight-line for free ones."""
        x_m, y_m = (float(v) for v in self._world.percepts[0].com_w[:2])
        if self._character.root == "planar":
            return x_m
        return math.hypot(x_m - self._spawn.x_m, y_m - self._spawn.y_m)

    def _measure_floor_m(self) -> float:
        """Height of the ground below the character. A hole below it is bridged at the height of a foot."""
        percept, surface = self._world.percepts[0], self._world.terrain.height_m
        feet = [percept.pos_w[foot].tolist() for foot in self._feet]
        below_m = surface(*percept.com_w[:2].tolist())
        ground_m = max(surface(x, y) for x, y, _ in feet)
        if below_m < ground_m - self._hole_m:
            below_m = ground_m
        # Both feet are above the hole.
        low_m = min(z for _, _, z in feet)
        return below_m if below_m > low_m - self._hole_m else low_m

    def _measure_phase(self) -> float | None:
        """Phase of a walker's step; None while it stands, and for other controllers."""
        world = self._world
        return read_step_plan(world.memories[0]).phase if is_walker(world.controllers[0]) else None

    def _measure_pushes(self) -> NDArray[np.float64]:
        """Point of application and force / weight of every active push."""
        rows = self._world.ledger.pushes
        acting = rows[rows[:, 0] == 2.0]
        return np.hstack([self._world.state.body_com_w_m[acting[:, 1].astype(int)], acting[:, 7:10] / self.weight_n])
