"""The shipped characters: their figures, their symmetry, and that every one of them is complete."""

import math

import pytest

from poise.characters.catalog import CharacterSummary, character_names, list_characters, load_character, summarize
from poise.characters.kinematics import (
    compute_center_of_mass_m,
    compute_frames,
    compute_height_m,
    compute_vertical_span_m,
)
from poise.characters.model import Character, swap_side
from poise.characters.proportions import mirrored
from poise.characters.read_toml import load_character_toml
from poise.characters.solids import compute_mass_properties, is_physical_inertia
from poise.characters.write_toml import save_character_toml
from poise.errors import NotFoundError
from poise.world.adopt import list_all_characters, load_any_character

ALL = character_names()
SYMMETRIC = [n for n in ALL if n not in ("gym_humanoid", "robot")]
SPATIAL = [n for n in ALL if load_any_character(n).root == "free"]


FIGURES = [
    ("beast1", 135.015, 37, 16, "free"),
    ("beast2", 83.341, 37, 16, "free"),
    ("bigbird2d", 59.0, 9, 7, "planar"),
    ("bioloid", 1.6, 22, 17, "free"),
    ("biped7", 90.0, 9, 7, "planar"),
    ("bird", 64.1, 24, 9, "free"),
    ("gym_humanoid", 42.116, 23, 11, "free"),
    ("humanoid", 70.4, 37, 16, "free"),
    ("humanoid34", 70.4, 34, 15, "free"),
    ("laszlo_human", 88.292, 25, 14, "free"),
    ("laszlo_human12", 88.292, 18, 9, "free"),
    ("lee13", 47.0, 42, 13, "free"),
    ("lee13_heavy", 88.57, 42, 13, "free"),
    ("planar17", 63.5, 19, 17, "planar"),
    ("raptor", 77.8, 42, 15, "free"),
    ("robo_bird", 111.197, 21, 12, "free"),
    ("robot", 71.96, 37, 16, "free"),
]


@pytest.mark.parametrize(("name", "mass_kg", "dofs", "segments", "root"), FIGURES)
def test_masses_and_degrees_of_freedom(name: str, mass_kg: float, dofs: int, segments: int, root: str) -> None:
    character = load_any_character(name)
    assert character.mass_kg == pytest.approx(mass_kg, abs=1e-3)
    assert character.root_dofs + len(character.axes) == dofs
    assert len(character.segments) == segments
    assert character.root == root


def test_the_table_above_names_every_shipped_character() -> None:
    assert [row[0] for row in FIGURES] == ALL


def test_biped7_has_the_legs_and_feet_of_its_source() -> None:
    biped = load_character("biped7")
    at = biped.reference_positions_m()
    assert math.dist(at["left_thigh"], at["left_foot"]) == pytest.approx(0.90)
    marks = {m.name: m.position_m for m in biped.landmarks}
    assert marks["left_toe"][0] - marks["left_heel"][0] == pytest.approx(0.20)


def test_humanoid_stands_with_hanging_arms() -> None:
    humanoid = load_character("humanoid")
    at = humanoid.reference_positions_m()
    hip_to_ankle = at["left_thigh"][2] - at["left_foot"][2]
    assert hip_to_ankle == pytest.approx(0.86)
    assert at["left_forearm"] == pytest.approx(
        (at["left_upper_arm"][0], at["left_upper_arm"][1], at["left_upper_arm"][2] - 0.24)
    )
    # Positions of the source, turned from its z forward, x left, y up: shoulders above the pelvis's centre of mass.
    assert at["left_upper_arm"] == pytest.approx((-0.007, 0.16, 0.443))
    assert compute_height_m(humanoid) == pytest.approx(1.728)


def test_humanoid_has_the_gains_of_its_source() -> None:
    gains = {a.name: (a.kp_nm_per_rad, a.kd_nms_per_rad, a.torque_limit_nm) for a in load_character("humanoid").axes}
    assert gains["left_hip_pitch"] == (300.0, 35.0, 200.0)
    assert gains["right_knee_pitch"] == (300.0, 35.0, 1000.0)
    assert gains["left_ankle_pitch"] == (50.0, 15.0, 100.0)
    assert gains["left_ankle_roll"] == (10.0, 3.0, 100.0)
    assert gains["neck_yaw"] == (2.0, 0.6, 200.0)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_symmetric_character_is_its_own_mirror_image(name: str) -> None:
    character, image = load_any_character(name), mirrored(load_any_character(name))
    assert image.segment_names == character.segment_names
    assert image.roles == character.roles
    for one, other in zip(character.segments, image.segments, strict=True):
        assert other.origin_m == pytest.approx(one.origin_m, abs=1e-9)
        assert other.com_m == pytest.approx(one.com_m, abs=1e-9)
        assert other.inertia_kgm2 == pytest.approx(one.inertia_kgm2, abs=1e-9)
    for a, b in zip(character.axes, image.axes, strict=True):
        assert (b.name, b.low_rad, b.high_rad) == (a.name, a.low_rad, a.high_rad)
        assert b.direction == pytest.approx(a.direction, abs=1e-12)
    for m, n in zip(character.landmarks, image.landmarks, strict=True):
        if swap_side(m.name) != m.name:
            assert (n.name, n.segment) == (m.name, m.segment)
            assert n.position_m == pytest.approx(m.position_m, abs=1e-9)


@pytest.mark.parametrize("name", ["biped7", "bigbird2d"])
def test_characters_written_once_are_exactly_symmetric(name: str) -> None:
    assert mirrored(load_character(name)) == load_character(name)


@pytest.mark.parametrize("name", ALL)
def test_mirroring_twice_changes_nothing(name: str) -> None:
    assert mirrored(mirrored(load_any_character(name))) == load_any_character(name)


@pytest.mark.parametrize("name", ALL)
def test_toml_round_trip(name: str, tmp_path) -> None:
    character = load_any_character(name)
    save_character_toml(character, tmp_path / "c.toml")
    assert load_character_toml(tmp_path / "c.toml") == character


@pytest.mark.parametrize("name", ALL)
def test_every_character_is_complete(name: str) -> None:
    character = load_any_character(name)
    marks = {m.name: m for m in character.landmarks}
    for side in ("left", "right"):
        for point in ("heel", "toe"):
            assert f"{side}_{point}" in marks
    assert character.source
    for segment in character.segments:
        assert segment.shapes
        assert is_physical_inertia(segment.inertia_kgm2)
    for axis in character.axes:
        assert axis.low_rad <= character.rest_pose_rad.get(axis.name, 0.0) <= axis.high_rad
        assert axis.kp_nm_per_rad > 0


@pytest.mark.parametrize("name", SPATIAL)
def test_spatial_characters_have_four_sole_corners_a_foot(name: str) -> None:
    character = load_any_character(name)
    marks = {m.name: m for m in character.landmarks}
    for side in ("left", "right"):
        for corner in ("heel_inner", "heel_outer", "toe_inner", "toe_outer"):
            mark = marks[f"{side}_{corner}"]
            assert mark.ground or character.segment(mark.segment).ground_m
    assert "head_top" in marks


@pytest.mark.parametrize("name", ALL)
def test_soles_are_the_lowest_points_and_carry_the_centre_of_mass(name: str) -> None:
    character = load_any_character(name)
    frames = compute_frames(character)
    soles = [frames[m.segment].place(m.position_m) for m in character.landmarks if "heel" in m.name or "toe" in m.name]
    lowest = compute_vertical_span_m(character)[0]
    assert min(p[2] for p in soles) == pytest.approx(lowest, abs=5e-3)
    x = compute_center_of_mass_m(character)[0]
    assert min(p[0] for p in soles) - 0.03 < x < max(p[0] for p in soles) + 0.03


@pytest.mark.parametrize("name", ALL)
def test_segments_are_listed_depth_first(name: str) -> None:
    character = load_any_character(name)
    names = list(character.segment_names)
    for segment in names:
        inside = list(character.below(segment))
        start = names.index(segment)
        assert names[start : start + len(inside)] == inside


def test_a_summary_says_mass_height_and_degrees_of_freedom() -> None:
    assert str(summarize(load_character("humanoid"))) == (
        "humanoid: 70.4 kg, 1.73 m, 16 segments, 37 degrees of freedom, free root"
    )


def test_lists_name_every_character() -> None:
    assert [s.name for s in list_all_characters()] == ALL
    assert not any(s.problem for s in list_all_characters())
    plain = {s.name: s for s in list_characters()}
    assert "load_any_character" in plain["gym_humanoid"].problem
    assert isinstance(plain["biped7"], CharacterSummary)


def test_unknown_name() -> None:
    with pytest.raises(NotFoundError) as caught:
        load_character("biped77")
    assert str(caught.value) == (
        f"character: no character named 'biped77'. Known here: {', '.join(ALL)}. Did you mean 'biped7'?"
    )


@pytest.mark.parametrize("name", ["beast1", "beast2", "robot"])
def test_whatever_drives_the_humanoid_can_drive_the_others_of_its_source(name: str) -> None:
    humanoid, other = load_character("humanoid"), load_character(name)
    assert other.axis_names == humanoid.axis_names
    assert other.segment_names == humanoid.segment_names
    assert other.roles == humanoid.roles
    assert {m.name: m.ground for m in other.landmarks} == {m.name: m.ground for m in humanoid.landmarks}
    ratio = other.mass_kg / humanoid.mass_kg
    for mine, its in zip(other.axes, humanoid.axes, strict=True):
        assert (mine.low_rad, mine.high_rad) == (its.low_rad, its.high_rad)
        # Written with three digits.
        assert mine.kp_nm_per_rad == pytest.approx(ratio * its.kp_nm_per_rad, rel=5e-3)
        assert mine.kd_nms_per_rad == pytest.approx(ratio * its.kd_nms_per_rad, rel=5e-3)
        assert mine.torque_limit_nm == pytest.approx(ratio * its.torque_limit_nm, rel=5e-3)


def test_the_beasts_carry_their_mass_in_the_pelvis() -> None:
    shares = {n: load_character(n).segment("pelvis").mass_kg / load_character(n).mass_kg for n in ("beast1", "beast2")}
    assert shares["beast1"] == pytest.approx(0.475, abs=1e-3)
    assert shares["beast2"] == pytest.approx(0.592, abs=1e-3)
    for name in shares:
        for segment in load_character(name).segments:
            assert segment.mass_kg == pytest.approx(compute_mass_properties(segment.shapes, density_kgpm3=1e3).mass_kg)
    legs = {n: _leg_m(load_character(n), "left") for n in ("beast1", "humanoid", "beast2")}
    assert legs == pytest.approx({"beast1": 0.56, "humanoid": 0.86, "beast2": 1.12}, abs=1e-3)


def _leg_m(character: Character, side: str) -> float:
    at = character.reference_positions_m()
    return at[f"{side}_thigh"][2] - at[f"{side}_foot"][2]


def test_the_robot_has_one_long_arm_and_uneven_knees() -> None:
    robot, humanoid = load_character("robot"), load_character("humanoid")
    at = robot.reference_positions_m()
    assert at["left_shank"][2] - at["right_shank"][2] == pytest.approx(0.20)
    assert _leg_m(robot, "left") == pytest.approx(_leg_m(humanoid, "left"))
    assert _leg_m(robot, "right") == pytest.approx(_leg_m(humanoid, "right"))
    for part in ("upper_arm", "forearm"):
        long, short = robot.segment(f"left_{part}"), robot.segment(f"right_{part}")
        assert long.mass_kg == pytest.approx(1.4 * short.mass_kg)
        assert long.com_m == pytest.approx([1.4 * v for v in short.com_m])
        assert short.inertia_kgm2 == humanoid.segment(f"right_{part}").inertia_kgm2
    assert robot.segment("left_forearm").origin_m[2] == pytest.approx(1.4 * robot.segment("right_forearm").origin_m[2])
    # The legs are what moving the humanoid's knees gives, its own slight slant apart.
    moved = humanoid.scaled(left_knee=0.30 / 0.86, right_knee=0.50 / 0.86)
    for name in ("left_thigh", "left_shank", "right_thigh", "right_shank"):
        mine, its = robot.segment(name), moved.segment(name)
        assert mine.mass_kg == pytest.approx(its.mass_kg, rel=1e-3)
        assert mine.inertia_kgm2[:3] == pytest.approx(its.inertia_kgm2[:3], rel=2e-3)


def test_laszlo_human_has_the_figures_of_its_source() -> None:
    human: Character = load_character("laszlo_human")
    thigh, foot = human.segment("left_thigh"), human.segment("left_foot")
    assert thigh.mass_kg == 8.35
    # iner ix iy iz with y up becomes xx, yy, zz with z up.
    assert thigh.inertia_kgm2 == (0.15, 0.16, 0.025, 0.0, 0.0, 0.0)
    # The hip at 0.00478, 0.9629, 0.0932 with the centre of mass of the pelvis at 0, 0.98, 0.
    assert thigh.origin_m == pytest.approx((-0.00478, 0.0932, -0.0171))
    assert foot.origin_m == pytest.approx((-0.0287, -0.00721, -0.42806))
    assert human.axes[human.axis_index("left_hip_roll")].kp_nm_per_rad == 900.0
    marks = {m.name: m for m in human.landmarks}
    assert marks["left_toe_inner"].segment == "left_foot"
    assert marks["left_toe_inner"].position_m == pytest.approx((0.13348, -0.0337, -0.09164))
    assert {m.segment for n, m in marks.items() if n.startswith("up_")} == {"lower_torso"}
    assert {m.segment for n, m in marks.items() if n.startswith("pelvis_")} == {"pelvis"}


def test_robo_bird_weighs_what_its_density_says() -> None:
    bird = load_character("robo_bird")
    assert bird.segment("body").mass_kg == pytest.approx(18.0)  # 5 x 3 x 1.2 dm of water
    assert bird.segment("head").mass_kg == pytest.approx(71.8)  # the convex block between its edges
    marks = {m.name: m for m in bird.landmarks}
    assert not marks["left_mid_foot"].ground
    assert marks["left_toe_outer"].ground
    assert marks["up_origin"].segment == "body"
