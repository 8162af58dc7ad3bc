"""The world obeys mechanics: conservation in flight, internal torques, limits, implicit damping."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.errors import DivergedError
from poise.kernels.jit import kernel
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller, Start
from poise.world.world import Spawn, World

IN_FLIGHT_M = 5.0


@kernel
def wiggle(percept, params, memory, torque, damping):
    """Torques and dampings that change all the time, to shake every joint."""
    for k in range(torque.shape[0]):
        torque[k] = params[0] * np.sin(20.0 * percept.time_s[0] + k)
        damping[k] = params[1]


def free_of_armature(character: Character) -> Character:
    """The same body without rotor inertias, which stand outside of the balance of momentum."""
    segments = [
        s
        if s.joint is None
        else replace(s, joint=replace(s.joint, axes=tuple(replace(a, armature_kgm2=0.0) for a in s.joint.axes)))
        for s in character.segments
    ]
    return replace(character, segments=tuple(segments))


def make_flyer(name: str, torque_nm: float = 0.0, damping: float = 0.0, **settings: float) -> World:
    """A character high in the air, turning and moving, driven by `wiggle`."""
    character = free_of_armature(load_character(name))
    controller = Controller("wiggle", wiggle, np.array([torque_nm, damping]), np.zeros(1))
    world = World([character], [controller], settings=PhysicsSettings(**settings))
    percept = world.percepts[0]
    percept.root_q[2 if character.root == "free" else 1] += IN_FLIGHT_M
    percept.root_v[:] = np.linspace(-1.0, 1.0, len(percept.root_v))
    percept.joint_v[:] = np.linspace(0.5, -0.5, len(percept.joint_v))
    # Away from the stops, which would add torques of their own.
    percept.joint_q[:] = np.clip(0.0, percept.limits[:, 0] + 0.2, percept.limits[:, 1] - 0.2)
    return world


def momentum(world: World) -> tuple[np.ndarray, np.ndarray, float]:
    """Linear and angular momentum about the COM, and energy, from MuJoCo's own functions."""
    model, data = world.model, world.data
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    linear = data.subtree_linvel[1] * model.body_subtreemass[1]
    return linear.copy(), data.subtree_angmom[1].copy(), float(data.energy.sum())


@pytest.mark.parametrize("name", ["biped7", "humanoid"])
def test_internal_torques_leave_momentum_to_gravity(name: str) -> None:
    errors = []
    for timestep_s in (0.001, 0.0005):
        world = make_flyer(name, torque_nm=2.0, damping=0.5, timestep_s=timestep_s)
        linear, angular, _ = momentum(world)
        world.step(round(0.3 / timestep_s))
        after, angular_after, _ = momentum(world)
        mass = world.characters[0].mass_kg
        fall = np.array([0.0, 0.0, -mass * 9.81 * 0.3])
        assert after - linear == pytest.approx(fall, abs=2e-2 * mass * timestep_s / 0.0005)
        # The plane holds a planar body against all turns but pitch.
        turns = [1] if world.characters[0].root == "planar" else [0, 1, 2]
        errors.append(np.abs(angular_after - angular)[turns].max())
    # First order: half the step, half the error; and small beside what the torques could have done (2 N·m, 0.3 s).
    assert errors[1] < 0.62 * errors[0] + 1e-6
    assert errors[1] < 0.05


@pytest.mark.parametrize("name", ["biped7", "humanoid"])
def test_energy_is_kept_in_flight_without_torque_to_the_integrators_order(name: str) -> None:
    drifts = []
    for timestep_s in (0.001, 0.0005):
        world = make_flyer(name, timestep_s=timestep_s)
        before = momentum(world)[2]
        world.step(round(0.3 / timestep_s))
        drifts.append(abs(momentum(world)[2] - before))
    assert drifts[1] < 0.62 * drifts[0] + 1e-6
    assert drifts[1] < 1e-2 * abs(before)


def test_no_force_reaches_the_root_from_outside() -> None:
    world = make_flyer("humanoid", torque_nm=50.0, damping=3.0)
    for _ in range(50):
        world.step(1)
        assert not world.data.qfrc_applied[:6].any()
        assert not world.data.xfrc_applied.any()


def test_damping_is_implicit_and_matches_a_pendulum_by_hand() -> None:
    """One step of (M + hD)(v⁺ − v) = h(τ − Dv − bias), solved with MuJoCo's own mass matrix."""
    world = make_flyer("biped7", torque_nm=5.0, damping=200.0)
    world.step(3)
    before, mass = world.data.qvel.copy(), np.zeros((world.model.nv, world.model.nv))
    mujoco.mj_forward(world.model, world.data)
    mujoco.mj_fullM(world.model, world.data, mass)
    bias = world.data.qfrc_bias.copy()
    time_s, dt = world.tick * 0.0005, 0.0005
    torque, damping = np.zeros(world.model.nv), np.zeros(world.model.nv)
    torque[3:], damping[3:] = 5.0 * np.sin(20.0 * time_s + np.arange(6)), 200.0
    expected = before + np.linalg.solve(mass + dt * np.diag(damping), dt * (torque - damping * before - bias))
    world.step(1)
    assert world.data.qvel == pytest.approx(expected, abs=1e-9)


def test_torque_limits_hold_for_torque_and_damping_together_also_at_impacts() -> None:
    from poise.controllers.catalog import load_controller
    from poise.world.tape import TapeLog

    plain = load_character("biped7")
    limited = replace(
        plain,
        segments=tuple(
            s
            if s.joint is None
            else replace(s, joint=replace(s.joint, axes=tuple(replace(a, torque_limit_nm=60.0) for a in s.joint.axes)))
            for s in plain.segments
        ),
    )
    world = World([limited], [load_controller("simbicon/planar-walk", limited)])
    log = TapeLog()
    world.advance(4000, record_every=1, log=log)
    torque = log.arrays()["torque"]
    assert np.abs(torque).max() <= 60.0
    assert world.ledger.tallies[0].peak_torque_nm <= 60.0
    assert (np.abs(torque) == 60.0).any(), "the limit was never reached, so nothing was tested"


def test_a_diverging_state_raises_with_a_snapshot_from_before() -> None:
    world = make_flyer("biped7", torque_nm=1e14)
    with pytest.raises(DivergedError) as caught:
        world.step(4000)
    assert np.isfinite(caught.value.snapshot.physics).all()
    world.restore(caught.value.snapshot)
    assert np.isfinite(world.data.qpos).all()


def test_two_characters_stand_in_one_world_and_fall_apart() -> None:
    character = load_character("humanoid")
    world = World([character, character], spawns=[Spawn(), Spawn(y_m=2.0, heading_rad=np.pi)])
    world.step(2000)
    assert world.fell_at_s(0) is not None and world.fell_at_s(1) is not None
    assert world.percepts[1].pos_w[0, 1] == pytest.approx(2.0, abs=0.5)
    assert world.percepts[0].heading_rad[0] == pytest.approx(0.0, abs=0.3)


def test_a_start_velocity_is_in_the_heading_frame() -> None:
    character = load_character("humanoid")
    still = Controller("limp", wiggle, np.zeros(2), np.zeros(1), start=Start(root_vel_mps=(1.0, 0.0, 0.0)))
    world = World([character], [still], spawns=[Spawn(heading_rad=np.pi / 2)])
    assert world.data.qvel[:3] == pytest.approx([0.0, 1.0, 0.0])


@kernel
def divide_by_zero(percept, params, memory, torque, damping):
    torque[0] = 1.0 / memory[0]


def test_a_law_that_divides_by_zero_is_a_divergence_not_a_crash() -> None:
    world = World([load_character("biped7")], [Controller("zero", divide_by_zero, np.zeros(1), np.zeros(1))])
    with pytest.raises(DivergedError):
        world.step(10)
