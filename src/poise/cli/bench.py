"""`poise bench`: how fast this machine simulates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

import typer

from poise.cli.screen import keep_stdout_for_json, make_console, make_table, note_if_cold, show_progress, write_json


def bench(
    json: Annotated[str | None, typer.Option(metavar="F|-", help="Write the figures as JSON; - is stdout.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs, rougher figures.")] = False,
) -> None:
    """Measure the speed of the simulation and the cost of control on this machine."""
    from poise.benchmarks import run_benchmarks

    with keep_stdout_for_json(json):
        note_if_cold()
        with show_progress("measuring") as progress:
            results = run_benchmarks(quick=quick, progress=progress)
        if json != "-":
            make_console().print(make_table(("figure", "value"), flatten(results), right=("value",)))
    if json is not None:
        write_json(json, results)


def flatten(results: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """Nested figures as rows, with names joined by dots."""
    for name, value in results.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value
