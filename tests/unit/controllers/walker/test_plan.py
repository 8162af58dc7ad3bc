"""The step plan that pilots read, and the parameters with which they give footholds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.api import Scene
from poise.controllers.walker.plan import foothold_values, read_leg_lengths_m, read_step_plan
from poise.errors import InputError
from poise.world.compile import PhysicsSettings
from poise.world.world import World

COARSE = PhysicsSettings(timestep_s=0.001)


def open_walk(**values: float) -> World:
    return Scene("walker/walk", values=values, physics=COARSE).open()


def step_to_strike(world: World) -> None:
    before = read_step_plan(world.memories[0]).steps
    for _ in range(2000):
        world.step(1)
        if read_step_plan(world.memories[0]).steps != before:
            return
    raise AssertionError("no strike in two seconds")


def test_a_walker_that_stands_has_no_phase() -> None:
    world = open_walk()
    world.step(100)
    plan = read_step_plan(world.memories[0])
    assert not plan.walking and plan.phase is None and plan.steps == 0
    assert plan.footholds_w_m == () and plan.target_vel_w_mps == (0.0, 0.0)


def test_the_swing_foot_lands_where_the_plan_says() -> None:
    world = open_walk(speed_mps=0.6)
    world.step(3000)
    step_to_strike(world)
    first = read_step_plan(world.memories[0])
    assert first.walking and first.phase == pytest.approx(0.0, abs=0.01) and 0.3 < first.time_left_s < 0.9
    world.step(round(0.9 * first.time_left_s / 0.001))
    planned = read_step_plan(world.memories[0])
    assert planned.steps == first.steps and planned.phase is not None and 0.7 < planned.phase < 1.1
    step_to_strike(world)
    landed = read_step_plan(world.memories[0])
    assert landed.stance != first.stance
    assert math.dist(landed.stance_ankle_w_m, planned.swing_target_w_m) < 0.06
    # The foot lands ahead of the other one, about a step further.
    assert 0.1 < landed.stance_ankle_w_m[0] - first.stance_ankle_w_m[0] < 0.6


def test_footholds_are_taken_and_dropped_one_per_step() -> None:
    world = open_walk(speed_mps=0.6)
    world.step(3000)
    step_to_strike(world)
    plan = read_step_plan(world.memories[0])
    side = plan.stance_ankle_w_m[1]
    points = [(plan.stance_ankle_w_m[0] + 0.25, -side), (plan.stance_ankle_w_m[0] + 0.5, side)]
    for name, value in foothold_values(points, plan).items():
        world.set_parameter(name, value)
    world.step(1)
    taken = read_step_plan(world.memories[0])
    assert taken.footholds_w_m == tuple(points) and taken.foothold_order == plan.foothold_order + 1
    step_to_strike(world)
    after = read_step_plan(world.memories[0])
    assert after.footholds_w_m == (points[1],)
    assert math.dist(after.stance_ankle_w_m, points[0]) < 0.06


def test_no_points_cancel_the_footholds() -> None:
    world = open_walk(speed_mps=0.6)
    world.step(3000)
    for points in ([(9.0, 0.0)], []):
        for name, value in foothold_values(points, read_step_plan(world.memories[0])).items():
            world.set_parameter(name, value)
        world.step(1)
    assert read_step_plan(world.memories[0]).footholds_w_m == ()


def test_more_footholds_than_fit_are_refused() -> None:
    plan = read_step_plan(open_walk().memories[0])
    with pytest.raises(InputError) as caught:
        foothold_values([(0.0, 0.0)] * 3, plan)
    assert str(caught.value) == "walker: number of footholds is out of range, got 3. Allowed: 0 to 2."


def test_leg_lengths_are_those_of_the_character() -> None:
    world = open_walk()
    at = world.characters[0].reference_positions_m()
    for length_m, side in zip(read_leg_lengths_m(world.params[0]), ("left", "right"), strict=True):
        hip, knee, ankle = (np.array(at[world.characters[0].roles[f"{side}_{k}"]]) for k in ("thigh", "shank", "foot"))
        assert length_m == pytest.approx(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))
