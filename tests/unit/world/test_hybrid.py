"""Driving by accelerations: the torques that the world finds give the joints what was asked, and the root nothing."""

import mujoco
import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.errors import InputError
from poise.kernels.jit import law
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller
from poise.world.disturbances import Push
from poise.world.views import lowest_point_m
from poise.world.world import World


@law
def _ask_fixed(percept, params, memory, torque, damping):
    """Asks for the accelerations that stand in params."""
    for k in range(torque.shape[0]):
        torque[k] = params[k]


def _open_world(name: str, seed: int) -> tuple[World, np.ndarray]:
    """A body thrown into a random state near the ground, where it asks for random accelerations."""
    character = load_character(name)
    random = np.random.default_rng(seed)
    wanted = random.uniform(-30.0, 30.0, len(character.axes))
    controller = Controller("fixed", _ask_fixed, wanted, np.zeros(1), drives="acceleration", limits_itself=True)
    world = World([character], [controller], settings=PhysicsSettings(1.0 / 900.0, ground="springs"))
    p = world.percepts[0]
    p.joint_q[:] = random.uniform(-0.8, 0.8, len(p.joint_q))
    p.joint_v[:] = random.uniform(-3.0, 3.0, len(p.joint_v))
    p.root_v[:] = random.uniform(-1.0, 1.0, len(p.root_v))
    # Falling, with some points in the ground.
    p.root_v[2] = -2.0
    mujoco.mj_kinematics(world.model, world.data)
    p.root_q[2] -= 0.1 + lowest_point_m(world.model, world.data, world._stage, 0)
    mujoco.mj_forward(world.model, world.data)
    return world, wanted


@pytest.mark.parametrize("name", ["lee13", "lee13_heavy", "laszlo_human"])
@pytest.mark.parametrize("seed", [1, 2])
def test_forward_dynamics_give_the_accelerations_that_were_asked_for(name: str, seed: int) -> None:
    world, wanted = _open_world(name, seed)
    world.push(Push(90.0, 30.0, start_s=0.0, duration_s=0.1))
    world.step(1)
    assert np.abs(world.data.xfrc_applied).max() > 80.0, "nothing from outside acts, so nothing is tested"
    first = world.characters[0].root_dofs
    assert np.abs(world.data.qacc[first:] - wanted).max() < 1e-8


def test_nothing_drives_the_root_and_momentum_changes_by_outside_forces_alone() -> None:
    world, _ = _open_world("lee13", 3)
    mass, before = world.characters[0].mass_kg, _momentum(world)
    world.step(1)
    dt = world.settings.timestep_s
    gravity = np.array([0.0, 0.0, -mass * world.settings.gravity_mps2])
    force = world.data.xfrc_applied[:, :3].sum(axis=0) + gravity
    assert np.allclose(world.data.qfrc_applied[:6], 0.0)
    assert (_momentum(world) - before) / dt == pytest.approx(force, rel=0.01, abs=2.0)
    assert np.abs(force - gravity).max() > 10.0, "the ground does not act, so nothing is tested"


def _momentum(world: World) -> np.ndarray:
    mujoco.mj_kinematics(world.model, world.data)
    mujoco.mj_comPos(world.model, world.data)
    mujoco.mj_comVel(world.model, world.data)
    mujoco.mj_subtreeVel(world.model, world.data)
    return world.characters[0].mass_kg * world.data.subtree_linvel[1].copy()


def test_an_unknown_kind_of_drive_is_refused() -> None:
    character = load_character("lee13")
    controller = Controller("odd", _ask_fixed, np.zeros(36), np.zeros(1), drives="speed")
    with pytest.raises(InputError) as error:
        World([character], [controller])
    assert str(error.value) == "controller odd: no kind of drive named 'speed'. Known here: torque, acceleration."
