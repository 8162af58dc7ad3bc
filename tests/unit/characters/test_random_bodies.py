"""Random bodies: within the ranges, the same for the same seed, able to stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.characters.catalog import load_character
from poise.characters.kinematics import compute_center_of_mass_m, compute_vertical_span_m
from poise.characters.knees import compute_knee
from poise.characters.model import Character
from poise.characters.plausible import check_plausible
from poise.characters.proportions import scaled
from poise.characters.random_bodies import KNEE_RANGE, LEGS_APART_M, random_body, random_proportions
from poise.errors import InputError
from poise.world.adopt import load_any_character
from poise.world.leg_overlap import LegOverlap
from poise.world.world import World

HUMANOID = load_character("humanoid")
seeds = st.integers(0, 2**32 - 1)


@given(seed=seeds)
def test_proportions_stay_within_their_ranges(seed: int) -> None:
    drawn = random_proportions(HUMANOID, seed)
    for part in ("left_leg", "right_leg", "left_arm", "right_arm", "trunk", "head"):
        assert 0.7 <= drawn[part] <= 1.4
    assert 1 / 1.1 - 1e-9 <= drawn["left_leg"] / drawn["right_leg"] <= 1.1 + 1e-9
    assert 0.5 <= drawn["mass"] <= 2.0
    body = random_body(HUMANOID, seed)
    for side in ("left", "right"):
        assert KNEE_RANGE[0] - 1e-9 <= compute_knee(body, side) <= KNEE_RANGE[1] + 1e-9
    check_plausible(body)
    assert body.name == f"humanoid-body{seed}"
    assert body.mass_kg == pytest.approx(scaled(HUMANOID, **drawn).mass_kg)


def test_a_seed_is_a_body() -> None:
    assert random_body(HUMANOID, 7) == random_body(HUMANOID, 7)
    assert random_body(HUMANOID, 7) != random_body(HUMANOID, 8)
    # The same draws for another character: a seed keeps its meaning.
    robot = random_proportions(load_character("robot"), 7)
    assert {p: v for p, v in robot.items() if p != "feet"} == {
        p: v for p, v in random_proportions(HUMANOID, 7).items() if p != "feet"
    }


def test_both_ends_of_the_ranges_are_reached() -> None:
    drawn = [random_proportions(HUMANOID, seed) for seed in range(200)]
    for part, low, high in (("trunk", 0.72, 1.36), ("mass", 0.53, 1.9), ("left_knee", 0.36, 0.64)):
        assert min(d[part] for d in drawn) < low < high < max(d[part] for d in drawn)
    ratios = [d["left_arm"] / d["right_arm"] for d in drawn]
    assert min(ratios) < 0.7 < 1.4 < max(ratios)


def _tipping(character: Character) -> float:
    """Length of the foot over the height of the centre of mass."""
    foot = character.segment("left_foot").shapes[0].size_m[0]
    return foot / (compute_center_of_mass_m(character)[2] - compute_vertical_span_m(character)[0])


@given(seed=seeds)
def test_feet_follow_the_height_of_the_centre_of_mass(seed: int) -> None:
    # The foot's own height and mass make a small difference.
    assert _tipping(random_body(HUMANOID, seed)) == pytest.approx(_tipping(HUMANOID), rel=0.03)


def test_legs_stand_clear_of_each_other() -> None:
    narrow = 0
    for seed in range(40):
        body = random_body(HUMANOID, seed)
        percept = World([body]).percepts[0]
        assert LegOverlap(body).depth_m(percept.pos_w, percept.quat_w) == 0.0
        plain = scaled(HUMANOID, **random_proportions(HUMANOID, seed))
        left, right = (body.segment(f"{side}_thigh").origin_m for side in ("left", "right"))
        if left != plain.segment("left_thigh").origin_m:
            narrow += 1
            before = plain.segment("left_thigh").origin_m[1] - plain.segment("right_thigh").origin_m[1]
            assert left[1] - right[1] > before
            assert left[1] - right[1] >= LEGS_APART_M
    assert narrow > 0


@pytest.mark.parametrize("name", ["biped7", "gym_humanoid", "robo_bird", "beast1"])
def test_every_character_has_random_bodies(name: str) -> None:
    plain = load_any_character(name)
    for seed in range(5):
        body = random_body(plain, seed)
        assert body.axis_names == plain.axis_names
        World([body])


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, True])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    with pytest.raises(InputError) as caught:
        random_proportions(HUMANOID, seed)  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"random body: the seed must be a whole number, got {seed!r}. Allowed: 0 to 4294967295."
    )
