"""Many characters in one world: room for all of them, and each as if it were alone until they touch."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.benchmarks.crowd import count_contacts_between, measure_crowd, open_crowd
from poise.characters.catalog import load_character
from poise.constants import ARENA_BYTES, MAX_CONTACTS
from poise.errors import InputError
from poise.world.compile import MAX_CHARACTERS
from poise.world.world import World


def test_opening_a_crowd_never_stacks_it_in_one_spot() -> None:
    """Twenty-eight bodies in one spot would have thousands of contacts, more than there is memory for."""
    world = open_crowd(count=MAX_CHARACTERS)
    assert all(w.number == 0 for w in world.data.warning)
    assert world.data.maxuse_arena < 0.05 * ARENA_BYTES
    assert count_contacts_between(world) == 0


def test_the_contact_table_grows_with_the_crowd() -> None:
    assert len(open_crowd(count=1).ledger.contact_rows) == MAX_CONTACTS
    assert len(open_crowd(count=16).ledger.contact_rows) == 3 * MAX_CONTACTS


def test_a_heap_of_bodies_keeps_all_its_contacts() -> None:
    world = open_crowd(count=9, spacing_m=0.4)
    world.step(2500)
    assert count_contacts_between(world) > 0
    force = np.zeros(6)
    pressed = 0
    for k in range(world.data.ncon):
        mujoco.mj_contactForce(world.model, world.data, k, force)
        pressed += force[0] > 0.0
    assert world.ledger.counts.contacts == pressed


def test_one_of_a_crowd_falls_as_it_falls_alone() -> None:
    """Not to the last bit: with several bodies MuJoCo factors matrices in another way."""
    crowd = open_crowd(count=2, spacing_m=5.0)
    alone = World([crowd.characters[1]], [crowd.controllers[1]], settings=crowd.settings, spawns=[crowd.spawns[1]])
    for world in (crowd, alone):
        world.step(500)
    assert crowd.percepts[1].joint_q == pytest.approx(alone.percepts[0].joint_q, abs=1e-6)


def test_the_same_crowd_gives_the_same_bits() -> None:
    first, second = open_crowd(count=4, spacing_m=0.5), open_crowd(count=4, spacing_m=0.5)
    first.step(600)
    for _ in range(6):
        second.step(100)
    assert first.data.qpos.tobytes() == second.data.qpos.tobytes()


def test_a_crowd_is_measured() -> None:
    figures = measure_crowd(count=3, seconds=0.2, repetitions=1)
    assert (figures["count"], figures["seconds"], figures["controller"]) == (3, 0.2, "walker/walk")
    assert figures["ratio"] > 0.0 and figures["slowest_second"] > 0.0


def test_a_crowd_may_face_its_middle() -> None:
    world = open_crowd(count=4, spacing_m=2.0, to_the_middle=True)
    for k, spawn in enumerate(world.spawns):
        ahead = np.array([np.cos(spawn.heading_rad), np.sin(spawn.heading_rad)])
        assert world.percepts[k].root_q[:2] + np.sqrt(2.0) * ahead == pytest.approx([1.0, 1.0])


def test_there_is_a_limit() -> None:
    humanoid = load_character("humanoid")
    with pytest.raises(InputError) as caught:
        World([humanoid] * (MAX_CHARACTERS + 1))
    assert str(caught.value) == "world: it takes 1 to 28 characters, got 29."
