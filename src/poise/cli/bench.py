"""`poise bench`: how fast this machine simulates."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.cli.options import JsonOption
from poise.cli.outputs import MakeFoldersOption
from poise.cli.screen import keep_stdout_for_json, make_console, make_table, note_if_cold, show_progress, write_json


def bench(
    json: JsonOption = None,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs, rougher figures")] = False,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Measure the speed of the simulation and the cost of control on this machine"""
    from poise.benchmarks import make_rows, run_benchmarks

    with keep_stdout_for_json(json):
        note_if_cold()
        with show_progress("measuring") as progress:
            results = run_benchmarks(quick=quick, progress=progress)
        if json != "-":
            make_console().print(make_table(("figure", "measured", "target"), make_rows(results)))
    if json is not None:
        write_json(json, results)
