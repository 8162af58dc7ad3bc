"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.cli.outputs import check_folder
from poise.cli.values import parse_whole

MAX_WORKERS = 1024

WorkersOption = Annotated[str | None, typer.Option(metavar="N", help="Parallel simulations; by default one per core")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Resume a search that was interrupted or killed")]
SeedOption = Annotated[str, typer.Option(metavar="N", help="Seed of every random choice")]
GenerationsOption = Annotated[str, typer.Option(metavar="N", help="Maximum number of generations")]
PopulationOption = Annotated[str, typer.Option(metavar="N", help="Candidates per generation")]
JsonOption = Annotated[
    str | None,
    typer.Option("--json", metavar="F|-", callback=check_folder, help="Write the result as JSON; - is stdout"),
]


def parse_workers(workers: str | None) -> int | None:
    """The number of workers; None means one per core."""
    return None if workers is None else parse_whole("--workers", workers, 1, MAX_WORKERS)
