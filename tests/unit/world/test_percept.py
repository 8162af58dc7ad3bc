"""What laws see: named fields of the percept, and the named columns of the loop's arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.errors import InputError
from poise.kernels.ground import probe_ground
from poise.kernels.jit import law
from poise.world.controller import Controller
from poise.world.environment import Entity, Environment
from poise.world.handling import refresh_percepts
from poise.world.layout import TALLY
from poise.world.props import ball, crate
from poise.world.senses import sense, sense_ground, sense_prop
from poise.world.terrain import slope, walls
from poise.world.world import Push, Spawn, World

#: A quarter turn to the left.
QUARTER_TURN = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))


@law
def note(percept, params, memory, torque, damping):
    """Copies what it sees into its memory."""
    memory[0], memory[1], memory[2] = percept.time_s[0], percept.timestep_s, percept.gravity_mps2
    for j in range(3):
        memory[3 + j], memory[6 + j] = percept.com_w[j], percept.com_vel_w[j]
    memory[9] = percept.heading_rad[0]
    memory[10], memory[11] = percept.heading_w[0], percept.heading_w[1]
    memory[12] = percept.segment_com_w[0, 2]
    torque[0] = 3.0


@pytest.fixture
def world() -> World:
    controller = Controller("note", note, np.zeros(1), np.zeros(16))
    return World([load_character("humanoid")], [controller], spawns=[Spawn(1.0, 2.0, heading_rad=0.7)])


def test_a_law_reads_time_and_body_by_name(world):
    world.push(Push(force_n=50.0, direction_deg=0.0, start_s=0.0, duration_s=0.02))
    world.step(20)
    refresh_percepts(world)
    felt = sense(world)
    memory = world.memories[0]
    before = world.time_s - world.settings.timestep_s
    assert memory[0] == pytest.approx(before) and memory[1] == world.settings.timestep_s and memory[2] == 9.81
    percept = world.percepts[0]
    assert percept.com_w == pytest.approx(felt.com_w_m) and percept.com_vel_w == pytest.approx(felt.com_vel_w_mps)
    # The law saw the tick before.
    assert memory[3:6] == pytest.approx(felt.com_w_m - world.settings.timestep_s * felt.com_vel_w_mps, abs=1e-4)
    assert memory[6:9] == pytest.approx(felt.com_vel_w_mps, abs=0.01)
    assert memory[9] == pytest.approx(0.7, abs=0.05)
    assert memory[10:12] == pytest.approx([math.cos(memory[9]), math.sin(memory[9])])
    assert memory[12] == pytest.approx(percept.segment_com_w[0, 2], abs=0.01)


def test_counters_and_tallies_have_names(world):
    world.push(Push(force_n=50.0, direction_deg=0.0, start_s=10.0, duration_s=0.1))
    world.step(7)
    counters = world.ledger.counts
    assert (counters.tick, counters.pushes, counters.springs) == (7, 1, 0)
    assert counters.contacts == world.ledger.counts.contacts > 0
    tally = world.ledger.tallies[0]
    assert tally.peak_torque_nm == pytest.approx(3.0)
    assert tally.torque_sum_nm == pytest.approx(7 * 3.0)
    assert tally.samples == 7 * len(world.characters[0].axes)
    assert world.ledger.tally.shape == (1, len(TALLY.names))


@law
def look_around(percept, params, memory, torque, damping):
    """Keeps what the ground is like under its centre of mass, and where props and handles are."""
    z, nx, ny, nz = probe_ground(percept.ground, percept.com_w[0], percept.com_w[1])
    memory[0], memory[1], memory[2], memory[3] = z, nx, ny, nz
    for j in range(3):
        memory[4 + j] = percept.props.pos_w[1, j]
        memory[7 + j] = percept.props.spatial_vel[1, 3 + j]
        memory[10 + j] = percept.props.handle_pos_w[1, j]
    memory[13] = percept.props.handle_prop[1]


def test_a_law_finds_the_ground_and_the_props():
    things = [ball(free=False, position_m=(0.0, 3.0, 0.2)), crate(position_m=(5.0, 1.0, 2.0), quat_wxyz=QUARTER_TURN)]
    controller = Controller("look", look_around, np.zeros(1), np.zeros(14))
    world = World(
        [load_character("humanoid")],
        [controller],
        terrain=slope(10.0),
        props=things,
        spawns=[Spawn(3.0, 0.0)],
    )
    world.step(1)
    memory = world.memories[0].copy()
    under = sense_ground(world, *world.percepts[0].com_w[:2])
    assert memory[:4] == pytest.approx([under.height_m, *under.normal_w])
    assert under.height_m == pytest.approx(math.tan(math.radians(10.0)) * (world.percepts[0].com_w[0] - 1.0))
    assert memory[4:7] == pytest.approx([5.0, 1.0, 2.0]) and memory[7:10].tolist() == [0.0, 0.0, 0.0]
    # The right handle is at -y of the crate, which is turned to the left by a quarter.
    assert memory[10:13] == pytest.approx([5.2, 1.0, 2.0]) and memory[13] == 1.0
    world.step(199)
    fallen = sense_prop(world, "crate")
    time_s = world.time_s
    assert fallen.com_vel_w_mps == pytest.approx([0.0, 0.0, -9.81 * time_s])
    assert fallen.position_w_m == pytest.approx([5.0, 1.0, 2.0 - 0.5 * 9.81 * time_s**2], abs=0.01)
    assert fallen.handles_w_m["left"] == pytest.approx(fallen.position_w_m + [-0.2, 0.0, 0.0])
    assert fallen.angular_vel_w_radps == pytest.approx([0.0, 0.0, 0.0])
    assert sense_prop(world, "ball").handles_w_m == {}
    with pytest.raises(InputError) as error:
        sense_prop(world, "crat")
    assert str(error.value) == "world: no prop named 'crat'. Known here: ball, crate. Did you mean 'crate'?"


def test_entities_that_are_passed_through_are_no_ground():
    terrain = walls(height_m=0.3, start_m=2.0)
    brought = Environment(terrain=terrain, entities={"wall": Entity(geoms=("solid0",))})
    world = World(
        [load_character("humanoid")], [Controller("note", note, np.zeros(1), np.zeros(16), environment=brought)]
    )
    before = world.snapshot()
    assert sense_ground(world, 2.02, 0.0).height_m == pytest.approx(0.3)
    world.surroundings.toggle(world.notebook, "wall", collides=True)
    assert sense_ground(world, 2.02, 0.0).height_m == 0.0
    world.restore(before)
    assert sense_ground(world, 2.02, 0.0).height_m == pytest.approx(0.3)
