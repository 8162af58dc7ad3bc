"""What the tests of the commands share: a folder of their own and a way to type a command."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.testing
from typer.testing import CliRunner, Result

from fitting_tables import check_fits
from poise.cli import app
from poise.cli.table import Table

Poise = Callable[..., Result]


@pytest.fixture(scope="session", autouse=True)
def _commands_built_once() -> Iterator[None]:
    """Typer builds the tree of all commands for each command line, which takes longer than most of them run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.testing, "_get_command", cache(typer.testing._get_command))
        yield


@pytest.fixture(autouse=True)
def _tables_fit_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks every table that a command prints in these tests."""
    draw = Table.__rich_console__

    def check(self: Table, console: Any, options: Any) -> Any:
        check_fits(self, 80)
        return draw(self, console, options)

    monkeypatch.setattr(Table, "__rich_console__", check)


@pytest.fixture
def poise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Poise:
    """Runs a command line in an empty folder: `poise("list", "terrains")`."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner(env={"COLUMNS": None, "NO_COLOR": "1", "POISE_DEBUG": None})
    return lambda *args: runner.invoke(app, args)


@pytest.fixture
def press_ctrl_c(monkeypatch: pytest.MonkeyPatch, hears_ctrl_c: None) -> Callable[[str], None]:
    """Interrupts a command at its first sign of progress: `press_ctrl_c("run")`."""

    @contextmanager
    def interrupt(what: str) -> Iterator[Callable[[float], None]]:
        yield lambda done: os.kill(os.getpid(), signal.SIGINT)

    return lambda command: monkeypatch.setattr(f"poise.cli.{command}.show_progress", interrupt)
