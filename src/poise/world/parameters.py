"""Parameters declared once, in the signature of the function that takes them: default, range, unit and meaning.

    def steps(rise_m: Annotated[float, Within(-1.0, 1.0, "height of a step")] = 0.1) -> Ground: ...

`read_parameters` returns the declaration as rows, for checks, the command line and listings.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args, get_type_hints

import numpy as np

from poise.errors import InputError, out_of_range

#: name suffix -> unit.
UNITS = {"m": "m", "kg": "kg", "deg": "degrees"}


@dataclass(frozen=True)
class Within:
    """The allowed range of a number, both ends included, and its meaning."""

    low: float
    high: float
    about: str = ""


@dataclass(frozen=True)
class Parameter:
    """One declared parameter: `low` and `high` are None for text, `default` is None if a value is required."""

    name: str
    kind: type[float] | type[int] | type[str]
    default: float | int | str | None
    low: float | None
    high: float | None
    about: str

    @property
    def unit(self) -> str:
        return unit_of(self.name)

    @property
    def short_name(self) -> str:
        """The name without its unit: `rise` for `rise_m`."""
        return self.name.rpartition("_")[0] if self.unit else self.name

    def check(self, where: str, value: object) -> float | int | str:
        """The value as a plain float, int or str; raises if it is not allowed."""
        if self.kind is str:
            if not isinstance(value, str) or not value:
                raise InputError(f"{self.name} must be text", where=where, got=value)
            return value
        if self.kind is int:
            if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
                raise InputError(f"{self.name} must be a whole number", where=where, got=value)
            check_number(where, self.name, value, self.low, self.high)
            return int(value)
        return check_number(where, self.name, value, self.low, self.high)

    def parse(self, where: str, text: str) -> float | int | str:
        """The value that a user typed; raises if it is not allowed."""
        if self.kind is str:
            return self.check(where, text)
        try:
            value = self.kind(text)
        except ValueError:
            what = "a whole number" if self.kind is int else "a number"
            raise InputError(f"{self.name} must be {what}", where=where, got=text) from None
        return self.check(where, value)


def unit_of(name: str) -> str:
    """The unit in a name's suffix, or an empty string."""
    return UNITS.get(name.rpartition("_")[2], "") if "_" in name else ""


def check_number(where: str, name: str, value: object, low: float | None, high: float | None) -> float:
    """The value as a float; raises unless it is a number in low..high. None leaves a side open."""
    if not isinstance(value, (int, float, np.integer, np.floating)) or isinstance(value, bool):
        raise InputError(f"{name} must be a number", where=where, got=value)
    # Written so that a NaN fails.
    above = value >= low if low is not None else value > -float("inf")
    below = value <= high if high is not None else value < float("inf")
    if not (above and below):
        raise out_of_range(where, name, value, low, high, unit_of(name))
    return float(value)


@lru_cache
def read_parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters that a function declares, in the order of its signature."""
    hints = get_type_hints(function, include_extras=True)
    return tuple(_read(p, hints[p.name]) for p in inspect.signature(function).parameters.values())


def _read(parameter: inspect.Parameter, hint: Any) -> Parameter:
    default = None if parameter.default is inspect.Parameter.empty else parameter.default
    kind, note = get_args(hint)
    if isinstance(note, Within):
        return Parameter(parameter.name, kind, default, note.low, note.high, note.about)
    return Parameter(parameter.name, kind, default, None, None, str(note))
