"""The reader of `.bones` files [Laszlo96 App. B].

A line holds one command; words are separated by blanks or commas; `#` starts a comment. Commands:

    bone N                       starts a bone
    seg  x,y,z x,y,z             a line segment of the current bone
    mass M                       its mass
    iner IX IY IZ                its moments of inertia about axes through its centre of mass
    cofm X Y Z [RX RY RZ]        its centre of mass (rotated principal axes, the second triple, are not supported)
    hinge  P x,y,z a             joins it to bone P at a point, about an axis; `uhinge` takes two axes, `ghinge` three
    mon  x,y,z                   a monitor point, numbered in order
    kpd hinge N[:D] KP KD        gains of a bone's hinge, degree of freedom D (default 0)
    kpd mon N KP KD              ground gains of a monitor point; 0 0 disables its ground contact
    set up_mon O,U,R             monitor points of the up vector
    set cofm_mon SWING,STANCE    monitor points below the feet
    < FILE                       includes another file
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from poise.characters.bones import HINGES, Bone, BoneHinge, BonesFile, Gains, Place
from poise.characters.model import Vec3
from poise.errors import FileFormatError, InputError, describe_unknown_name
from poise.files import load_text
from poise.trust import check_kind, check_readable

MAX_INCLUDES: Final = 32
MAX_BONES: Final = 200
MAX_SEGMENTS: Final = 500
MAX_MONITORS: Final = 1000
_MAX_NUMBER: Final = 1e7
"""Larger figures are typing errors in any unit; a biped has far fewer bones."""

_WORD: Final = re.compile(r"<|[^\s,<]+")
#: Syntax of a number, also in scripts.
NUMBER: Final = re.compile(r"[+-]?(\d++\.?\d*+|\.\d++)([eE][+-]?\d++)?\Z")
_HINGE_DOF: Final = re.compile(r"(\d{1,6})(?::(\d))?\Z")


class _Word(NamedTuple):
    text: str
    place: Place

    def fail(self, what: str, **more: Any) -> NoReturn:
        self.place.fail(what, **more)


@dataclass
class _State:
    """The statements read so far."""

    bones: dict[int, Bone] = field(default_factory=dict)
    current: int | None = None
    monitors: list[Vec3] = field(default_factory=list)
    hinge_gains: dict[tuple[int, int], Gains] = field(default_factory=dict)
    monitor_gains: dict[int, Gains] = field(default_factory=dict)
    settings: dict[str, list[_Word]] = field(default_factory=dict)
    open_files: list[Path] = field(default_factory=list)
    includes: int = 0


def load_bones(path: str | PathLike[str]) -> BonesFile:
    """Read a `.bones` file; errors carry line, column and a caret."""
    state = _State()
    _read_file(state, Path(path))
    if not state.bones:
        raise FileFormatError("holds no bone. A file needs at least one 'bone' command", path=path)
    _check_tree(state)
    _check_gains(state)
    up = _read_monitor_list(state, "up_mon", 3)
    below = _read_monitor_list(state, "cofm_mon", 2)
    return BonesFile(
        bones=tuple(state.bones.values()),
        monitors=tuple(state.monitors),
        hinge_gains=state.hinge_gains,
        monitor_gains=state.monitor_gains,
        up_monitors=(up[0], up[1], up[2]) if up else None,
        center_of_mass_monitors=(below[0], below[1]) if below else None,
        path=str(path),
    )


def _read_file(state: _State, path: Path) -> None:
    text = load_text(path)
    state.open_files.append(path.resolve())
    for number, line in enumerate(text.split("\n"), start=1):
        code = line.partition("#")[0]
        words = [_Word(m.group(), Place(str(path), number, m.start() + 1, line)) for m in _WORD.finditer(code)]
        if words:
            _read_line(state, words, path)
    state.open_files.pop()


def _read_line(state: _State, words: list[_Word], path: Path) -> None:
    command, arguments = words[0], words[1:]
    if command.text == "<":
        _include(state, command, arguments, path)
        return
    reader = _COMMANDS.get(command.text)
    if reader is None:
        command.fail(describe_unknown_name("command", command.text, [*_COMMANDS, "<"]))
    reader(state, command, arguments)


def _include(state: _State, command: _Word, arguments: list[_Word], path: Path) -> None:
    _count(command, arguments, (1,), "< FILE")
    target = path.parent / arguments[0].text
    state.includes += 1
    try:
        check_kind(target, "a .bones file", (".bones",))
        check_readable(target)
    except InputError as error:
        arguments[0].fail(str(error))
    if not os.path.isfile(target):
        arguments[0].fail("no such file", got=arguments[0].text)
    if target.resolve() in state.open_files:
        arguments[0].fail("the files include each other in a loop", got=arguments[0].text)
    if state.includes > MAX_INCLUDES:
        arguments[0].fail(f"more than {MAX_INCLUDES} files are included")
    _read_file(state, target)


def _count(command: _Word, arguments: list[_Word], counts: tuple[int, ...], form: str) -> None:
    if len(arguments) in counts:
        return
    place = arguments[max(counts)].place if len(arguments) > max(counts) else command.place
    expected = " or ".join(str(n) for n in counts)
    what = f"{command.text} takes {expected} value{'' if counts == (1,) else 's'}, got {len(arguments)}"
    place.fail(what, allowed=f"Write: {form}")


def _float(word: _Word) -> float:
    if not NUMBER.match(word.text):
        word.fail("not a number", got=word.text)
    value = float(word.text)
    if not abs(value) <= _MAX_NUMBER:
        word.fail("out of range", got=value, allowed=f"Allowed: {-_MAX_NUMBER:g} to {_MAX_NUMBER:g}")
    return value + 0.0


def _natural(word: _Word, what: str) -> int:
    if not word.text.isascii() or not word.text.isdigit() or not 1 <= int(word.text[:9]) <= 100_000:
        word.fail(f"{what} must be a whole number from 1 to 100000", got=word.text)
    return int(word.text[:9])


def _point(words: list[_Word]) -> Vec3:
    return _float(words[0]), _float(words[1]), _float(words[2])


def _bone(state: _State, command: _Word, arguments: list[_Word]) -> None:
    _count(command, arguments, (1,), "bone N")
    number = _natural(arguments[0], "a bone's number")
    if number in state.bones:
        arguments[0].fail(f"bone {number} already exists, from line {state.bones[number].place.line}")
    if len(state.bones) == MAX_BONES:
        command.fail(f"more than {MAX_BONES} bones")
    state.bones[number] = Bone(number, place=command.place)
    state.current = number


def _current(state: _State, command: _Word, attribute: str | None = None) -> Bone:
    if state.current is None:
        command.fail(f"{command.text} belongs to a bone, but no bone command precedes it")
    bone = state.bones[state.current]
    if attribute is not None and getattr(bone, attribute) is not None:
        command.fail(f"bone {bone.number} already has its {command.text}")
    return bone


def _seg(state: _State, command: _Word, arguments: list[_Word]) -> None:
    bone = _current(state, command)
    _count(command, arguments, (6,), "seg x,y,z x,y,z")
    if len(bone.segments) == MAX_SEGMENTS:
        command.fail(f"more than {MAX_SEGMENTS} segments in one bone")
    start, end = _point(arguments), _point(arguments[3:])
    if start == end:
        arguments[3].fail("a segment needs two different ends")
    state.bones[bone.number] = replace(bone, segments=(*bone.segments, (start, end)))


def _mass(state: _State, command: _Word, arguments: list[_Word]) -> None:
    bone = _current(state, command, "mass")
    _count(command, arguments, (1,), "mass M")
    value = _float(arguments[0])
    if value <= 0:
        arguments[0].fail("mass must be positive", got=value)
    state.bones[bone.number] = replace(bone, mass=value)


def _iner(state: _State, command: _Word, arguments: list[_Word]) -> None:
    bone = _current(state, command, "inertia")
    _count(command, arguments, (3,), "iner IX IY IZ")
    value = _point(arguments)
    if min(value) <= 0 or 2 * max(value) > sum(value) * (1 + 1e-6):
        arguments[0].fail(
            "no body has this inertia",
            got=list(value),
            allowed="Moments are positive, and none exceeds the sum of the other two",
        )
    state.bones[bone.number] = replace(bone, inertia=value)


def _cofm(state: _State, command: _Word, arguments: list[_Word]) -> None:
    bone = _current(state, command, "center_of_mass")
    _count(command, arguments, (3, 6), "cofm X Y Z")
    if len(arguments) == 6 and any(_point(arguments[3:])):
        arguments[3].fail("rotated principal axes are not supported", allowed="Only 0 0 0 may follow the position")
    state.bones[bone.number] = replace(bone, center_of_mass=_point(arguments))


def _hinge(state: _State, command: _Word, arguments: list[_Word]) -> None:
    bone = _current(state, command, "hinge")
    axes = HINGES[command.text]
    _count(command, arguments, (4 + 3 * axes,), f"{command.text} PARENT x,y,z{' ax,ay,az' * axes}")
    directions = []
    for i in range(4, 4 + 3 * axes, 3):
        axis = _point(arguments[i:])
        norm = math.hypot(*axis)
        if norm < 1e-9:
            arguments[i].fail("an axis needs a direction", got=list(axis))
        directions.append(axis)
    parent = _natural(arguments[0], "a bone's number")
    hinge = BoneHinge(parent, _point(arguments[1:]), tuple(directions), arguments[0].place)
    state.bones[bone.number] = replace(bone, hinge=hinge)


def _mon(state: _State, command: _Word, arguments: list[_Word]) -> None:
    _count(command, arguments, (3,), "mon x,y,z")
    if len(state.monitors) == MAX_MONITORS:
        command.fail(f"more than {MAX_MONITORS} monitor points")
    state.monitors.append(_point(arguments))


def _kpd(state: _State, command: _Word, arguments: list[_Word]) -> None:
    _count(command, arguments, (4,), "kpd hinge N:D KP KD, or kpd mon N KP KD")
    kind, target = arguments[0], arguments[1]
    kp, kd = _float(arguments[2]), _float(arguments[3])
    for word, value in ((arguments[2], kp), (arguments[3], kd)):
        if value < 0:
            word.fail("a gain must be zero or positive", got=value)
    gains = Gains(kp, kd, target.place)
    if kind.text == "hinge":
        match = _HINGE_DOF.match(target.text)
        if not match:
            target.fail("must be a bone's number and a degree of freedom, such as 5:1", got=target.text)
        key = (int(match[1]), int(match[2] or 0))
        if key in state.hinge_gains:
            target.fail(f"the gains of hinge {key[0]}:{key[1]} are already set")
        state.hinge_gains[key] = gains
    elif kind.text == "mon":
        number = _natural(target, "a monitor point's number")
        if number in state.monitor_gains:
            target.fail(f"the gains of monitor point {number} are already set")
        state.monitor_gains[number] = gains
    else:
        kind.fail(describe_unknown_name("kind of gains", kind.text, ["hinge", "mon"]))


def _set(state: _State, command: _Word, arguments: list[_Word]) -> None:
    if not arguments:
        command.fail("set takes a name and values", allowed="Write: set up_mon O,U,R or set cofm_mon SWING,STANCE")
    name = arguments[0]
    if name.text not in ("up_mon", "cofm_mon"):
        name.fail(describe_unknown_name("setting", name.text, ["up_mon", "cofm_mon"]))
    if name.text in state.settings:
        name.fail(f"{name.text} is already set")
    state.settings[name.text] = arguments


_COMMANDS: Final[dict[str, Callable[[_State, _Word, list[_Word]], None]]] = {
    "bone": _bone, "seg": _seg, "mass": _mass, "iner": _iner, "cofm": _cofm, "mon": _mon, "kpd": _kpd, "set": _set,
    "hinge": _hinge, "uhinge": _hinge, "ghinge": _hinge,
}  # fmt: skip


def _check_tree(state: _State) -> None:
    """Raise unless the bones form one tree."""
    roots = [b for b in state.bones.values() if b.hinge is None]
    for extra in roots[1:]:
        extra.place.fail(f"bone {extra.number} has no hinge, and bone {roots[0].number} has none either",
              allowed="Only one bone may lack a hinge")  # fmt: skip
    for bone in state.bones.values():
        seen = [bone.number]
        while (hinge := state.bones[seen[-1]].hinge) is not None:
            if hinge.parent not in state.bones:
                hinge.place.fail(f"no bone has number {hinge.parent}")
            if hinge.parent in seen:
                hinge.place.fail(f"the bones form a loop: {' -> '.join(map(str, [*seen, hinge.parent]))}")
            seen.append(hinge.parent)


def _check_gains(state: _State) -> None:
    for (number, axis), gains in state.hinge_gains.items():
        bone = state.bones.get(number)
        if bone is None or bone.hinge is None:
            gains.place.fail(f"no bone with a hinge has number {number}")
        if axis >= len(bone.hinge.axes):
            gains.place.fail(f"bone {number} has {len(bone.hinge.axes)} degrees of freedom, counted from 0", got=axis)
    for number, gains in state.monitor_gains.items():
        if number > len(state.monitors):
            gains.place.fail(f"no monitor point has number {number}: there are {len(state.monitors)}")


def _read_monitor_list(state: _State, name: str, count: int) -> list[int]:
    words = state.settings.get(name, [])
    if not words:
        return []
    _count(words[0], words[1:], (count,), f"set {name} {','.join('ABC'[:count])}")
    numbers = [_natural(w, "a monitor point's number") for w in words[1:]]
    for word, number in zip(words[1:], numbers, strict=True):
        if number > len(state.monitors):
            word.fail(f"no monitor point has number {number}: there are {len(state.monitors)}")
    return numbers
