"""The phases of scripts in a recording: its log of changes of phase, and where each script stood at the end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from poise.world.passages import Passage, Passages


@dataclass(frozen=True)
class ScriptEnd:
    """Where a script stood at the end of a run: its active phases, since when, and what it waits for."""

    character: int
    #: The calling phases first, as `crawl.s:1`; none if the script has ended.
    stack: tuple[str, ...]
    since_s: float | None
    waits_for: tuple[str, ...]
    ended_at_s: float | None


def read_script_ends(meta: Mapping[str, Any]) -> list[ScriptEnd]:
    """The entries of a recording's meta; malformed ones of a file are left out."""
    return list(_read_ends(meta.get("scripts")))


def _read_ends(rows: object) -> Iterator[ScriptEnd]:
    for row in rows if isinstance(rows, list | tuple) else ():
        try:
            times = [row["since_s"], row["ended_at_s"]]
            found = ScriptEnd(int(row["character"]), _texts(row["stack"]), times[0], _texts(row["waits_for"]), times[1])
        except (KeyError, TypeError, ValueError, OverflowError):
            continue
        if all(t is None or (isinstance(t, int | float) and math.isfinite(t)) for t in times):
            yield found


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list | tuple) or not all(isinstance(text, str) for text in values):
        raise TypeError("not a list of texts")
    return tuple(values)


def read_passages(meta: Mapping[str, Any], character: int = 0) -> list[Passage]:
    """A character's changes of phase, in order of time; none if the log is malformed."""
    try:
        log = Passages.from_table(meta.get("phase_log") or ())
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        return []
    return [row for row in log if row.character == character]
