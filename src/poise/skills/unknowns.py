"""The free numbers of phases as search variables, and phases with these numbers replaced.

The source searches raw numbers from 0.001 to 3000 with a single step size of 0.002, which hardly changes gains in the
hundreds. Here every kind of number has its own spread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from poise.language.tree import Number, Phase
from poise.optim.space import Space, Variable
from poise.skills import numbers as kinds
from poise.skills.numbers import change_numbers, make_number


@dataclass(frozen=True)
class Reach:
    """Spread and range of a number around its value, each with an absolute and a relative part."""

    spread: float
    spread_part: float
    range: float
    range_part: float
    #: Whether it keeps its sign.
    signed: bool = False
    least: float = 0.0


#: Chosen once for all skills, in the language's units: a spread is about the change one would try next by hand.
REACHES: Final[Mapping[str, Reach]] = {
    kinds.ANGLE: Reach(0.05, 0.0, 0.8, 0.0),
    kinds.GAIN: Reach(1.0, 0.03, 5.0, 0.75, signed=True),
    kinds.TIME: Reach(0.02, 0.0, 0.2, 0.8, signed=True, least=0.02),
    kinds.FORCE: Reach(10.0, 0.03, 100.0, 0.75),
    kinds.SPEED: Reach(0.1, 0.0, 1.0, 0.0),
    kinds.LENGTH: Reach(0.02, 0.0, 0.3, 0.0),
    kinds.FEEDBACK: Reach(0.03, 0.03, 0.5, 0.75),
    kinds.TOLERANCE: Reach(0.002, 0.1, 0.0, 0.8, signed=True, least=0.001),
    "argument": Reach(0.02, 0.03, 0.2, 0.5),
}


def make_space(phases: tuple[Phase, ...], scale: float = 1.0) -> Space:
    """A variable for each free number, named by its index, phase, owner and kind."""
    variables: list[Variable] = []
    for phase in phases:

        def note(number: Number, kind: str, whose: str, label: int = phase.label) -> Number:
            name = f"{len(variables)}_phase{label}_{whose}_{kind}"
            variables.append(_make_variable(name, number.value, kind, scale))
            return number

        change_numbers(phase, note)
    return Space(tuple(variables))


def _make_variable(name: str, value: float, kind: str, scale: float) -> Variable:
    reach = REACHES[kind]
    span = reach.range + reach.range_part * abs(value)
    low, high = value - span, value + span
    if reach.signed and value > 0.0:
        low = max(low, min(reach.least, value), (1.0 - reach.range_part) * value)
    elif reach.signed and value < 0.0:
        high = min(high, (1.0 - reach.range_part) * value)
    elif reach.signed:
        low = 0.0
    spread = scale * max(reach.spread, reach.spread_part * abs(value))
    return Variable(name, low, high, value, min(spread, 0.5 * (high - low)))


def with_values(phases: tuple[Phase, ...], values: Mapping[str, float]) -> tuple[Phase, ...]:
    """The phases with new numbers, in the order of `make_space`; each is rounded as it will be written."""
    coming = iter(values.values())
    return tuple(change_numbers(p, lambda number, kind, whose: make_number(next(coming))) for p in phases)
