"""`poise clip`: motion files on the command line."""

import json

import pytest

from poise.motion.write_bvh import save_bvh
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
    assert "left_thigh       LeftUpLeg" in result.output


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
