"""Virtual forces against MuJoCo's own Jacobians, and point velocities against its own velocities."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.kernels.jacobian import add_virtual_force, axis_force, com_force, point_velocity
from poise.kernels.jit import kernel
from poise.world.handling import refresh_percepts
from poise.world.world import World


@kernel
def push_segment(percept, segment, point, force, torque):
    add_virtual_force(percept, segment, point[0], point[1], point[2], force[0], force[1], force[2], torque)


@kernel
def push_axes(percept, point, force, at_point, at_com):
    for k in range(at_point.shape[0]):
        at_point[k] = axis_force(percept, k, point[0], point[1], point[2], force[0], force[1], force[2])
        at_com[k] = com_force(percept, k, force[0], force[1], force[2])


@pytest.fixture
def world() -> World:
    world = World([load_character("humanoid")])
    percept, random = world.percepts[0], np.random.default_rng(3)
    percept.joint_q[:] = np.clip(random.uniform(-0.8, 0.8, len(percept.joint_q)), *percept.limits[:, :2].T)
    percept.joint_v[:] = random.uniform(-2.0, 2.0, len(percept.joint_v))
    percept.root_v[:] = random.uniform(-1.0, 1.0, 6)
    refresh_percepts(world)
    return world


def test_a_virtual_force_is_the_transposed_jacobian_times_it(world):
    character, percept = world.characters[0], world.percepts[0]
    force, body = np.array([30.0, -12.0, 50.0]), world.body("left_forearm")
    point = percept.pos_w[character.segment_names.index("left_forearm")] + [0.05, 0.02, -0.1]
    jacobian = np.zeros((3, world.model.nv))
    mujoco.mj_jac(world.model, world.data, jacobian, None, point, body)
    expected = (jacobian.T @ force)[6:]
    torque = np.zeros(len(character.axes))
    push_segment(percept, character.segment_names.index("left_forearm"), point, force, torque)
    assert torque == pytest.approx(expected, abs=1e-9)
    one_by_one, at_com = np.zeros_like(torque), np.zeros_like(torque)
    push_axes(percept, point, force, one_by_one, at_com)
    moved = expected != 0.0
    assert one_by_one[moved] == pytest.approx(expected[moved], abs=1e-9)
    push_axes(percept, percept.com_w.copy(), force, one_by_one, one_by_one.copy())
    assert at_com == pytest.approx(one_by_one, abs=1e-9)


def test_points_move_as_mujoco_says(world):
    percept, segment = world.percepts[0], world.characters[0].segment_names.index("right_foot")
    offset, velocity = percept.pos_w[segment] - percept.com_w, np.zeros(6)
    mujoco.mj_objectVelocity(world.model, world.data, mujoco.mjtObj.mjOBJ_XBODY, world.body("right_foot"), velocity, 0)
    assert point_velocity(percept.spatial_vel[segment], *offset) == pytest.approx(tuple(velocity[3:]), abs=1e-9)
