"""What `poise robustness` and `poise sweep` do with a report: write it, draw it, and say when it was cut short."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from poise.cli.failures import INTERRUPTED
from poise.cli.screen import keep_stdout_for_json, note, write_json

if TYPE_CHECKING:
    from poise.trials import PushLimits, PushMatrix, PushTrains, Sweep


def deliver(report: PushMatrix | PushLimits | PushTrains | Sweep, json: str | None, png: str | None) -> None:
    """Writes the report where it was asked for, and leaves with a code of its own where Ctrl-C ended it."""
    if json is not None:
        from poise.trials.trial_file import summarize

        write_json(json, summarize(report))
    with keep_stdout_for_json(json):
        if png is not None:
            from poise.trials.draw import export_report

            export_report(report, png)
            print(f"wrote {png}")
    if report.interrupted:
        note("interrupted. What was tried until then is kept.")
        raise typer.Exit(INTERRUPTED)
