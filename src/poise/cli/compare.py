"""`poise compare`: compare two recordings, robustness tests or sweeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli.options import JsonOption
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.screen import keep_stdout_for_json, make_console, make_table, write_json
from poise.errors import InputError

if TYPE_CHECKING:
    from poise.cli.table import Table
    from poise.rollout.compare import ComparisonRow


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A recording (.npz), or JSON of robustness or sweep")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another of the same kind")],
    png: Annotated[str | None, typer.Option(metavar="F", callback=check_folder, help="Draw the curves of both")] = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Compare two recordings, robustness tests or sweeps and print the differences"""
    if a.lower().endswith(".json") or b.lower().endswith(".json"):
        _compare_reports(a, b, png, json)
        return
    from poise.install import read_versions
    from poise.recordings.recording_file import load_recording
    from poise.rollout import compare as comparing

    with keep_stdout_for_json(json):
        first, second = load_recording(a), load_recording(b)
        rows = comparing.compare(first, second)
        if json != "-":
            make_console().print(_make_table("figure", rows))
            _say_versions(first.meta, second.meta)
        if png is not None:
            comparing.export_comparison(first, second, png, labels=(a, b))
            print(f"wrote {png}")
    if json is not None:
        versions = {"a": read_versions(first.meta), "b": read_versions(second.meta)}
        write_json(json, {"a": a, "b": b, "rows": [row.as_dict() for row in rows], "versions": versions})


def _say_versions(a: Mapping[str, Any], b: Mapping[str, Any]) -> None:
    """Print the versions that each recording was made with, and their differences."""
    from poise.install import describe_versions_of, list_differences, read_versions

    typer.echo(f"A was recorded with {describe_versions_of(a)}.")
    typer.echo(f"B was recorded with {describe_versions_of(b)}.")
    differences = list_differences(read_versions(a), read_versions(b))
    if differences:
        typer.echo(f"Versions differ: {'; '.join(differences)}. The same run may differ in its last bits.")


def _compare_reports(a: str, b: str, png: str | None, json: str | None) -> None:
    from poise.trials.compare import compare_reports
    from poise.trials.trial_file import load_report

    if png is not None:
        raise InputError("poise compare: only recordings have curves to draw. Leave out --png.")
    with keep_stdout_for_json(json):
        result = compare_reports(load_report(a), load_report(b))
        if json != "-":
            console = make_console()
            if result.settings:
                console.print(_make_table("setting", result.settings))
            console.print(_make_table("figure", result.figures))
            typer.echo(result.describe())
    if json is not None:
        rows = {"settings": result.settings, "figures": result.figures}
        write_json(json, {"a": a, "b": b, "kind": result.kind, **rows})


def _make_table(first: str, rows: Iterable[ComparisonRow]) -> Table:
    columns = (first, "A", "B", "B - A", "B / A")
    cells = [(r.name, _show(r.a), _show(r.b), _show(r.difference), _show(r.ratio)) for r in rows]
    return make_table(columns, cells, right=columns[1:], drop=("B / A", "B - A"))


def _show(value: str | bool | int | float | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
