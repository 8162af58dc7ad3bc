"""States that no controller likes: fallen, thrown into the air, spinning, joints at their ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from poise.characters.model import Character
from poise.world.controller import Start
from poise.world.world import World

#: Where an axis has no limit, its end is put here.
FREE_END_RAD = 1.0
LIFT_M = 1.5
SPIN_RADPS = (4.0, 9.0, -5.0)
JOINT_SPEED_RADPS = 5.0


def lie_down(world: World, pitch_rad: float) -> None:
    """On its face (positive) or on its back, in the pose in which the controller begins."""
    start = world.controllers[0].start
    world.place(0, Start(joint_q_rad=start.joint_q_rad, root_pitch_rad=pitch_rad), world.spawns[0])


def lift(world: World, height_m: float = LIFT_M) -> None:
    """Up into the air, as it stands."""
    world.percepts[0].root_q[height_index(world.characters[0])] += height_m


def spin(world: World) -> None:
    """Into the air, turning about every axis that it has, its joints moving."""
    lift(world)
    percept = world.percepts[0]
    if world.characters[0].root == "free":
        percept.root_v[3:6] = SPIN_RADPS
    else:
        percept.root_v[2] = SPIN_RADPS[1]
    percept.joint_v[:] = JOINT_SPEED_RADPS * np.where(np.arange(len(percept.joint_v)) % 2, -1.0, 1.0)


def bend_to_the_end(world: World, side: int) -> None:
    """Every joint at its lower (0) or upper (1) end."""
    world.place(0, Start(joint_q_rad=_ends(world.characters[0], side)), world.spawns[0])


def height_index(character: Character) -> int:
    """Where the root's height stands in its coordinates."""
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
    "with all joints at their lower ends": lambda world: bend_to_the_end(world, 0),
    "with all joints at their upper ends": lambda world: bend_to_the_end(world, 1),
}


def each_posture(open_world: Callable[[], World]) -> Iterator[tuple[str, World]]:
    """A fresh world in each posture, with its name."""
    for name, pose in POSTURES.items():
        world = open_world()
        pose(world)
        yield name, world
