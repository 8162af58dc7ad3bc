"""How to read a motion file, as the table `read` of a controller file."""

import pytest

from poise.controllers.catalog import load_controller
from poise.documents import save_toml
from poise.errors import FileFormatError
from poise.motion.read_settings import PLAIN_READING, ReadSettings, read_settings
from poise.tables import as_table, load_table
from poise.world.adopt import load_any_character
from unit.motion import odd_motions as odd

FULL = ReadSettings("cm", "z", 60.0, {"left_foot": "Bone07"}, True, "07.asf")


def test_settings_survive_a_table(tmp_path):
    save_toml(tmp_path / "x.toml", {"read": FULL.as_table()})
    back = read_settings(load_table(tmp_path / "x.toml").table("read"))
    assert back == ReadSettings("cm", "z", 60.0, {"left_foot": "Bone07"}, True, str(tmp_path / "07.asf"))
    assert read_settings(as_table({}, "x")) == PLAIN_READING
    assert PLAIN_READING.as_table() == {}


def test_settings_as_options():
    assert " ".join(FULL.as_options()) == (
        "--unit cm --up z --skeleton 07.asf --fps 60 --keep-start --map left_foot=Bone07"
    )
    assert PLAIN_READING.as_options() == []


WRONG = {
    "unit": ('unit = "yard"', "2:1: read.unit: no unit named 'yard'. Known here: m, cm, mm, inch, cmu."),
    "up": ('up = "w"', "2:1: read.up: no axis named 'w'. Known here: y, z, x, -y, -z, -x."),
    "fps": ("fps = 0", "2:1: read.fps: out of range, got 0. Allowed: 0.1 to 10000."),
    "a key": ("rate = 3", "2:1: read.rate: no key named 'rate'. Known here: unit, up, fps, skeleton, keep_start, map."),
}


@pytest.mark.parametrize(("line", "text"), WRONG.values(), ids=WRONG)
def test_wrong_settings_are_refused_at_their_place(tmp_path, line, text):
    (tmp_path / "x.toml").write_text(f"[read]\n{line}\n")
    with pytest.raises(FileFormatError) as error:
        read_settings(load_table(tmp_path / "x.toml").table("read"))
    assert str(error.value).splitlines()[0] == f"{tmp_path}/x.toml:{text}"


def test_a_tracker_reads_its_clip_with_its_settings(tmp_path):
    names = {name: f"Bone{k:02}" for k, name in enumerate(odd.NAMES)}
    odd.write_bvh(tmp_path / "x.bvh", odd.smooth_walk(), frame_time="0", names=names)
    table = {"method": "tracker", "character": "lee13", "description": "a walk", "clip": "x.bvh"}
    save_toml(tmp_path / "plain.toml", table)
    save_toml(tmp_path / "timed.toml", {**table, "read": {"fps": 30.0}})
    body = load_any_character("lee13")
    with pytest.raises(FileFormatError) as error:
        load_controller(str(tmp_path / "plain.toml"), body)
    assert "clip: x: the file does not say how long a frame takes. Give the rate with --fps." in str(error.value)
    assert load_controller(str(tmp_path / "timed.toml"), body).parameters
