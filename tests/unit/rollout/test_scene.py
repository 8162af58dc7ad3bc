"""Scenes: one character described by fields, several by actors, noise on the start, and pilots of their own."""

import pickle
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pytest

from poise import Actor, Scene, Spawn, StartNoise
from poise.errors import InputError
from poise.rollout.describe import describe
from poise.world.controller import Start
from poise.world.world import Push, World

WALK = "simbicon/planar-walk"


def run(world: World, ticks: int = 400) -> bytes:
    world.advance(ticks)
    return world.snapshot().physics.tobytes()


def test_one_actor_is_the_same_scene_as_its_fields() -> None:
    fields = Scene(WALK, values={"lift_duration_s": 0.32}, scale={"legs": 1.05}, pushes=[Push(40.0, 0.0, 0.1, 0.1)])
    listed = Scene(
        actors=[Actor(WALK, values={"lift_duration_s": 0.32}, scale={"legs": 1.05})], pushes=[Push(40.0, 0.0, 0.1, 0.1)]
    )
    assert run(fields.open()) == run(listed.open())


def test_several_actors_have_bodies_controllers_and_spawns_of_their_own() -> None:
    world = Scene(
        actors=[
            Actor("walker/walk", values={"speed": 0.5}),
            Actor(character="humanoid", scale={"legs": 1.1}, spawn=Spawn(3.0, 2.0, np.pi)),
        ]
    ).open()
    assert [c.name for c in world.controllers] == ["walker/walk", "limp"]
    assert world.characters[0].mass_kg < world.characters[1].mass_kg
    assert world.spawns == (Spawn(), Spawn(3.0, 2.0, np.pi))
    assert world.controllers[0].value("speed") == 0.5


def test_fields_beside_actors_are_refused() -> None:
    with pytest.raises(InputError) as error:
        Scene("walker/walk", actors=[Actor("walker/walk")])
    assert str(error.value) == (
        "scene: a scene with actors cannot also describe a single character. "
        "Omit controller, character, values, scale, random_body, spawn, start and pilots."
    )


def test_a_scene_without_a_controller_is_a_limp_body() -> None:
    assert Scene(character="humanoid").open().controllers[0].name == "limp"


def test_noise_on_the_start_follows_its_seed() -> None:
    def speeds(noise: StartNoise | None, seed: int = 0) -> bytes:
        return Scene(WALK, noise=noise, seed=seed).open().state.velocities.tobytes()

    plain = np.frombuffer(speeds(None))
    expected = plain + np.random.default_rng(4).normal(0.0, 0.1, len(plain))
    assert speeds(StartNoise(0.1, 4)) == expected.tobytes()
    assert speeds(StartNoise(0.1), seed=4) == expected.tobytes()
    assert speeds(StartNoise(0.1, 5)) != expected.tobytes()


@pytest.mark.parametrize("spread", [-0.1, float("nan"), 1e3])
def test_noise_out_of_range_is_refused(spread: float) -> None:
    with pytest.raises(InputError) as error:
        StartNoise(spread)
    assert str(error.value) == f"noise: spread is out of range, got {spread}. Allowed: 0 to 100."


def test_a_start_overrides_that_of_the_controller() -> None:
    world = Scene(WALK, start=Start(root_vel_mps=(0.7, 0.0, 0.0))).open()
    assert world.percepts[0].root_v[0] == 0.7


class Counter:
    """Counts how often it is asked."""

    name, events, period_s = "counter", ("strike",), 0.1

    def __init__(self, character: int) -> None:
        self.character, self.count = character, 0

    def decide(self, world: World, causes: Collection[str]) -> None:
        self.count += 1

    def state(self) -> Mapping[str, Any]:
        return {"count": self.count}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.count = state["count"]


def test_every_world_has_pilots_of_its_own() -> None:
    scene = Scene(WALK, pilots=[Counter])
    one, other = scene.open(), scene.open()
    one.advance(1000)
    assert [p.count for p in (*one.pilots, *other.pilots) if isinstance(p, Counter)] == [7, 0]
    assert not Scene(WALK, pilots=[Counter], piloted=False).open().pilots


def test_a_scene_of_names_survives_pickling() -> None:
    scene = Scene(actors=[Actor(WALK, pilots=[Counter]), Actor(WALK)], noise=StartNoise(0.01), seed=3)
    again = pickle.loads(pickle.dumps(scene))
    assert again == scene
    assert run(again.open()) == run(scene.open())


def test_recordings_describe_every_actor() -> None:
    scene = Scene(actors=[Actor(WALK, values={"lift_duration_s": 0.32}), Actor(WALK, scale={"legs": 1.1})])
    described = describe(scene, scene.open())
    actors = described["actors"]
    assert isinstance(actors, list)
    assert [(a["controller"], a["changed"], a["scale"]) for a in actors] == [
        (WALK, {"lift_duration_s": 0.32}, {}),
        (WALK, {}, {"legs": 1.1}),
    ]
    assert "actors" not in describe(Scene(WALK), Scene(WALK).open())
