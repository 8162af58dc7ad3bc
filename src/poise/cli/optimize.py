"""`poise optimize`: search for parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from poise.cli.failures import INTERRUPTED
from poise.cli.screen import (
    keep_stdout_for_json,
    make_console,
    make_facts,
    note,
    note_if_cold,
    show_progress,
    write_json,
)
from poise.cli.values import parse_seed, parse_whole

if TYPE_CHECKING:
    from rich.table import Table

    from poise.search import Result
    from poise.search.report import Generation

MAX_WORKERS = 1024

Option = typer.Option


def optimize(
    problem: Annotated[str, typer.Argument(metavar="PROBLEM.toml", help="A file, or a problem of `poise list`.")],
    resume: Annotated[str | None, Option(metavar="DIR", help="Go on from the checkpoint in this folder.")] = None,
    workers: Annotated[str | None, Option(metavar="N", help="Runs at a time; as many as cores by default.")] = None,
    seed: Annotated[str | None, Option(metavar="N", help="Seed of every random choice.")] = None,
    out: Annotated[str | None, Option(metavar="DIR", help="Where checkpoints and the result go.")] = None,
    json: Annotated[str | None, Option(metavar="F|-", help="Write the outcome as JSON; - is stdout.")] = None,
) -> None:
    """Search for the parameters that a problem file asks for, with a checkpoint each generation.

    Ctrl-C ends it; what was found is kept, and --resume goes on.
    """
    count = None if workers is None else parse_whole("--workers", workers, 1, MAX_WORKERS)
    number = None if seed is None else parse_seed(seed)
    from poise.search import optimize as search

    with keep_stdout_for_json(json):
        note_if_cold()
        with show_progress("searching") as bar:
            result = search(problem, resume=resume, workers=count, seed=number, out=out, progress=_follow(bar))
        if json != "-":
            make_console().print(_make_summary(result))
    if json is not None:
        write_json(json, result)
    if result.interrupted:
        note(f"interrupted. Go on with: {result.resume_hint}")
        raise typer.Exit(INTERRUPTED)


def _follow(bar: Callable[[float], None] | None) -> Callable[[Generation, int], None]:
    """What to do after a generation: move the bar, or write a line where there is none."""

    def follow(row: Generation, total: int) -> None:
        if bar is None:
            note(f"generation {row.generation} of {total}: best cost {row.best_cost:.5g}")
        else:
            bar(row.generation / total)

    return follow


def _make_summary(result: Result) -> Table:
    searched = f"{result.generations} generations, {result.evaluations} candidates"
    return make_facts(
        f"cost {result.cost:.5g}",
        [
            ("searched", searched),
            ("controller", result.controller_path),
            *((name, float(value)) for name, value in result.values.items()),
            *((f"check {name}", value) for name, value in result.check.items()),
        ],
    )
