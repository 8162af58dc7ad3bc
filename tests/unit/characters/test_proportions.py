"""Other proportions: lengths, masses, inertias, anchors, gains and landmarks that follow."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.characters.catalog import load_character
from poise.characters.kinematics import compute_frames, compute_height_m
from poise.characters.model import swap_side
from poise.characters.proportions import KNEES, PARTS, find_part, mirrored, scaled
from poise.errors import InputError, NotFoundError
from poise.world.adopt import load_any_character

HUMANOID = load_character("humanoid")


def test_longer_legs_lift_the_pelvis_and_keep_the_rest() -> None:
    tall = scaled(HUMANOID, legs=1.5)
    for side in ("left", "right"):
        assert tall.segment(f"{side}_shank").origin_m == pytest.approx((0.0, 0.0, -0.6))
        assert tall.segment(f"{side}_foot").origin_m[2] == pytest.approx(-0.69)
        assert tall.segment(f"{side}_thigh").origin_m == HUMANOID.segment(f"{side}_thigh").origin_m
        assert tall.segment(f"{side}_foot").shapes == HUMANOID.segment(f"{side}_foot").shapes
    assert tall.segment("chest").shapes == HUMANOID.segment("chest").shapes
    assert compute_height_m(tall) == pytest.approx(compute_height_m(HUMANOID) + 0.43)


def test_mass_follows_volume_and_inertia_its_fifth_power() -> None:
    small = scaled(HUMANOID, left_arm=0.5)
    before, after = HUMANOID.segment("left_forearm"), small.segment("left_forearm")
    assert after.mass_kg == pytest.approx(before.mass_kg / 8)
    assert after.inertia_kgm2 == pytest.approx([v / 32 for v in before.inertia_kgm2])
    assert after.com_m == pytest.approx([v / 2 for v in before.com_m])
    assert after.shapes[0].size_m == pytest.approx([v / 2 for v in before.shapes[0].size_m])
    hands = {m.name: m.position_m for m in small.landmarks}
    assert hands["left_hand"][2] == pytest.approx(hands["right_hand"][2] / 2)


def test_gains_and_torque_limits_follow_the_total_mass() -> None:
    big = scaled(HUMANOID, trunk=1.3)
    ratio = big.mass_kg / HUMANOID.mass_kg
    assert ratio > 1.2
    for before, after in zip(HUMANOID.axes, big.axes, strict=True):
        assert after.kp_nm_per_rad == pytest.approx(before.kp_nm_per_rad * ratio)
        assert after.kd_nms_per_rad == pytest.approx(before.kd_nms_per_rad * ratio)
        assert after.torque_limit_nm == pytest.approx(before.torque_limit_nm * ratio)
        assert (after.low_rad, after.high_rad) == (before.low_rad, before.high_rad)


def test_mass_alone_scales_everything_that_makes_the_motion() -> None:
    heavy = scaled(HUMANOID, mass=2.0)
    assert heavy.mass_kg == pytest.approx(140.8)
    for before, after in zip(HUMANOID.segments, heavy.segments, strict=True):
        assert after.inertia_kgm2 == pytest.approx([2 * v for v in before.inertia_kgm2])
        assert (after.origin_m, after.com_m, after.shapes) == (before.origin_m, before.com_m, before.shapes)
    assert [a.armature_kgm2 for a in heavy.axes] == pytest.approx([0.02] * len(heavy.axes))


def test_unlimited_torque_stays_unlimited() -> None:
    assert all(a.torque_limit_nm == math.inf for a in scaled(load_character("biped7"), mass=3.0).axes)


def test_both_legs_are_the_left_and_the_right_one() -> None:
    assert scaled(HUMANOID, left_leg=1.2, right_leg=1.2) == scaled(HUMANOID, legs=1.2)
    assert scaled(HUMANOID, left_leg=0.5, legs=2.0).segment("left_thigh").mass_kg == pytest.approx(6.6)


def test_parts_do_not_overlap_and_make_the_whole() -> None:
    for name in ("biped7", "humanoid", "laszlo_human", "robo_bird", "gym_humanoid"):
        character = load_any_character(name)
        parts = [find_part(character, p) for p in PARTS if p not in (*KNEES, "legs", "arms", "mass")]
        names = [n for part in parts for n in part]
        assert sorted(names) == sorted(character.segment_names)


def test_feet_that_are_no_segments_stay_with_the_shanks() -> None:
    gym = load_any_character("gym_humanoid")
    with pytest.raises(InputError) as caught:
        scaled(gym, feet=1.5)
    assert str(caught.value) == (
        "scale: character gym_humanoid has no separate feet. "
        "It has: left_leg, right_leg, left_arm, right_arm, trunk, legs, arms, mass."
    )


def test_factors_of_one_change_nothing() -> None:
    assert scaled(HUMANOID, legs=1.0, mass=1) is HUMANOID


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        ({"legs": 0.1}, "scale: legs is out of range, got 0.1. Allowed: 0.2 to 5."),
        ({"mass": 7}, "scale: mass is out of range, got 7. Allowed: 0.2 to 5."),
        ({"head": math.nan}, "scale: head is out of range, got nan. Allowed: 0.2 to 5."),
        ({"head": "big"}, "scale: the factor of head must be a number, got 'big'."),
        ({"head": True}, "scale: the factor of head must be a number, got True."),
        ({"knee": 1.0}, "scale: knee is out of range, got 1.0. Allowed: 0.2 to 0.8."),
        ({"left_knee": 0.1}, "scale: left_knee is out of range, got 0.1. Allowed: 0.2 to 0.8."),
    ],
)
def test_absurd_factors_are_refused(factors: dict, message: str) -> None:
    with pytest.raises(InputError) as caught:
        scaled(HUMANOID, **factors)
    assert str(caught.value) == message


def test_unknown_parts_are_refused() -> None:
    with pytest.raises(NotFoundError) as caught:
        scaled(HUMANOID, leg=1.1)
    assert str(caught.value) == (
        "scale: no part named 'leg'. Known here: left_leg, right_leg, legs, left_arm, right_arm, arms, trunk, head, "
        "feet, left_knee, right_knee, knee, mass. Did you mean 'legs'?"
    )


factor = st.floats(0.2, 5.0)


@given(legs=factor, left_arm=factor, trunk=factor, head=factor, feet=factor, mass=factor)
def test_scaling_back_gives_the_first_character(**factors: float) -> None:
    there = scaled(HUMANOID, **factors)
    # 1/0.2 may lie a rounding error above 5.
    back = scaled(there, **{part: min(1.0 / f, 5.0) for part, f in factors.items()})
    for before, after in zip(HUMANOID.segments, back.segments, strict=True):
        assert after.mass_kg == pytest.approx(before.mass_kg)
        assert after.origin_m == pytest.approx(before.origin_m)
        assert after.inertia_kgm2 == pytest.approx(before.inertia_kgm2)
    for before, after in zip(HUMANOID.axes, back.axes, strict=True):
        assert after.kp_nm_per_rad == pytest.approx(before.kp_nm_per_rad)


@given(left_leg=factor, right_arm=factor, head=factor)
def test_mirrored_limbs_move_like_mirror_images(left_leg: float, right_arm: float, head: float) -> None:
    """Mirroring the body and exchanging the angles of the sides gives the mirrored pose."""
    lopsided = scaled(HUMANOID, left_leg=left_leg, right_arm=right_arm, head=head)
    image = mirrored(lopsided)
    pose = {a.name: 0.1 + 0.05 * i for i, a in enumerate(lopsided.axes)}
    flips = ("back_roll", "back_yaw", "chest_roll", "chest_yaw", "neck_roll", "neck_yaw")
    mirror_pose = {swap_side(n): -v if n in flips else v for n, v in pose.items()}
    here, there = compute_frames(lopsided, pose), compute_frames(image, mirror_pose)
    for s in lopsided.segments:
        x, y, z = here[s.name].place(s.com_m)
        mirror_segment = image.segment(swap_side(s.name))
        assert there[mirror_segment.name].place(mirror_segment.com_m) == pytest.approx((x, -y, z), abs=1e-9)
