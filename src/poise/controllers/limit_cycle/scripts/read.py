"""The reader of `.script` files [Laszlo96 App. C].

A line holds one command; `#` starts a comment. Angles are degrees, in the signs of the `.bones` file. Commands:

    < FILE                        reads a `.bones` file, or another script, here
    set kfspring KP               stiffness of the ground; `set kfdamp KD` its damping
    set sddt S                    time step
    set pcstates N                rows of each table
    set hinit A,A,…               angles at the start; the last one may be omitted and is then 0
    set Q_d AHEAD,ACROSS          target of a step
    set superposition true|false  whether the two dimensions are sampled independently
    set showfile NAME             name under which the next trials are written
    set up_mon O,U,R              monitor points, like `set cofm_mon SWING,STANCE`; both must match the bones
    posecycle poses N             a table follows: 0 the base, 1 and 2 the perturbations of the first dimension on the
                                  right and on the left leg, 3 and 4 those of the second
    balance STRIDES TOL KMAX KSAMPLE RV:ELEM TOL KMAX KSAMPLE RV:ELEM
                                  a trial; RV is 0 up, 1 stance-COM, 2 swing-COM, ELEM is 0 ahead, 1 across

A row of the base holds an angle for each degree of freedom, then a hold time, or a monitor point on the foot that it
waits for and a time-out. A row of a perturbation ends with its change of the hold time. Our own additions:

    set strategy jacobian|open|auto   samples the whole Jacobian, or does not balance
    set torso_servo DEGREES|off       the waist holds the torso at an angle; RV 0 is then the lean of the pelvis
    set friction MU                   friction of the ground
    set showfile off                  the next trials are not written
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Final

from poise.controllers.limit_cycle.graph import MAX_ANGLE_DEG, MAX_HOLD_S, State
from poise.controllers.limit_cycle.layout import STRATEGIES
from poise.controllers.limit_cycle.scripts.body import load_body
from poise.controllers.limit_cycle.scripts.script import (
    SCRIPT_VARIABLES,
    SETTING_NAMES,
    TABLES,
    Dimension,
    PoseTable,
    Script,
    Trial,
    choose_strategy,
    find_side,
    make_spec,
    name_states,
    to_rad,
)
from poise.controllers.limit_cycle.scripts.settings import RANGES, ReadState, read_setting
from poise.controllers.limit_cycle.scripts.words import Word, count_words, split_line
from poise.errors import FileFormatError, InputError, describe_unknown_name
from poise.files import load_text
from poise.trust import check_kind, check_readable, reading

MAX_INCLUDES: Final = 32
MAX_TRIALS: Final = 1000
MAX_STRIDES: Final = 10_000
_BONES_COMMANDS: Final = ("bone", "seg", "mass", "iner", "cofm", "hinge", "uhinge", "ghinge", "mon", "kpd")
_BALANCE_FORM: Final = "balance STRIDES TOL KMAX KSAMPLE RV:ELEM TOL KMAX KSAMPLE RV:ELEM"


def load_script(path: str | PathLike[str]) -> Script:
    """Read a `.script` file; errors carry line, column and a caret."""
    return parse_script(load_text(path), path)


def parse_script(text: str, path: str | PathLike[str]) -> Script:
    """Parse the text of a script; its includes are resolved from `path`."""
    state = ReadState()
    with reading(path):
        _read_text(state, text, Path(path))
    if state.book is None or state.character is None:
        raise FileFormatError("includes no body. A script needs a line: < FILE.bones", path=path)
    return Script(state.book, state.character, tuple(state.trials), str(path))


def _read_text(state: ReadState, text: str, path: Path) -> None:
    state.open_files.append(path.resolve())
    for number, line in enumerate(text.split("\n"), start=1):
        words = split_line(str(path), number, line)
        if words and (words[0].is_number() or (state.open_table and not _is_command(words[0]))):
            _read_row(state, words)
        elif words:
            _check_table_is_full(state)
            _read_command(state, words, path)
    _check_table_is_full(state)
    state.open_files.pop()


def _is_command(word: Word) -> bool:
    return word.text in _COMMANDS or word.text in _BONES_COMMANDS or word.text.startswith("<")


def _read_command(state: ReadState, words: list[Word], path: Path) -> None:
    command, values = words[0], words[1:]
    if command.text.startswith("<"):
        _include(state, words, path)
    elif command.text in _COMMANDS:
        _COMMANDS[command.text](state, command, values)
    elif command.text in _BONES_COMMANDS:
        command.fail(f"{command.text} belongs in a .bones file", allowed="A script reads one with: < FILE.bones")
    else:
        command.fail(describe_unknown_name("command", command.text, [*_COMMANDS, "<"]))


def _include(state: ReadState, words: list[Word], path: Path) -> None:
    command, *rest = words
    if len(command.text) > 1:
        place = command.place._replace(column=command.place.column + 1)
        rest = [Word(command.text[1:], place), *rest]
    count_words(command, rest, 1, "< FILE", "<")
    (name,) = rest
    if name.text.endswith(".bones"):
        if state.book is not None:
            name.fail(f"a body was already read from {Path(state.book.bones.path).name}", got=name.text)
        state.book, state.character = load_body(name, path.parent)
        return
    target = path.parent / name.text
    state.includes += 1
    try:
        check_kind(target, "a script or a .bones file", (".script",))
        check_readable(target)
    except InputError as error:
        name.fail(str(error))
    if not os.path.isfile(target):
        name.fail("no such file", got=name.text)
    if target.resolve() in state.open_files:
        name.fail("the files include each other in a loop", got=name.text)
    if state.includes > MAX_INCLUDES:
        name.fail(f"more than {MAX_INCLUDES} files are included")
    _read_text(state, load_text(target), target)


def _posecycle(state: ReadState, command: Word, values: list[Word]) -> None:
    count_words(command, values, 2, "posecycle poses N")
    if values[0].text != "poses":
        values[0].fail(describe_unknown_name("kind of table", values[0].text, ["poses"]))
    number = values[1].whole("a table's number", 0, max(TABLES))
    state.body(command)
    if state.rows == 0:
        command.fail("the number of rows is not set", allowed="Write first: set pcstates N")
    state.open_table, state.open_word = PoseTable(number, ()), values[1]


def _read_row(state: ReadState, words: list[Word]) -> None:
    table = state.open_table
    if table is None:
        full = f": posecycle poses {max(state.tables)} has all of its {state.rows}" if state.tables else ""
        words[0].fail(f"a row of numbers that belongs to no table{full}", allowed="Write before it: posecycle poses N")
    names, k = name_states(state.rows), len(table.states)
    row = _read_state(state, table.number, words, names[k])
    row = replace(row, next=(k + 1) % state.rows)
    table = PoseTable(table.number, (*table.states, row), (*table.places, words[0].place))
    state.open_table = table
    if len(table.states) == state.rows:
        state.tables[table.number] = table
        state.open_table = None


def _read_state(state: ReadState, number: int, words: list[Word], name: str) -> State:
    book, character = state.body(words[0])
    count = len(book.axes)
    _check_columns(number, words, count)
    angles = [w.number(-MAX_ANGLE_DEG, MAX_ANGLE_DEG) for w in words[:count]]
    pose = {a.name: to_rad(v, a.sign) for a, v in zip(book.axes, angles, strict=True) if v != 0.0}
    last = words[count:]
    if len(last) == 1:
        return State(name, pose, last[0].number(0.0 if number == 0 else -MAX_HOLD_S, MAX_HOLD_S))
    monitor = last[0].whole("a monitor point's number", 1, len(book.bones.monitors))
    side = find_side(book, character, monitor)
    if not side:
        feet = [str(n + 1) for n in range(len(book.bones.monitors)) if find_side(book, character, n + 1)]
        last[0].fail("this monitor point is not on a foot", got=monitor, allowed=f"On feet: {', '.join(feet)}")
    return State(name, pose, sensor=side, timeout_s=last[1].number(0.0, MAX_HOLD_S))


def _check_columns(number: int, words: list[Word], angles: int) -> None:
    most = angles + 2 if number == 0 else angles + 1
    if angles < len(words) <= most:
        return
    if number == 0:
        expected = f"{angles + 1} or {most}"
        what = f"{angles} angles and a hold time, or {angles} angles, a monitor point and a time-out"
    else:
        expected, what = str(most), f"{angles} angles and a change of the hold time"
    at = words[most] if len(words) > most else words[-1]
    at.fail(f"a row of posecycle poses {number} has {len(words)} columns, expected {expected}: {what}")


def _check_table_is_full(state: ReadState) -> None:
    table, word = state.open_table, state.open_word
    if table is not None and word is not None:
        count = len(table.states)
        word.fail(
            f"posecycle poses {table.number} has {count} row{'' if count == 1 else 's'}, expected {state.rows}",
            allowed="`set pcstates` sets the number of rows",
        )


def _balance(state: ReadState, command: Word, values: list[Word]) -> None:
    count_words(command, values, 9, _BALANCE_FORM)
    strides = values[0].whole("the number of strides", 1, MAX_STRIDES)
    first, second = _read_dimension(values[1:5]), _read_dimension(values[5:9])
    if first.element == second.element:
        values[8].fail("both dimensions regulate the same component", got=values[8].text, allowed=_ELEMENT_RULE)
    state.body(command)
    missing = [n for n in range(len(TABLES) + 1) if n not in state.tables]
    if missing:
        command.fail(f"balance needs tables 0 to 4, but posecycle poses {missing[0]} is missing")
    if state.target is None:
        command.fail("balance needs a target", allowed="Write first: set Q_d AHEAD,ACROSS")
    if len(state.trials) == MAX_TRIALS:
        command.fail(f"more than {MAX_TRIALS} trials")
    strategy = choose_strategy(state.strategy, state.superposition, (first, second))
    settings = {
        "strategy": float(STRATEGIES.index(strategy)),
        "target": state.target[0],
        "target_side": state.target[1],
    }
    if state.servo_rad is not None:
        settings |= {"servo": 1.0, "servo_rad": state.servo_rad}
    spec = make_spec(state.tables, (first, second), settings, state.start)
    state.trials.append(Trial(strides, spec, state.ground, state.timestep_s, state.name))


_ELEMENT_RULE: Final = "One must be 0 (ahead), the other 1 (across)"


def _read_dimension(words: list[Word]) -> Dimension:
    variable, colon, element = words[3].text.partition(":")
    known = [str(k) for k in range(len(SCRIPT_VARIABLES))]
    if not colon or variable not in known or element not in ("0", "1"):
        words[3].fail(
            "must be a regulation variable and a component, such as 0:1",
            got=words[3].text,
            allowed="Variables: 0 up, 1 stance-COM, 2 swing-COM. Components: 0 ahead, 1 across",
        )
    e = int(element)
    tolerance, most, sample = (
        word.number(*RANGES[SETTING_NAMES[name][e]])
        for word, name in zip(words, ("tolerance", "most_deg", "sample_deg"), strict=False)
    )
    return Dimension(tolerance, most, sample, int(variable), e)


_COMMANDS: Final[dict[str, Callable[[ReadState, Word, list[Word]], None]]] = {
    "set": read_setting, "posecycle": _posecycle, "balance": _balance,
}  # fmt: skip
