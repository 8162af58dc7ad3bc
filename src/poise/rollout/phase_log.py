"""The changes of phase of a run's scripts as plain data, for its recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from poise.world.passages import Passage
from poise.world.world import World


def describe_phases(world: World) -> dict[str, Any]:
    """The log of all changes of phase, and where each script stands now; empty if no controller records phases.

    Of a script: the time of its end, or since when it is in which phases, and the conditions for which it waits.
    """
    dt, scripts = world.settings.timestep_s, []
    for k, controller in enumerate(world.controllers):
        if controller.diary is None:
            continue
        now = controller.diary.find_standing(world.params[k], world.memories[k])
        passed = [row for row in world.notebook.passages if row.character == k]
        scripts.append(
            {
                "character": k,
                "ended_at_s": passed[-1].time_s if passed and not passed[-1].stack else None,
                "stack": list(now.stack),
                "since_s": (world.tick - now.ticks) * dt if now.stack else None,
                "waits_for": list(now.waits_for),
            }
        )
    if not scripts and not len(world.notebook.passages):
        return {}
    return {"scripts": scripts, "phase_log": world.notebook.passages.to_table()}


def find_details(passages: Sequence[Passage]) -> dict[tuple[float, int], str]:
    """What the changes of phase of one tick led to, by time and character: `walk.t:1 after contact rFoot`."""
    found: dict[tuple[float, int], list[Passage]] = {}
    for row in passages:
        found.setdefault((row.time_s, row.character), []).append(row)
    return {key: _describe(rows) for key, rows in found.items()}


def _describe(rows: Sequence[Passage]) -> str:
    where = rows[-1].stack[-1] if rows[-1].stack else "end"
    reasons = [row.after for row in rows if row.after]
    return f"{where} after {reasons[-1]}" if reasons else where
