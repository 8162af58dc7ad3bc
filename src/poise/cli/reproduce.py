"""`poise reproduce` and `poise claims`: what the sources say, beside what Poise measures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from poise.cli.failures import FAULT
from poise.cli.screen import keep_stdout_for_json, make_console, make_table, note, note_if_cold, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from poise.reproduce.experiment import Result


def make_rows(results: Iterable[Result]) -> Table:
    """One row for each claim."""
    rows = []
    for result in results:
        for row in result.rows:
            verdict = "exceeded" if row.exceeded else "holds" if row.holds else "does not hold"
            rows.append((row.claim, row.source, row.figure, row.measured, verdict))
    return make_table(("claim", "source", "it says", "measured", "verdict"), rows)


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME…]", help="Experiments; all if none.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs with the same verdicts.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 0,
    keep: Annotated[bool, typer.Option("--keep", help="Store the results where `poise claims` reads them.")] = False,
    json: Annotated[str | None, typer.Option(metavar="F|-", help="Write the rows as JSON; - is stdout.")] = None,
) -> None:
    """Measure the claims of the sources again. Exit code 1 if one does not hold."""
    from dataclasses import asdict

    from poise.errors import InputError
    from poise.reproduce.catalog import EXPERIMENTS
    from poise.reproduce.experiment import find_experiment, run_experiment, save_result

    if keep and quick:
        raise InputError("reproduce: only full results are kept. Leave out --quick or --keep.")
    chosen = [find_experiment(name, EXPERIMENTS) for name in names] if names else list(EXPERIMENTS)
    results = []
    with keep_stdout_for_json(json):
        note_if_cold()
        for experiment in chosen:
            note(f"{experiment.name}: {experiment.about}")
            results.append(run_experiment(experiment, quick=quick, seed=seed))
            if keep:
                note(f"kept in {save_result(results[-1])}")
        if json != "-":
            make_console().print(make_rows(results))
    if json is not None:
        write_json(json, [asdict(result) for result in results])
    if not all(row.holds for result in results for row in result.rows):
        raise typer.Exit(FAULT)


def claims(
    json: Annotated[str | None, typer.Option(metavar="F|-", help="Write the rows as JSON; - is stdout.")] = None,
) -> None:
    """List the claims of the sources with the results that are kept in the project."""
    from dataclasses import asdict

    from poise.reproduce.experiment import load_results

    results = load_results()
    if json != "-":
        make_console().print(make_rows(results))
        rows = [row for result in results for row in result.rows]
        typer.echo(f"{sum(r.holds for r in rows)} of {len(rows)} hold")
    if json is not None:
        write_json(json, [asdict(result) for result in results])
