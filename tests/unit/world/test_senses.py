"""Sensing agrees with finite differences of what was recorded, and with each other."""

from __future__ import annotations

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.measures.momentum import compute_com_w_m, compute_momentum
from poise.recordings.contacts import compute_center_of_pressure_m, compute_support_polygon_m
from poise.recordings.recording import Recording
from poise.rollout.simulate import simulate
from poise.world.senses import sense
from poise.world.world import Push, World

MOVERS = [("biped7", "simbicon/planar-walk"), ("humanoid", "pose/hold")]


def make_world(name: str, controller: str) -> World:
    character = load_character(name)
    return World([character], [load_controller(controller, character)])


def record(name: str, controller: str, seconds: float) -> Recording:
    return simulate(make_world(name, controller), seconds, record_hz=2000.0)


@pytest.mark.parametrize(("name", "controller"), MOVERS)
def test_com_velocity_agrees_with_differences_of_the_recorded_com(name: str, controller: str) -> None:
    recording = record(name, controller, 1.0)
    com, velocity, time_s = recording.com_w_m[:, 0], recording.com_vel_w_mps[:, 0], recording.time_s
    # Semi-implicit Euler moves with the speed at the end of the step.
    differences = np.diff(com, axis=0) / np.diff(time_s)[:, None]
    assert np.abs(differences - velocity[1:]).max() < 2e-3
    assert com == pytest.approx(compute_com_w_m(recording), abs=1e-9)


@pytest.mark.parametrize(("name", "controller"), MOVERS)
def test_change_of_momentum_is_what_contacts_and_gravity_give(name: str, controller: str) -> None:
    recording = record(name, controller, 1.0)
    mass = recording.characters[0].mass_kg
    momentum = mass * recording.com_vel_w_mps[:, 0]
    count = np.diff(recording.contact_start)
    frame = np.repeat(np.arange(len(count)), count)
    force = np.zeros_like(momentum)
    np.add.at(force, frame, recording.contact_force_w_n)
    force[:, 2] -= mass * 9.81
    impulse = np.cumsum(force[:-1], axis=0) * recording.timestep_s
    error = np.abs(momentum[1:] - momentum[0] - impulse)
    assert error[:, [0, 2]].max() < 0.02 * mass, "more than 2 cm/s of momentum came from nowhere"


@pytest.mark.parametrize(("name", "controller"), MOVERS)
def test_live_senses_agree_with_the_recording(name: str, controller: str) -> None:
    recording = record(name, controller, 0.5)
    world = make_world(name, controller)
    world.step(800)
    felt = sense(world)
    frame = 800
    assert felt.com_w_m == pytest.approx(recording.com_w_m[frame, 0], abs=1e-9)
    assert felt.com_vel_w_mps == pytest.approx(recording.com_vel_w_mps[frame, 0], abs=1e-9)
    momentum = compute_momentum(recording)
    assert felt.linear_momentum_w_kgmps == pytest.approx(momentum.linear_w_kgmps[frame], abs=1e-6)
    turns = [1] if recording.characters[0].root == "planar" else [0, 1, 2]
    spin = felt.angular_momentum_w_kgm2ps[turns]
    assert spin == pytest.approx(momentum.angular_w_kgm2ps[frame][turns], abs=2e-2)
    # The contacts that are felt are those of the step before.
    assert felt.center_of_pressure_w_m == pytest.approx(compute_center_of_pressure_m(recording)[frame - 1], abs=1e-9)
    assert felt.support_polygon_w_m == pytest.approx(compute_support_polygon_m(recording, frame - 1))


def test_looking_does_not_change_what_happens() -> None:
    looked, blind = make_world(*MOVERS[0]), make_world(*MOVERS[0])
    for _ in range(40):
        looked.step(10)
        sense(looked)
    blind.step(400)
    assert looked.data.qpos.tobytes() == blind.data.qpos.tobytes()


def test_the_heading_frame_turns_with_the_pelvis() -> None:
    from poise.world.world import Spawn

    character = load_character("humanoid")
    world = World([character], spawns=[Spawn(heading_rad=0.5 * np.pi)])
    felt = sense(world)
    assert felt.heading_rad == pytest.approx(0.5 * np.pi)
    assert felt.to_heading(np.array([0.0, 1.0, 0.0])) == pytest.approx([1.0, 0.0, 0.0])


def test_standing_touches_are_the_feet_on_the_ground_and_carry_the_weight() -> None:
    world = make_world("humanoid", "pose/hold")
    world.step(200)
    felt = sense(world)
    assert {t.other for t in felt.touches} == {"ground"}
    assert {t.segment for t in felt.touches} <= {"left_foot", "right_foot", "left_toes", "right_toes"}
    total = sum(t.force_w_n[2] for t in felt.touches)
    assert total == pytest.approx(world.characters[0].mass_kg * 9.81, rel=0.3)


def test_a_push_in_the_heading_frame_moves_that_way() -> None:
    from poise.world.world import Spawn

    character = load_character("humanoid")
    for heading, direction, expected in ((0.0, 0.0, (1, 0)), (0.0, 90.0, (0, 1)), (0.5 * np.pi, 0.0, (0, 1))):
        world = World([character], spawns=[Spawn(heading_rad=heading)])
        world.push(Push(force_n=2000.0, direction_deg=direction, start_s=0.0, duration_s=0.05))
        world.step(100)
        way = sense(world).com_vel_w_mps[:2]
        assert way / np.linalg.norm(way) == pytest.approx(expected, abs=0.2)


@pytest.mark.parametrize(("name", "controller"), MOVERS)
def test_the_center_of_pressure_explains_how_the_body_turns(name: str, controller: str) -> None:
    """Angular momentum about the COM, by differences of the poses, grows by (CoP − COM) × F about the pitch axis."""
    recording = record(name, controller, 1.0)
    pressure = compute_center_of_pressure_m(recording)
    count = np.diff(recording.contact_start)
    force = np.zeros((recording.frames, 3))
    np.add.at(force, np.repeat(np.arange(len(count)), count), recording.contact_force_w_n)
    arm = np.where(np.isnan(pressure), 0.0, pressure - recording.com_w_m[:, 0])
    turning = np.cumsum(np.cross(arm, force)[:, 1]) * recording.timestep_s
    spin = compute_momentum(recording).angular_w_kgm2ps[:, 1]
    # Central differences are of the middle of two steps; the ends are one-sided.
    error = np.abs((spin[2:-1] - spin[1]) - (turning[1:-2] - turning[0]))
    wrong = np.abs((spin[2:-1] - spin[1]) + (turning[1:-2] - turning[0]))
    assert error.max() < 0.15 * np.abs(turning).max()
    assert wrong.max() > 0.5 * np.abs(turning).max(), "too little turning to tell"


@pytest.mark.parametrize(("name", "controller"), MOVERS)
def test_the_center_of_pressure_lies_in_the_support_polygon(name: str, controller: str) -> None:
    recording = record(name, controller, 1.0)
    pressure = compute_center_of_pressure_m(recording)
    seen = 0
    for frame in range(0, recording.frames, 50):
        polygon = compute_support_polygon_m(recording, frame)
        if not len(polygon):
            assert np.isnan(pressure[frame]).all()
            continue
        low, high = polygon.min(axis=0) - 1e-9, polygon.max(axis=0) + 1e-9
        assert ((low <= pressure[frame, :2]) & (pressure[frame, :2] <= high)).all()
        seen += 1
    assert seen > 10
