"""Which joint is what, guessed from the names that programs give."""

import pytest

from poise.errors import InputError, NotFoundError
from poise.motion.joint_names import split_names
from poise.motion.mapping import guess_mapping
from unit.motion.walkers import NAMES, STYLES, make_foreign, make_skeleton, make_walk

ROLES = {
    "pelvis": "Hips", "trunk": "Spine1", "head": "Head", "left_thigh": "LeftUpLeg", "left_shank": "LeftLeg",
    "left_foot": "LeftFoot", "left_toes": "LeftToeBase", "left_upper_arm": "LeftArm", "left_forearm": "LeftForeArm",
    "left_hand": "LeftHand", "right_thigh": "RightUpLeg", "right_shank": "RightLeg", "right_foot": "RightFoot",
    "right_toes": "RightToeBase", "right_upper_arm": "RightArm", "right_forearm": "RightForeArm",
    "right_hand": "RightHand",
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_names_of_every_program_are_understood(style):
    clip = make_foreign(make_walk(5), STYLES[style])
    found = {role: NAMES[joint] for role, joint in guess_mapping(clip.skeleton).joints.items()}
    assert found == ROLES


@pytest.mark.parametrize(
    ("name", "side", "part"),
    [
        ("LHipJoint", "left", "hip"),
        ("lfemur", "left", "femur"),
        ("rradius", "right", "radius"),
        ("thigh.R", "right", "thigh"),
        ("Bip01 L Thigh", "left", "thigh"),
        ("LeftToe0", "left", "toe"),
        ("root", "", "root"),
        ("Spine1", "", "spine"),
        ("leg", "", "leg"),
        ("lThighTwist", "left", "thightwist"),
        ("LUArm", "left", "uarm"),
        ("Skeleton:RFArm", "right", "farm"),
        ("UpperLeg_L", "left", "upperleg"),
        ("HipRight", "right", "hip"),
    ],
)
def test_a_name_is_split_into_side_and_part(name, side, part):
    assert split_names([name]) == [(side, part)]


def test_what_is_given_comes_first():
    mapping = guess_mapping(make_skeleton(), {"trunk": "Spine", "left_foot": "LeftToeBase"})
    names = mapping.name_joints(make_skeleton())
    assert (names["trunk"], names["left_foot"]) == ("Spine", "LeftToeBase")


def test_unknown_roles_and_joints_are_refused_with_the_nearest():
    with pytest.raises(NotFoundError, match=r"--map: no role named 'left_tigh'\..*Did you mean 'left_thigh'\?"):
        guess_mapping(make_skeleton(), {"left_tigh": "Hips"})
    with pytest.raises(NotFoundError, match=r"--map trunk: no joint named 'Spin'\..*Did you mean 'Spine'\?"):
        guess_mapping(make_skeleton(), {"trunk": "Spin"})


def test_names_that_tell_nothing_ask_for_a_mapping():
    clip = make_foreign(make_walk(5), {name: f"bone{k}" for k, name in enumerate(NAMES)})
    mapping = guess_mapping(clip.skeleton)
    with pytest.raises(InputError) as error:
        mapping.require_legs(clip.skeleton, "x.bvh")
    assert str(error.value) == (
        "x.bvh: no joint found for left_thigh, left_shank, left_foot, right_thigh, right_shank, right_foot. "
        "Name it with --map left_thigh=JOINT. Joints here: bone0, bone1, bone2, bone3, bone4, bone5, bone6, "
        "bone7, bone8, bone9, bone10, bone11 …"
    )
