"""Gaits that were found from nothing go on, and are what they are called."""

from __future__ import annotations

from functools import cache
from itertools import groupby, pairwise

import pytest

from poise.characters.model import ROLES, SIDES
from poise.rollout.scene import Scene
from poise.world.world import World

FOUND, HOP, SKIP = (f"limit-cycle/human12-{name}" for name in ("found", "hop", "skip"))
SECONDS = 6.0
LOOK_S = 0.005
FEET = [ROLES.index(f"{side}_foot") for side in SIDES]


@cache
def watch(name: str, strategy: str = "SP") -> tuple[World, list[tuple[bool, bool]]]:
    """The world after some seconds or a fall, and which feet were down at each look."""
    world = Scene(name, values={"strategy": strategy}).open()
    percept, looks = world.percepts[0], []
    while world.time_s < SECONDS and world.fell_at_s() is None:
        world.advance(round(LOOK_S / world.settings.timestep_s), stop_on=["down"])
        left, right = (bool(percept.touch_load[percept.roles[foot]] > 0.0) for foot in FEET)
        looks.append((left, right))
    return world, looks


@pytest.mark.parametrize("name", [FOUND, HOP, SKIP])
def test_it_goes_ahead_without_falling(name: str) -> None:
    world, _ = watch(name)
    assert world.fell_at_s() is None
    assert len(world.pilots[0].steps) >= 14
    assert world.pilots[0].steps[-1].at[0] > 1.5


@pytest.mark.parametrize("name", [FOUND, HOP, SKIP])
def test_without_balance_it_falls(name: str) -> None:
    world, _ = watch(name, strategy="open")
    assert world.fell_at_s() is not None


def settled(name: str) -> list[tuple[bool, bool]]:
    """The looks after it has found its rhythm."""
    _, looks = watch(name)
    return looks[round(2.0 / LOOK_S) :]


def test_the_walk_hardly_ever_leaves_the_ground() -> None:
    looks = settled(FOUND)
    assert sum(not any(down) for down in looks) < 0.1 * len(looks)
    assert sum(left != right for left, right in looks) > 0.5 * len(looks)


def test_the_hop_flies_and_stands_with_both_feet() -> None:
    looks = settled(HOP)
    assert sum(not any(down) for down in looks) > 0.3 * len(looks)
    assert sum(left != right for left, right in looks) < 0.1 * len(looks)
    landings = sum(not any(before) and any(after) for before, after in pairwise(looks))
    assert landings >= 8


def test_the_skip_lands_twice_on_each_leg() -> None:
    # Flights from one foot to the same foot are hops; those of each leg come as often as those of the other.
    runs = [down for down, _ in groupby(settled(SKIP)) if down != (True, True)]
    triples = zip(runs, runs[1:], runs[2:], strict=False)
    hops = [a for a, flight, b in triples if not any(flight) and a == b]
    assert all(hops.count(leg) >= 3 for leg in ((True, False), (False, True)))
