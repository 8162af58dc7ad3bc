"""The same build, seed and inputs give the same bits: after a restore, in chunks, in threads, in processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from poise.characters.catalog import character_names
from poise.controllers.catalog import load_controller
from poise.kernels.jit import kernel
from poise.kernels.random import next_normal
from poise.world.adopt import load_any_character
from poise.world.controller import Controller
from poise.world.props import ball
from poise.world.world import Push, Snapshot, World


@kernel
def tremble(percept, params, memory, torque, damping):
    """Holds the rest pose with noise, so that the random state matters, and counts its ticks in its memory."""
    for k in range(torque.shape[0]):
        noise = 2.0 * next_normal(percept.random_state)
        torque[k] = percept.gains[k, 0] * (percept.rest_q[k] - percept.joint_q[k]) + noise
        damping[k] = percept.gains[k, 1]
    memory[0] += 1.0


def make_world(name: str, seed: int = 7) -> World:
    """A trembling character that is pushed and has a ball thrown at it."""
    character = load_any_character(name)
    controller = Controller("tremble", tremble, np.zeros(1), np.zeros(1))
    world = World([character], [controller], props=[ball(name="ball", position_m=(1.0, 0.0, 0.5))], seed=seed)
    world.push(Push(force_n=100.0, direction_deg=30.0, start_s=0.2, duration_s=0.1))
    world.throw("ball", (1.5, 0.0, 1.0), (-4.0, 0.0, 1.0))
    return world


def bits(snapshot: Snapshot) -> bytes:
    arrays = [snapshot.physics, *snapshot.ledger.values(), *snapshot.params, *snapshot.memories]
    return b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)


def run_chunks(name: str, chunk: int, ticks: int = 1500) -> bytes:
    world = make_world(name)
    left = ticks
    while left:
        n = min(chunk, left)
        world.step(n)
        left -= n
    return bits(world.snapshot())


def test_restoring_and_running_again_gives_the_same_bits_for_every_shipped_character() -> None:
    for name in character_names():
        world = make_world(name)
        world.step(700)
        before = world.snapshot()
        world.step(20_000)
        first = bits(world.snapshot())
        world.restore(before)
        assert bits(world.snapshot()) == bits(before)
        world.step(20_000)
        assert bits(world.snapshot()) == first, f"{name}: ten seconds after a restore differ"


@pytest.mark.parametrize("chunk", [1, 7, 333])
def test_chunks_do_not_change_the_bits(chunk: int) -> None:
    assert run_chunks("humanoid", chunk) == run_chunks("humanoid", 1500)


@pytest.mark.parametrize(
    "executor",
    [lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn"))],
    ids=["threads", "processes"],
)
def test_threads_and_processes_do_not_change_the_bits(executor: Callable[[], ThreadPoolExecutor]) -> None:
    expected = [run_chunks(name, 100) for name in ("biped7", "humanoid")]
    with executor() as pool:
        found = list(pool.map(run_chunks, ["biped7", "humanoid", "biped7", "humanoid"], [50, 100, 100, 3]))
    assert found == expected * 2


def test_another_seed_gives_other_bits() -> None:
    one, other = make_world("biped7", seed=1), make_world("biped7", seed=2)
    one.step(100)
    other.step(100)
    assert one.data.qpos.tobytes() != other.data.qpos.tobytes()


def test_a_snapshot_of_another_world_is_refused() -> None:
    from poise.errors import InputError

    with pytest.raises(InputError, match="the snapshot is of another world"):
        make_world("biped7").restore(make_world("humanoid").snapshot())


def test_a_reset_world_begins_like_a_new_one() -> None:
    character = load_any_character("biped7")
    world = World([character], [load_controller("simbicon/planar-walk", character)])
    fresh = bits(world.snapshot())
    world.step(3000)
    world.reset()
    assert bits(world.snapshot()) == fresh
