"""Feet strike and leave once a step, and a fall is noticed for each of its reasons."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.errors import InputError
from poise.rollout.simulate import simulate
from poise.world.controller import Start
from poise.world.world import Spawn, World


def make_walker() -> World:
    character = load_character("biped7")
    return World([character], [load_controller("simbicon/planar-walk", character)])


def test_feet_strike_in_turn_and_leave_in_between() -> None:
    recording = simulate(make_walker(), 10.0)
    strikes = [e.segment for e in recording.events if e.kind == "strike"]
    assert len(strikes) > 20
    assert all(a != b for a, b in pairwise(strikes))
    for foot in ("left_foot", "right_foot"):
        kinds = [e.kind for e in recording.events if e.segment == foot]
        assert all(a != b for a, b in pairwise(kinds)), "strikes and lift-offs must alternate"


def test_standing_at_the_start_is_no_strike() -> None:
    recording = simulate(make_walker(), 0.1)
    assert [e for e in recording.events if e.kind == "strike"] == []


def test_a_world_can_be_run_until_a_foot_strikes() -> None:
    world = make_walker()
    assert world.run_until("strike")
    first = world.time_s
    assert world.run_until("strike")
    assert 0.1 < world.time_s - first < 0.6
    assert not World([load_character("biped7")]).run_until("lift", timeout_s=0.01)
    assert world.run_until(3.0)
    assert world.time_s == pytest.approx(3.0)
    with pytest.raises(InputError, match="Did you mean 'strike'"):
        world.run_until("strik")


def test_a_body_left_alone_falls_once() -> None:
    world = World([load_character("humanoid")])
    recording = simulate(world, 3.0)
    assert [e.kind for e in recording.events].count("down") == 1
    assert world.fell_at_s() is not None


def test_a_tilted_trunk_is_a_fall() -> None:
    world = World([load_character("biped7")])
    world.place(0, Start(root_pitch_rad=1.5), Spawn())
    world.step(1)
    assert world.fell_at_s() == 0.0


def test_sitting_on_the_ground_is_a_fall_of_the_segment_that_touches() -> None:
    character = load_character("biped7")
    world = World([character])
    world.place(0, Start({"left_hip_pitch": 1.6, "right_hip_pitch": 1.6}), Spawn())
    recording = simulate(world, 1.0)
    falls = [e for e in recording.events if e.kind == "down"]
    assert len(falls) == 1
    assert falls[0].segment in ("trunk", "left_thigh", "right_thigh")


def test_going_down_a_deep_step_is_no_fall() -> None:
    """Heights count from the lower foot, not from where the walk began."""
    from poise.world.terrain import parse_terrain

    character = load_character("biped7")
    world = World([character], terrain=parse_terrain("steps:rise_m=-1,run_m=1,count=2,start_m=1.0"))
    world.place(0, Start(), Spawn(x_m=3.0))
    world.step(5)
    assert np.min(world.data.xpos[1:, 2]) < -1.5
    assert world.fell_at_s() is None
