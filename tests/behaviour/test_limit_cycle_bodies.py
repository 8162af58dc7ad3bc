"""Pose graphs on the simplest human and on the bird: they go on where their open loops fall."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from poise.characters.model import ROLES, SIDES
from poise.rollout.scene import Scene
from poise.world.world import World

RUNS = ["limit-cycle/human12-run", "limit-cycle/bird-run", "limit-cycle/bird-jog"]
STEPS = 20
FEET = [ROLES.index(f"{side}_foot") for side in SIDES]
LOOK_S = 0.005


@cache
def take_steps(name: str, strategy: str = "SP") -> tuple[World, list[float]]:
    """The world after some steps or a fall, and the times at which both feet were in the air."""
    world = Scene(name, values={"strategy": strategy}).open()
    pilot, percept = world.pilots[0], world.percepts[0]
    air = []
    while len(pilot.steps) < STEPS and world.fell_at_s() is None:
        world.advance(round(LOOK_S / world.settings.timestep_s), stop_on=["down"])
        if all(percept.touch_load[percept.roles[foot]] <= 0.0 for foot in FEET):
            air.append(world.time_s)
    return world, air


@pytest.mark.parametrize("name", ["limit-cycle/human12-walk", *RUNS])
def test_it_goes_ahead_without_falling(name: str) -> None:
    world, _ = take_steps(name)
    assert world.fell_at_s() is None
    assert world.pilots[0].steps[-1].at[0] > 1.0


@pytest.mark.parametrize("name", ["limit-cycle/human12-walk", *RUNS])
def test_without_balance_it_falls(name: str) -> None:
    world, _ = take_steps(name, strategy="open")
    assert world.fell_at_s() is not None
    assert len(world.pilots[0].steps) < STEPS


@pytest.mark.parametrize("name", RUNS)
def test_a_run_flies_in_most_of_its_steps(name: str) -> None:
    world, air = take_steps(name)
    ends = [step.time_s for step in world.pilots[0].steps]
    late = list(pairwise(ends[9:]))
    assert sum(any(a < t <= b for t in air) for a, b in late) > len(late) / 2


def test_the_walk_hardly_ever_leaves_the_ground() -> None:
    world, air = take_steps("limit-cycle/human12-walk")
    settled = world.pilots[0].steps[9].time_s
    assert LOOK_S * sum(t > settled for t in air) < 0.02 * (world.time_s - settled)
