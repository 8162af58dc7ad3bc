"""What the tests of the commands share: a folder of their own and a way to type a command."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from poise.cli import app

Poise = Callable[..., Result]


@pytest.fixture
def poise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Poise:
    """Runs a command line in an empty folder: `poise("list", "terrains")`."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner(env={"COLUMNS": None, "NO_COLOR": "1", "POISE_DEBUG": None})
    return lambda *args: runner.invoke(app, args)
