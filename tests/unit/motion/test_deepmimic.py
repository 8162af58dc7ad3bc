"""DeepMimic's JSON: 44 numbers a frame on its own humanoid."""

import json

import numpy as np
import pytest

from poise.errors import FileFormatError
from poise.motion.load import load_clip
from poise.motion.mapping import guess_mapping
from poise.motion.read_deepmimic import JOINTS, WIDTH


def make_rows(frames=5, duration=0.02):
    """Rows of a body that moves forward with straight joints, except for a bent right knee."""
    rows = []
    for f in range(frames):
        row = [duration, 0.1 * f, 0.9, 0.0]
        for name, _, _, count in JOINTS:
            row += [1.0, 0.0, 0.0, 0.0] if count == 4 else [-0.5 if name == "right_knee" else 0.0]
        rows.append(row)
    return rows


def save(path, rows, **more):
    path.write_text(json.dumps({"Loop": "wrap", **more, "Frames": rows}))
    return path


def test_it_stands_upright_faces_its_way_and_bends_the_knee_back(tmp_path):
    clip = load_clip(save(tmp_path / "x.txt", make_rows()))
    at = {name: clip.places_w_m[:, k] for k, name in enumerate(clip.skeleton.names)}
    assert at["root"][-1] == pytest.approx([0.4, 0.0, 0.9])
    assert at["left_ankle"][0] == pytest.approx([0.0, 0.084887, 0.9 - 0.421546 - 0.40987])
    assert at["right_hip"][0][1] < 0.0
    assert at["right_ankle"][0][0] == pytest.approx(-0.40987 * np.sin(0.5))
    assert clip.loops
    assert clip.frame_s == 0.02
    assert guess_mapping(clip.skeleton).missing_legs == []


def test_frames_of_different_durations_become_even(tmp_path):
    rows = make_rows(6)
    rows[2][0] = 0.04
    clip = load_clip(save(tmp_path / "x.json", rows))
    assert clip.notes[0] == "frames of different durations are interpolated"
    assert clip.frames == 7
    assert clip.root_pos_m[:, 0] == pytest.approx([0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5])


def test_quaternions_near_length_one_are_normalised_with_a_note(tmp_path):
    rows = make_rows(6)
    rows[2][4:8] = [0.0, 0.0, 0.0, 1.09]
    rows[3][4:8] = [0.0, 0.0, 0.0, 0.926]
    clip = load_clip(save(tmp_path / "x.json", rows))
    assert clip.notes[0] == "quaternions of length 0.93 to 1.09 in 2 frames are normalised"
    assert np.linalg.norm(clip.quats_wxyz, axis=-1) == pytest.approx(1.0)


def test_bad_durations_do_not_matter_if_the_rate_is_given(tmp_path):
    rows = make_rows(6)
    rows[1][0] = 0.0
    clip = load_clip(save(tmp_path / "x.json", rows), rate_hz=30.0)
    assert (clip.frames, clip.rate_hz) == (6, 30.0)


def break_row(change):
    rows = make_rows()
    change(rows)
    return rows


BROKEN = {
    "a number too few": (lambda r: r[2].pop(), f"frame 3: a frame must be a list of {WIDTH} numbers, got 43 of them."),
    "a word": (lambda r: r[1].__setitem__(5, "x"), "frame 2: not a finite number, got 'x'."),
    "no unit quaternion": (
        lambda r: r[1].__setitem__(4, 0.1),
        "frame 2: the quaternion of 'root' is not of length 1, got 0.1. Allowed: 0.5 to 2, which is normalised.",
    ),
    "no duration": (
        lambda r: r[1].__setitem__(0, 0),
        "frame 2: its duration is out of range, got 0.0. Allowed: 0.0001 to 10 s. Give the rate with --fps.",
    ),
    "no frames": (lambda r: r.clear(), "Frames must be a list of at least one frame."),
}


@pytest.mark.parametrize(("change", "reason"), BROKEN.values(), ids=BROKEN)
def test_broken_frames_are_refused(tmp_path, change, reason):
    with pytest.raises(FileFormatError) as error:
        load_clip(save(tmp_path / "x.json", break_row(change)))
    assert error.value.reason == reason


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"Frames": [[1,', "x.json:1:16: malformed JSON, expecting value."),
        ("[1, 2]", "x.json: not a DeepMimic motion. It must be an object with Frames."),
        ('{"Skeleton": {}}', "x.json: not a DeepMimic motion. It must be an object with Frames."),
        ('{"Frames": [' + "[" * 100_000, "x.json: nested too deeply. Allowed: at most 64 levels."),
        ('{"Frames": [[NaN]]}', "x.json: frame 1: a frame must be a list of 44 numbers, got 1 of them."),
    ],
)
def test_other_json_is_refused(tmp_path, text, place):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(FileFormatError) as error:
        load_clip(tmp_path / "x.json")
    assert str(error.value).splitlines()[0] == f"{tmp_path}/{place}"
