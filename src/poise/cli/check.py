"""`poise check`: whether a controller satisfies the contract of all controllers."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.cli.failures import FAULT
from poise.cli.group import HouseApp
from poise.cli.scenes import GroundOption
from poise.cli.screen import make_console, make_table, note_if_cold, show_progress
from poise.cli.trusting import AllowOutsideOption, AllowPythonOption

app = HouseApp(help="Check controllers against their contract")


@app.callback()
def start() -> None:
    """Check controllers against their contract"""


@app.command("controller")
def check_controller(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE")],
    character: Annotated[str | None, typer.Option(metavar="C", help="Character to use instead of its own")] = None,
    ground: GroundOption = None,
    allow_python: AllowPythonOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Check a controller: finite, internal torques only, deterministic, exact after a snapshot, symmetric

    The exit code is 1 if a check fails.
    """
    from poise.checking import check_controller

    note_if_cold()
    with show_progress("checking") as progress:
        results = check_controller(name, character, ground=ground, progress=progress)
    rows = [(r.name, "skipped" if r.skipped else "passed" if r.passed else "FAILED", r.detail) for r in results]
    make_console().print(make_table(("check", "result", "detail"), rows))
    if not all(r.passed for r in results):
        raise typer.Exit(FAULT)
