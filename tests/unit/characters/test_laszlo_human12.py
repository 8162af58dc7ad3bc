"""The human of 12 degrees of freedom is the one of 19 with its torso and arms made one."""

from pathlib import Path

import numpy as np
import pytest

import poise.characters.catalog as catalog
from poise.characters.bones import BonesFile
from poise.characters.catalog import load_character
from poise.characters.read_bones import load_bones

LIBRARY = Path(catalog.__file__).parents[1] / "library" / "characters"
#: Both halves of the torso, then upper arm and forearm of each side, in human.bones.
MERGED = (2, 3, 11, 12, 13, 14)
#: What else it has, by the number of the same bone in human.bones.
SAME = {1: 1, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8, 8: 9, 9: 10}


@pytest.fixture(scope="module")
def human() -> BonesFile:
    return load_bones(LIBRARY / "human.bones")


@pytest.fixture(scope="module")
def simple() -> BonesFile:
    return load_bones(LIBRARY / "human12.bones")


def merge(bones: BonesFile, numbers: tuple[int, ...]) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass and inertia about it of some bones as one, by the parallel axis theorem."""
    parts = [bones.bone(number) for number in numbers]
    masses, centers = np.array([p.mass for p in parts]), np.array([p.center_of_mass for p in parts])
    center = masses @ centers / masses.sum()
    inertia = np.zeros((3, 3))
    for part, mass, offset in zip(parts, masses, centers - center, strict=True):
        inertia += np.diag(part.inertia) + mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))
    return float(masses.sum()), center, inertia


def test_the_torso_carries_what_the_arms_weigh(human: BonesFile, simple: BonesFile) -> None:
    mass, center, inertia = merge(human, MERGED)
    torso = simple.bone(2)
    assert torso.mass == pytest.approx(mass, abs=1e-9)
    assert torso.center_of_mass == pytest.approx(center, abs=1e-7)
    assert torso.inertia == pytest.approx(np.diag(inertia), abs=1e-7)


def test_the_product_of_inertia_that_a_bone_cannot_have_is_small(human: BonesFile) -> None:
    _, _, inertia = merge(human, MERGED)
    assert inertia[0, 1] == pytest.approx(0.0563, abs=1e-4)
    assert inertia[[0, 1], 2] == pytest.approx([0.0, 0.0], abs=1e-12)
    tilt_rad = 0.5 * np.arctan2(2.0 * inertia[0, 1], inertia[0, 0] - inertia[1, 1])
    assert np.degrees(tilt_rad) == pytest.approx(3.5, abs=0.01)


def test_all_other_bones_are_those_of_the_human(human: BonesFile, simple: BonesFile) -> None:
    for number, its in SAME.items():
        mine, other = simple.bone(number), human.bone(its)
        assert (mine.mass, mine.inertia, mine.center_of_mass) == (other.mass, other.inertia, other.center_of_mass)
        assert mine.segments == other.segments
        if mine.hinge is not None and other.hinge is not None:
            assert mine.hinge.point == other.hinge.point
            assert mine.hinge.axes == other.hinge.axes[: len(mine.hinge.axes)]
    assert simple.monitors == human.monitors


def test_it_weighs_and_stands_as_the_human_does() -> None:
    human, simple = load_character("laszlo_human"), load_character("laszlo_human12")
    assert simple.mass_kg == pytest.approx(human.mass_kg)
    assert len(simple.axes) == 12
    for axis in simple.axes:
        other = human.axes[human.axis_index(axis.name)]
        assert (axis.kp_nm_per_rad, axis.kd_nms_per_rad) == (other.kp_nm_per_rad, other.kd_nms_per_rad)
    assert not {"left_hip_yaw", "chest_pitch", "left_shoulder_pitch"} & set(simple.axis_names)
