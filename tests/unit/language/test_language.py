"""Whatever the language allows is read, found free of errors, compiled and run: the scripts of `language.toml`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.controllers.script.build import build_controller
from poise.language.check import check_program
from poise.language.load import load_program
from poise.language.parse import parse_script
from poise.language.write import write_script
from poise.tables import load_table
from poise.trust import allowing
from poise.world.compile import PhysicsSettings
from poise.world.world import World
from script_worlds import BODY, PLANAR17, where

HALF_A_SECOND = 500
CASES: dict[str, dict[str, Any]] = {
    case["name"]: case for case in load_table(Path(__file__).with_name("language.toml"))["case"]
}
LATIN = "# gehört zum Gehen\nBEGINSCRIPT a(void)\nPHASE 0\nENDPHASE\nENDSCRIPT\n"


def save(folder: Path, case: dict[str, Any]) -> Path:
    home = folder / "src"
    for name, text in {"main.s": case["text"], **case.get("files", {})}.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return home / "main.s"


@pytest.mark.parametrize("name", CASES)
def test_it_is_read_checked_and_run(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    path = save(tmp_path, case)
    # One of them is laid out as the released code is, over several folders.
    with allowing(outside=True):
        errors = [str(p) for p in check_program(load_program(path), BODY) if p.severity == "error"]
        controller = build_controller(path, PLANAR17, name)
    assert errors == []
    world = World([PLANAR17], [controller], settings=PhysicsSettings(timestep_s=0.001))
    assert world.settings.ground == "firm"
    for parameter in world.controllers[0].parameters:
        if not parameter.name.startswith("key_"):
            world.set_parameter(parameter.name, 0.1)
    world.step(HALF_A_SECOND)
    assert np.all(np.isfinite(world.data.qpos))
    if "ends_at" in case:
        assert where(world) == [tuple(place) for place in case["ends_at"]]


@pytest.mark.parametrize("name", CASES)
def test_laid_out_anew_it_says_the_same(name: str) -> None:
    script = parse_script(CASES[name]["text"].replace("\r\n", "\n"))
    assert parse_script(write_script(script)) == script


def test_a_script_from_times_before_utf8_is_read(tmp_path: Path) -> None:
    (tmp_path / "main.s").write_bytes(LATIN.encode("latin-1"))
    assert build_controller(tmp_path / "main.s", PLANAR17, "main").description == "gehört zum Gehen"


def test_the_time_step_of_the_source_is_allowed(tmp_path: Path) -> None:
    path = save(tmp_path, CASES["virtual forces in each form"])
    world = World([PLANAR17], [build_controller(path, PLANAR17, "a")], settings=PhysicsSettings(timestep_s=0.0001))
    world.step(500)
    assert world.time_s == pytest.approx(0.05)
    assert world.fell_at_s() is None
