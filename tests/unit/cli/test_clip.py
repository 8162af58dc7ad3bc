"""`poise clip`: motion files on the command line."""

import json

import numpy as np
import pytest

from poise.characters.catalog import load_character
from poise.motion.draw import draw_clip, find_ground_m
from poise.motion.load import load_clip
from poise.motion.mapping import guess_mapping
from poise.motion.retarget import retarget
from poise.motion.write_bvh import save_bvh
from poise.recordings.clip_recording import make_clip_recording
from poise.rollout.filmstrip import draw_filmstrip
from unit.motion import odd_motions as odd
from unit.motion.walkers import make_walk


@pytest.fixture
def walk(tmp_path):
    """A walk in centimetres."""
    save_bvh(make_walk(60), tmp_path / "walk.bvh", 0.01)
    return tmp_path / "walk.bvh"


def test_info_tells_what_a_file_holds_and_what_was_guessed(poise, walk):
    result = poise("clip", "info", "walk.bvh")
    assert result.exit_code == 0
    assert "60 at 30 Hz, 1.97 s" in result.output
    assert "note: a unit is 0.01 m (cm): this gives legs of 0.85 m" in result.output
    assert "left_thigh        LeftUpLeg" in result.output


def test_info_as_json(poise, walk):
    result = poise("clip", "info", "walk.bvh", "--json", "-", "--map", "trunk=Spine", "--fps", "60")
    facts = json.loads(result.stdout)
    assert facts["roles"]["trunk"] == "Spine"
    assert facts["rate_hz"] == 60.0
    assert facts["leg_m"] == pytest.approx(0.85)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--unit", "yard"], "error: --unit: no unit named 'yard'. Known here: m, cm, mm, inch, cmu.\n"),
        (["--up", "w"], "error: --up: no axis named 'w'. Known here: y, z, x, -y, -z, -x.\n"),
        (["--fps", "0"], "error: --fps: the number is out of range, got 0.0 Hz. Allowed: 0.1 to 10000 Hz.\n"),
    ],
)
def test_wrong_options_are_explained(poise, walk, options, text):
    result = poise("clip", "info", "walk.bvh", *options)
    assert (result.exit_code, result.stderr) == (2, text)


def test_convert_writes_another_unit_rate_and_part(poise, walk):
    result = poise(
        "clip", "convert", "walk.bvh", "x.bvh", "--rate", "60", "--smooth", "8", "--from", "0.5", "--to", "1.5"
    )
    assert result.output == "wrote x.bvh: 61 frames at 60 Hz\n"
    facts = json.loads(poise("clip", "info", "x.bvh", "--json", "-").stdout)
    assert facts["duration_s"] == pytest.approx(1.0)
    assert facts["leg_m"] == pytest.approx(0.85)
    assert poise("clip", "convert", "walk.bvh", "x.npz").exit_code == 0
    assert json.loads(poise("clip", "info", "x.npz", "--json", "-").stdout)["frames"] == 60


def test_plot_writes_a_picture(poise, walk, tmp_path):
    assert poise("clip", "plot", "walk.bvh", "--png", "x.png").output == "wrote x.png\n"
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_other_kinds_of_files_are_not_written(poise, walk):
    result = poise("clip", "convert", "walk.bvh", "x.fbx")
    text = "error: x.fbx: not a motion format that Poise writes, got '.fbx'. Allowed: .bvh, .npz.\n"
    assert (result.exit_code, result.stderr) == (2, text)


def test_retarget_tells_what_became_of_the_motion_and_writes_it(poise, walk, tmp_path):
    result = poise("clip", "retarget", "walk.bvh", "--character", "biped7", "--export", "x.npz", "x.bvh", "x.png")
    assert result.exit_code == 0, result.output
    assert "walk on biped7" in result.output
    assert "foot sliding      0.0 cm/s" in result.output
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    facts = json.loads(poise("clip", "info", "x.npz", "--json", "-").stdout)
    assert facts["frames"] == 60
    assert facts["roles"]["left_foot"] == "left_foot"


def test_retarget_as_json(poise, walk):
    result = poise("clip", "retarget", "walk.bvh", "--json", "-", "--rate", "15", "--scale", "1.1")
    facts = json.loads(result.stdout)
    assert (facts["character"], facts["scale"]) == ("humanoid", 1.1)


def test_retarget_writes_no_other_files(poise, walk):
    result = poise("clip", "retarget", "walk.bvh", "--rate", "10", "--export", "x.mp4")
    text = (
        "error: x.mp4: a clip cannot be written to this file type, got '.mp4'. Allowed: .bvh, .npz, .png, .svg, .pdf."
    )
    assert (result.exit_code, result.stderr.strip()) == (2, text)


@pytest.fixture
def folder(tmp_path):
    """A folder of motion files, and of files that are none."""
    (tmp_path / "clips" / "more").mkdir(parents=True)
    here = tmp_path / "clips"
    odd.write_bvh(here / "walk.bvh", odd.smooth_walk())
    odd.write_bvh(here / "a_walk_with_a_name_that_is_far_too_long_for_a_table.bvh", odd.in_place(odd.smooth_walk()))
    odd.write_bvh(here / "crawl.bvh", odd.crawl())
    odd.write_deepmimic(here / "more" / "walk.txt", odd.smooth_walk())
    (here / "broken.bvh").write_text("HIERARCHY\nROOT Hips\n{\n  OFSET 0 0 0\n}\n")
    odd.write_bvh(here / "no_time.bvh", odd.smooth_walk(30), frame_time="0")
    (here / "notes.txt").write_text("not a motion\n")
    return here


@pytest.mark.parametrize("columns", [None, "80", "200"])
def test_info_of_a_folder_is_a_table_of_80_columns(poise, folder, columns, monkeypatch):
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    result = poise("clip", "info", "clips")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert max(map(len, lines)) <= 80
    files = [line[1:26].strip() for line in lines[3:-2] if line[27:29].strip() or "cannot" in line]
    assert [f for f in files if f] == [
        "a_walk_with_a_name_that_", "broken.bvh", "crawl.bvh", "more/walk.txt", "no_time.bvh", "walk.bvh",
    ]  # fmt: skip
    assert lines[-1] == "3 of 6 files can be tamed as a walk"


def test_info_of_a_folder_as_json(poise, folder):
    rows = {row["file"]: row for row in json.loads(poise("clip", "info", "clips", "--json", "-").stdout)}
    assert rows["broken.bvh"]["verdict"] == "cannot be read: line 4: unexpected 'OFSET'. Did you mean 'OFFSET'?"
    assert rows["no_time.bvh"]["verdict"] == (
        "cannot be read: no_time: the file does not say how long a frame takes. Give the rate with --fps"
    )
    assert rows["crawl.bvh"]["verdict"] == "no walk: the body lies or crawls: the hips come down to 0.54 m"
    walk = rows["walk.bvh"]
    assert (walk["verdict"], walk["unit"], walk["cycle"], walk["cycles"]) == ("walk", "cm", 1, 3)
    assert walk["speed_mps"] == pytest.approx(0.9, abs=0.01)
    assert walk["turn_deg"] == pytest.approx(0.0, abs=0.1)
    assert "notes.txt" not in rows


def test_options_apply_to_all_files_of_a_folder(poise, folder):
    rows = json.loads(poise("clip", "info", "clips", "--fps", "60", "--json", "-").stdout)
    speeds = {row["file"]: row["speed_mps"] for row in rows}
    assert speeds["walk.bvh"] == pytest.approx(1.8, abs=0.02)
    assert speeds["no_time.bvh"] is not None


def test_a_folder_without_motions_is_refused(poise, tmp_path):
    (tmp_path / "empty").mkdir()
    result = poise("clip", "info", "empty")
    text = "error: empty: no motion files. Allowed: .bvh, .amc, .json, .txt, .npz.\n"
    assert (result.exit_code, result.stderr) == (2, text)


def test_info_of_a_file_tells_whether_it_walks(poise, tmp_path):
    odd.write_bvh(tmp_path / "walk.bvh", odd.smooth_walk())
    assert "verdict       walk: cycle 1 at 0.90 m/s" in poise("clip", "info", "walk.bvh").output
    odd.write_bvh(tmp_path / "crawl.bvh", odd.crawl())
    facts = json.loads(poise("clip", "info", "crawl.bvh", "--json", "-").stdout)
    assert facts["walk"]["verdict"] == "no walk: the body lies or crawls: the hips come down to 0.54 m"


def test_conversion_keeps_rate_unit_up_and_roles(poise, tmp_path):
    """Without the options, the converted file is read as the original was with them."""
    names = {"LeftFoot": "Alpha", "RightFoot": "Beta"}
    odd.write_bvh(tmp_path / "x.bvh", odd.smooth_walk(), up="z", unit_m=0.02, frame_time="0", names=names)
    options = ["--fps", "30", "--unit", "0.02", "--up", "z", "--map", "left_toes=Alpha", "right_toes=Beta"]
    before = json.loads(poise("clip", "info", "x.bvh", *options, "--json", "-").stdout)
    for target in ("y.bvh", "y.npz"):
        assert poise("clip", "convert", "x.bvh", target, *options).exit_code == 0
        after = json.loads(poise("clip", "info", target, "--json", "-").stdout)
        for key in ("rate_hz", "frames", "height_m", "leg_m", "path_m"):
            assert after[key] == pytest.approx(before[key], rel=1e-4), (target, key)
        assert set(after["roles"]) == set(before["roles"])
    assert json.loads(poise("clip", "info", "y.npz", "--json", "-").stdout)["roles"] == before["roles"]
    after = json.loads(poise("clip", "info", "y.bvh", "--json", "-").stdout)
    assert after["roles"]["left_toes"] == "poise:left_toes"


def make_read_clip(folder, clip):
    return load_clip(odd.write_bvh(folder / "x.bvh", clip))


def test_a_ramp_is_drawn_as_a_ramp(tmp_path):
    clip = make_read_clip(tmp_path, odd.smooth_walk(150, slope=0.12))
    mapping = guess_mapping(clip.skeleton)
    ground = find_ground_m(clip, mapping)
    hips = clip.places_w_m[:, 0, 0]
    assert np.polyfit(hips, ground, 1) == pytest.approx([0.12, 0.0], abs=0.02)
    poses = draw_clip(clip, mapping).axes[0]
    line = next(line for line in poses.lines if line.get_gid() == "ground")
    assert np.ptp(line.get_ydata()) == pytest.approx(0.12 * np.ptp(hips), rel=0.1)
    flat = make_read_clip(tmp_path, odd.smooth_walk(150))
    assert not find_ground_m(flat, guess_mapping(flat.skeleton)).any()


def test_the_film_strip_of_a_ramp_shows_it(tmp_path):
    body = load_character("humanoid")
    clip = make_read_clip(tmp_path, odd.smooth_walk(150, slope=0.12))
    result = retarget(clip, guess_mapping(clip.skeleton), body)
    recording = make_clip_recording(result.clip, body, result.angles_rad)
    axes = draw_filmstrip(recording).axes[0]
    x, z = axes.lines[0].get_data()
    inside = (x > 0.5) & (x < 3.5)
    assert np.polyfit(x[inside], z[inside], 1)[0] == pytest.approx(0.12, abs=0.01)


def test_a_crawl_is_not_cropped(tmp_path):
    body = load_character("humanoid")
    clip = make_read_clip(tmp_path, odd.crawl())
    result = retarget(clip, guess_mapping(clip.skeleton), body)
    figure = draw_filmstrip(make_clip_recording(result.clip, body, result.angles_rad))
    for axes in figure.axes[:-1]:
        low, high = axes.get_xlim()
        bottom, top = axes.get_ylim()
        corners = np.concatenate([p.vertices for c in axes.collections[1:] for p in c.get_paths()])
        assert low < corners[:, 0].min() and corners[:, 0].max() < high
        assert bottom < corners[:, 1].min() and corners[:, 1].max() < top


def test_poses_of_a_crawl_do_not_hide_each_other(tmp_path):
    clip = make_read_clip(tmp_path, odd.crawl())
    axes = draw_clip(clip, guess_mapping(clip.skeleton)).axes[0]
    times = sorted(text.get_position()[0] for text in axes.texts)
    length = np.median(np.ptp(clip.places_w_m[..., 0], axis=1))
    assert np.diff(times).min() > 0.9 * length
