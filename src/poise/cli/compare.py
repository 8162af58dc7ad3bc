"""`poise compare`: two recordings side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from poise.cli.screen import keep_stdout_for_json, make_console, make_table, write_json


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A recording, written with --export F.npz.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    png: Annotated[str | None, typer.Option(metavar="F", help="Draw the curves of both.")] = None,
    json: Annotated[str | None, typer.Option(metavar="F|-", help="Write the figures as JSON; - is stdout.")] = None,
) -> None:
    """Set two recordings side by side."""
    from poise.rollout import compare as comparing
    from poise.rollout.recording_file import load_recording

    with keep_stdout_for_json(json):
        first, second = load_recording(a), load_recording(b)
        rows = comparing.compare(first, second)
        if json != "-":
            columns = ("figure", "A", "B", "B - A", "B / A")
            cells = [(r.name, _show(r.a), _show(r.b), _show(r.difference), _show(r.ratio)) for r in rows]
            make_console().print(make_table(columns, cells, right=columns[1:]))
        if png is not None:
            comparing.export_comparison(first, second, png, labels=(a, b))
            print(f"wrote {png}")
    if json is not None:
        write_json(json, {"a": a, "b": b, "rows": [row.as_dict() for row in rows]})


def _show(value: str | bool | int | float | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
