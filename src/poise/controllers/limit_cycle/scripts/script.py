"""The contents of a `.script` file: trials, each with its graph, its ground and its time step [Laszlo96 App. C].

`read` reads them, `write` writes them and `poise.trials.limit_cycle_script` runs them. This module gives the numbers of
a script their meaning: the stance leg of each state, and the balancer settings of a `balance` command.

Forward lean is positive in scripts. The source gives no lateral sign: as everywhere in Poise, left is positive.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from poise.characters.bones import Place
from poise.characters.bones_table import BonesTable
from poise.characters.model import SIDES, Character
from poise.controllers.limit_cycle.graph import PoseGraph, State
from poise.controllers.limit_cycle.layout import STRATEGIES, VARIABLES
from poise.controllers.limit_cycle.spec import Change, GraphSpec
from poise.world.controller import Start
from poise.world.ground import PenaltyGround

#: Regulation variables by their numbers in scripts.
SCRIPT_VARIABLES: Final = ("up", "stance", "swing")
#: Components by their numbers in scripts, named after the perturbations that steer them.
ELEMENTS: Final = ("forward", "side")
#: Tables of perturbations: the dimension (0, 1) and the stance leg of each.
TABLES: Final[Mapping[int, tuple[int, str]]] = {1: (0, "right"), 2: (0, "left"), 3: (1, "right"), 4: (1, "left")}
#: Names of the settings of the two components: `sample_deg` ahead, `sample_side_deg` across.
SETTING_NAMES: Final[Mapping[str, tuple[str, str]]] = {
    "tolerance": ("tolerance", "tolerance_side"),
    "most_deg": ("most_deg", "most_side_deg"),
    "sample_deg": ("sample_deg", "sample_side_deg"),
    "by": ("forward_by", "side_by"),
}
#: Default time step, as in the sample script [Laszlo96 App. C].
SCRIPT_TIMESTEP_S: Final = 0.00025
#: Default ground. In the text a slipping point is released from its spring; it gives no friction.
SCRIPT_GROUND: Final = PenaltyGround(25000.0, 1500.0, friction=1.0, slip="text")
_FILE_NAME: Final = re.compile(r"""(?!\.)[^\s#/\\:*?"<>|]{1,200}\Z""")
#: With `set strategy auto`, `superposition` and the order of the dimensions decide.
STRATEGY_WORDS: Final = ("auto", "jacobian", "open")


@dataclass(frozen=True)
class Dimension:
    """One control dimension of a `balance` command: the limits of its scaling, and what it regulates."""

    tolerance: float
    most_deg: float
    sample_deg: float
    #: Numbers of the regulation variable and of its component, as in the file.
    variable: int
    element: int


@dataclass(frozen=True)
class PoseTable:
    """The rows of a `posecycle poses` command as states, in our names and signs, with their places in the file."""

    number: int
    states: tuple[State, ...]
    places: tuple[Place, ...] = field(default=(), compare=False)

    @property
    def touched(self) -> set[int]:
        """Indices of the states that the table changes."""
        return {k for k, s in enumerate(self.states) if s.pose_rad or s.hold_s}


@dataclass(frozen=True)
class Trial:
    """A walk of `strides` strides from the initial pose."""

    strides: int
    spec: GraphSpec
    ground: PenaltyGround = SCRIPT_GROUND
    timestep_s: float = SCRIPT_TIMESTEP_S
    #: Name given by `set showfile`; "" if the trial is not written.
    name: str = ""

    @property
    def steps(self) -> int:
        return 2 * self.strides

    @property
    def strategy(self) -> str:
        return STRATEGIES[int(self.spec.values.get("strategy", 0.0))]

    @property
    def target(self) -> tuple[float, float]:
        """Q_d: ahead, across."""
        return self.spec.values.get("target", 0.0), self.spec.values.get("target_side", 0.0)


@dataclass(frozen=True)
class Script:
    """A whole script with its includes."""

    book: BonesTable
    character: Character
    trials: tuple[Trial, ...]
    path: str = field(default="", compare=False)


def make_spec(
    tables: Mapping[int, PoseTable], dimensions: Sequence[Dimension], settings: Mapping[str, float], start: Start
) -> GraphSpec:
    """The controller of a trial. The two tables of a dimension never act in the same step, so their sum serves both."""
    base = mark_steps(tables)
    values = dict(settings)
    changes = {}
    for k, dimension in enumerate(dimensions):
        e = dimension.element
        right, left = (PoseGraph(tables[n].states) for n, (which, _) in TABLES.items() if which == k)
        changes[ELEMENTS[e]] = Change(ELEMENTS[e], right + left)
        variable = SCRIPT_VARIABLES[dimension.variable]
        if variable == "up" and values.get("servo"):
            # A torso held upright says nothing about balance: the pelvis is regulated instead [Laszlo96 §3.8].
            variable = "pelvis"
        values[SETTING_NAMES["by"][e]] = float(VARIABLES.index(variable))
        for name in ("tolerance", "most_deg", "sample_deg"):
            values[SETTING_NAMES[name][e]] = getattr(dimension, name)
    return GraphSpec(base, tuple(changes[name] for name in ELEMENTS), values, start)


def choose_strategy(word: str, superposition: bool, dimensions: Sequence[Dimension]) -> str:
    """The strategy of a trial: F-L or L-F by the order of its dimensions, unless set otherwise."""
    if word != "auto":
        return word
    return "SP" if superposition else "FL" if dimensions[0].element == 0 else "LF"


def mark_steps(tables: Mapping[int, PoseTable]) -> PoseGraph:
    """The base graph with the stance leg of each state and the ends of its steps.

    A step begins with the state that waits for its foot. If no state waits, the perturbations tell which leg's step a
    state belongs to.
    """
    states = tables[0].states
    marks = [s.sensor for s in states]
    if not any(marks):
        for number, (_, side) in TABLES.items():
            for k in tables[number].touched:
                marks[k] = marks[k] or side
    stances = _carry_on(marks)
    _check_own_step(tables, stances)
    follows = [*stances[1:], stances[0]]
    ends = [a != b for a, b in zip(stances, follows, strict=True)]
    if not any(ends):
        ends[-1] = True
    return PoseGraph(tuple(replace(s, stance=a, ends_step=e) for s, a, e in zip(states, stances, ends, strict=True)))


def _carry_on(marks: Sequence[str]) -> list[str]:
    """Each mark held until the next one, wrapping around the end; all empty if there are none."""
    last = next((m for m in reversed(marks) if m), "")
    out = []
    for mark in marks:
        last = mark or last
        out.append(last)
    return out


def _check_own_step(tables: Mapping[int, PoseTable], stances: Sequence[str]) -> None:
    for number, (_, side) in TABLES.items():
        for k in sorted(tables[number].touched):
            if stances[k] != side:
                place = tables[number].places[k]
                place.fail(
                    f"row {k + 1} of posecycle poses {number} changes state S{k + 1}, which belongs to the step on the "
                    f"{stances[k]} leg",
                    allowed=f"Poses {number} is for the {side} leg: its other rows must be zero",
                )


def is_file_name(text: str) -> bool:
    """Whether a result file may have this name: one word, without folders."""
    return _FILE_NAME.match(text) is not None


def name_states(rows: int) -> list[str]:
    """S1, S2 … as in the source."""
    return [f"S{k + 1}" for k in range(rows)]


def find_side(book: BonesTable, character: Character, monitor: int) -> str:
    """The side of the foot on which a monitor point lies; "" if it is on no foot."""
    segment = book.names[book.find_bone(book.bones.monitors[monitor - 1])]
    return next((side for side in SIDES if character.roles.get(f"{side}_foot") == segment), "")


def find_foot_monitor(book: BonesTable, character: Character, side: str) -> int:
    """The monitor point that identifies a foot in scripts: the one under its ankle, or its first one; 0 for none."""
    under = book.bones.center_of_mass_monitors or ()
    numbers = [*under, *range(1, len(book.bones.monitors) + 1)]
    return next((n for n in numbers if find_side(book, character, n) == side), 0)


def to_rad(angle_deg: float, sign: float) -> float:
    """A script's angle in radians, with our sign."""
    return sign * math.radians(angle_deg) + 0.0
