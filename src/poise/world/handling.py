"""Reads and updates a body's state from outside the loop, between two ticks."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from poise.world.physics import addresses, step1
from poise.world.sense import sense_whole
from poise.world.world import World

FloatArray = NDArray[np.float64]


class PartMotion(NamedTuple):
    """For every segment of a character: centre of mass, rotation matrix, velocity of the centre, angular velocity."""

    centre_w_m: FloatArray  # (n, 3)
    rotation_w: FloatArray  # (n, 9)
    velocity_w_mps: FloatArray  # (n, 3)
    rate_w_radps: FloatArray  # (n, 3)


def _first_body(world: World, character: int) -> int:
    return world.body(world.characters[character].segment_names[0], character)


def read_parts(world: World, character: int) -> PartMotion:
    """Current poses and velocities of the segments; the next tick begins with the same computations."""
    model, data = world.model, world.data
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    first, count = _first_body(world, character), len(world.characters[character].segments)
    motions = np.zeros((count, 6))
    for k in range(count):
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, first + k, motions[k], 0)
    bodies = slice(first, first + count)
    return PartMotion(data.xipos[bodies].copy(), data.xmat[bodies].copy(), motions[:, 3:], motions[:, :3])


def feel_contacts(world: World, character: int) -> None:
    """Updates a character's contact loads after its body was moved."""
    model, data = world.model, world.data
    mujoco.mj_forward(model, data)
    percept, first = world.percepts[character], _first_body(world, character)
    percept.touch_load[:], percept.touch_force_w[:] = 0.0, 0.0
    wrench = np.zeros(6)
    for k in range(data.ncon):
        mujoco.mj_contactForce(model, data, k, wrench)
        for geom in data.contact[k].geom:
            segment = int(model.geom_bodyid[geom]) - first
            if 0 <= segment < len(percept.touch_load):
                percept.touch_load[segment] += wrench[0]


def read_wanted_accelerations(world: World) -> FloatArray:
    """Return the acceleration commanded in the last tick per degree of freedom; zero under torque controllers."""
    return world._scratch.acceleration.copy()


def refresh_percepts(world: World) -> None:
    """Update the percepts to the current state, as the loop does before it calls the laws."""
    step1(addresses(world.model, world.data))
    for percept, character in zip(world.percepts, world.characters, strict=True):
        sense_whole(percept, character.root == "planar")
