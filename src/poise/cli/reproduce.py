"""`poise reproduce` and `poise claims`: the claims of the sources beside Poise's measurements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from poise.cli.failures import FAULT, INTERRUPTED
from poise.cli.options import JsonOption
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.screen import (
    keep_stdout_for_json,
    make_console,
    make_table,
    note,
    note_if_cold,
    show_progress,
    write_json,
)
from poise.cli.values import parse_seed
from poise.errors import InputError

if TYPE_CHECKING:
    from poise.cli.table import Table
    from poise.reproduce.claims import Standing
    from poise.reproduce.experiment import Experiment, Result

#: Keywords accepted instead of an experiment's name.
LIST, REPORT = "list", "report"


def make_rows(results: Iterable[Result]) -> Table:
    """A table with one row per claim."""
    rows = []
    for result in results:
        for row in result.rows:
            verdict = "exceeded" if row.exceeded and row.holds else "holds" if row.holds else "does not hold"
            verdict += " (revised)" if row.revised else ""
            rows.append((row.claim, row.source, row.figure, row.measured, verdict))
    return make_table(("claim", "source", "published", "measured", "verdict"), rows, drop=("source", "published"))


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID…]|list|report", help="Experiments or claims; all experiments if none"),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs with the same verdicts")] = False,
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of every random choice")] = "0",
    keep: Annotated[bool, typer.Option("--keep", help="Store the results where `poise claims` reads them")] = False,
    json: JsonOption = None,
    out: Annotated[
        str, typer.Option(metavar="DIR", callback=check_folder, help="Folder for the page of `report`")
    ] = "out/claims",
    make_folders: MakeFoldersOption = False,
) -> None:
    """Measure the claims of the sources again

    The exit code is 1 if one does not hold.

    `list` shows the experiments; `report` writes a page with all claims and pictures of the measurements.
    """
    if names == [LIST]:
        _list_experiments()
        return
    if names == [REPORT]:
        _write_report(out)
        return
    if keep and quick:
        raise InputError("poise reproduce: only full results are kept. Leave out --quick or --keep.")
    results, interrupted = _measure(names or [], quick, parse_seed(seed), keep, json)
    if json is not None:
        from poise.reproduce.experiment import describe_result

        write_json(json, [describe_result(result) for result in results])
    if interrupted:
        note("interrupted. The finished experiments are kept.")
        raise typer.Exit(INTERRUPTED)
    if not all(row.holds for result in results for row in result.rows):
        raise typer.Exit(FAULT)


def _measure(names: Sequence[str], quick: bool, seed: int, keep: bool, json: str | None) -> tuple[list[Result], bool]:
    """The results of the chosen experiments, and whether Ctrl-C interrupted them."""
    from poise.reproduce.experiment import run_experiment, save_result

    chosen = _choose(names)
    results: list[Result] = []
    interrupted = False
    with keep_stdout_for_json(json):
        note_if_cold()
        try:
            for experiment, claims in chosen:
                if not names and (reason := experiment.missing()):
                    note(f"{experiment.name}: left out: {reason}")
                    continue
                note(f"{experiment.name}: {experiment.about}")
                with show_progress(experiment.name) as bar:
                    result = run_experiment(experiment, quick=quick, seed=seed, progress=bar)
                if keep:
                    note(f"kept in {save_result(result)}")
                results.append(_select(result, claims))
        except KeyboardInterrupt:
            if not results:
                raise
            interrupted = True
        if json != "-":
            make_console().print(make_rows(results))
            rows = [row for result in results for row in result.rows]
            typer.echo(f"{sum(row.holds for row in rows)} of {len(rows)} hold")
    return results, interrupted


def _choose(names: Sequence[str]) -> list[tuple[Experiment, set[str]]]:
    """Each chosen experiment once, with the chosen claims; an empty set means all."""
    from poise.reproduce.catalog import EXPERIMENTS
    from poise.reproduce.experiment import find_experiment

    if not names:
        return [(experiment, set()) for experiment in EXPERIMENTS]
    chosen: dict[str, tuple[Experiment, set[str]]] = {}
    whole = set()
    for name in names:
        experiment = find_experiment(name, EXPERIMENTS)
        _, claims = chosen.setdefault(experiment.name, (experiment, set()))
        if name == experiment.name:
            whole.add(name)
        else:
            claims.add(name)
    return [(experiment, set() if name in whole else claims) for name, (experiment, claims) in chosen.items()]


def _select(result: Result, claims: set[str]) -> Result:
    from dataclasses import replace

    return replace(result, rows=tuple(row for row in result.rows if row.claim in claims)) if claims else result


def _list_experiments() -> None:
    from poise.reproduce.catalog import EXPERIMENTS
    from poise.reproduce.experiment import load_results

    kept = {result.experiment: result for result in load_results()}
    rows = []
    for experiment in EXPERIMENTS:
        result = kept.get(experiment.name)
        if result is None:
            rows.append((experiment.name, experiment.about, "", "nothing kept"))
        else:
            held = f"{sum(row.holds for row in result.rows)} of {len(result.rows)}"
            rows.append((experiment.name, experiment.about, held, f"version {result.version}, seed {result.seed}"))
    make_console().print(make_table(("experiment", "what it measures", "hold", "kept"), rows))


def _write_report(folder: str) -> None:
    from pathlib import Path

    from poise.reproduce.claims import find_standings
    from poise.reproduce.report import save_report

    path = Path(folder) / "index.html"
    save_report(find_standings(), path)
    print(f"wrote {path}")


def claims(
    system: Annotated[str | None, typer.Option(metavar="S", help="All claims of one system, measured or not")] = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """List the claims of the sources with the results stored in the project"""
    from poise.reproduce.claims import count_standings, find_standings

    standings = find_standings(system)
    if json != "-":
        console = make_console()
        if system is None:
            console.print(_make_counts(standings))
        shown = standings if system is not None else [s for s in standings if s.holds is not None]
        console.print(_make_standings(shown))
        typer.echo(count_standings(standings))
    if json is not None:
        write_json(json, {"claims": [standing.as_dict() for standing in standings]})


def _make_counts(standings: Sequence[Standing]) -> Table:
    columns = ("system", "claims", "measured", "hold", "do not hold", "revised")
    rows = []
    for system, members in groupby(standings, key=lambda s: s.claim.system):
        group = list(members)
        counts = [sum(s.holds is not None for s in group), *(sum(s.holds is h for s in group) for h in (True, False))]
        rows.append((system, len(group), *counts, sum(bool(s.revised) for s in group)))
    return make_table(columns, rows, right=columns[1:])


def _make_standings(standings: Sequence[Standing]) -> Table:
    columns = ("claim", "source", "published", "measured", "verdict", "command", "reason")
    rows = [(s.claim.id, s.claim.source, s.claim.figure, s.measured, s.verdict, s.command, s.reason) for s in standings]
    return make_table(columns, rows, drop=("command", "reason", "source", "published"))
