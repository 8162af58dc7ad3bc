"""The body of the scripts against the figures of its source, and the language's names on it."""

import math

import numpy as np
import pytest

from poise.characters.kinematics import compute_center_of_mass_m
from poise.language.names import JOINTS, PARTS, Body
from poise.world.adopt import load_any_character

#: [Firmin15], released code: mass, planar inertia about the centre (both sides of a pair alike).
LINKS = {
    "pelvis": (6.5, 0.00936),
    "lTorso": (7.0, 0.01183),
    "uTorso": (16.0, 0.26141),
    "neck": (0.5, 0.00032),
    "head": (4.5, 0.02995),
    "Arm": (2.0, 0.02181),
    "Forearm": (1.0, 0.00598),
    "Hand": (0.5, 0.00115),
    "Thigh": (7.0, 0.13225),
    "Shin": (3.0, 0.05805),
    "Foot": (1.0, 0.00291),
}
#: Limits of the angles as scripts count them.
LIMITS = {
    "waist": (-math.pi / 8, math.pi / 8),
    "lTorso2uTorso": (-math.pi / 8, math.pi / 8),
    "neck2head": (-math.pi / 4, math.pi / 4),
    "Shoulder": (-math.pi + 0.001, math.pi / 2),
    "Elbow": (-7 * math.pi / 8, 0.0),
    "Wrist": (-math.pi / 2, math.pi / 2),
    "Hip": (-3 * math.pi / 4, math.pi / 4),
    "Knee": (0.0, 7 * math.pi / 8),
    "Ankle": (-math.pi / 3, math.pi / 3),
}


@pytest.fixture(scope="module")
def body() -> Body:
    return Body(load_any_character("planar17"))


def test_it_has_every_joint_and_part_of_the_language(body: Body) -> None:
    assert body.joint_names == list(JOINTS)
    assert sorted({body.joints[n] for n in JOINTS}) == list(range(16))
    assert sorted({body.parts[n] for n in PARTS}) == list(range(17))
    assert body.parts["lFArm"] == body.parts["lForearm"]


def test_masses_and_inertias_are_those_of_the_source(body: Body) -> None:
    for name in PARTS:
        segment = body.character.segments[body.parts[name]]
        mass, inertia = LINKS.get(name) or LINKS[name[1:]]
        assert segment.mass_kg == mass
        assert segment.inertia_kgm2[1] == pytest.approx(inertia, abs=5e-6)


def test_limits_are_those_of_the_source_in_its_own_sense(body: Body) -> None:
    for name, axis in body.joints.items():
        limits = LIMITS.get(name) or LIMITS.get(name[1:])
        if name not in JOINTS or limits is None:
            continue
        sign, a = body.sign(axis), body.character.axes[axis]
        assert sorted((sign * a.low_rad, sign * a.high_rad)) == pytest.approx(sorted(limits), abs=1e-6)


def test_the_centre_of_mass_stands_where_it_does_in_the_source(body: Body) -> None:
    x, _, z = compute_center_of_mass_m(body.character, {})
    assert (x, z + 0.95) == pytest.approx((0.0021, 0.9989), abs=2e-4)


def test_a_chain_runs_from_the_part_to_the_joint(body: Body) -> None:
    names = body.character.axis_names
    chain = [names[a] for a in body.chain(body.parts["uTorso"], body.joints["rAnkle"])]
    assert chain == ["chest_pitch", "back_pitch", "right_hip_pitch", "right_knee_pitch", "right_ankle_pitch"]
    chain = [names[a] for a in body.chain(body.parts["lHand"], body.joints["lShoulder"])]
    assert chain == ["left_wrist_pitch", "left_elbow_pitch", "left_shoulder_pitch"]


def test_mirrored_joints_have_mirrored_names(body: Body) -> None:
    names = np.array(body.character.axis_names)
    for name, axis in body.joints.items():
        if name in JOINTS and name[0] == "l" and name != "lTorso2uTorso":
            other = body.joints["r" + name[1:]]
            assert names[other] == names[axis].replace("left", "right")
