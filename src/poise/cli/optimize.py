"""`poise optimize`: search for parameters."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.cli.screen import keep_stdout_for_json, note_if_cold, show_progress, write_json
from poise.cli.values import parse_seed, parse_whole

Option = typer.Option


def optimize(
    problem: Annotated[str, typer.Argument(metavar="PROBLEM.toml")],
    resume: Annotated[str | None, Option(metavar="DIR", help="Go on from the checkpoint in this folder.")] = None,
    workers: Annotated[str | None, Option(metavar="N", help="Processes at a time; all cores by default.")] = None,
    seed: Annotated[str | None, Option(metavar="N", help="Seed of every random choice.")] = None,
    out: Annotated[str | None, Option(metavar="DIR", help="Where checkpoints and the result go.")] = None,
    json: Annotated[str | None, Option(metavar="F|-", help="Write the outcome as JSON; - is stdout.")] = None,
) -> None:
    """Search for the parameters that a problem file asks for, with a checkpoint each generation."""
    processes = None if workers is None else parse_whole("--workers", workers, 1, 1024)
    number = None if seed is None else parse_seed(seed)
    from poise.search import optimize

    with keep_stdout_for_json(json):
        note_if_cold()
        with show_progress("searching") as progress:
            result = optimize(problem, resume=resume, workers=processes, seed=number, out=out, progress=progress)
    if json is not None:
        write_json(json, result)
