"""Body states of planar and free characters: taken, put, mirrored, perturbed and measured alike."""

import math

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.world.body_state import (
    BodyState,
    measure_features,
    measure_grounded_height_m,
    mirror_body,
    perturb_body,
    perturb_velocities,
    put_body,
    take_body,
)
from poise.world.world import Spawn, World

PLANAR, FREE = ("biped7", "simbicon/planar-walk"), ("humanoid", "simbicon/humanoid-walk")
BOTH = pytest.mark.parametrize(("name", "controller"), [PLANAR, FREE])


def open_walk(name: str, controller: str, heading_rad: float = 0.0) -> World:
    body = load_character(name)
    world = World([body], [load_controller(controller, body)], spawns=[Spawn(0.0, 0.0, heading_rad)])
    world.step(700)
    return world


def is_same(a: BodyState, b: BodyState) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in vars(a))


@BOTH
def test_a_state_that_is_put_back_is_the_same(name: str, controller: str) -> None:
    world = open_walk(name, controller)
    state = take_body(world)
    world.step(100)
    assert not is_same(state, take_body(world))
    put_body(world, state)
    assert is_same(state, take_body(world))
    put_body(world, state, x_m=3.0)
    assert take_body(world).root_q[0] == 3.0


@BOTH
def test_a_mirrored_state_mirrors_back_and_swaps_sides(name: str, controller: str) -> None:
    state, body = take_body(open_walk(name, controller)), load_character(name)
    image = mirror_body(body, state)
    left, right = (body.axis_names.index(f"{side}_hip_pitch") for side in ("left", "right"))
    assert image.joint_q[left] == state.joint_q[right]
    assert not is_same(image, state) and is_same(mirror_body(body, image), state)


@BOTH
def test_noise_is_on_the_joints_and_keeps_the_lowest_point(name: str, controller: str) -> None:
    world = open_walk(name, controller)
    state = take_body(world)
    before = state.root_q[state.height_at] - measure_grounded_height_m(world, state)
    made = [
        perturb_body(world, state, np.random.default_rng(seed), angle_rad=0.05, rate_radps=0.2) for seed in (1, 1, 2)
    ]
    assert is_same(made[0], made[1]) and not is_same(made[0], made[2])
    noisy = made[0]
    spread = float(np.std(noisy.joint_q - state.joint_q))
    assert 0.01 < spread < 0.1 and np.array_equal(noisy.root_v, state.root_v)
    after = noisy.root_q[noisy.height_at] - measure_grounded_height_m(world, noisy)
    assert after == pytest.approx(before, abs=1e-9)
    limits = world.percepts[0].limits
    inside = (noisy.joint_q >= limits[:, 0] - 1e-9) & (noisy.joint_q <= limits[:, 1] + 1e-9)
    assert (inside | (noisy.joint_q == state.joint_q)).all()


def test_noise_on_velocities_has_the_spread_that_is_asked_for() -> None:
    world = open_walk(*FREE)
    before = world.state.velocities.copy()
    perturb_velocities(world, 0.5, np.random.default_rng(3))
    assert 0.3 < float(np.std(world.state.velocities - before)) < 0.7


def test_features_do_not_depend_on_place_and_heading() -> None:
    ahead, aside = (measure_features(take_body(open_walk(*FREE, heading_rad=h))) for h in (0.0, math.pi / 2))
    assert ahead == pytest.approx(aside, abs=2e-2)
    state = take_body(open_walk(*PLANAR))
    features = measure_features(state)
    assert len(features) == 2 * len(state.joint_q) + 5 and features[0] == state.root_q[1]
