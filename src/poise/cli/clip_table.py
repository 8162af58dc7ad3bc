"""The table of the motion files in a folder, for `poise clip info DIR` and `poise clip tame DIR`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import typer

from poise.cli.screen import make_console, make_table, show_progress

if TYPE_CHECKING:
    from poise.characters.model import Character
    from poise.cli.table import Table
    from poise.motion.read_settings import ReadSettings
    from poise.search.clip_survey import ClipRow

#: Longer names of files are cut in the table, so that the figures fit beside them; JSON has them whole.
MOST_NAME: Final = 24
COLUMNS: Final = ("file", "unit", "travel", "cycle", "m/s", "turn", "verdict")


def survey(folder: str, character: Character, read: ReadSettings) -> list[ClipRow]:
    """Read every motion file in a folder and below, with a progress bar."""
    from poise.search.clip_survey import survey_folder

    with show_progress("reading") as bar:
        return survey_folder(folder, character, read, bar)


def print_survey(rows: Sequence[ClipRow]) -> None:
    """Print one row per file, and how many of them walk."""
    make_console().print(make_survey_table(rows))
    walks = sum(row.is_walk for row in rows)
    typer.echo(f"{walks} of {len(rows)} {'file' if len(rows) == 1 else 'files'} can be tamed as a walk")


def make_survey_table(rows: Sequence[ClipRow]) -> Table:
    """The rows as a table; the cycle is the one that is repeated."""
    return make_table(COLUMNS, [_describe(row) for row in rows], right=COLUMNS[2:6], drop=("turn", "unit", "cycle"))


def _describe(row: ClipRow) -> tuple[object, ...]:
    return (
        row.file if len(row.file) <= MOST_NAME else f"{row.file[: MOST_NAME - 1]}…",
        row.unit or "",
        "" if row.travel_m is None else f"{row.travel_m:.2f} m",
        "" if row.cycle is None else row.cycle,
        "" if row.speed_mps is None else f"{row.speed_mps:.2f}",
        "" if row.turn_deg is None else f"{row.turn_deg:.0f}°",
        row.verdict,
    )
