"""Which phases of a script can follow which: what is reached, and what always fires."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from poise.language import tree


def is_certain(transition: tree.Transition) -> bool:
    """Whether a transition fires whenever it is evaluated."""
    condition = transition.condition
    if condition.kind == "complete":
        return True
    value = condition.values[0] if condition.values else None
    return condition.kind == "random" and isinstance(value, tree.Number) and value.value >= 1.0


def find_ways(phase: tree.Phase) -> list[int]:
    """Targets of the transitions that can fire: none after one that always fires."""
    ways = []
    for transition in phase.transitions:
        ways.append(transition.to)
        if is_certain(transition):
            break
    return ways


def find_reached(phases: Sequence[tree.Phase], starts: Iterable[int] = (0,)) -> set[int]:
    """Positions of the phases that can be entered from the given ones."""
    reached = {k for k in starts if 0 <= k < len(phases)}
    waiting = list(reached)
    while waiting:
        for to in find_ways(phases[waiting.pop()]):
            if 0 <= to < len(phases) and to not in reached:
                reached.add(to)
                waiting.append(to)
    return reached
