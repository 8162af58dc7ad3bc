"""The house rules find what they are made for."""

from pathlib import Path

import pytest

from tools import house


@pytest.mark.parametrize("line", ["world.data.qpos[0]", "self._world.model.nv", "twin._stage"])
def test_the_inside_of_a_world_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setattr(house, "ROOT", tmp_path)
    (tmp_path / "a.py").write_text(f"x = 1\n{line}\n")
    (found,) = house.find_touches(tmp_path / "a.py")
    assert found.startswith("a.py:2: ") and found.endswith(" is for poise.world alone. Use World.state or a percept")


@pytest.mark.parametrize("line", ["table.data", "world.state.positions", "self.model", "spec.model"])
def test_other_data_and_models_are_fine(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.py").write_text(line)
    assert not list(house.find_touches(tmp_path / "a.py"))
