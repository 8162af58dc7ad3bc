"""`poise list`, `poise show`, `poise compare`: names and figures for people."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from poise.characters.catalog import character_names
from poise.controllers.catalog import controller_names
from poise.recordings.recording_file import load_recording, save_recording
from poise.search import problem_names
from poise.world.terrain import list_terrains

WALK = "simbicon/planar-walk"


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("characters", character_names()),
        ("controllers", controller_names()),
        ("terrains", [kind.name for kind in list_terrains()]),
        ("problems", problem_names()),
    ],
)
def test_lists_name_everything_once(poise, kind: str, names: list[str]) -> None:
    result = poise("list", kind)
    assert (result.exit_code, result.stderr) == (0, "")
    assert [row[0] for row in rows(result.stdout)[2:]] == names


def test_list_without_a_kind_lists_all(poise) -> None:
    result = poise("list")
    assert result.exit_code == 0
    for name in (*character_names(), *controller_names(), "heightfield"):
        assert name in result.stdout


def test_show_character(poise) -> None:
    result = poise("show", "character", "biped7")
    assert (result.exit_code, result.stderr) == (0, "")
    assert ["mass", "90.00", "kg"] in rows(result.stdout)
    assert ["left_foot", "left_shank", "hinge", "1.000", "left_foot"] in rows(result.stdout)
    assert any(row[0] == "left_knee_pitch" for row in rows(result.stdout))


@pytest.mark.parametrize("name", character_names())
def test_every_character_can_be_shown(poise, name: str) -> None:
    assert poise("show", "character", name).exit_code == 0


def test_show_character_writes_a_picture_and_a_model(poise) -> None:
    result = poise("show", "character", "humanoid", "--scale", "legs=1.2", "--png", "a.png", "--mjcf", "a.xml")
    assert result.exit_code == 0
    assert result.stdout.endswith("wrote a.png\nwrote a.xml\n")
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    assert Path("a.xml").read_text().startswith("<mujoco")


def test_show_character_of_other_proportions(poise) -> None:
    result = poise("show", "character", "biped7", "--scale", "mass=0.5")
    assert ["mass", "45.00", "kg"] in rows(result.stdout)
    assert poise("show", "character", "biped7", "--scale", "mass").stderr == (
        "error: --scale: a name and a value are needed, got 'mass'. Write name=value.\n"
    )


def test_show_character_drawn_at_random(poise) -> None:
    result = poise("show", "character", "humanoid", "--random-body", "7")
    assert result.stdout.startswith("humanoid-body7")
    assert poise("show", "character", "humanoid", "--random-body", "-1").stderr == (
        "error: --random-body: the number is out of range, got -1. Allowed: 0 to 4294967295.\n"
    )


def test_show_controller(poise) -> None:
    result = poise("show", "controller", WALK)
    assert (result.exit_code, result.stderr) == (0, "")
    table = rows(result.stdout)
    assert table[0] == [WALK]
    assert ["character", "biped7"] in table
    assert ["lift_duration_s", "0.3", "0.02", "2"] in [row[:4] for row in table]


@pytest.mark.parametrize("name", controller_names())
def test_every_controller_can_be_shown(poise, name: str) -> None:
    assert poise("show", "controller", name).exit_code == 0


def test_show_terrain(poise) -> None:
    result = poise("show", "terrain", "slope:3,friction=0.5")
    assert (result.exit_code, result.stderr) == (0, "")
    table = rows(result.stdout)
    assert table[0] == ["slope:angle_deg=3,friction=0.5"]
    assert ["angle_deg", "3", "5", "-60", "to", "60", "degrees"] in [row[:7] for row in table]


def test_what_is_not_there_cannot_be_shown(poise) -> None:
    for command, name in (("character", "biped8"), ("controller", "nope/nope"), ("terrain", "swamp")):
        result = poise("show", command, name)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("error: ") and repr(name) in result.stderr


def test_compare_says_which_versions_differ(poise) -> None:
    assert poise("run", WALK, "--seconds", "0.1", "--export", "a.npz").exit_code == 0
    recording = load_recording("a.npz")
    versions = {**recording.meta["versions"], "numba": "0.1"}
    save_recording(replace(recording, meta={**recording.meta, "versions": versions}), "b.npz")
    result = poise("compare", "a.npz", "b.npz")
    mine = recording.meta["versions"]["numba"]
    assert result.stdout.endswith(f"Versions differ: numba {mine} and 0.1. The same run may differ in its last bits.\n")


def test_compare_sets_two_recordings_side_by_side(poise) -> None:
    for name, seconds in (("a", "0.5"), ("b", "1")):
        assert poise("run", WALK, "--seconds", seconds, "--export", f"{name}.npz").exit_code == 0
    result = poise("compare", "a.npz", "b.npz", "--png", "c.png")
    assert (result.exit_code, result.stderr) == (0, "")
    assert ["seconds", "0.5", "1", "0.5", "2"] in rows(result.stdout)
    assert result.stdout.endswith("wrote c.png\n")
    figures = json.loads(poise("compare", "a.npz", "b.npz", "--json", "-").stdout)
    assert [row["b"] for row in figures["rows"] if row["name"] == "seconds"] == [1.0]
    assert figures["versions"]["a"] == figures["versions"]["b"]
    assert f"A was recorded with poise {figures['versions']['a']['poise']}, Python " in result.stdout
    assert "Versions differ" not in result.stdout
    missing = poise("compare", "a.npz", "bb.npz")
    assert (missing.exit_code, missing.stderr) == (2, "error: bb.npz: no such file. Did you mean 'b.npz'?\n")
