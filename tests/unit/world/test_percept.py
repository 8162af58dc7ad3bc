"""What laws see: named fields of the percept, and the named columns of the loop's arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.kernels.jit import law
from poise.world.controller import Controller
from poise.world.handling import refresh_percepts
from poise.world.layout import TALLY
from poise.world.senses import sense
from poise.world.world import Push, Spawn, World


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
