"""What the experiments of the tracker share, and what they need of the world."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.reproduce.lee.runs import (
    BODY,
    Place,
    Run,
    find_clearance_m,
    find_limit,
    load_walk,
    open_walk,
    with_mass,
    with_masses_of,
)
from poise.world.compile import PhysicsSettings
from poise.world.props import box
from poise.world.world import World


def test_props_lie_on_a_ground_of_springs() -> None:
    settings = PhysicsSettings(1.0 / 900.0, ground="springs")
    world = World(
        [load_character(BODY)], props=[box((0.3, 0.3, 0.3), 1.0, position_m=(2.0, 0.0, 0.15))], settings=settings
    )
    assert world.ground is not None
    world.step(450)
    height = world.data.xpos[mujoco.mj_name2id(world.model, mujoco.mjtObj.mjOBJ_BODY, "box")][2]
    assert height == pytest.approx(0.15, abs=0.005)
    world.step(450)
    assert world.data.ncon <= 4, "the body itself must not touch the plane: springs carry it"


@pytest.mark.parametrize(("last", "start"), [(0, 0), (3, 1), (6, 6), (4, 6)])
def test_a_limit_is_the_last_value_that_holds(last: int, start: int) -> None:
    values = [10.0 * k for k in range(7)]
    limit, tried = find_limit(lambda v: v <= values[last], values, from_index=start)
    assert limit == values[last]
    assert tried <= 5


def test_a_limit_below_all_values_is_none() -> None:
    assert find_limit(lambda v: False, [1.0, 2.0, 3.0])[0] is None


def test_masses_are_added_with_their_inertia() -> None:
    body = load_character(BODY)
    heavier = with_mass(body, "left_shin", 5.0)
    assert heavier.mass_kg == pytest.approx(body.mass_kg + 5.0)
    assert heavier.segment("left_shin").inertia_kgm2[0] == pytest.approx(
        2.0 * body.segment("left_shin").inertia_kgm2[0]
    )
    assert with_masses_of(heavier, body).mass_kg == pytest.approx(body.mass_kg)


@pytest.mark.parametrize("slope_deg", [-5.0, 5.0])
def test_a_walk_on_a_slope_begins_on_its_ground(slope_deg: float) -> None:
    world = open_walk(load_walk("normal"), Run(place=Place(slope_deg=slope_deg)))
    assert find_clearance_m(world, math.radians(slope_deg)) == pytest.approx(0.0, abs=1e-9)
    assert np.isfinite(world.data.qpos).all()
