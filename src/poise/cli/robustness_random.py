"""The text of `poise robustness --random`: the share survived, where the falls are, and how to run one again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from poise.cli.screen import make_table

if TYPE_CHECKING:
    from rich.console import Console

    from poise.cli.table import Table
    from poise.trials import RandomPush, RandomPushes

#: Sectors of directions, each around its name, and quarters of a step.
SECTORS = ("forward", "front left", "left", "back left", "backward", "back right", "right", "front right")
QUARTERS = ("0–¼", "¼–½", "½–¾", "¾–1")
#: Falls listed with the push that causes them; JSON has all.
MOST_LISTED = 8
#: Width of a count such as 3/12; longer ones are shown as shares.
CELL_WIDTH = 5


def show_random(console: Console, report: RandomPushes, run_command: Sequence[str]) -> None:
    """Print one table for each force, and the commands that repeat the falls; `run_command` runs the same scene."""
    from poise.trials.shares import compute_share_interval

    for force in report.forces_n:
        outcomes = report.of_force(force)
        if not outcomes:
            continue
        console.print(_make_table(outcomes, f"{force:g} N: falls of pushes, by direction and phase of the step"))
        survived = sum(o.survived for o in outcomes)
        low, high = compute_share_interval(survived, len(outcomes))
        typer.echo(
            f"{survived} of {len(outcomes)} random pushes survived, {survived / len(outcomes):.1%} "
            f"(95 % interval: {low:.1%} to {high:.1%})"
        )
    _show_falls(console, report, run_command)


def _make_table(outcomes: Sequence[RandomPush], title: str) -> Table:
    feet = sorted({o.foot for o in outcomes})
    columns = [f"{_name_foot(foot)}\n{quarter}" for foot in feet for quarter in QUARTERS] if any(feet) else ["standing"]
    rows = []
    for k, name in enumerate(SECTORS):
        here = [o for o in outcomes if _find_sector(o.direction_deg) == k]
        if any(feet):
            cells = [
                [o for o in here if o.foot == foot and min(int(4.0 * o.phase), 3) == quarter]
                for foot in feet
                for quarter in range(len(QUARTERS))
            ]
        else:
            cells = [here]
        rows.append((name, *(_count_falls(cell) for cell in cells), _count_falls(here)))
    return make_table(("push to", *columns, "all"), rows, title=title, right=(*columns, "all"))


def _find_sector(direction_deg: float) -> int:
    return round(direction_deg * len(SECTORS) / 360.0) % len(SECTORS)


def _name_foot(segment: str) -> str:
    """A segment's side, if its name begins with one: the columns are narrow."""
    return segment.split("_")[0][:CELL_WIDTH]


def _count_falls(outcomes: Sequence[RandomPush]) -> str:
    """Falls of pushes: 3/12, or 25% of many; empty if there was no push."""
    if not outcomes:
        return ""
    falls = sum(not o.survived for o in outcomes)
    text = f"{falls}/{len(outcomes)}"
    return text if len(text) <= CELL_WIDTH else f"{falls / len(outcomes):.0%}"


def _show_falls(console: Console, report: RandomPushes, run_command: Sequence[str]) -> None:
    falls = [o for o in report.outcomes if not o.survived]
    if not falls:
        return
    rows = [
        (_format_push(o, report), f"{o.phase:.2f}", o.foot.replace("_", " "), f"{o.fell_after_s:.2f}")
        for o in falls[:MOST_LISTED]
    ]
    more = f", {len(falls) - MOST_LISTED} more in the JSON file" if len(falls) > MOST_LISTED else ""
    columns = ("push", "phase", "step of", "fell after s")
    console.print(make_table(columns, rows, title=f"falls{more}", right=("phase", "fell after s")))
    end_s = falls[0].start_s + report.settings["duration_s"] + report.settings["after_s"]
    typer.echo("The first of them again:")
    typer.echo(shlex.join([*run_command, "--seconds", f"{end_s:g}", "--push", _format_push(falls[0], report)]))


def _format_push(outcome: RandomPush, report: RandomPushes) -> str:
    """The push as `poise run --push` takes it."""
    numbers = (outcome.force_n, outcome.direction_deg, outcome.start_s, report.settings["duration_s"])
    segment = report.settings["segment"]
    return ",".join([*(f"{n:.10g}" for n in numbers), *([segment] if segment else [])])
