"""`--help` of every command: phrases without a period, and no broken words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from poise.cli import app


def list_commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from list_commands(inner, (*path, name))


COMMANDS = list(list_commands(get_command(app)))
NAMES = [" ".join(("poise", *path)) for path, _ in COMMANDS]


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=NAMES)
def test_help_is_a_phrase(path: tuple[str, ...], command: Any) -> None:
    headline = command.help.split("\n\n")[0]
    assert re.fullmatch(r"[A-Z][^.]*(\.\w[^.]*)*", headline), headline
    for parameter in command.get_params(command.make_context("poise", [], resilient_parsing=True)):
        text = getattr(parameter, "help", None)
        assert not text or (not text.endswith(".") and not re.search(r"\w\. [A-Z]", text)), text


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=NAMES)
def test_help_breaks_no_words(path: tuple[str, ...], command: Any) -> None:
    done = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(app, [*path, "--help"])
    assert all(len(line) <= 80 for line in done.output.splitlines())
    shown = set(re.sub("[│╭╰─╮╯]", " ", done.output).split())
    for parameter in command.params:
        words = [*(getattr(parameter, "help", None) or "").split(), *((parameter.metavar or "").split())]
        assert set(words) <= shown
    assert set(command.help.split()) <= shown
