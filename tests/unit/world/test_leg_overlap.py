"""How deep two legs lie in each other, in poses set by hand."""

from __future__ import annotations

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.characters.kinematics import compute_frames
from poise.characters.model import Character
from poise.world.controller import Start
from poise.world.leg_overlap import LegOverlap
from poise.world.world import Spawn, World

HUMANOID = load_character("humanoid")
UPRIGHT = np.tile([1.0, 0.0, 0.0, 0.0], (len(HUMANOID.segments), 1))


def scattered(**at: tuple[float, float, float]) -> np.ndarray:
    """Segments far from each other, except for those that are named."""
    pos = np.array([[10.0 * k, 0.0, 0.0] for k in range(len(HUMANOID.segments))])
    for name, position in at.items():
        pos[HUMANOID.segment_names.index(name)] = position
    return pos


@pytest.mark.parametrize(("apart_m", "depth_m"), [(0.2, 0.0), (0.1, 0.0), (0.07, 0.03), (0.02, 0.08)])
def test_two_thighs_side_by_side(apart_m: float, depth_m: float) -> None:
    """Two capsules of 5 cm radius."""
    pos = scattered(left_thigh=(0.0, apart_m, 0.0), right_thigh=(0.0, 0.0, 0.0))
    assert LegOverlap(HUMANOID).depth_m(pos, UPRIGHT) == pytest.approx(depth_m, abs=1e-9)


def test_two_feet_one_into_the_other() -> None:
    """Two boxes of 15.5 x 10 x 4.5 cm."""
    pos = scattered(left_foot=(0.0, 0.09, 0.0), right_foot=(0.0, 0.0, 0.0))
    assert LegOverlap(HUMANOID).depth_m(pos, UPRIGHT) == pytest.approx(0.01)


def test_only_the_legs_count() -> None:
    pos = scattered(left_forearm=(0.0, 0.0, 0.0), right_forearm=(0.0, 0.0, 0.0), chest=(0.0, 0.0, 0.0))
    assert LegOverlap(HUMANOID).depth_m(pos, UPRIGHT) == 0.0
    same_side = scattered(left_thigh=(0.0, 0.0, 0.0), left_shank=(0.0, 0.0, 0.0), left_foot=(0.0, 0.0, 0.0))
    assert LegOverlap(HUMANOID).depth_m(same_side, UPRIGHT) == 0.0


def _pose(character: Character, pose: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    world = World([character])
    world.place(0, Start(joint_q_rad=pose), Spawn(x_m=3.0, y_m=-1.0, heading_rad=0.7))
    return world.percepts[0].pos_w, world.percepts[0].quat_w


def test_crossed_legs_overlap_wherever_they_stand() -> None:
    legs = LegOverlap(HUMANOID)
    assert legs.depth_m(*_pose(HUMANOID, {})) == 0.0
    crossed = {"left_hip_roll": -0.15, "right_hip_roll": -0.15, "left_hip_pitch": 0.05}
    depth = legs.depth_m(*_pose(HUMANOID, crossed))
    # The axes of the shanks pass each other at less than their two radii.
    frames = compute_frames(HUMANOID, crossed)
    ends = {
        side: np.array([frames[f"{side}_shank"].place((0.0, 0.0, z)) for z in (-0.05, -0.44)])
        for side in ("left", "right")
    }
    a, b = ends["left"], ends["right"]
    normal = np.cross(a[1] - a[0], b[1] - b[0])
    gap = abs((b[0] - a[0]) @ normal) / np.linalg.norm(normal)
    assert gap < 0.1
    assert depth >= 0.1 - gap - 1e-6
    # One leg in front of the other is clear of it.
    assert legs.depth_m(*_pose(HUMANOID, crossed | {"left_hip_pitch": 0.6})) == 0.0
