"""Linear forms of named parameters as written in files: `0.85 + takeoff_hip_rad`, `-0.5*back_knee_rad`, `1.2`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from poise.errors import InputError, out_of_range, unknown_name
from poise.kernels.fixed import add_up

LARGEST = 1e6
"""No angle, force, gain or time in SI units is larger; sums and products of such numbers stay finite."""

# Possessive quantifiers: without them, long nonsense takes a time polynomial in its length.
_NUMBER = r"\d++\.?\d*+(?:[eE][+-]?\d++)?|\.\d++(?:[eE][+-]?\d++)?"
_TERM = re.compile(rf"\s*+([+-]?+)\s*+(?:({_NUMBER})(?:\s*+\*\s*+([A-Za-z_]\w*+))?+|([A-Za-z_]\w*+))\s*+")


@dataclass(frozen=True)
class Linear:
    """constant + Σ factor·parameter."""

    constant: float = 0.0
    factors: Mapping[str, float] = field(default_factory=dict)

    def value(self, values: Mapping[str, float]) -> float:
        return self.constant + add_up(factor * values[name] for name, factor in self.factors.items())

    def pack(self, names: Sequence[str]) -> list[float]:
        """The constant, then the factor of each name."""
        return [self.constant, *(self.factors.get(name, 0.0) for name in names)]

    def negated(self) -> Linear:
        return Linear(-self.constant, {name: -factor for name, factor in self.factors.items()})


def read_linear(value: Any, names: Sequence[str], where: str = "") -> Linear:
    """Read a linear form from a number or a text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Linear(_check_number(value, where))
    if not isinstance(value, str) or not value.strip():
        raise InputError("must be a number or a sum such as '0.2 + 0.5*name'", where=where, got=value)
    constant, factors, at = 0.0, dict[str, float](), 0
    while at < len(value):
        term = _TERM.match(value, at)
        # Only the first term may omit its sign.
        if term is None or (at > 0 and not term[1]):
            raise InputError("must be a number or a sum such as '0.2 + 0.5*name'", where=where, got=value)
        factor = (-1.0 if term[1] == "-" else 1.0) * _check_number(float(term[2] or 1.0), where)
        name = term[3] or term[4]
        if name is None:
            constant += factor
        elif name in names:
            factors[name] = factors.get(name, 0.0) + factor
        else:
            raise unknown_name(where, "parameter", name, names)
        at = term.end()
    return Linear(constant, factors)


def _check_number(value: float, where: str) -> float:
    if not abs(value) <= LARGEST:
        raise out_of_range(where, "it", value, -LARGEST, LARGEST)
    return float(value)
