"""The phases of a run's scripts as text: how each ended or what it waits for, and the log of its changes of phase."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from poise.recordings.phases import ScriptEnd

#: Most conditions listed for one change of phase: calls and returns may add some at the same time.
MOST_REASONS: Final = 4
#: Most changes of phase in a summary; recordings and JSON have them all.
MOST_PASSAGES: Final = 4

Row = tuple[str, str]


def describe_scripts(meta: Mapping[str, Any]) -> list[Row]:
    """Rows of a summary: where each script stands at the end of the run, and its last changes of phase."""
    from poise.recordings.phases import read_script_ends
    from poise.world.passages import MOST_PASSAGES as MOST_LOGGED

    ends, rows = read_script_ends(meta), list[Row]()
    for end in ends:
        label = "" if len(ends) == 1 else f" {end.character}"
        rows.append((f"script{label}", describe_end(end)))
        entries = list_passages(meta, end.character)
        shown = [f"{time} {what}" for time, what in entries[-MOST_PASSAGES:]]
        more = [f"{len(entries) - len(shown)} earlier"] if len(entries) > len(shown) else []
        full = ["the log is full"] if len(meta.get("phase_log") or ()) >= MOST_LOGGED else []
        if shown:
            rows.append((f"last phases{label}", "\n".join([*more, *shown, *full])))
    return rows


def describe_end(end: ScriptEnd) -> str:
    """When a script ended, or since when it waits in which phase, and for what."""
    if not end.stack:
        return "ended" if end.ended_at_s is None else f"ended at {end.ended_at_s:.4g} s; the figures are up to then"
    *callers, phase = end.stack
    called = f", called by {' < '.join(reversed(callers))}" if callers else ""
    since = "" if end.since_s is None else f" since {end.since_s:.4g} s"
    if not end.waits_for:
        return f"staying{since} in {phase}, which has no transition{called}"
    return f"waiting{since} in {phase} for {' or '.join(end.waits_for)}{called}"


def list_passages(meta: Mapping[str, Any], character: int) -> list[Row]:
    """Time and description of the changes of phase; of several at one time, the last phase and all reasons."""
    from poise.recordings.phases import read_passages

    found: list[Row] = []
    for time_s, group in groupby(read_passages(meta, character), key=lambda row: row.time_s):
        rows = list(group)
        where = rows[-1].stack[-1] if rows[-1].stack else "end"
        fired = [f"{row.left} {row.after}" for row in rows if row.after]
        more = [f"{len(fired) - MOST_REASONS} more"] if len(fired) > MOST_REASONS else []
        reasons = ", ".join([*fired[:MOST_REASONS], *more])
        found.append((f"{time_s:.4g} s", f"{where} ({reasons})" if fired else where))
    return found
