"""The TOML format: sided tables, defaults, and the error for every mistake."""

import math
from pathlib import Path

import pytest

from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.characters.read_toml import load_character_toml
from poise.characters.write_toml import format_character_text, save_character_toml
from poise.errors import FileFormatError, InputError
from refusals import point_at, refusal_of_change

BIPED = """\
name = "tiny"
root = "planar"

[roles]
pelvis = "trunk"
trunk = "trunk"
thigh = "thigh"
shank = "shank"
foot = "foot"

[segments.trunk]
mass_kg = 10.0
shapes = [{ kind = "box", size_m = [0.2, 0.3, 0.5], center_m = [0, 0, 0.25] }]

[segments.thigh]
sided = true
parent = "trunk"
origin_m = [0.01, 0.1, -0.02]
density_kgpm3 = 1000
[[segments.thigh.shapes]]
kind = "capsule"
from_m = [0, 0.01, 0]
to_m = [0, 0.03, -0.4]
radius_m = 0.05
[segments.thigh.joint]
name = "hip"
kind = "universal"
[segments.thigh.joint.axes.hip_pitch]
low_rad = -1.0
high_rad = 2
[segments.thigh.joint.axes.hip_roll]

[segments.shank]
sided = true
parent = "thigh"
origin_m = [0, 0, -0.4]
mass_kg = 1.5
com_m = [0, 0.01, -0.2]
inertia_kgm2 = [0.02, 0.02, 0.003]
[segments.shank.joint]
name = "knee"
kind = "hinge"
[segments.shank.joint.axes.knee_pitch]

[segments.foot]
sided = true
parent = "shank"
origin_m = [0, 0, -0.4]
mass_kg = 0.5
shapes = [{ kind = "box", size_m = [0.2, 0.1, 0.04], center_m = [0.05, 0.01, -0.02] }]
[segments.foot.joint]
name = "ankle"
kind = "hinge"
[segments.foot.joint.axes.ankle_pitch]
kp_nm_per_rad = 100

[landmarks.toe]
sided = true
segment = "foot"
position_m = [0.15, 0.02, -0.04]
ground = true

[rest_pose_rad]
knee_pitch = 0.1
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "tiny.toml"
    path.write_text(text)
    return path


def load(folder: Path, text: str = BIPED) -> Character:
    return load_character_toml(write(folder, text))


def refusal(folder: Path, old: str, new: str) -> str:
    """The error after one change to a good file, without the folder's name."""
    return refusal_of_change(lambda text: load(folder, text), BIPED, old, new).replace(f"{folder}/", "")


def test_sided_tables_are_written_for_the_left_and_mirrored(tmp_path) -> None:
    tiny = load(tmp_path)
    assert tiny.segment_names == (
        "trunk", "left_thigh", "left_shank", "left_foot", "right_thigh", "right_shank", "right_foot",
    )  # fmt: skip
    left, right = tiny.segment("left_thigh"), tiny.segment("right_thigh")
    assert (left.origin_m, right.origin_m) == ((0.01, 0.1, -0.02), (0.01, -0.1, -0.02))
    assert (left.parent, right.parent) == ("trunk", "trunk")
    assert tiny.segment("right_shank").parent == "right_thigh"
    assert right.com_m[1] == -left.com_m[1] != 0.0
    assert right.inertia_kgm2[5] == -left.inertia_kgm2[5] != 0.0
    assert left.joint and right.joint
    assert [a.name for a in right.joint.axes] == ["right_hip_pitch", "right_hip_roll"]
    assert [a.direction for a in right.joint.axes] == [(0.0, -1.0, 0.0), (-1.0, 0.0, 0.0)]
    assert tiny.roles["right_foot"] == "right_foot"
    assert [m.position_m for m in tiny.landmarks] == [(0.15, 0.02, -0.04), (0.15, -0.02, -0.04)]
    assert tiny.rest_pose_rad == {"left_knee_pitch": 0.1, "right_knee_pitch": 0.1}


def test_mass_may_come_from_a_density(tmp_path) -> None:
    length = math.hypot(0.02, 0.4)
    expected = 1000 * (math.pi * 0.05**2 * length + 4 / 3 * math.pi * 0.05**3)
    assert load(tmp_path).segment("left_thigh").mass_kg == pytest.approx(expected)


def test_given_figures_are_kept(tmp_path) -> None:
    shank = load(tmp_path).segment("left_shank")
    assert (shank.mass_kg, shank.com_m) == (1.5, (0.0, 0.01, -0.2))
    assert shank.inertia_kgm2 == (0.02, 0.02, 0.003, 0.0, 0.0, 0.0)


def test_what_is_left_out_has_its_usual_value(tmp_path) -> None:
    knee = load(tmp_path).axes[2]
    assert knee.name == "left_knee_pitch"
    assert (knee.low_rad, knee.high_rad, knee.torque_limit_nm) == (-math.inf, math.inf, math.inf)
    assert knee.armature_kgm2 == 0.01


def test_round_trip(tmp_path) -> None:
    tiny = load(tmp_path)
    save_character_toml(tiny, tmp_path / "again.toml")
    assert load_character_toml(tmp_path / "again.toml") == tiny


def test_symmetric_halves_are_written_once() -> None:
    text = format_character_text(load_character("biped7"))
    assert "left_" not in text and "right_" not in text
    assert "position_m = [-0.05, 0.0, -0.04]" in text


def test_lopsided_characters_are_written_in_full(tmp_path) -> None:
    lopsided = load(tmp_path).scaled(left_leg=1.3)
    save_character_toml(lopsided, tmp_path / "again.toml")
    assert "[segments.right_thigh]" in (tmp_path / "again.toml").read_text()
    assert load_character_toml(tmp_path / "again.toml") == lopsided


NAMES = "left_thigh, right_thigh, left_shank, right_shank, left_foot, right_foot"
KEYS = (
    "sided, parent, joint, origin_m, mass_kg, density_kgpm3, com_m, inertia_kgm2, shapes, "
    "ground_m, ground_caps, ground_corners"
)
AXES = (
    "left_hip_pitch, left_hip_roll, left_knee_pitch, left_ankle_pitch, "
    "right_hip_pitch, right_hip_roll, right_knee_pitch, right_ankle_pitch"
)
#: One change to a good file; line and column of the complaint; the complaint.
SLIPS = [
    ("mass_kg = 10.0", "mass_kg = -10.0", 12, 1,
     "segments.trunk.mass_kg: out of range, got -10.0. Allowed: 1e-06 to 100000."),
    ("mass_kg = 10.0", "mass_kg = nan", 12, 1,
     "segments.trunk.mass_kg: out of range, got nan. Allowed: 1e-06 to 100000."),
    ("mass_kg = 10.0", "mass_kg = 1e30", 12, 1,
     "segments.trunk.mass_kg: out of range, got 1e+30. Allowed: 1e-06 to 100000."),
    ("mass_kg = 10.0", 'mass_kg = "ten"', 12, 1, "segments.trunk.mass_kg: must be a number, got 'ten'."),
    ("mass_kg = 10.0", "mass_kg = true", 12, 1, "segments.trunk.mass_kg: must be a number, got True."),
    ("mass_kg = 10.0", "", 11, 2, "segments.trunk: needs either mass_kg or density_kgpm3."),
    ("mass_kg = 10.0", "mass_kg = 1\ndensity_kgpm3 = 1", 11, 2,
     "segments.trunk: needs either mass_kg or density_kgpm3, not both."),
    ("mass_kg = 10.0", "mas_kg = 10.0", 12, 1,
     f"segments.trunk.mas_kg: no key named 'mas_kg'. Known here: {KEYS}. Did you mean 'mass_kg'?"),
    ('parent = "shank"', 'parent = "shan"', 47, 1,
     f"segments.foot.parent: no segment named 'shan'. Known here: trunk, {NAMES}."),
    ('parent = "thigh"', 'parent = "foot"', 35, 1,
     "segments.shank.parent: the segments form a loop: left_shank -> left_foot -> left_shank."),
    ('foot = "foot"', "", 4, 2, "roles: missing roles left_foot, right_foot."),
    ('foot = "foot"', 'foot = "feet"', 9, 1,
     "roles.foot: no segment named 'feet'. Known here: trunk, left_thigh, left_shank, left_foot, right_thigh, "
     "right_shank, right_foot."),
    ('kind = "capsule"', 'kind = "capsul"', 21, 1,
     "segments.thigh.shapes[0].kind: no shape kind named 'capsul'. "
     "Known here: box, capsule, cylinder, sphere, ellipsoid. Did you mean 'capsule'?"),
    ("radius_m = 0.05", "", 20, 3, "segments.thigh.shapes[0]: radius_m is missing. It must be a number."),
    ("high_rad = 2", "high_rad = -2", 28, 2,
     "segments.thigh.joint.axes.hip_pitch: axis left_hip_pitch: low_rad must be below high_rad, got -1.0 and -2.0."),
    ('kind = "universal"', 'kind = "hinge"', 25, 2,
     "segments.thigh.joint: joint left_hip: a hinge joint has 1 axes, got 2."),
    ("inertia_kgm2 = [0.02, 0.02, 0.003]", "inertia_kgm2 = [0.02, 0.02, 0.05]", 39, 1,
     "segments.shank.inertia_kgm2: no body has this inertia, got [0.02, 0.02, 0.05]. "
     "Principal moments are positive, and none exceeds the sum of the other two."),
    ("inertia_kgm2 = [0.02, 0.02, 0.003]", "inertia_kgm2 = [0.02, 0.02]", 39, 1,
     "segments.shank.inertia_kgm2: must be a list of 3 or 6 numbers, got [0.02, 0.02]."),
    ('root = "planar"', 'root = "fixed"', 2, 1, "root: no root kind named 'fixed'. Known here: free, planar."),
    ('segment = "foot"', 'segment = "foo"', 59, 1,
     "landmarks.toe.segment: no segment named 'foo'. Known here: trunk, left_thigh, left_shank, left_foot, "
     "right_thigh, right_shank, right_foot."),
    ("knee_pitch = 0.1", "kneee_pitch = 0.1", 64, 1,
     f"rest_pose_rad.kneee_pitch: no axis named 'kneee_pitch'. Known here: {AXES}. Did you mean 'left_knee_pitch'?"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "column", "reason"), SLIPS)
def test_errors_name_file_line_and_field(tmp_path, old: str, new: str, line: int, column: int, reason: str) -> None:
    assert refusal(tmp_path, old, new) == point_at(BIPED.replace(old, new, 1), "tiny.toml", line, column, reason)


def test_whole_numbers_beyond_all_floats_are_refused(tmp_path) -> None:
    message = refusal(tmp_path, "low_rad = -1.0", f"low_rad = -{'9' * 400}")
    assert message.startswith("tiny.toml:29:11: a whole number is too large, got -9999999999999999999… with 401 digits")


def test_names_that_no_disk_can_hold_are_errors(tmp_path) -> None:
    for name in ("x" * 5000 + ".toml", "x" * 5000 + ".bones", "a\0b.toml", "x" * 5000):
        with pytest.raises(InputError):
            load_character(name)


def test_a_missing_top_key_names_the_file(tmp_path) -> None:
    assert refusal(tmp_path, 'root = "planar"', "") == "tiny.toml: root is missing. It must be a string."


def test_malformed_toml_has_a_line_and_a_caret(tmp_path) -> None:
    message = refusal(tmp_path, "mass_kg = 10.0", "mass_kg = = 10.0")
    assert message == "tiny.toml:12:11: malformed TOML, invalid value.\n    mass_kg = = 10.0\n              ^"


def test_a_second_root_is_refused(tmp_path) -> None:
    message = refusal(
        tmp_path,
        "[segments.foot]",
        "[segments.extra]\nmass_kg = 1\nshapes = [{kind='sphere', size_m=[1]}]\n[segments.foot]",
    )
    assert "more than one segment has no parent, got ['trunk', 'extra']. Exactly one must be the root." in message


def test_two_segments_of_one_name_are_refused(tmp_path) -> None:
    again = """\
[segments.left_foot]
mass_kg = 1
parent = "trunk"
joint = { name = "j", kind = "hinge", axes.a.direction = [0, 1, 0] }
shapes = [{ kind = "sphere", size_m = [1] }]
"""
    message = refusal(tmp_path, "[landmarks.toe]", again + "[landmarks.toe]")
    assert message.startswith("tiny.toml:57:2: segments.left_foot: two segments are named 'left_foot'.")


def test_a_missing_file_is_an_error_with_a_hint(tmp_path) -> None:
    write(tmp_path, BIPED)
    with pytest.raises(FileFormatError, match=r"no such file. Did you mean '.*tiny.toml'\?"):
        load_character(tmp_path / "tinny.toml")


def test_other_kinds_of_files_are_refused(tmp_path) -> None:
    with pytest.raises(FileFormatError) as caught:
        load_character(tmp_path / "tiny.yaml")
    assert str(caught.value) == (
        f"{tmp_path}/tiny.yaml: not a format for characters, got '.yaml'. Allowed: .toml, .bones, .xml, .mjcf, .urdf."
    )


def test_adopted_characters_point_to_the_world() -> None:
    with pytest.raises(InputError, match=r"Use poise\.world\.adopt\.load_any_character\.$"):
        load_character("gym_humanoid")
