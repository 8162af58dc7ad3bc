"""Loops of phases that take no time: nothing in them acts, and they never end."""

from __future__ import annotations

from poise.language import tree
from poise.language.flow import find_ways, is_certain
from poise.language.load import Program
from poise.language.problems import Notes

END = -1


def check_loops(notes: Notes, program: Program, name: str) -> None:
    """Warn about phases of a script that follow each other indefinitely within one step."""
    phases = program.scripts[name].phases
    caught = find_timeless(program, name)
    if caught:
        numbers = sorted(caught)
        listed = ", ".join(map(str, numbers[:-1])) + (" and " if numbers[1:] else "") + str(numbers[-1])
        what = f"the phases {listed} form a loop" if numbers[1:] else "this phase is a loop"
        notes.warn(
            f"{what} that takes no time: nothing in it acts, and it never ends. The original hangs here",
            phases[numbers[0]],
        )


def find_timeless(program: Program, name: str) -> set[int]:
    """Phases of a script that always lead to each other without taking a step."""
    phases = program.scripts[name].phases
    caught = {k for k, phase in enumerate(phases) if _passes_at_once(program, phase, {name})}
    while True:
        escaped = {k for k in caught if not caught.issuperset(_find_next(phases[k], k))}
        if not escaped:
            return caught
        caught -= escaped


def _find_next(phase: tree.Phase, position: int) -> list[int]:
    """The phases that follow; a call without transitions is repeated."""
    return find_ways(phase) or [position]


def _passes_at_once(program: Program, phase: tree.Phase, running: set[str]) -> bool:
    """Whether a phase takes no step and is always left at once, or calls again at once."""
    if not phase.calls:
        return not phase.actions and any(map(is_certain, phase.transitions))
    call = phase.calls[-1]
    callee = call.script.text
    if callee not in program.scripts or callee in running:
        return False
    returns = _ends_at_once(program, callee, max(call.at_phase or 0, 0), running | {callee})
    return returns and (not phase.transitions or any(map(is_certain, phase.transitions)))


def _ends_at_once(program: Program, name: str, start: int, running: set[str]) -> bool:
    """Whether a script always ends without having taken a step."""
    phases, seen, waiting = program.scripts[name].phases, set[int](), [start]
    while waiting:
        k = waiting.pop()
        if k in seen or not 0 <= k < len(phases) or not _passes_at_once(program, phases[k], running):
            return False
        seen.add(k)
        waiting += [to for to in _find_next(phases[k], k) if to != END]
    return True
