"""The small pieces of a script's tree: places, names, values, and the components of an angle in space."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

MAX_DIGITS: Final = 40
"""No meaningful number in a script is longer; the largest float has 309 digits, 17 of them significant."""


class Span(NamedTuple):
    """Line and column, from 1, and the half-open range of characters `start` to `end`."""

    line: int
    column: int
    start: int
    end: int


NOWHERE: Final = Span(1, 1, 0, 0)


@dataclass(frozen=True)
class Node:
    at: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Name(Node):
    """A joint, part, file, key, entity or parameter, as spelled in the script."""

    text: str


@dataclass(frozen=True)
class Number(Node):
    text: str

    @property
    def value(self) -> float:
        return float(self.text)


@dataclass(frozen=True)
class Variable(Node):
    name: str


@dataclass(frozen=True)
class Linterp(Node):
    """v0 + (v1 − v0)·(g − g0)/(g1 − g0) of g, g0, g1, v0, v1."""

    values: tuple[Value, ...]


Value = Number | Variable | Linterp


@dataclass(frozen=True)
class Vector(Node):
    """`(pitch, roll, yaw)`: one value per axis of a joint in space; yaw may be left out."""

    values: tuple[Value, ...]


#: A servo's angle or gain: one value in the sagittal plane, or several in space.
Angles = Value | Vector


def components(angles: Angles) -> tuple[Value, ...]:
    """The component values; a single one in the sagittal form."""
    return angles.values if isinstance(angles, Vector) else (angles,)
