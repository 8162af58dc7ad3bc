"""Read which parameters of a controller a problem sets and which it searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from poise.errors import InputError
from poise.optim.space import Space, Variable
from poise.tables import Table
from poise.world.controller import Controller

#: Initial spread if a file gives none: three spreads reach from the middle of a range to its ends.
_SPREADS_A_RANGE: Final = 6.0


def _parameter_name(table: Table, key: str, name: str, controller: Controller) -> str:
    try:
        return controller.parameter(name).name
    except InputError as error:
        table.fail(str(error), key, cause=error)


def read_values(table: Table, controller: Controller) -> dict[str, float]:
    """Values of the fixed parameters."""
    values: dict[str, float] = {}
    for key in table.data:
        p = controller.parameter(_parameter_name(table, key, key, controller))
        values[p.name] = table.number(key, p.low, p.high)
    return values


def read_variables(
    table: Table, controller: Controller, values: Mapping[str, float]
) -> tuple[Space, dict[str, tuple[str, ...]]]:
    """The search space, and the parameters that take the value of each variable."""
    variables, ties = [], {}
    taken: dict[str, str] = {}
    for key, entry in table.children():
        first = _parameter_name(table, key, key, controller)
        others = entry.data.get("also", [])
        if not isinstance(others, list) or not all(isinstance(o, str) for o in others):
            entry.fail("must be a list of parameters", "also", got=others)
        names = (first, *(_parameter_name(table, key, o, controller) for o in others))
        for name in names:
            if name in taken:
                table.fail(f"{name} is already varied by {taken[name]}", key)
            if name in values:
                table.fail(f"{name} is given under [set]. It can be set or varied, not both", key)
            taken[name] = key
        variables.append(_read_variable(entry, first, controller))
        ties[first] = names
    try:
        return Space(tuple(variables)), ties
    except InputError as error:
        table.refuse(error)


def _read_variable(entry: Table, name: str, controller: Controller) -> Variable:
    """A range `low` … `high` around `start`, or `plus_minus` around the base's value."""
    entry.only("low", "high", "start", "plus_minus", "spread", "also")
    p, base = controller.parameter(name), controller.value(name)
    if "plus_minus" in entry:
        reach = entry.number("plus_minus", 0.0, p.high - p.low)
        low, high, start = max(base - reach, p.low), min(base + reach, p.high), base
    else:
        low = entry.number("low", p.low, p.high)
        high = entry.number("high", p.low, p.high)
        start = entry.number("start", p.low, p.high, min(max(base, low), high))
    spread = entry.number("spread", 0.0, p.high - p.low, max(high - low, 0.0) / _SPREADS_A_RANGE)
    try:
        return Variable(name, low, high, start, spread)
    except InputError as error:
        entry.refuse(error)
