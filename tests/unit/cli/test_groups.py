"""Groups of options: a command with a group has the options of the group, and gets their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from poise.cli.groups import with_groups


@dataclass(frozen=True)
class Size:
    width: Annotated[str, typer.Option(metavar="W", help="Width.")] = "2"
    names: Annotated[list[str] | None, typer.Option("--name", help="A name.")] = None


SIZE = Size()


@with_groups
def draw(
    context: typer.Context, file: str, size: Size = SIZE, loud: Annotated[bool, typer.Option("--loud")] = False
) -> None:
    """Draw a file."""
    typer.echo(f"{file} {size.width} {size.names} {loud} {sorted(context.params)}")


app = typer.Typer(add_completion=False)
app.command()(draw)


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        ([], "2 None False"),
        (["--width", "3", "--name", "a", "--name", "b"], "3 ['a', 'b'] False"),
        (["--loud"], "2 None True"),
    ],
)
def test_the_values_of_a_group_reach_the_command(args: list[str], shown: str) -> None:
    done = CliRunner().invoke(app, ["x", *args])
    assert (done.exit_code, done.stdout) == (0, f"x {shown} ['file', 'loud', 'names', 'width']\n")


def test_the_options_stand_where_the_group_is() -> None:
    command = get_command(app)
    assert command.help == "Draw a file."
    assert [p.name for p in command.params] == ["file", "width", "names", "loud"]


def test_an_option_that_the_group_does_not_have_is_refused() -> None:
    assert CliRunner().invoke(app, ["x", "--height", "1"]).exit_code == 2
