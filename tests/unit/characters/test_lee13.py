"""The bodies of the data-driven biped have the figures that are printed [Lee10 Fig. 3]."""

import math

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.characters.kinematics import compute_reach_m
from poise.characters.model import Shape
from poise.characters.solids import compute_mass_properties

#: Mass, length, and inertia about x, y and z (z along the bone, x to the side) [Lee10 Fig. 3].
PRINTED = {
    "head": (3, 0.180, 0.012, 0.012, 0.008),
    "left_upper_arm": (2, 0.238, 0.011, 0.011, 0.003),
    "left_lower_arm": (1, 0.200, 0.004, 0.004, 0.001),
    "torso": (8, 0.230, 0.052, 0.068, 0.049),
    "pelvis": (6, 0.180, 0.025, 0.047, 0.040),
    "right_thigh": (5, 0.400, 0.072, 0.072, 0.010),
    "right_shin": (5, 0.380, 0.065, 0.065, 0.011),
    "right_foot": (2, 0.225, 0.010, 0.010, 0.003),
}


@pytest.mark.parametrize("name", PRINTED)
def test_masses_lengths_and_inertias_are_those_printed(name):
    segment = load_character("lee13").segment(name)
    (shape,) = segment.shapes
    mass, length, *inertia = PRINTED[name]
    along = shape.size_m[0] if name.endswith("foot") else shape.size_m[2]
    assert segment.mass_kg == mass
    assert along == pytest.approx(length, abs=0.0016)
    # About the shape's own axes: depth is x, width y, length z; a foot's length is x and its height z.
    x, y, z = compute_mass_properties((Shape("box", shape.size_m),), mass_kg=mass).inertia_kgm2[:3]
    about = (y, z, x) if name.endswith("foot") else (y, x, z)
    assert about == pytest.approx(inertia, abs=6e-4)


def test_ankles_stand_half_a_foot_high():
    body = load_character("lee13")
    foot = body.role("left_foot")
    assert compute_reach_m(foot.shapes[0], np.array([0.0, 0.0, -1.0])) == pytest.approx(0.04444, abs=1e-4)


@pytest.mark.parametrize("name", ["lee13", "lee13_heavy"])
def test_each_foot_has_78_points_for_the_ground_six_of_them_lowest(name):
    foot = load_character(name).role("right_foot")
    assert len(foot.ground_m) == 78
    sole = min(p[2] for p in foot.ground_m)
    assert sole == pytest.approx(-0.5 * foot.shapes[0].size_m[2], abs=1e-6)
    assert sum(p[2] == sole for p in foot.ground_m) == 6


def test_the_heavy_one_has_the_same_bones():
    light, heavy = load_character("lee13"), load_character("lee13_heavy")
    for a, b in zip(light.segments, heavy.segments, strict=True):
        assert (a.name, a.origin_m) == (b.name, b.origin_m)
    at = heavy.reference_positions_m()
    assert math.dist(at["left_thigh"], at["left_shin"]) == pytest.approx(0.44444, abs=1e-4)
    assert heavy.segment("torso").shapes[0].size_m == pytest.approx((0.2593, 0.22, 0.2566), abs=2e-4)
