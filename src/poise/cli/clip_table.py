"""The table of the motion files in a folder, for `poise clip info DIR` and `poise clip tame DIR`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.table import Table

from poise.cli.screen import make_console, make_table, show_progress

if TYPE_CHECKING:
    from poise.characters.model import Character
    from poise.motion.read_settings import ReadSettings
    from poise.search.clip_survey import ClipRow

WIDTH: Final = 80
"""The table fits this many columns, also in a pipe."""

FILE_WIDTH: Final = 24
VERDICT_WIDTH: Final = 18
"""Most columns for names of files, and least columns for the reasons."""

EDGES: Final = 2
GAP: Final = 2
"""Columns at both edges of the table and between two of its columns."""
COLUMNS: Final = ("file", "unit", "travel", "cycle", "m/s", "turn", "verdict")


def survey(folder: str, character: Character, read: ReadSettings) -> list[ClipRow]:
    """Read every motion file in a folder and below, with a progress bar."""
    from poise.search.clip_survey import survey_folder

    with show_progress("reading") as bar:
        return survey_folder(folder, character, read, bar)


def print_survey(rows: Sequence[ClipRow]) -> None:
    """Print one row per file, and how many of them walk."""
    console = make_console()
    width = min(console.width, WIDTH)
    console.print(make_survey_table(rows, width), width=width)
    walks = sum(row.is_walk for row in rows)
    console.print(f"{walks} of {len(rows)} {'file' if len(rows) == 1 else 'files'} can be tamed as a walk")


def make_survey_table(rows: Sequence[ClipRow], width: int) -> Table:
    """The rows as a table of a width; the cycle is the one that is repeated."""
    cells = [_describe(row) for row in rows]
    table = make_table(COLUMNS, cells, right=COLUMNS[2:6])
    table.collapse_padding = True
    widths = [max(len(str(line[k])) for line in (COLUMNS, *cells)) for k in range(len(COLUMNS))]
    spare = width - EDGES - GAP * (len(COLUMNS) - 1) - sum(widths[1:-1])
    # Long names and reasons share what the figures leave.
    widths[0] = max(min(widths[0], FILE_WIDTH, spare - VERDICT_WIDTH), len(COLUMNS[0]))
    widths[-1] = max(min(widths[-1], spare - widths[0]), len(COLUMNS[-1]))
    for column, size in zip(table.columns, widths):
        column.width, column.no_wrap = size, False
    return table


def _describe(row: ClipRow) -> tuple[object, ...]:
    return (
        row.file,
        row.unit or "",
        "" if row.travel_m is None else f"{row.travel_m:.2f} m",
        "" if row.cycle is None else row.cycle,
        "" if row.speed_mps is None else f"{row.speed_mps:.2f}",
        "" if row.turn_deg is None else f"{row.turn_deg:.0f}°",
        row.verdict,
    )
