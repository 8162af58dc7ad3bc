"""docs/commands.md names every option; tests/pages runs its commands."""

from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from poise.cli import app

DOCUMENT = (Path(__file__).parents[3] / "docs" / "commands.md").read_text(encoding="utf-8")
#: Options of many commands, which have a section of their own.
SHARED = {"--make-folders": "## Files to write\n"}


def find(args: list[str]) -> tuple[Any, list[str]]:
    """The command that a line calls, and the rest of the line."""
    command: Any = get_command(app)
    while args and hasattr(command, "commands") and args[0] in command.commands:
        command, args = command.commands[args[0]], args[1:]
    return command, args


@pytest.mark.parametrize("name", get_command(app).commands)  # type: ignore[attr-defined]
def test_every_option_is_described(name: str) -> None:
    section = DOCUMENT.partition(f"## poise {name}\n")[2].partition("\n## ")[0]
    assert section, f"no section about poise {name}"
    command = find([name])[0]
    for inner in getattr(command, "commands", {"": command}).values():
        for parameter in inner.params:
            for option in parameter.opts if parameter.param_type_name == "option" else ():
                assert option in (DOCUMENT.partition(SHARED[option])[2] if option in SHARED else section)
