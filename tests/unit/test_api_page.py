"""The page of the Python interface names all of it, and its examples run."""

from __future__ import annotations

import inspect
import re
import typing
from pathlib import Path

import pytest

import poise

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_every_name_can_be_imported():
    for name in poise.__all__:
        assert getattr(poise, name) is not None, name


def test_every_name_is_in_a_table_and_every_name_in_a_table_exists():
    listed = set()
    for row in re.findall(r"^\| (.*?) \|", PAGE, re.MULTILINE):
        listed |= set(re.findall(r"`(\w+)[(`]", row))
    assert listed == set(poise.__all__) - {"__version__"}


def test_lazy_and_typed_imports_name_the_same_objects():
    source = inspect.getsource(poise)
    typed = {}
    for module, names in re.findall(r"^    from (poise\.[\w.]+) import (.+)$", source, re.MULTILINE):
        for name in names.split(", "):
            original, _, alias = name.partition(" as ")
            typed[alias or original] = f"{module.removeprefix('poise.')}{':' + original if alias else ''}"
    assert typed == poise._HOMES
    assert sorted(typed) == sorted(set(poise.__all__) - {"__version__"})


@pytest.mark.parametrize("name", [n for n in poise.__all__ if inspect.isroutine(getattr(poise, n))])
def test_functions_have_types_and_docstrings(name):
    function = getattr(poise, name)
    hints = function.__annotations__
    assert set(inspect.signature(function).parameters) | {"return"} <= set(hints), name
    assert function.__doc__


def test_unknown_name():
    with pytest.raises(AttributeError, match="module 'poise' has no attribute 'wlak'"):
        typing.cast(typing.Any, poise).wlak  # noqa: B018


def test_the_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    assert len(BLOCKS) == 8
    for block in BLOCKS:
        exec(compile(block, "docs/api.md", "exec"), names)
    assert (tmp_path / "walk.csv").exists()
