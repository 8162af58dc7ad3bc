"""The same build, seed and inputs give the same bits: after a restore, in chunks, in threads, in processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from poise.characters.catalog import character_names
from poise.controllers.catalog import load_controller
from poise.world.adopt import load_any_character
from poise.world.world import World
from trembling import bits, make_world, run_chunks


def test_restoring_and_running_again_gives_the_same_bits_for_every_shipped_character() -> None:
    for name in character_names():
        world = make_world(name)
        world.step(700)
        before = world.snapshot()
        world.step(8_000)
        first = bits(world.snapshot())
        world.restore(before)
        assert bits(world.snapshot()) == bits(before)
        world.step(8_000)
        assert bits(world.snapshot()) == first, f"{name}: four seconds after a restore differ"


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

    with pytest.raises(InputError, match="the snapshot is from another world"):
        make_world("biped7").restore(make_world("humanoid").snapshot())


def test_a_reset_world_begins_like_a_new_one() -> None:
    character = load_any_character("biped7")
    world = World([character], [load_controller("simbicon/planar-walk", character)])
    fresh = bits(world.snapshot())
    world.step(3000)
    world.reset()
    assert bits(world.snapshot()) == fresh
