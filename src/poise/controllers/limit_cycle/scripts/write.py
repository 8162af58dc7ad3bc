"""Writes trials as a `.script` file [Laszlo96 App. C] that reads back to the same trials.

A script can express a cycle of states, the two perturbations that the balancer scales, and one target. Other
perturbations are added to the poses with their scaling and named in a comment. Anything else is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from textwrap import wrap
from typing import Final

from poise.characters.bones_table import BonesTable
from poise.characters.model import Character
from poise.controllers.limit_cycle.graph import PoseGraph, State
from poise.controllers.limit_cycle.layout import ROLES, SETTINGS, STRATEGIES, VARIABLES
from poise.controllers.limit_cycle.scripts.script import (
    ELEMENTS,
    SCRIPT_GROUND,
    SCRIPT_VARIABLES,
    SETTING_NAMES,
    STRATEGY_WORDS,
    TABLES,
    PoseTable,
    Script,
    Trial,
    find_foot_monitor,
    is_file_name,
    mark_steps,
)
from poise.controllers.limit_cycle.spec import GraphSpec
from poise.errors import InputError
from poise.files import save_text

_WRITTEN: Final = (
    "strategy", "target", "target_side", "servo", "servo_rad", *(n for pair in SETTING_NAMES.values() for n in pair)
)  # fmt: skip
#: Defaults of the reader, which need not be written.
_OMITTED: Final = {
    "friction": f"set friction {SCRIPT_GROUND.friction:g}",
    "superposition": "set superposition false",
    "strategy": "set strategy auto",
    "torso_servo": "set torso_servo off\n",
    "showfile": "set showfile off",
}
_DEFAULTS: Final = {s.name: s.default for s in SETTINGS}


def save_script(script: Script, path: str | PathLike[str]) -> None:
    """Write a `.script` file atomically."""
    save_text(path, format_script(script))


def format_script(script: Script) -> str:
    """The text of a script. A setting is written only when it changes from one trial to the next."""
    if not script.trials:
        raise InputError("script: no trials to write.")
    bones = Path(script.book.bones.path).name
    lines = [f"# A pose control graph and its trials, for {script.character.name}; angles in degrees.", ""]
    lines += [f"< {bones}", ""]
    said = dict(_OMITTED)
    for number, trial in enumerate(script.trials, start=1):
        _check(trial, f"script: trial {number}")
        for name, block in _describe(trial, script.book, script.character).items():
            if said.get(name) != block:
                lines.append(block)
                said[name] = block
                if name == "pcstates":
                    # The reader drops all tables when the number of rows changes.
                    said = {k: v for k, v in said.items() if not k.startswith("poses")}
        lines += [_balance(trial), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _check(trial: Trial, where: str) -> None:
    """Refuse what a script cannot express."""
    spec = trial.spec
    for name, value in spec.values.items():
        known = name in _WRITTEN or name in {c.name for c in spec.changes}
        if not known and value != _DEFAULTS.get(name):
            raise InputError("a script cannot express this setting", where=f"{where}: {name}", got=value)
    count = len(spec.base.states)
    for k, state in enumerate(spec.base.states):
        here = f"{where}: state {state.name}"
        if state.next != (k + 1) % count:
            raise InputError("the states of a script must follow each other in a cycle", where=here, got=state.next)
        if state.sensor and state.hold_s:
            raise InputError("a state of a script holds or waits for a foot, not both", where=here, got=state.hold_s)
    _check_steps(spec, where)
    if trial.name and not is_file_name(trial.name):
        raise InputError("not a file name", where=f"{where}: name", got=trial.name)
    if spec.start.root_pitch_rad or any(spec.start.joint_v_radps.values()) or any(spec.start.root_vel_mps):
        raise InputError("a script must start upright and at rest", where=f"{where}: start")
    if spec.path_m:
        raise InputError("a script cannot express a path", where=f"{where}: path_m")
    if trial.ground.slip != "text" or trial.ground.slope_rad:
        raise InputError("the ground of a script must be level, with the slip of the text", where=f"{where}: ground")
    for role in ELEMENTS:
        variable = VARIABLES[int(_value(spec, f"{role}_by"))]
        if variable in ("up", "pelvis") and (variable == "pelvis") != bool(_value(spec, "servo")):
            raise InputError(
                "a script regulates the pelvis if the torso servo is on, and the torso otherwise",
                where=f"{where}: {role}_by",
                got=variable,
            )


def _check_steps(spec: GraphSpec, where: str) -> None:
    """Refuse steps that a reader would not recover: a script does not say where a step begins."""
    changes = {c.name: c.graph for c in spec.changes}
    tables = {0: PoseTable(0, spec.base.states)}
    for number, (dimension, side) in TABLES.items():
        tables[number] = PoseTable(number, tuple(_part(changes.get(ELEMENTS[dimension]), spec.base, side)))
    for element in ELEMENTS:
        graph = changes.get(element)
        for k, state in enumerate(graph.states if graph else ()):
            if not spec.base.states[k].stance and (state.pose_rad or state.hold_s):
                what = "changes a state that belongs to no leg's step"
                raise InputError(what, where=f"{where}: {element}", got=spec.base.states[k].name)
    for mine, read in zip(spec.base.states, mark_steps(tables).states, strict=True):
        if (mine.stance, mine.ends_step) != (read.stance, read.ends_step):
            raise InputError(
                "in a script, a step begins with the state that waits for its foot, or where its perturbations begin",
                where=f"{where}: state {mine.name}",
            )


def _value(spec: GraphSpec, name: str) -> float:
    return spec.values.get(name, _DEFAULTS[name])


def _describe(trial: Trial, book: BonesTable, character: Character) -> dict[str, str]:
    """Everything written before a `balance`, by setting, in the order of the file."""
    spec, ground = trial.spec, trial.ground
    strategy = STRATEGIES[int(_value(spec, "strategy"))]
    base, added = _add_up(spec)
    out = {
        "kfspring": f"set kfspring {_number(ground.stiffness_npm)}",
        "kfdamp": f"set kfdamp {_number(ground.damping_nspm)}",
        "friction": f"set friction {_number(ground.friction)}",
        "sddt": f"set sddt {_number(trial.timestep_s)}\n",
        "pcstates": f"set pcstates {len(base.states)}\n",
    }
    columns = f"columns: {' '.join(a.name for a in book.axes)}; then a hold time, or a foot's point and a time-out"
    note = "\n".join(wrap(columns, 118, initial_indent="# ", subsequent_indent="#   "))
    rows = [_row(s, book, _transition(s, book, character)) for s in base.states]
    comment = f"with {', '.join(added)}" if added else ""
    out["poses 0"] = f"{note}\n{_table(0, rows, comment)}\n"
    changes = {c.name: c.graph for c in spec.changes}
    for number, (dimension, side) in TABLES.items():
        role = _order(strategy)[dimension]
        states = _part(changes.get(role), base, side)
        rows = [_row(s, book, [_number(s.hold_s)]) for s in states]
        out[f"poses {number}"] = _table(number, rows, f"{role}, on the {side} leg") + "\n"
    out["hinit"] = f"set hinit {','.join(_start(spec, book, character))}\n"
    out["superposition"] = f"set superposition {'true' if strategy == 'SP' else 'false'}"
    out["strategy"] = f"set strategy {strategy if strategy in STRATEGY_WORDS else 'auto'}"
    servo = _value(spec, "servo")
    out["torso_servo"] = f"set torso_servo {_degrees(_value(spec, 'servo_rad')) if servo else 'off'}\n"
    out["showfile"] = f"set showfile {trial.name or 'off'}"
    out["Q_d"] = f"set Q_d {_number(_value(spec, 'target'))},{_number(_value(spec, 'target_side'))}"
    return out


def _add_up(spec: GraphSpec) -> tuple[PoseGraph, list[str]]:
    """The base plus all active variations, and their names."""
    graph, added = spec.base, []
    for change in spec.changes:
        scaling = spec.values.get(change.name, 0.0)
        if change.name not in ROLES and scaling:
            graph += change.graph * scaling
            added.append(f"{_number(scaling)} {change.name}")
    return graph, added


def _order(strategy: str) -> tuple[str, str]:
    """The names of the two dimensions, in the order in which they are solved."""
    return ("side", "forward") if strategy == "LF" else ("forward", "side")


def _part(graph: PoseGraph | None, base: PoseGraph, side: str) -> Sequence[State]:
    """The rows of a perturbation that belong to the steps of one side; zeros elsewhere."""
    zeros = [State(s.name, {}) for s in base.states]
    if graph is None:
        return zeros
    pairs = zip(graph.states, base.states, zeros, strict=True)
    return [mine if own.stance == side else zero for mine, own, zero in pairs]


def _transition(state: State, book: BonesTable, character: Character) -> list[str]:
    if not state.sensor:
        return [_number(state.hold_s)]
    return [str(find_foot_monitor(book, character, state.sensor)), _number(state.timeout_s)]


def _row(state: State, book: BonesTable, last: Sequence[str]) -> list[str]:
    return [*_angles(state.pose_rad, book, lambda _: 0.0), *last]


def _angles(pose: Mapping[str, float], book: BonesTable, otherwise: Callable[[str], float]) -> list[str]:
    return [_degrees(a.sign * pose.get(a.name, otherwise(a.name))) for a in book.axes]


def _start(spec: GraphSpec, book: BonesTable, character: Character) -> list[str]:
    return _angles(spec.start.joint_q_rad, book, lambda axis: character.rest_pose_rad.get(axis, 0.0))


def _table(number: int, rows: Sequence[Sequence[str]], comment: str) -> str:
    """A table with aligned columns."""
    widths = [max(len(row[k]) for row in rows if k < len(row)) for k in range(max(map(len, rows)))]
    head = f"posecycle poses {number}" + (f"    # {comment}" if comment else "")
    lines = [" ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=False)) for row in rows]
    return "\n".join([head, *lines])


def _balance(trial: Trial) -> str:
    spec = trial.spec
    words = ["balance", str(trial.strides)]
    for role in _order(STRATEGIES[int(_value(spec, "strategy"))]):
        e = ELEMENTS.index(role)
        words += [_number(_value(spec, SETTING_NAMES[name][e])) for name in ("tolerance", "most_deg", "sample_deg")]
        variable = VARIABLES[int(_value(spec, SETTING_NAMES["by"][e]))]
        words.append(f"{SCRIPT_VARIABLES.index('up' if variable == 'pelvis' else variable)}:{e}")
    return " ".join(words)


def _number(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def _degrees(angle_rad: float) -> str:
    """The shortest number in degrees that reads back as this angle."""
    angle_deg = math.degrees(angle_rad) + 0.0
    for digits in range(1, 17):
        text = f"{angle_deg:.{digits}g}"
        if math.radians(float(text)) == angle_rad:
            return _number(float(text))
    return repr(angle_deg)
