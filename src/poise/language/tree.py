"""The syntax tree of a script: phases, commands, actions and conditions, each with its place in the file.

Comparison of trees ignores places. `build` and `law` define what the words mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from poise.language.atoms import NOWHERE as NOWHERE
from poise.language.atoms import Angles as Angles
from poise.language.atoms import Linterp as Linterp
from poise.language.atoms import Name as Name
from poise.language.atoms import Node as Node
from poise.language.atoms import Number as Number
from poise.language.atoms import Span as Span
from poise.language.atoms import Value as Value
from poise.language.atoms import Variable as Variable
from poise.language.atoms import Vector as Vector

#: Values that the parser inserts where the text omits them.
DEFAULT_STABLE: Final = ".01"
CENTRE_OF_PRESSURE: Final = "cop"
#: Between the two feet, whether they touch or not.
FEET: Final = "feet"


@dataclass(frozen=True)
class Target(Node):
    """`joint(angle[, kp[, kd]])`; in space all three may have components."""

    joint: Name
    angle: Angles
    gains: tuple[Angles, ...]


@dataclass(frozen=True)
class Pose(Node):
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Lipose(Node):
    target: Target
    time: Value


@dataclass(frozen=True)
class Feedback(Node):
    """`joint(cd, cv).side(cd, cv).on(joint X)`; kind is `joint` or `part`, the side is for a joint's roll."""

    joint: Name
    cd: Value
    cv: Value
    kind: str
    on: Name
    side: tuple[Value, Value] | None = None


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
    side: tuple[Value, Value] | None = None


@dataclass(frozen=True)
class Vpd(Node):
    part: Name
    angle: Angles
    gains: tuple[Angles, ...]
    joint: Name
    flags: Name | None
    #: The link of the old form `.parent(link)`: `joint` follows from it (it repeats a link that has none), and so does
    #: the sign of the gains.
    parent: Name | None = None


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
    side: tuple[Value, Value] | None = None


@dataclass(frozen=True)
class Vfsfb(Node):
    part: Name
    cv: Value
    joint: Name
    speed: Value
    #: Sideways gain and speed; an omitted speed is 0.
    side: Value | None = None
    drift: Value | None = None


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


def targets_of(action: Action | Toggle) -> tuple[Target, ...]:
    """The joint targets of a POSE or LIPOSE; empty for other actions."""
    match action:
        case Pose():
            return action.targets
        case Lipose():
            return (action.target,)
    return ()


@dataclass(frozen=True)
class Actions(Node):
    body: tuple[Action, ...]


@dataclass(frozen=True)
class EnvActions(Node):
    body: tuple[Toggle, ...]


@dataclass(frozen=True)
class Condition(Node):
    """A kind of condition with its operands: a name (part, key, entity), a sign (of `fallen`), values."""

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
    """`speed=0.8`, an argument of a controller that is not a script."""

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
    """The label is for display only; `to(n)` refers to positions."""

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
        """All actions in the order of the text, including SAVE, LOAD and toggles."""
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
    #: The character that the script names, if any.
    character: Name | None = None

    @property
    def torque_limit_nm(self) -> float | None:
        """The value of its first `SET TORQUELIMIT`."""
        return next((s.value.value for s in self.settings if s.name == TORQUE_LIMIT), None)


def find_phase(script: Script, at: Span) -> int | None:
    """Position of the phase that contains a place, or None outside all of them."""
    inside = (k for k, phase in enumerate(script.phases) if phase.at.start <= at.start < phase.at.end)
    return next(inside, None)


TORQUE_LIMIT: Final = "TORQUELIMIT"
