"""The table of a skill: which parameters a command governs, and how. A parameterised search writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from poise.controllers.phases import layout
from poise.controllers.phases.linear import LARGEST
from poise.controllers.phases.spec import Skill
from poise.tables import Table


def read_skill(table: Table, names: Sequence[str]) -> Skill:
    """Read a skill from its table; `names` are the parameters that it may govern."""
    table.only("parameter", "low", "high", "degree", "weights", "value")
    command = table.string("parameter")
    if not command.isidentifier():
        table.fail("must be a name of letters, digits and _", "parameter", got=command)
    if command in names:
        table.fail("is already declared in parameters", "parameter", got=command)
    low, high = table.number("low", -LARGEST, LARGEST), table.number("high", -LARGEST, LARGEST)
    if not low < high:
        table.fail(f"low must be below high, got {low:g} and {high:g}")
    degree = table.integer("degree", 0, layout.MAX_DEGREE)
    weights = _read_weights(table.table("weights", required=True), names, degree)
    return Skill(command, low, high, degree, weights, table.number("value", low, high, 0.5 * (low + high)))


def _read_weights(table: Table, names: Sequence[str], degree: int) -> Mapping[str, tuple[float, ...]]:
    """Parameter -> weights of 1, w, w² …"""
    for name in table:
        table.check_known("parameter", name, names, name)
    return {name: table.vector(name, (degree + 1,), -LARGEST, LARGEST) for name in table}
