"""The pool of worlds: a world that was used is lent again as good as new, to the last bit."""

import threading
from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

from poise import Actor, Push, Scene, StartNoise
from poise.batches.threads import run_trials
from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.errors import DivergedError, InputError
from poise.rollout.pool import WorldPool
from poise.world.cast import Cast
from poise.world.compile import PhysicsSettings
from poise.world.snapshots import pack_pilots
from poise.world.world import World

HUMAN = load_character("laszlo_human")
QUICK = PhysicsSettings(timestep_s=0.001)
SCENES = {
    "planar": Scene("simbicon/planar-walk", physics=QUICK),
    "walker": Scene("walker/walk", values={"speed": 0.6}, physics=QUICK),
    "tracker": Scene("tracker/normal", physics=PhysicsSettings(1.0 / 900.0)),
    "script": Scene("script/stair-climb", physics=QUICK),
    "limit cycle": Scene(load_controller("limit-cycle/human-walk", HUMAN), HUMAN, physics=QUICK),
    "two": Scene(actors=[Actor("simbicon/planar-walk"), Actor("pose/hold", "biped7")], physics=QUICK),
}


def everything(world: World) -> tuple[bytes, ...]:
    snapshot = world.snapshot()
    arrays = [snapshot.physics, *snapshot.params, *snapshot.memories, *snapshot.ledger.values()]
    return (*(np.ascontiguousarray(a).tobytes() for a in arrays), repr(pack_pilots(snapshot)).encode())


def disturb(world: World) -> None:
    """Use a world as roughly as a borrower may."""
    world.advance(300)
    world.push(Push(50.0, 90.0, world.time_s, 5.0))
    world.attach(world.characters[0].roles["trunk"], (0, 0, 0), "world", (0, 0, 2), stiffness_npm=9.0, damping_nspm=1.0)
    # A declared parameter: the others hold counts and offsets that no law checks.
    world.params[0][[p.index for p in world.controllers[0].parameters][:1]] += 1e-9
    world.advance(200)
    world.state.velocities[:] += 0.3


@pytest.mark.parametrize("name", SCENES)
def test_a_world_that_was_used_is_as_good_as_new(name: str) -> None:
    pool = WorldPool()
    with pool.lend(SCENES[name]) as first:
        disturb(first)
    scene = replace(SCENES[name], seed=5, noise=StartNoise(0.01), pushes=[Push(30.0, 0.0, 0.1, 0.1)])
    fresh = scene.open()
    with pool.lend(scene) as again:
        assert again is first
        assert everything(again) == everything(fresh)
        fresh.advance(400)
        again.advance(400)
        assert everything(again) == everything(fresh)


def test_worlds_differ_by_values_bodies_ground_and_time_step() -> None:
    pool, base = WorldPool(), SCENES["planar"]
    others = [
        replace(base, values={"lift_duration_s": 0.32}),
        replace(base, scale={"legs": 1.1}),
        replace(base, terrain="slope:3"),
        replace(base, friction=0.4),
        replace(base, physics=PhysicsSettings(timestep_s=0.0005)),
        replace(base, piloted=False),
    ]
    worlds = set()
    for scene in (base, *others, base):
        with pool.lend(scene) as world:
            worlds.add(id(world))
    assert len(worlds) == len(pool) == 1 + len(others)


def test_two_borrowers_at_a_time_have_two_worlds() -> None:
    pool = WorldPool()
    with pool.lend(SCENES["planar"]) as one, pool.lend(SCENES["planar"]) as other:
        assert one is not other
    assert len(pool) == 2


def test_threads_borrow_the_same_worlds_one_after_the_other() -> None:
    pool, seen, together = WorldPool(), set(), threading.Barrier(2)

    def work() -> bytes:
        with pool.lend(SCENES["planar"]) as world:
            together.wait(10.0)
            seen.add(id(world))
            world.advance(100)
            return everything(world)[0]

    results = run_trials([work] * 2, workers=2) + run_trials([work] * 2, workers=2)
    assert len(set(results)) == 1 and len(seen) == len(pool) == 2


def test_a_snapshot_of_one_world_fits_the_others() -> None:
    pool = WorldPool()
    with pool.lend(SCENES["walker"]) as one, pool.lend(SCENES["walker"]) as other:
        one.advance(100)
        other.restore(one.snapshot())
        assert everything(one) == everything(other)


def test_a_replaced_controller_is_put_back() -> None:
    body = load_character("biped7")
    walk, hold = load_controller("simbicon/planar-walk", body), load_controller("pose/hold", body)
    pool, scene = WorldPool(), Scene(Cast({"walk": walk, "other": walk}), body)
    with pool.lend(scene) as world:
        world.replace_controller("other", hold)
        world.switch("other")
    with pool.lend(scene) as again:
        assert again is world and again.active() == "walk"
        assert again.member("other") is walk


class Idle:
    name, events, period_s = "idle", (), 0.0

    def decide(self, world: World, causes: Collection[str]) -> None: ...

    def state(self) -> dict[str, int]:
        return {}

    def restore(self, state: object) -> None: ...


def test_a_world_with_pilots_that_stayed_is_not_lent_again() -> None:
    pool = WorldPool()
    with pool.lend(SCENES["planar"]) as world:
        world.add_pilot(Idle())
    with pool.lend(replace(SCENES["planar"], pilots=[lambda _: Idle()])):
        pass
    assert len(pool) == 0


def test_a_world_that_diverged_is_used_again_and_one_that_broke_is_not() -> None:
    pool = WorldPool()
    with pytest.raises(DivergedError), pool.lend(SCENES["planar"]) as world:
        world.state.velocities[:] = 1e9
        world.advance(100)
    with pool.lend(SCENES["planar"]) as again:
        assert again is world
        assert everything(again) == everything(SCENES["planar"].open())
    with pytest.raises(ZeroDivisionError), pool.lend(SCENES["planar"]):
        raise ZeroDivisionError
    assert len(pool) == 0


def test_the_worlds_that_were_used_longest_ago_are_dropped() -> None:
    pool = WorldPool(most_kept=2)
    first = SCENES["planar"]
    for scene in (first, replace(first, friction=0.4), first, replace(first, friction=0.5)):
        with pool.lend(scene):
            pass
    assert len(pool) == 2
    with pool.lend(first):
        assert len(pool) == 1
    pool.clear()
    assert len(pool) == 0


def test_a_scene_that_cannot_be_opened_is_refused() -> None:
    with pytest.raises(InputError), WorldPool().lend(Scene("simbicon/planar-wlak")):
        pass
