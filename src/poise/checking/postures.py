"""Difficult states: fallen, in the air, spinning, joints at their limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from poise.characters.model import Character
from poise.world.controller import Start
from poise.world.world import World

#: Angle used for an axis without a limit.
FREE_END_RAD = 1.0
LIFT_M = 1.5
SPIN_RADPS = (4.0, 9.0, -5.0)
JOINT_SPEED_RADPS = 5.0


def lie_down(world: World, pitch_rad: float) -> None:
    """Lays the body on its face (positive pitch) or back, in the controller's start pose."""
    start = world.controllers[0].start
    world.place(0, Start(joint_q_rad=start.joint_q_rad, root_pitch_rad=pitch_rad), world.spawns[0])


def lift(world: World, height_m: float = LIFT_M) -> None:
    """Raises the body into the air in its current pose."""
    world.percepts[0].root_q[height_index(world.characters[0])] += height_m


def spin(world: World) -> None:
    """Raises the body into the air, rotating about every free axis, with moving joints."""
    lift(world)
    percept = world.percepts[0]
    if world.characters[0].root == "free":
        percept.root_v[3:6] = SPIN_RADPS
    else:
        percept.root_v[2] = SPIN_RADPS[1]
    percept.joint_v[:] = JOINT_SPEED_RADPS * np.where(np.arange(len(percept.joint_v)) % 2, -1.0, 1.0)


def bend_to_the_end(world: World, side: int) -> None:
    """Puts every joint at its lower (0) or upper (1) limit."""
    world.place(0, Start(joint_q_rad=_ends(world.characters[0], side)), world.spawns[0])


def height_index(character: Character) -> int:
    """Index of the root's height in its coordinates."""
    return 2 if character.root == "free" else 1


def _ends(character: Character, side: int) -> Mapping[str, float]:
    ends = {}
    for axis in character.axes:
        end = axis.high_rad if side else axis.low_rad
        ends[axis.name] = end if math.isfinite(end) else math.copysign(FREE_END_RAD, end)
    return ends


POSTURES: Mapping[str, Callable[[World], None]] = {
    "from its start": lambda world: None,
    "fallen on its face": lambda world: lie_down(world, 0.5 * math.pi),
    "fallen on its back": lambda world: lie_down(world, -0.5 * math.pi),
    "dropped from the air": lift,
    "spinning in the air": spin,
    "with all joints at their lower limits": lambda world: bend_to_the_end(world, 0),
    "with all joints at their upper limits": lambda world: bend_to_the_end(world, 1),
}


def each_posture(open_world: Callable[[], World]) -> Iterator[tuple[str, World]]:
    """Yields the name of each posture and a fresh world in it."""
    for name, pose in POSTURES.items():
        world = open_world()
        pose(world)
        yield name, world
