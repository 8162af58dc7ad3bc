"""The messages of the script panel."""

from __future__ import annotations

from pathlib import Path

from poise.controllers.script.whereabouts import Stack
from poise.language.problems import ERROR
from poise.studio import desk as desks
from poise.studio.desk import Sheet
from poise.studio.published import Edited
from poise.studio.reading import Reading


def describe_banner(sheet: Sheet) -> str:
    """The warning above a file's text; usually empty."""
    if sheet.read_only:
        return "This file ships with Poise. Save a copy to change it."
    if sheet.state == desks.CHANGED:
        return "The file has changed on the disk while you were editing it. Which version should be kept?"
    if sheet.state == desks.GONE:
        return "The file no longer exists on the disk. Its text is still here; saving restores it."
    if sheet.state == desks.UNREADABLE:
        return f"The file cannot be read. {sheet.trouble}"
    if sheet.disk.encoding != "utf-8":
        return "The file is not valid UTF-8. It is read and saved as Latin-1."
    return ""


def describe_status(reading: Reading, edited: Edited | None) -> str:
    """Whether the text runs, or the first error that prevents it."""
    errors = [r for r in reading.remarks if r.severity == ERROR]
    warnings = len(reading.remarks) - len(errors)
    odd = f", {_count(warnings, 'warning')}" if warnings else ""
    if errors:
        first = errors[0]
        where = f", {Path(first.path).name} line {first.line}" if first.line else f": {first.text}"
        return f"{_count(len(errors), 'error')}{odd}{where}"
    if reading.number and (edited is None or edited.number != reading.number):
        return f"no errors{odd}; simulating …"
    if edited is None or edited.number != reading.number:
        return f"no errors{odd}"
    note = f" ({edited.note})" if edited.note else ""
    return f"no errors{odd}; runs from {edited.began_s:.2f} s{note}"


def describe_where(stack: Stack) -> str:
    """The running phases, the main script's first."""
    return " › ".join(f"{place.script} {place.phase}" for place in stack) or "ended"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
