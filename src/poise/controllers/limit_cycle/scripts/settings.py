"""The settings of a script, and the state of its reader: see `read`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from poise.characters.bones_table import BonesTable
from poise.characters.model import Character
from poise.constants import MAX_TIMESTEP_S, MIN_TIMESTEP_S
from poise.controllers.limit_cycle.graph import MAX_ANGLE_DEG, MAX_STATES
from poise.controllers.limit_cycle.layout import SETTINGS
from poise.controllers.limit_cycle.scripts.script import (
    SCRIPT_GROUND,
    SCRIPT_TIMESTEP_S,
    STRATEGY_WORDS,
    PoseTable,
    Trial,
    is_file_name,
    to_rad,
)
from poise.controllers.limit_cycle.scripts.words import Word, count_words, split_list
from poise.errors import describe_unknown_name
from poise.world.controller import Start
from poise.world.ground import PenaltyGround

#: Ranges of the balancer's settings, by name.
RANGES: Final = {s.name: (s.low, s.high) for s in SETTINGS}


@dataclass
class ReadState:
    """What has been read so far."""

    book: BonesTable | None = None
    character: Character | None = None
    rows: int = 0
    tables: dict[int, PoseTable] = field(default_factory=dict)
    #: The table that is being read, and the word that named it.
    open_table: PoseTable | None = None
    open_word: Word | None = None
    ground: PenaltyGround = SCRIPT_GROUND
    timestep_s: float = SCRIPT_TIMESTEP_S
    start: Start = field(default_factory=Start)
    target: tuple[float, float] | None = None
    superposition: bool = False
    strategy: str = "auto"
    servo_rad: float | None = None
    name: str = ""
    trials: list[Trial] = field(default_factory=list)
    open_files: list[Path] = field(default_factory=list)
    includes: int = 0

    def body(self, word: Word) -> tuple[BonesTable, Character]:
        if self.book is None or self.character is None:
            word.fail(f"{word.text} needs a body, but none has been read yet", allowed="Write first: < FILE.bones")
        return self.book, self.character


def read_setting(state: ReadState, command: Word, values: list[Word]) -> None:
    if not values:
        command.fail("set takes a name and a value", allowed=f"Names: {', '.join(_SETTINGS)}")
    name = values[0]
    if name.text not in _SETTINGS:
        name.fail(describe_unknown_name("setting", name.text, _SETTINGS))
    form, setter = _SETTINGS[name.text]
    rest = values[1:] if name.text == "showfile" else split_list(values[1:])
    if form:
        count_words(name, rest, form.count(",") + 1, f"set {name.text} {form}")
    setter(state, name, rest)


def _set_ground(state: ReadState, name: Word, values: list[Word]) -> None:
    if name.text == "kfspring":
        state.ground = replace(state.ground, stiffness_npm=values[0].number(0.0, 1e8))
    elif name.text == "kfdamp":
        state.ground = replace(state.ground, damping_nspm=values[0].number(0.0, 1e6))
    else:
        state.ground = replace(state.ground, friction=values[0].number(0.0, 1e3))


def _set_timestep(state: ReadState, name: Word, values: list[Word]) -> None:
    state.timestep_s = values[0].number(MIN_TIMESTEP_S, MAX_TIMESTEP_S)


def _set_rows(state: ReadState, name: Word, values: list[Word]) -> None:
    rows = values[0].whole("the number of states", 1, MAX_STATES)
    if rows != state.rows:
        state.tables.clear()
    state.rows = rows


def _set_start(state: ReadState, name: Word, values: list[Word]) -> None:
    book, _ = state.body(name)
    count = len(book.axes)
    if not count - 1 <= len(values) <= count:
        at = values[count] if len(values) > count else name
        at.fail(
            f"hinit takes {count} angles, got {len(values)}",
            allowed="One for each degree of freedom; the last may be omitted",
        )
    angles = [w.number(-MAX_ANGLE_DEG, MAX_ANGLE_DEG) for w in values]
    angles += [0.0] * (count - len(angles))
    # Zeros are included: an axis that is not named would start at its rest angle.
    state.start = Start({a.name: to_rad(v, a.sign) for a, v in zip(book.axes, angles, strict=True)})


def _set_target(state: ReadState, name: Word, values: list[Word]) -> None:
    state.target = values[0].number(*RANGES["target"]), values[1].number(*RANGES["target_side"])


def _set_name(state: ReadState, name: Word, values: list[Word]) -> None:
    (value,) = values
    if not is_file_name(value.text):
        value.fail("not a file name", got=value.text, allowed="Use one word of at most 200 characters, without folders")
    state.name = "" if value.text == "off" else value.text


def _set_superposition(state: ReadState, name: Word, values: list[Word]) -> None:
    state.superposition = _choose(values[0], ("true", "false")) == "true"


def _set_strategy(state: ReadState, name: Word, values: list[Word]) -> None:
    state.strategy = _choose(values[0], STRATEGY_WORDS)


def _set_servo(state: ReadState, name: Word, values: list[Word]) -> None:
    _, character = state.body(name)
    off = values[0].text == "off"
    if not off and "back_pitch" not in character.axis_names:
        name.fail(f"{character.name} has no waist (back_pitch) to hold its torso")
    low, high = (math.degrees(v) for v in RANGES["servo_rad"])
    state.servo_rad = None if off else math.radians(values[0].number(low, high))


def _set_monitors(state: ReadState, name: Word, values: list[Word]) -> None:
    book, _ = state.body(name)
    numbers = tuple(w.whole("a monitor point's number", 1, len(book.bones.monitors)) for w in values)
    own = book.bones.up_monitors if name.text == "up_mon" else book.bones.center_of_mass_monitors
    if own is not None and numbers != own:
        values[0].fail(
            f"{name.text} is {','.join(map(str, own))} in {Path(book.bones.path).name}",
            got=",".join(map(str, numbers)),
            allowed="Change it there and in the table beside it",
        )


def _choose(word: Word, known: tuple[str, ...]) -> str:
    if word.text not in known:
        word.fail(describe_unknown_name("choice", word.text, known))
    return word.text


#: Each with the form of its values, separated by commas; None leaves the count to the setter.
_SETTINGS: Final[dict[str, tuple[str | None, Callable[[ReadState, Word, list[Word]], None]]]] = {
    "kfspring": ("KP", _set_ground), "kfdamp": ("KD", _set_ground), "sddt": ("S", _set_timestep),
    "pcstates": ("N", _set_rows), "hinit": (None, _set_start), "Q_d": ("AHEAD,ACROSS", _set_target),
    "showfile": ("NAME|off", _set_name), "superposition": ("true|false", _set_superposition),
    "up_mon": ("O,U,R", _set_monitors), "cofm_mon": ("SWING,STANCE", _set_monitors),
    "strategy": ("|".join(STRATEGY_WORDS), _set_strategy), "torso_servo": ("DEGREES|off", _set_servo),
    "friction": ("MU", _set_ground),
}  # fmt: skip
