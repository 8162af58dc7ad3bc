"""The house rules find what they are made for."""

import ast
from pathlib import Path

import pytest

from tools import house


@pytest.mark.parametrize("line", ["world.data.qpos[0]", "self._world.model.nv", "twin._stage"])
def test_the_inside_of_a_world_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setattr(house, "ROOT", tmp_path)
    (tmp_path / "a.py").write_text(f"x = 1\n{line}\n")
    (found,) = house.find_touches(tmp_path / "a.py")
    assert found.startswith("a.py:2: ") and found.endswith(" is for poise.world alone. Use World.state or a percept")


@pytest.mark.parametrize(
    "text",
    [
        "def look(scene: World):\n    return scene.data",
        "def look(scene: 'World'):\n    return scene.data",
        "def look(scenes: Sequence[World | None]):\n    for one in scenes:\n        one.model",
        "def look(self):\n    self.copy, k = self._world.twin(), 0\n    a = self.copy\n    return a._scratch",
        "rig = World([body])\nrig.model.opt",
        "place: World = find()\nplace.data",
        "rig = a if a else World([body])\nrig.data",
        "[w.data for w in self.worlds]",
        "with hire(World([body])) as _, World([body]) as other:\n    other.data",
        "if (found := World([body])) and found.data:\n    pass",
        "getattr(world, 'model')",
        "worlds[0]._stage",
        "scene.open_it().data",
    ],
)
def test_a_world_is_found_under_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(house, "ROOT", tmp_path)
    (tmp_path / "a.py").write_text(text)
    makers = house.find_makers([ast.parse("def open_it(self) -> World: ...")])
    assert len(list(house.find_touches(tmp_path / "a.py", makers))) == 1


def test_the_project_keeps_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert house.main() == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    "line",
    [
        "table.data",
        "world.state.positions",
        "self.model",
        "spec.model",
        "def look(make: Callable[[], World]):\n    return make.data",
    ],
)
def test_other_data_and_models_are_fine(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.py").write_text(line)
    assert not list(house.find_touches(tmp_path / "a.py"))
