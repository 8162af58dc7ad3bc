"""The table of a skill: which parameters a command decides, and how. A parameterised search writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from poise.controllers.phases import layout
from poise.controllers.phases.spec import Skill
from poise.controllers.phases.tables import check_keys, read_number, require_table
from poise.errors import InputError, out_of_range, unknown_name


def read_skill(table: Any, names: Sequence[str], where: str) -> Skill:
    """A skill from its table; `names` are the parameters that it may decide."""
    where = f"{where}: skill"
    table = require_table(table, where)
    check_keys(table, ["parameter", "low", "high", "degree", "weights", "value"], where, needed=5)
    command = table["parameter"]
    if not isinstance(command, str) or not command.isidentifier():
        raise InputError("parameter must be a name", where=where, got=command)
    if command in names:
        raise InputError(f"parameter {command} is declared in parameters already", where=where)
    low, high = read_number(table["low"], f"{where}: low"), read_number(table["high"], f"{where}: high")
    if not low < high:
        raise InputError(f"low must be below high, got {low:g} and {high:g}", where=where)
    degree = table["degree"]
    if not isinstance(degree, int) or isinstance(degree, bool) or not 0 <= degree <= layout.MAX_DEGREE:
        raise out_of_range(where, "degree", degree, 0, layout.MAX_DEGREE)
    value = read_number(table.get("value", 0.5 * (low + high)), f"{where}: value")
    if not low <= value <= high:
        raise out_of_range(where, "value", value, low, high)
    return Skill(command, low, high, degree, _read_weights(table["weights"], names, degree, where), value)


def _read_weights(table: Any, names: Sequence[str], degree: int, where: str) -> Mapping[str, tuple[float, ...]]:
    weights = {}
    for name, numbers in require_table(table, f"{where}: weights").items():
        if name not in names:
            raise unknown_name(f"{where}: weights", "parameter", name, names)
        if not isinstance(numbers, list) or len(numbers) != degree + 1:
            raise InputError(
                f"{name} must be a list of {degree + 1} numbers, the weights of 1, w, w² …",
                where=f"{where}: weights",
                got=numbers,
            )
        weights[name] = tuple(read_number(x, f"{where}: weights: {name}") for x in numbers)
    return weights
