"""The ground probe agrees with the terrain's own height and with finite differences of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.kernels.ground import probe_ground
from poise.kernels.jit import kernel
from poise.world.ground import PenaltyGround
from poise.world.ground_table import pack_ground, set_solid
from poise.world.terrain import parse_terrain, terrain_from_array

STEP_M = 1e-6
TERRAINS = (
    "flat",
    "slope:angle_deg=12",
    "slope:angle_deg=-20,length_m=3",
    "steps:rise=0.15,run=0.4",
    "steps:rise=-0.1",
    "gaps",
    "stones:jitter_m=0.05,seed=4",
    "walls",
    "rough:seed=2,length_m=6",
    "hills:angle_deg=20",
)


@kernel
def probe_many(ground, points, out):
    """Writes what the probe returns at each point."""
    for k in range(points.shape[0]):
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = probe_ground(ground, points[k, 0], points[k, 1])


def probe(ground, points: np.ndarray) -> np.ndarray:
    out = np.zeros((len(points), 4))
    probe_many(ground, points, out)
    return out


def scatter(count: int = 400) -> np.ndarray:
    return np.random.default_rng(1).uniform([-3.0, -2.0], [9.0, 2.0], (count, 2))


@pytest.mark.parametrize("spec", TERRAINS)
def test_heights_are_those_of_the_terrain(spec):
    terrain, points = parse_terrain(spec), scatter()
    found = probe(pack_ground(terrain), points)
    assert found[:, 0] == pytest.approx([terrain.height_m(x, y) for x, y in points.tolist()], abs=1e-9)


@pytest.mark.parametrize("spec", TERRAINS)
def test_normals_are_those_of_the_surface(spec):
    terrain, points = parse_terrain(spec), scatter(150)
    compared = 0
    for (x, y), (height, *normal) in zip(points.tolist(), probe(pack_ground(terrain), points).tolist(), strict=True):
        sides = [terrain.height_m(x + dx, y + dy) for dx in (-STEP_M, STEP_M) for dy in (-STEP_M, STEP_M)]
        east = (terrain.height_m(x + STEP_M, y) - terrain.height_m(x - STEP_M, y)) / (2.0 * STEP_M)
        north = (terrain.height_m(x, y + STEP_M) - terrain.height_m(x, y - STEP_M)) / (2.0 * STEP_M)
        if max(abs(side - height) for side in sides) > 1e-4 or abs(np.mean(sides) - height) > 1e-9:
            continue  # An edge: no plane touches it.
        compared += 1
        expected = np.array([-east, -north, 1.0]) / math.sqrt(east * east + north * north + 1.0)
        assert normal == pytest.approx(expected, abs=1e-6)
    assert compared > 100


def test_a_height_field_has_a_normal_for_each_triangle():
    heights = [[0.0, 1.0], [0.0, 0.0]]
    terrain = terrain_from_array(heights, length_m=1.0, width_m=1.0, start_m=1.0)
    below, above = probe(pack_ground(terrain), np.array([[1.9, -0.4], [1.1, 0.4]]))
    assert below == pytest.approx([0.8, *(np.array([-1.0, 1.0, 1.0]) / math.sqrt(3.0))])
    assert above == pytest.approx([0.0, 0.0, 0.0, 1.0])


def test_a_void_has_no_height():
    heights = terrain_from_array(np.zeros((2, 2)), length_m=2.0, width_m=2.0)
    table = pack_ground(heights)
    table.plan[0] = -math.inf
    found = probe(table, np.array([[1.5, 0.0], [1.5, 1.5], [math.nan, 0.0]]))
    assert found[0, 0] == 0.0 and found[1, 0] == -math.inf and not found[2, 0] > -math.inf


def test_a_penalty_ground_is_its_plane():
    table = pack_ground(parse_terrain("steps"), PenaltyGround(slope_rad=0.1))
    ((height, *normal),) = probe(table, np.array([[2.0, 5.0]]))
    assert height == pytest.approx(2.0 * math.tan(0.1))
    assert normal == pytest.approx([-math.sin(0.1), 0.0, math.cos(0.1)])


def test_a_box_that_nothing_collides_with_is_no_ground():
    table, at = pack_ground(parse_terrain("walls:height=0.3,start=2")), np.array([[2.02, 0.0]])
    assert probe(table, at)[0, 0] == pytest.approx(0.3)
    set_solid(table, ("solid0",), False)
    assert probe(table, at)[0, 0] == 0.0
    set_solid(table, ("solid0",), True)
    assert probe(table, at)[0, 0] == pytest.approx(0.3)
