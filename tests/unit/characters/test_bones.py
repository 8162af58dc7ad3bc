"""The `.bones` language: reading, writing, errors with their place, and sign conventions."""

import math
from pathlib import Path

import numpy as np
import pytest

from poise.characters.bones import format_bones, save_bones
from poise.characters.bones_table import read_bones_table
from poise.characters.catalog import LIBRARY, load_character
from poise.characters.read_bones import load_bones
from poise.errors import FileFormatError
from poise.tables import load_table
from refusals import point_at, refusal_of_change

FILES = ["human.bones", "robo-bird.bones"]

SMALL = """\
# a body with one leg
bone 1
  seg 0,0.9,0 0,1.4,0
  mass 10
  iner 1 1 1
  cofm 0 1.1 0
bone 2 # leg
  seg 0,0.9,0.1 0,0,0.1
  mass 3
  iner 0.2 0.01 0.2
  cofm 0 .5 +0.1
  ghinge 1 0,0.9,0.1 1,0,0 0,0,1 0,1,0
kpd hinge 2:1 300 30
mon 0,0,0.1
mon 0,1.4,0
kpd mon 2 0 0
set up_mon 1,2,1
set cofm_mon 1,1
"""


def write(folder: Path, text: str, name: str = "small.bones") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def refusal(folder: Path, old: str, new: str) -> str:
    message = refusal_of_change(lambda text: load_bones(write(folder, text)), SMALL, old, new)
    return message.replace(f"{folder}/", "")


def test_every_command_is_understood(tmp_path) -> None:
    small = load_bones(write(tmp_path, SMALL))
    body, leg = small.bones
    assert (body.number, body.mass, body.inertia, body.hinge) == (1, 10.0, (1.0, 1.0, 1.0), None)
    assert body.segments == (((0.0, 0.9, 0.0), (0.0, 1.4, 0.0)),)
    assert leg.center_of_mass == (0.0, 0.5, 0.1)
    assert leg.hinge is not None
    assert (leg.hinge.parent, leg.hinge.point) == (1, (0.0, 0.9, 0.1))
    assert leg.hinge.axes == ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    gains = small.hinge_gains[(2, 1)]
    assert (gains.kp, gains.kd) == (300.0, 30.0)
    assert small.monitors == ((0.0, 0.0, 0.1), (0.0, 1.4, 0.0))
    assert small.touches_ground(1) and not small.touches_ground(2)
    assert (small.up_monitors, small.center_of_mass_monitors) == ((1, 2, 1), (1, 1))
    assert small.degrees_of_freedom() == [(2, 0), (2, 1), (2, 2)]


@pytest.mark.parametrize("name", FILES)
def test_written_back_it_says_the_same(name: str, tmp_path) -> None:
    bones = load_bones(LIBRARY / name)
    save_bones(bones, tmp_path / name)
    assert load_bones(tmp_path / name) == bones
    assert format_bones(load_bones(tmp_path / name)) == format_bones(bones)


def test_the_printed_files_are_complete() -> None:
    human, bird = (load_bones(LIBRARY / name) for name in FILES)
    assert (len(human.bones), len(human.degrees_of_freedom()), len(human.monitors)) == (14, 19, 21)
    assert (len(human.hinge_gains), human.up_monitors, human.center_of_mass_monitors) == (19, (1, 2, 3), (5, 4))
    assert (len(bird.bones), len(bird.degrees_of_freedom()), len(bird.monitors)) == (12, 15, 15)
    assert (len(bird.hinge_gains), bird.up_monitors, bird.center_of_mass_monitors) == (15, (10, 11, 13), (15, 14))
    assert all(b.mass is None for b in bird.bones)


def test_a_file_can_be_read_in_parts(tmp_path) -> None:
    head, _, tail = SMALL.partition("kpd hinge")
    write(tmp_path, head, "body.bones")
    whole = load_bones(write(tmp_path, SMALL))
    assert load_bones(write(tmp_path, f"< body.bones\nkpd hinge{tail}", "parts.bones")) == whole
    assert load_bones(write(tmp_path, f"<body.bones # no blank\nkpd hinge{tail}", "parts.bones")) == whole


#: One change to a good file; line, column and text of the complaint.
SLIPS = [
    ("mass 10", "mass -10", 4, 8, "mass must be positive, got -10.0."),
    ("mass 10", "mass ten", 4, 8, "not a number, got 'ten'."),
    ("mass 10", "mass nan", 4, 8, "not a number, got 'nan'."),
    ("mass 10", "mass 1e300", 4, 8, "out of range, got 1e+300. Allowed: -1e+07 to 1e+07."),
    ("mass 10", "mass", 4, 3, "mass takes 1 value, got 0. Write: mass M."),
    ("mass 10", "mass 10\n  mass 11", 5, 3, "bone 1 already has its mass."),
    ("mass 10", "mas 10", 4, 3,
     "no command named 'mas'. Known here: bone, seg, mass, iner, cofm, mon, kpd, set, hinge, uhinge, ghinge, <. "
     "Did you mean 'mass'?"),
    ("iner 1 1 1", "iner 1 1 3", 5, 8,
     "no body has this inertia, got [1.0, 1.0, 3.0]. Moments are positive, and none exceeds the sum of the other two."),
    ("cofm 0 1.1 0", "cofm 0 1.1 0 0 0 5", 6, 16,
     "rotated principal axes are not supported. Only 0 0 0 may follow the position."),
    ("seg 0,0.9,0 0,1.4,0", "seg 0,0.9,0 0,1.4,0,1", 3, 23,
     "seg takes 6 values, got 7. Write: seg x,y,z x,y,z."),
    ("seg 0,0.9,0 0,1.4,0", "seg 0,0.9,0 0,0.9,0", 3, 15, "a segment needs two different ends."),
    ("bone 1", "", 3, 3, "seg belongs to a bone, but no bone command precedes it."),
    ("bone 2 #", "bone 1 #", 7, 6, "bone 1 already exists, from line 2."),
    ("bone 2 #", "bone x #", 7, 6, "a bone's number must be a whole number from 1 to 100000, got 'x'."),
    ("ghinge 1", "ghinge 3", 12, 10, "no bone has number 3."),
    ("ghinge 1", "ghinge 2", 12, 10, "the bones form a loop: 2 -> 2."),
    ("1,0,0 0,0,1 0,1,0", "1,0,0 0,0,0 0,1,0", 12, 28, "an axis needs a direction, got [0.0, 0.0, 0.0]."),
    ("  ghinge 1 0,0.9,0.1 1,0,0 0,0,1 0,1,0", "", 7, 1,
     "bone 2 has no hinge, and bone 1 has none either. Only one bone may lack a hinge."),
    ("kpd hinge 2:1", "kpd hinge 2:3", 13, 11, "bone 2 has 3 degrees of freedom, counted from 0, got 3."),
    ("kpd hinge 2:1", "kpd hinge 9:1", 13, 11, "no bone with a hinge has number 9."),
    ("kpd hinge 2:1 300", "kpd hinge 2:1 -300", 13, 15, "a gain must be zero or positive, got -300.0."),
    ("kpd hinge 2:1", "kpd hing 2:1", 13, 5,
     "no kind of gains named 'hing'. Known here: hinge, mon. Did you mean 'hinge'?"),
    ("set up_mon 1,2,1", "set up_mon 1,2,3", 17, 16, "no monitor point has number 3: there are 2."),
    ("set up_mon 1,2,1", "set up_mon 1,2", 17, 5, "up_mon takes 3 values, got 2. Write: set up_mon A,B,C."),
    ("set up_mon", "set upmon", 17, 5,
     "no setting named 'upmon'. Known here: up_mon, cofm_mon. Did you mean 'up_mon'?"),
    ("mon 0,0,0.1", "< small.bones", 14, 3, "the files include each other in a loop, got 'small.bones'."),
    ("mon 0,0,0.1", "< other.bones", 14, 3, "no such file, got 'other.bones'."),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "column", "reason"), SLIPS)
def test_errors_have_a_line_and_a_caret(tmp_path, old: str, new: str, line: int, column: int, reason: str) -> None:
    assert refusal(tmp_path, old, new) == point_at(SMALL.replace(old, new, 1), "small.bones", line, column, reason)


def test_an_empty_file_has_no_bone(tmp_path) -> None:
    with pytest.raises(FileFormatError) as caught:
        load_bones(write(tmp_path, "# nothing\n"))
    assert str(caught.value) == f"{tmp_path}/small.bones: holds no bone. A file needs at least one 'bone' command."


def test_a_bones_file_needs_its_table(tmp_path) -> None:
    write(tmp_path, SMALL)
    with pytest.raises(FileFormatError, match=r"needs a table of roles beside it, in '.*small.toml'\.$"):
        load_character(tmp_path / "small.bones")


def test_signs_of_the_printed_human_are_kept_for_scripts() -> None:
    """There, hip and ankle pitch are negative in flexion, and both hips roll to the same side [Laszlo96 App. B]."""
    signs = {a.name: a.sign for a in read_bones_table(load_table(LIBRARY / "laszlo_human.toml")).axes}
    flipped = {name for name, sign in signs.items() if sign < 0}
    assert flipped == {
        "left_hip_pitch", "right_hip_pitch", "left_ankle_pitch", "right_ankle_pitch",
        "left_shoulder_pitch", "right_shoulder_pitch", "left_elbow_pitch", "right_elbow_pitch",
        "left_hip_roll", "left_ankle_roll", "right_hip_yaw",
    }  # fmt: skip


def test_the_birds_roll_axes_are_mirrored_already() -> None:
    signs = {a.name: a.sign for a in read_bones_table(load_table(LIBRARY / "robo_bird.toml")).axes}
    assert signs["left_hip_roll"] == signs["right_hip_roll"] == 1.0


def test_axes_keep_the_order_of_the_file() -> None:
    axes = read_bones_table(load_table(LIBRARY / "laszlo_human.toml")).axes
    assert [a.name for a in axes[:6]] == [
        "back_pitch", "chest_pitch", "neck_pitch", "left_hip_roll", "left_hip_pitch", "left_hip_yaw",
    ]  # fmt: skip


TABLE = """\
bones = "small.bones"
[roles]
pelvis = "body"
trunk = "body"
left_thigh = "leg"
left_shank = "leg"
left_foot = "leg"
right_thigh = "leg"
right_shank = "leg"
right_foot = "leg"
[segments]
body = { bone = 1 }
leg = { bone = 2 }
[axes]
left_hip_pitch = "2:1"
[landmarks]
left_toe = 1
"""


def test_a_table_turns_a_file_into_a_character(tmp_path) -> None:
    write(tmp_path, SMALL)
    write(tmp_path, TABLE, "small.toml")
    small = load_character(tmp_path / "small.bones")
    assert load_character(tmp_path / "small.toml") == small
    assert small.name == "small"
    assert small.segment("leg").origin_m == pytest.approx((0.0, 0.1, -0.2))
    assert small.segment("leg").com_m == pytest.approx((0.0, 0.0, -0.4))
    assert [a.name for a in small.axes] == ["bone_2_0", "left_hip_pitch", "bone_2_2"]
    assert small.axes[1].kp_nm_per_rad == 300.0
    assert [m.name for m in small.landmarks] == ["left_toe", "mon_2"]
    assert [m.ground for m in small.landmarks] == [True, False]
    rod = small.segment("leg").shapes[0]
    assert rod.kind == "capsule"
    assert rod.size_m[1] + 2 * rod.size_m[0] == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("bone = 2", "bone = 7", "segments.leg.bone: no bone has this number, got 7.0. Known: 1, 2."),
        ("bone = 2", "bone = 1", "segments.leg.bone: bone 1 is already named 'body'."),
        ('"2:1"', '"2:9"',
         "axes.left_hip_pitch: no degree of freedom named '2:9'. Known here: 2:0, 2:1, 2:2. Did you mean '2:2'?"),
        ("left_toe = 1", "left_toe = 3",
         "landmarks.left_toe: no monitor point has this number: there are 2, got 3.0."),
        ("left_toe = 1", "left_toe = [1, 4]",
         "landmarks.left_toe: no monitor point has this number: there are 2, got 4.0."),
        ("bone = 2", "bone = 2, sole_thickness_m = 0.1",
         "segments.leg.sole_thickness_m: the monitor points on bone 2 lie on one line."),
    ],
)  # fmt: skip
def test_errors_in_the_table(tmp_path, old: str, new: str, reason: str) -> None:
    write(tmp_path, SMALL)
    write(tmp_path, TABLE.replace(old, new), "small.toml")
    with pytest.raises(FileFormatError) as caught:
        load_character(tmp_path / "small.toml")
    assert caught.value.reason == reason
    assert caught.value.line is not None


def test_without_masses_a_density_is_needed(tmp_path) -> None:
    bare = "\n".join(line for line in SMALL.split("\n") if line.split()[:1] not in (["mass"], ["iner"], ["cofm"]))
    write(tmp_path, bare)
    write(tmp_path, TABLE, "small.toml")
    with pytest.raises(FileFormatError, match="bone 1 has no mass, and the table gives no density_kgpm3"):
        load_character(tmp_path / "small.toml")
    write(tmp_path, "density_kgpm3 = 1000\nunit_m = 0.5\nradius_m = 0.05\n" + TABLE, "small.toml")
    leg = load_character(tmp_path / "small.toml").segment("leg")
    radius, length = 0.05, 0.45 - 0.1
    assert leg.mass_kg == pytest.approx(1000 * math.pi * (radius**2 * length + 4 / 3 * radius**3))
    assert np.array(leg.com_m) == pytest.approx(np.array([0.0, 0.0, -0.225]))
