"""Files to write: a folder that does not exist is refused before anything is computed, or made on request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from poise.cli import app

#: Texts of options and arguments that name a file or folder to write.
WRITES = re.compile(r"\b(to write|Write (it|the)|Draw (it|the|commanded)|Export|^The picture|Folder (for|of) the)\b")


def list_commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from list_commands(inner, (*path, name))


COMMANDS = list(list_commands(get_command(app)))
OUTPUTS = [
    (path, command, parameter)
    for path, command in COMMANDS
    for parameter in command.params
    if getattr(parameter, "metavar", None) and WRITES.search(getattr(parameter, "help", None) or "")
]


def fill(command: Any, tested: Any, path: str) -> list[str]:
    """A command line with a path for the tested parameter and a word for all others that are required."""
    arguments, options = [], []
    for parameter in command.params:
        if parameter.required or parameter is tested:
            word = path if parameter is tested else "x"
            if parameter.param_type_name == "option":
                options += [parameter.opts[0], word]
            else:
                arguments.append(word)
    return arguments + options


def test_there_are_many() -> None:
    names = {(*path, parameter.name) for path, _, parameter in OUTPUTS}
    assert {("run", "export"), ("run", "json"), ("clip", "convert", "target"), ("optimize", "out")} <= names
    assert len(names) >= 35


@pytest.mark.parametrize(("path", "command", "parameter"), OUTPUTS, ids=lambda value: getattr(value, "name", None))
def test_a_missing_folder_is_refused_at_once(poise, path: tuple[str, ...], command: Any, parameter: Any) -> None:
    where = parameter.opts[0] if parameter.param_type_name == "option" else parameter.metavar
    result = poise(*path, *fill(command, parameter, "new/folder/a.toml"))
    assert (result.exit_code, result.stdout, result.stderr) == (
        2, "",
        f"error: {where}: the folder does not exist, got 'new/folder/a.toml'. "
        "Create the folder 'new/folder', or add --make-folders.\n",
    )  # fmt: skip
    assert "--make-folders" in [name for p in command.params for name in p.opts]


def test_folders_are_made_on_request(poise) -> None:
    result = poise(
        "run", "simbicon/planar-walk", "--seconds", "0.1", "--export", "new/a.csv", "new/er/a.npz", "--json",
        "other/a.json", "--make-folders",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert all(Path(name).is_file() for name in ("new/a.csv", "new/er/a.npz", "other/a.json"))


@pytest.mark.parametrize("path", ["a.json", "./a.json", "-", "/dev/null"])
def test_folders_that_exist_need_no_option(poise, path: str) -> None:
    result = poise("run", "simbicon/planar-walk", "--seconds", "0.1", "--json", path)
    assert result.exit_code == 0, result.output


def test_default_folders_are_made_without_being_named(poise) -> None:
    assert poise("reproduce", "report").exit_code == 0
    assert Path("out/claims/index.html").is_file()
    result = poise("reproduce", "report", "--out", "pages/claims")
    assert result.stderr == (
        "error: --out: the folder does not exist, got 'pages/claims'. Create the folder 'pages', or add "
        "--make-folders.\n"
    )
