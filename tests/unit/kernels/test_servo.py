"""Servos add their torque and leave their damping to the integrator; feet add up what they carry."""

from __future__ import annotations

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.kernels.feet import foot_load
from poise.kernels.jit import kernel
from poise.kernels.servo import add_moving_servo, add_servo
from poise.world.world import World


@kernel
def serve_two(percept, torque, damping):
    add_servo(percept, 1, 0.5, 100.0, 7.0, torque, damping)
    add_moving_servo(percept, 2, 0.5, 2.0, 100.0, 7.0, 0.1, torque, damping)


@kernel
def weigh(percept, out):
    out[0], out[1] = foot_load(percept, 0), foot_load(percept, 1)


def test_servos_add_to_what_is_there():
    world = World([load_character("humanoid")])
    percept = world.percepts[0]
    percept.joint_q[1], percept.joint_q[2] = 0.2, 0.7
    torque, damping = np.ones(len(percept.joint_q)), np.zeros(len(percept.joint_q))
    serve_two(percept, torque, damping)
    assert torque[:4] == pytest.approx([1.0, 1.0 + 100.0 * 0.3, 1.0 + 0.1 * (100.0 * -0.2 + 7.0 * 2.0), 1.0])
    assert damping[:4] == pytest.approx([0.0, 7.0, 0.7, 0.0])


@pytest.mark.parametrize("name", ["humanoid", "biped7"])
def test_the_load_of_a_foot_includes_its_toes(name):
    character = load_character(name)
    world = World([character])
    percept, loads = world.percepts[0], np.zeros(2)
    percept.touch_load[:] = 2.0 ** np.arange(len(percept.touch_load))
    weigh(percept, loads)
    for side, load in zip(("left", "right"), loads, strict=True):
        parts = [character.roles[r] for r in (f"{side}_foot", f"{side}_toes") if r in character.roles]
        assert load == sum(2.0 ** character.segment_names.index(part) for part in parts)
