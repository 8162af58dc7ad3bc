"""The house rules find what they are made for."""

import ast
from pathlib import Path

import pytest

from tools import error_places, house


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


PROJECT = """
def load_thing(name, where="load_thing"):
    raise unknown_name("thing", "thing", name, [])
def scaled(factor): ...
def run(): ...
app.command("run")(run)
def check(where, value): ...
class Body:
    @property
    def mass_kg(self): ...
"""


@pytest.mark.parametrize(
    "line",
    [
        'raise unknown_name("load_thing", "thing", "x", [])',
        'raise InputError("wrong", where="scaled", got=1)',
        'raise InputError("scaled: wrong")',
        'raise InputError(f"scaled: {name} is wrong")',
        'raise InputError(f"load_thing {name}: wrong")',
        'check("scaled", 1)',
        'def other(value, where="scaled"): ...',
        'WHERE = "scaled"\nraise out_of_range(WHERE, "factor", 1, 2, 3)',
        'raise DivergedError("wrong", where=f"scaled: {part}")',
    ],
)
def test_an_error_that_names_a_function_is_found(line: str) -> None:
    helpers = "def unknown_name(where, kind): ...\ndef out_of_range(where, name): ..."
    known = error_places.learn({Path(f"{k}.py"): ast.parse(text) for k, text in enumerate((PROJECT, helpers, line))})
    ((_, name),) = error_places.find_internal_places(ast.parse(line), known)
    assert name.split()[0] in ("load_thing", "scaled")


@pytest.mark.parametrize(
    "line",
    [
        'raise InputError("wrong", where="--scale")',
        'raise InputError("wrong", where="run")',
        'raise InputError("wrong", where=path)',
        'raise InputError(f"mass_kg must be at least {low:g}")',
        'raise InputError("scaled bodies have no tail")',
        'raise InputError("wrong", where="scale")',
        'check("mass_kg", 1)',
    ],
)
def test_other_places_are_fine(line: str) -> None:
    known = error_places.learn({Path("a.py"): ast.parse(PROJECT)})
    assert not list(error_places.find_internal_places(ast.parse(line), known))


def test_the_whole_project_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "ROOT", tmp_path)
    (tmp_path / "a.py").write_text("def open_thing(): ...\n")
    (tmp_path / "b.py").write_text('x = 1\nraise InputError("wrong", where="open_thing")\n')
    assert list(house.find_named_functions(tmp_path)) == [
        "b.py:2: the error names the function open_thing. Name the option, file or argument"
    ]
