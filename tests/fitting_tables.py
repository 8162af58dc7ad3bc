"""What must hold for every table that a command prints, at any width of the screen."""

from __future__ import annotations

from rich.cells import cell_len

from poise.cli.screen import PIPE_WIDTH
from poise.cli.table import Table

LEFT_OUT = "Not shown at this width: "


def check_fits(table: Table, width: int) -> None:
    """No line is longer than the width unless it is one word, and no word is broken or lost."""
    lines = [line.plain for line in table.draw(width)]
    for line in lines:
        assert cell_len(line) <= width or len(line.split()) == 1, f"wider than {width}: {line}"
    end = next((k for k, line in enumerate(lines) if line.startswith(LEFT_OUT)), None)
    shown = _list_words(lines[:end])
    whole = _list_words([line.plain for line in table.draw(PIPE_WIDTH)])
    assert shown <= whole, f"broken: {shown - whole}"
    assert end is not None or shown == whole, f"lost: {whole - shown}"


def _list_words(lines: list[str]) -> set[str]:
    return {word for line in lines for word in line.split() if not word.startswith("─")}
