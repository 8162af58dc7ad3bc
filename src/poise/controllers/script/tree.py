"""What a script says, as data: phases, commands, actions and conditions, each with its place in the file.

Places do not count when two trees are compared. What the words mean is the business of `build` and `law`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

#: Where the reader put something in that the text leaves out.
DEFAULT_STABLE: Final = ".01"
CENTRE_OF_PRESSURE: Final = "cop"


class Span(NamedTuple):
    """Line and column, from 1, and the characters of the file from `start` to before `end`."""

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
    """A joint, a part, a file, a key, an entity or a parameter, as it is written."""

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
class Target(Node):
    """`joint(angle[, kp[, kd]])`."""

    joint: Name
    angle: Value
    gains: tuple[Value, ...]


@dataclass(frozen=True)
class Pose(Node):
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Lipose(Node):
    target: Target
    time: Value


@dataclass(frozen=True)
class Feedback(Node):
    """`joint(cd, cv).on(joint X)`; kind is `joint` or `part`."""

    joint: Name
    cd: Value
    cv: Value
    kind: str
    on: Name


@dataclass(frozen=True)
class Posefb(Node):
    laws: tuple[Feedback, ...]


@dataclass(frozen=True)
class Comfb2(Node):
    """Feedback for the next VPD of the file; kind is `j`, `p` or `c`."""

    cd: Value
    cv: Value
    kind: Name
    on: Name


@dataclass(frozen=True)
class Vpd(Node):
    part: Name
    angle: Value
    gains: tuple[Value, ...]
    joint: Name
    flags: Name | None


@dataclass(frozen=True)
class Vf(Node):
    force: tuple[Value, Value, Value]
    part: Name
    joint: Name


@dataclass(frozen=True)
class Vffb(Node):
    part: Name
    cd: Value
    cv: Value
    joint: Name
    over: Name


@dataclass(frozen=True)
class Vfsfb(Node):
    part: Name
    cv: Value
    joint: Name
    speed: Value


@dataclass(frozen=True)
class Ik(Node):
    part: Name
    frame: str
    goal: tuple[Value, Value, Value]
    base: Name
    tolerance: Value | None


@dataclass(frozen=True)
class Gc(Node):
    part: Name
    joint: Name


@dataclass(frozen=True)
class Ef(Node):
    part: Name
    force: tuple[Value, Value, Value]


@dataclass(frozen=True)
class Match(Node):
    joint: Name
    to: Name
    gains: tuple[Value, ...]
    time: Value | None


@dataclass(frozen=True)
class Hold(Node):
    joint: Name


@dataclass(frozen=True)
class Save(Node):
    file: Name


@dataclass(frozen=True)
class Load(Node):
    file: Name


@dataclass(frozen=True)
class Toggle(Node):
    """`toggleVisible` or `toggleCollidable` of an entity."""

    word: str
    entity: Name


Action = Pose | Lipose | Posefb | Comfb2 | Vpd | Vf | Vffb | Vfsfb | Ik | Gc | Ef | Match | Hold | Save | Load


@dataclass(frozen=True)
class Actions(Node):
    body: tuple[Action, ...]


@dataclass(frozen=True)
class EnvActions(Node):
    body: tuple[Toggle, ...]


@dataclass(frozen=True)
class Condition(Node):
    """A kind with what it needs: a name (part, key, entity), a sign (of `fallen`), values."""

    kind: str
    name: Name | None = None
    sign: str = ""
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Transition(Node):
    to: int
    condition: Condition


@dataclass(frozen=True)
class NamedArgument(Node):
    """`speed=0.8`, of a controller that is no script."""

    name: Name
    value: Value


@dataclass(frozen=True)
class Call(Node):
    script: Name
    arguments: tuple[Value, ...]
    at_phase: int | None
    named: tuple[NamedArgument, ...] = ()


Command = Transition | Actions | EnvActions | Call | Save | Load


@dataclass(frozen=True)
class Phase(Node):
    """The label is shown to people; `to(n)` counts positions."""

    label: int
    commands: tuple[Command, ...]

    @property
    def transitions(self) -> tuple[Transition, ...]:
        return tuple(c for c in self.commands if isinstance(c, Transition))

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(c for c in self.commands if isinstance(c, Call))

    @property
    def actions(self) -> tuple[Action | Toggle, ...]:
        """All that acts, in the order of the text: SAVE, LOAD and toggles too."""
        acting: list[Action | Toggle] = []
        for command in self.commands:
            if isinstance(command, Actions | EnvActions):
                acting += command.body
            elif isinstance(command, Save | Load):
                acting.append(command)
        return tuple(acting)


@dataclass(frozen=True)
class Setting(Node):
    """`SET name = value`."""

    name: str
    value: Number


@dataclass(frozen=True)
class Script(Node):
    label: str
    parameters: tuple[Name, ...]
    phases: tuple[Phase, ...]
    includes: tuple[Name, ...] = ()
    settings: tuple[Setting, ...] = ()
    path: Path = field(default=Path(), compare=False)
    text: str = field(default="", compare=False, repr=False)
    environment: Name | None = None

    @property
    def torque_limit_nm(self) -> float | None:
        """What its `SET TORQUELIMIT` says; the first one counts."""
        return next((s.value.value for s in self.settings if s.name == TORQUE_LIMIT), None)


TORQUE_LIMIT: Final = "TORQUELIMIT"
