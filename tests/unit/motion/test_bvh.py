"""BVH files of every kind are read right, and broken ones are refused with the place."""

from dataclasses import replace

import numpy as np
import pybvh
import pytest

from poise.errors import FileFormatError, InputError
from poise.motion.conventions import AXES, place_clip
from poise.motion.load import load_clip
from poise.motion.mapping import guess_mapping
from poise.motion.read_bvh import read_bvh
from poise.motion.rotations import quat_about, quat_multiply
from poise.motion.skeleton import Skeleton
from poise.motion.write_bvh import format_bvh, save_bvh
from unit.motion.walkers import STYLES, make_foreign, make_walk

SMALL = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Knee
  {
    OFFSET 0 -1 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 -0.5 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.05
1 2 3 10 20 30 40
1.5 2 3 10 20 30 50
"""


@pytest.fixture
def read(tmp_path):
    """Reads a text as a BVH file."""

    def read_text(text, name="x.bvh", encoding="utf-8"):
        (tmp_path / name).write_bytes(text.encode(encoding))
        return read_bvh(tmp_path / name)

    return read_text


def test_a_file_is_read_as_written(read):
    raw = read(SMALL)
    assert raw.skeleton.names == ("Hips", "Knee")
    assert raw.frame_s == 0.05
    assert raw.root_pos.tolist() == [[1, 2, 3], [1.5, 2, 3]]
    z, x, y = (quat_about(axis, np.radians(a)) for axis, a in (((0, 0, 1), 10), ((1, 0, 0), 20), ((0, 1, 0), 30)))
    assert raw.quats_wxyz[0, 0] == pytest.approx(quat_multiply(quat_multiply(z, x), y))
    assert raw.quats_wxyz[1, 1] == pytest.approx(quat_about((1, 0, 0), np.radians(50)))
    assert raw.skeleton.ends[0].offset_m == (0, -0.5, 0)
    assert raw.notes == ()


ODD = {
    "windows line ends": SMALL.replace("\n", "\r\n"),
    "old mac line ends": SMALL.replace("\n", "\r"),
    "tabs": SMALL.replace("  ", "\t").replace(" ", "\t").replace("End\tSite", "End Site"),
    "small letters": SMALL.lower().replace("hips", "Hips").replace("knee", "Knee"),
    "capitals": SMALL.replace("position", "POSITION").replace("rotation", "ROTATION").replace("Offset", "OFFSET"),
    "braces on the line": SMALL.replace("Hips\n{", "Hips {").replace("Knee\n  {", "Knee {"),
    "scientific notation": SMALL.replace("1.5 2 3", "1.5e0 2E+00 30.0e-1").replace("0.05", "5e-2"),
    "bare decimal points": SMALL.replace("0.05", ".05").replace("1.5 2 3", "1.5 2. 3."),
    "spaces at the ends": SMALL.replace("\n", "   \n"),
    "empty lines": SMALL.replace("\n", "\n\n"),
    "no newline at the end": SMALL.rstrip("\n"),
    "a byte order mark": "\N{BYTE ORDER MARK}" + SMALL,
    "no space before the number": SMALL.replace("Frames: 2", "Frames:2").replace("Time: ", "Time:"),
    "no colon": SMALL.replace("Frames: 2", "Frames 2").replace("Time: ", "Time "),
    "rate before count": SMALL.replace("Frames: 2\nFrame Time: 0.05", "Frame Time: 0.05\nFrames: 2"),
    "no count": SMALL.replace("Frames: 2\n", ""),
    "an end site of no length": SMALL.replace("-0.5 0\n", "0 0\n"),
    "an end site with a name": SMALL.replace("End Site", "End Site Toe"),
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_files_are_read_like_plain_ones(read, text):
    raw, plain = read(text), read(SMALL)
    assert raw.notes == ()
    assert raw.skeleton.names == plain.skeleton.names
    assert raw.frame_s == plain.frame_s
    assert np.array_equal(raw.root_pos, plain.root_pos)
    assert np.array_equal(raw.quats_wxyz, plain.quats_wxyz)
    assert np.array_equal(raw.skeleton.offsets_m, plain.skeleton.offsets_m)


NOTED = {
    "fewer frames than said": (SMALL.replace("Frames: 2", "Frames: 7"), "the file says 7 frames but holds 2"),
    "more frames than said": (SMALL.replace("Frames: 2", "Frames: 1"), "the file says 1 frames but holds 2"),
    "decimal commas": (SMALL.replace("1.5", "1,5"), "a channel with decimal commas"),
    "frames over several lines": (SMALL.replace("3 10", "3\n10"), "frames that run over several lines"),
    "utf-16": (SMALL, ""),
}


@pytest.mark.parametrize(("text", "note"), NOTED.values(), ids=NOTED)
def test_what_is_repaired_is_said(read, text, note):
    raw = read(text, encoding="utf-8" if note else "utf-16")
    assert raw.notes == ((note,) if note else ())
    assert np.array_equal(raw.quats_wxyz, read(SMALL).quats_wxyz)
    assert np.array_equal(raw.root_pos, read(SMALL).root_pos)


def test_a_last_frame_that_breaks_off_is_left_out(read):
    half = read(SMALL.removesuffix(" 30 50\n"))
    assert len(half.root_pos) == 1
    assert half.notes == ("the last frame is cut off and was left out", "the file says 2 frames but holds 1")
    # Nobody knows whether 5 was 50.
    digit = read(SMALL.removesuffix("0\n").replace("Frames: 2", "Frames: 3"))
    assert digit.notes == (
        "the file is cut off: its last frame was left out",
        "the file says 3 frames but holds 1",
    )


def test_names_of_several_words_and_twice_the_same(read):
    raw = read(SMALL.replace("Knee", "Left  Knee"))
    assert raw.skeleton.names == ("Hips", "Left Knee")
    raw = read(SMALL.replace("Knee", "Hips"))
    assert raw.skeleton.names == ("Hips", "Hips_2")
    assert raw.notes == ("two joints are named 'Hips': the later one becomes 'Hips_2'",)


def test_names_in_an_old_encoding_are_read(read):
    raw = read(SMALL.replace("Knee", "Genou_é"), encoding="latin-1")
    assert raw.skeleton.names == ("Hips", "Genou_é")
    assert raw.notes == ("not UTF-8: read as Latin-1",)


@pytest.mark.parametrize(
    ("values", "notes"),
    [((0, -1, 0), ()), ((0, 0, 0), ("position channels of 'Knee' are added to its offset",))],
)
def test_position_channels_replace_the_offset_or_are_added_to_it(read, tmp_path, values, notes):
    channels = "4 Xposition Yposition Xrotation Zposition"
    x, y, z = values
    text = SMALL.replace("1 Xrotation", channels).replace("30 40", f"30 {x} {y} 40 {z}")
    raw = read(text.replace("30 50", f"30 {x + 0.1} {y} 50 {z}"))
    assert tuple(n for n in load_clip(tmp_path / "x.bvh").notes if "channels" in n) == notes
    assert raw.shifts is not None
    assert raw.shifts[:, 1] == pytest.approx(np.array([[0.0, -1.0, 0.0], [0.1, -1.0, 0.0]]))
    assert raw.quats_wxyz[0, 1] == pytest.approx(quat_about((1, 0, 0), np.radians(40)))


def test_position_channels_that_only_repeat_offsets_are_no_sliding(read):
    text = SMALL.replace("1 Xrotation", "4 Xposition Yposition Zposition Xrotation")
    raw = read(text.replace("30 40", "30 0 -1 0 40").replace("30 50", "30 0 -1 0 50"))
    assert raw.shifts is None


def test_a_root_without_position_stands_at_its_offset(read):
    text = SMALL.replace("6 Xposition Yposition Zposition Zrotation", "3 Zrotation").replace(
        "OFFSET 0 0 0", "OFFSET 4 5 6"
    )
    raw = read(text.replace("1 2 3 10", "10").replace("1.5 2 3 10", "10"))
    assert raw.root_pos.tolist() == [[4, 5, 6], [4, 5, 6]]


BROKEN = {
    "empty": ("", "x.bvh: the file is empty."),
    "another kind of file": ("hello\n", "x.bvh:1:1: not a BVH file. It begins with HIERARCHY.\n    hello\n    ^"),
    "a misspelt word": (
        SMALL.replace("OFFSET 0 -1", "OFSET 0 -1"),
        "x.bvh:8:5: unexpected 'OFSET'. Did you mean 'OFFSET'?\n        OFSET 0 -1 0\n        ^",
    ),
    "a misspelt channel": (
        SMALL.replace("1 Xrotation", "1 Xrotatoin"),
        "x.bvh:9:16: no channel is named 'Xrotatoin'. Allowed: Xposition, Yposition, Zposition, Xrotation, Yrotation, "
        "Zrotation. Did you mean 'Xrotation'?\n        CHANNELS 1 Xrotatoin\n                   ^",
    ),
    "too few channels": (
        SMALL.replace("1 Xrotation", "2 Xrotation"),
        "x.bvh:9:14: CHANNELS says 2 but names 1.\n        CHANNELS 2 Xrotation\n                 ^",
    ),
    "an offset of two numbers": (
        SMALL.replace("OFFSET 0 -1 0", "OFFSET 0 -1"),
        "x.bvh:8:5: OFFSET needs three numbers.\n        OFFSET 0 -1\n        ^",
    ),
    "no offset": (SMALL.replace("    OFFSET 0 -1 0\n", ""), "x.bvh:6: 'Knee' has no OFFSET.\n      JOINT Knee"),
    "a brace too few": (
        SMALL.replace("  }\n}\nMOTION", "  }\nMOTION"),
        "x.bvh:2: 'Hips' is not closed: 1 } missing before MOTION in line 15.\n    ROOT Hips",
    ),
    "a brace too many": (SMALL.replace("MOTION", "}\nMOTION"), "x.bvh:16:1: one } too many.\n    }\n    ^"),
    "two skeletons": (
        SMALL.replace("MOTION", "ROOT Other\n{\nOFFSET 0 0 0\n}\nMOTION"),
        "x.bvh:16:1: a second ROOT. A file holds one skeleton.\n    ROOT Other\n    ^",
    ),
    "no motion": (
        SMALL.partition("MOTION")[0],
        "x.bvh:15:1: the file ends inside the hierarchy: it has no MOTION.\n    }\n    ^",
    ),
    "no frames": (SMALL.partition("1 2 3")[0], "x.bvh:19: no frames.\n    "),
    "a word among the numbers": (
        SMALL.replace("20 30 40", "20 x 40"),
        "x.bvh:19:13: a channel is not a number, got 'x'.\n    1 2 3 10 20 x 40\n                ^",
    ),
    "not a number": (
        SMALL.replace("20 30 40", "20 nan 40"),
        "x.bvh:19:13: a channel is not a number, got 'nan'.\n    1 2 3 10 20 nan 40\n                ^",
    ),
    "a huge number": (
        SMALL.replace("20 30 40", "20 1e300 40"),
        "x.bvh:19:13: a channel is too large for a motion, got 1e300. Allowed: up to 1e+07.\n"
        "    1 2 3 10 20 1e300 40\n                ^",
    ),
    "one comma among points": (
        SMALL.replace("20 30 40", "20,5 30 40"),
        "x.bvh:19:10: a channel is not a number, got '20,5'. Write a decimal point.\n"
        "    1 2 3 10 20,5 30 40\n             ^",
    ),
    "a number too few in a frame": (
        SMALL.replace("20 30 40", "20 30"),
        "x.bvh:19: a frame has 7 numbers, one per channel; this line has 6.\n    1 2 3 10 20 30",
    ),
    "a count in words": (
        SMALL.replace("Frames: 2", "Frames: two"),
        "x.bvh:17: Frames must be a whole number, got 'two'.\n    Frames: two",
    ),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_broken_files_are_refused_with_the_place(read, tmp_path, text, expected):
    with pytest.raises(FileFormatError) as error:
        read(text)
    assert str(error.value) == f"{tmp_path}/{expected}"


@pytest.mark.parametrize("damage", [SMALL.replace("Frame Time: 0.05\n", ""), SMALL.replace("0.05", "0")])
def test_a_missing_frame_time_must_be_given(tmp_path, damage):
    (tmp_path / "x.bvh").write_text(damage)
    with pytest.raises(InputError) as error:
        load_clip(tmp_path / "x.bvh")
    assert str(error.value) == "x: the file does not say how long a frame takes. Give the rate with --fps."
    assert load_clip(tmp_path / "x.bvh", rate_hz=25.0).frame_s == 0.04


BAD_TIMES = {
    "-0.05": "Frame Time is out of range, got -0.05. Allowed: 0.0001 to 10 s. Give the rate with --fps.",
    "30": "Frame Time is out of range, got 30. Allowed: 0.0001 to 10 s. If it is a rate, give it with --fps 30.",
    "nan": "Frame Time is out of range, got nan. Allowed: 0.0001 to 10 s. Give the rate with --fps.",
    "1/30": "Frame Time is not a number, got '1/30'. Give the rate with --fps.",
}


@pytest.mark.parametrize(("time", "text"), BAD_TIMES.items(), ids=BAD_TIMES)
def test_a_bad_frame_time_is_refused_unless_the_rate_is_given(tmp_path, time, text):
    (tmp_path / "x.bvh").write_text(SMALL.replace("0.05", time))
    with pytest.raises(FileFormatError) as error:
        load_clip(tmp_path / "x.bvh")
    caret = f"    Frame Time: {time}\n                ^"
    assert str(error.value) == f"{tmp_path}/x.bvh:18:13: {text}\n{caret}"
    clip = load_clip(tmp_path / "x.bvh", rate_hz=25.0)
    assert clip.frame_s == 0.04
    assert not [n for n in clip.notes if "per second" in n]


def test_a_given_rate_replaces_that_of_the_file(tmp_path):
    (tmp_path / "x.bvh").write_text(SMALL)
    clip = load_clip(tmp_path / "x.bvh", rate_hz=60.0)
    assert (clip.rate_hz, clip.notes[-1]) == (60.0, "60 frames per second, as given, instead of 20")


@pytest.mark.parametrize("unit_m", [1.0, 0.01, 0.0254, 0.001])
@pytest.mark.parametrize("seed", [None, 3])
def test_a_written_clip_is_read_back_whatever_its_unit(tmp_path, unit_m, seed):
    clip = make_foreign(make_walk(20, heading_rad=2.0, turn_radps=3.0), STYLES["motionbuilder"], seed)
    save_bvh(clip, tmp_path / "x.bvh", unit_m)
    back = load_clip(tmp_path / "x.bvh")
    order = [back.skeleton.index(name) for name in clip.skeleton.names]
    assert back.places_w_m[:, order] == pytest.approx(clip.places_w_m, abs=2e-6)
    assert back.frame_s == pytest.approx(clip.frame_s)
    assert len(back.skeleton.ends) == len(clip.skeleton.ends)


def test_another_reader_finds_every_joint_where_it_is(tmp_path):
    clip = make_walk(20, heading_rad=1.0)
    save_bvh(clip, tmp_path / "x.bvh")
    motion = pybvh.read_bvh_file(tmp_path / "x.bvh")
    columns = [motion.joint_names.index(name) for name in clip.skeleton.names]
    assert motion.joint_positions()[:, columns][..., [2, 0, 1]] == pytest.approx(clip.places_w_m, abs=1e-4)


@pytest.mark.parametrize("up", ["z", "x", "-y", "-z", "-x"])
def test_which_way_is_up_is_found_from_the_legs(tmp_path, up):
    """A file of ours has y up; its letters are changed so that another axis is."""
    clip = make_walk(20)
    save_bvh(clip, tmp_path / "y.bvh")
    raw = read_bvh(tmp_path / "y.bvh")
    turn = np.array(AXES[up], float).T @ np.array(AXES["y"], float)
    skeleton = Skeleton(raw.skeleton.names, raw.skeleton.parents, raw.skeleton.offsets_m @ turn.T, ())
    quats = np.concatenate([raw.quats_wxyz[..., :1], raw.quats_wxyz[..., 1:] @ turn.T], axis=-1)
    turned = replace(raw, skeleton=skeleton, root_pos=raw.root_pos @ turn.T, quats_wxyz=quats)
    placed = place_clip(turned, guess_mapping(skeleton))
    assert f"up is {up}: the legs point the other way" in placed.notes
    order = [skeleton.names.index(name) for name in clip.skeleton.names]
    assert placed.places_w_m[:, order] == pytest.approx(clip.places_w_m, abs=1e-5)


def test_leading_t_poses_are_left_out(tmp_path):
    text = format_bvh(make_walk(60, rate_hz=120.0))
    head, _, rows = text.partition("Frame Time: 0.008333333333\n")
    rows = rows.splitlines()
    root = " ".join(rows[0].split()[:3])
    stand = root + " 0" * (len(rows[0].split()) - 3)
    (tmp_path / "x.bvh").write_text(
        head.replace("Frames: 60", "Frames: 61") + "Frame Time: 0.00833333\n" + "\n".join([stand, *rows])
    )
    clip = load_clip(tmp_path / "x.bvh")
    assert clip.frames == 60
    assert clip.notes[-1] == "the first frame left out: a T-pose before the motion"
    assert load_clip(tmp_path / "x.bvh", keep_start=True).frames == 61


def test_a_walk_without_one_keeps_its_first_frame(tmp_path):
    save_bvh(make_walk(60, rate_hz=120.0), tmp_path / "x.bvh")
    assert load_clip(tmp_path / "x.bvh").frames == 60
