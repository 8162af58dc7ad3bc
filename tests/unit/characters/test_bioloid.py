"""The small robot's figures: what the thesis says of it, and what the URDF does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.characters.kinematics import compute_center_of_mass_m, compute_frames
from poise.checking.mirror import is_symmetric
from poise.world.world import World

BODY = load_character("bioloid")


def test_it_is_as_tall_and_heavy_as_the_thesis_says() -> None:
    world = World([BODY])
    top = next(m for m in BODY.landmarks if m.name == "head_top")
    assert BODY.mass_kg == pytest.approx(1.6, abs=1e-3)
    assert world.percepts[0].root_q[2] + top.position_m[2] == pytest.approx(0.346, abs=5e-4)
    assert world.data.subtree_com[1][2] == pytest.approx(0.19, abs=2.5e-3)


def test_every_joint_has_its_limits() -> None:
    assert len(BODY.axes) == 16
    for axis in BODY.axes:
        assert axis.high_rad == -axis.low_rad == pytest.approx(math.radians(150.0), abs=1e-4)
        assert axis.torque_limit_nm == 0.6


def test_left_and_right_are_mirror_images() -> None:
    assert is_symmetric(BODY)


def test_masses_have_the_ratios_of_the_urdf() -> None:
    parts = {"torso": 0.32381, "left_thigh": 0.09435, "left_foot": 0.01761, "right_upper_arm": 0.09281}
    for name, mass_kg in parts.items():
        assert BODY.segment(name).mass_kg / mass_kg == pytest.approx(1.6 / 1.07703, rel=1e-3)


@pytest.mark.parametrize(("joint", "place"), [
    ("left_hip", (0.0, 0.016, -0.0765)), ("left_thigh", (0.0004, 0.016, -0.1183)),
    ("left_shank", (0.0241, 0.016, -0.1905)), ("left_ankle", (-0.0009, 0.016, -0.2627)),
    ("right_foot", (-0.0009, -0.0281, -0.263)), ("right_forearm", (0.0217, -0.0791, -0.0751)),
])  # fmt: skip
def test_joints_lie_where_the_urdf_has_them(joint: str, place: tuple[float, float, float]) -> None:
    np.testing.assert_allclose(compute_frames(BODY, {})[joint].origin_m, place, atol=1.5e-4)


def test_it_stands_with_its_centre_of_mass_over_its_feet() -> None:
    com = compute_center_of_mass_m(BODY, {})
    foot = compute_frames(BODY, {})["left_foot"]
    ends = [foot.place(m.position_m)[0] for m in BODY.landmarks if m.name in ("left_heel", "left_toe")]
    assert min(ends) + 0.02 < com[0] < max(ends) - 0.02
