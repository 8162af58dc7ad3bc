"""Output of a report of `poise robustness` or `poise sweep`: JSON, picture, and the exit code after Ctrl-C."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from poise.cli.failures import INTERRUPTED
from poise.cli.screen import keep_stdout_for_json, note, write_json

if TYPE_CHECKING:
    from poise.trials.trial_file import Report


def deliver(report: Report, json: str | None, png: str | None) -> None:
    """Write the report as requested; exit with `INTERRUPTED` if Ctrl-C ended the run."""
    if json is not None:
        from poise.trials.trial_file import summarize

        write_json(json, summarize(report))
    with keep_stdout_for_json(json):
        if png is not None:
            from poise.trials.draw import export_report

            export_report(report, png)
            print(f"wrote {png}")
    if report.interrupted:
        note("interrupted. The results so far are kept.")
        raise typer.Exit(INTERRUPTED)
