"""Scripts as people write them (`wild.toml`): what is said about each, and what it does where nothing is wrong."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.controllers.script.build import build_controller
from poise.errors import FileFormatError
from poise.language.check import check_program
from poise.language.load import load_program
from poise.language.parse import parse_script
from poise.language.write import write_script
from poise.tables import load_table
from poise.world.compile import PhysicsSettings
from poise.world.world import World
from script_worlds import BODY, PLANAR17

CASES: dict[str, dict[str, Any]] = {
    case["name"]: case for case in load_table(Path(__file__).with_name("wild.toml"))["case"]
}
SOUND = [name for name, case in CASES.items() if not any(text.startswith("error") for text in case["says"])]
TICKS = 300


def save(folder: Path, case: dict[str, Any]) -> Path:
    for name, text in {"main.s": case["text"], **case.get("files", {})}.items():
        (folder / name).write_text(text)
    return folder / "main.s"


def find_says(path: Path) -> list[str]:
    try:
        found = [(p.severity, p.error) for p in check_program(load_program(path), BODY)]
    except FileFormatError as error:
        found = [("error", error)]
    says = [f"{severity} {error.where}: {error.reason}".replace(f"{path.parent}/", "") for severity, error in found]
    # The shipped scripts that follow are none of this test's business.
    return [re.sub(r"Known here: stand\.t, .*? more\.", "Known here: stand.t …", text) for text in says]


def test_there_are_some_of_each_sort() -> None:
    assert len(CASES) >= 20
    assert 10 <= len(SOUND) < len(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_person_reads_what_is_wrong_and_what_was_probably_meant(name: str, tmp_path: Path) -> None:
    assert find_says(save(tmp_path, CASES[name])) == CASES[name]["says"]


@pytest.mark.parametrize("name", SOUND)
def test_without_errors_it_runs_and_says_where_it_stands(name: str, tmp_path: Path) -> None:
    path = save(tmp_path, CASES[name])
    world = World([PLANAR17], [build_controller(path, PLANAR17, "main")], settings=PhysicsSettings(timestep_s=0.001))
    world.step(TICKS)
    assert np.all(np.isfinite(world.data.qpos))
    passages = list(world.notebook.passages)
    assert passages[0].time_s == 0.0
    standing = world.controllers[0].diary.find_standing(world.params[0], world.memories[0])
    assert standing.stack == passages[-1].stack


@pytest.mark.parametrize("name", SOUND)
def test_laid_out_it_says_the_same(name: str) -> None:
    script = parse_script(CASES[name]["text"])
    assert parse_script(write_script(script)) == script


def test_the_old_gait_template_swings_the_thigh_forward(tmp_path: Path) -> None:
    path = save(tmp_path, CASES["the old gait template, its gains parameters of the script"])
    world = World([PLANAR17], [build_controller(path, PLANAR17, "main")], settings=PhysicsSettings(timestep_s=0.001))
    world.step(250)
    rotation = world.percepts[0].rot_w[BODY.parts["rThigh"]]
    assert np.arctan2(rotation[2], rotation[8]) == pytest.approx(-0.5, abs=0.15)
