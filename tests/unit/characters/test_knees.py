"""Knees elsewhere: the leg keeps its length, and the solids in it their density and thickness."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.characters.catalog import load_character
from poise.characters.knees import MAX_KNEE, MIN_KNEE, compute_knee, has_knee
from poise.characters.model import Character, Segment
from poise.characters.proportions import mirrored, scaled
from poise.characters.solids import is_physical_inertia, shape_mass_properties, to_matrix
from poise.errors import InputError
from poise.world.adopt import load_any_character

HUMANOID = load_character("humanoid")
part = st.floats(MIN_KNEE, MAX_KNEE)


def _leg_m(character: Character, side: str) -> float:
    shank, foot = character.role(f"{side}_shank"), character.role(f"{side}_foot")
    return math.hypot(*shank.origin_m) + math.hypot(*foot.origin_m)


@given(left=part, right=part)
def test_the_knee_lies_where_it_was_asked_for_and_the_leg_keeps_its_length(left: float, right: float) -> None:
    moved = scaled(HUMANOID, left_knee=left, right_knee=right)
    assert compute_knee(moved, "left") == pytest.approx(left)
    assert compute_knee(moved, "right") == pytest.approx(right)
    for side in ("left", "right"):
        assert _leg_m(moved, side) == pytest.approx(_leg_m(HUMANOID, side))
    for name in ("left_thigh", "right_shank"):
        assert is_physical_inertia(moved.segment(name).inertia_kgm2)


def test_mass_follows_length_and_the_rest_stays() -> None:
    low = scaled(HUMANOID, left_knee=0.6)
    length = _leg_m(HUMANOID, "left")
    thigh, shank = 0.6 * length / 0.40, 0.4 * length / math.hypot(0.01, 0.46)
    assert low.segment("left_thigh").mass_kg == pytest.approx(6.6 * thigh)
    assert low.segment("left_shank").mass_kg == pytest.approx(3.2 * shank)
    assert low.segment("left_thigh").com_m == pytest.approx((0.0, 0.0, -0.17 * thigh))
    assert low.segment("left_thigh").shapes[0].size_m == pytest.approx((0.05, 0.34 * thigh))
    assert low.segment("left_thigh").shapes[0].center_m == pytest.approx((0.0, 0.0, -0.19 * thigh))
    for name in set(HUMANOID.segment_names) - {"left_thigh", "left_shank", "left_foot"}:
        before, after = HUMANOID.segment(name), low.segment(name)
        assert (after.mass_kg, after.origin_m, after.shapes) == (before.mass_kg, before.origin_m, before.shapes)
    assert low.segment("left_foot").shapes == HUMANOID.segment("left_foot").shapes
    ratio = low.mass_kg / HUMANOID.mass_kg
    assert low.axes[0].kp_nm_per_rad == pytest.approx(HUMANOID.axes[0].kp_nm_per_rad * ratio)


def _box_inertia(segment: Segment) -> np.ndarray:
    return to_matrix(shape_mass_properties(segment.shapes[0], segment.mass_kg).inertia_kgm2)


def test_inertia_is_that_of_the_longer_solid() -> None:
    """A thigh that is one box stays one: the stretched inertia is the inertia of the stretched box."""
    text = {"left_thigh": (0.1, 0.12, 0.4), "right_thigh": (0.1, 0.12, 0.4)}
    boxed = []
    for s in HUMANOID.segments:
        if s.name in text:
            (shape,) = s.shapes
            box = type(shape)("box", text[s.name], (0.0, 0.0, -0.2))
            xx, yy, zz = np.diag(to_matrix(shape_mass_properties(box, 6.6).inertia_kgm2))
            inertia = (xx, yy, zz, 0.0, 0.0, 0.0)
            s = type(s)(s.name, s.parent, s.joint, s.origin_m, 6.6, (0.0, 0.0, -0.2), inertia, (box,))
        boxed.append(s)
    body = type(HUMANOID)("boxed", "free", tuple(boxed), HUMANOID.roles)
    moved = scaled(body, knee=0.3)
    thigh = moved.segment("left_thigh")
    assert to_matrix(thigh.inertia_kgm2) == pytest.approx(_box_inertia(thigh))
    assert thigh.mass_kg / np.prod(thigh.shapes[0].size_m) == pytest.approx(6.6 / np.prod(text["left_thigh"]))


@given(knee=part, legs=st.floats(0.5, 2.0))
def test_knees_and_legs_do_not_mind_each_other(knee: float, legs: float) -> None:
    together, one_by_one = scaled(HUMANOID, knee=knee, legs=legs), scaled(scaled(HUMANOID, knee=knee), legs=legs)
    for a, b in zip(together.segments, one_by_one.segments, strict=True):
        assert a.mass_kg == pytest.approx(b.mass_kg)
        assert a.origin_m == pytest.approx(b.origin_m)
        assert a.inertia_kgm2 == pytest.approx(b.inertia_kgm2, abs=1e-12)


@given(knee=part)
def test_moving_the_knee_back_gives_the_first_character(knee: float) -> None:
    back = scaled(scaled(HUMANOID, knee=knee), knee=compute_knee(HUMANOID, "left"))
    for before, after in zip(HUMANOID.segments, back.segments, strict=True):
        assert after.mass_kg == pytest.approx(before.mass_kg)
        assert after.com_m == pytest.approx(before.com_m, abs=1e-12)
        assert after.inertia_kgm2 == pytest.approx(before.inertia_kgm2, abs=1e-12)


def test_both_knees_moved_alike_keep_a_body_symmetric() -> None:
    biped = load_character("biped7")
    assert mirrored(scaled(biped, knee=0.4)) == scaled(biped, knee=0.4)
    assert scaled(HUMANOID, knee=0.4, left_knee=0.6) == scaled(HUMANOID, left_knee=0.6, right_knee=0.4)


def test_landmarks_on_the_leg_move_with_it() -> None:
    body = load_any_character("laszlo_human")
    moved = scaled(body, left_knee=0.35)
    shifted = {m.segment for m, n in zip(body.landmarks, moved.landmarks, strict=True) if m.position_m != n.position_m}
    assert shifted <= {body.roles["left_thigh"], body.roles["left_shank"]}


def test_a_leg_with_three_knees_is_refused() -> None:
    bird = load_character("robo_bird")
    assert not has_knee(bird, "left")
    with pytest.raises(InputError) as caught:
        scaled(bird, knee=0.5)
    assert str(caught.value) == (
        "scale: the left leg of character robo_bird is not a thigh, shank and foot with one knee. "
        "It has: left_leg, right_leg, trunk, head, feet, legs, mass."
    )
