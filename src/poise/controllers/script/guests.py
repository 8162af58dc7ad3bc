"""Other controllers that a script calls by name: they control the body for the duration of a phase.

The script's law writes which guest acts; a combined law then calls the law of that guest. Parameters and memory of a
guest are part of the script's memory: snapshots hold them, and each entry restarts the guest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from os.path import isfile
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.controllers.script import layout as lay
from poise.errors import PoiseError
from poise.kernels.jit import combined
from poise.language.load import SUFFIXES, Program
from poise.trust import reading, trusting
from poise.world.controller import Controller, strip_unit
from poise.world.guard import Guard

#: Suffix of Python files.
PYTHON: Final = ".py"
FindController = Callable[[str, Character], Controller]
Law = Callable[..., None]


@dataclass(frozen=True)
class Guest:
    """A controller as the tables hold it: the number of its law, its initial state, and its parameters' indices."""

    law: int
    params: NDArray[np.float64]
    memory: NDArray[np.float64]
    places: Mapping[str, int]
    guard: Guard | None = None


def find_guests(
    program: Program, character: Character, find: FindController, *, run_python: bool = True
) -> dict[str, Controller]:
    """Called controllers that are not scripts of the program; the checker reports those that cannot be loaded.

    Python files are run only if the program's trust allows it, and never without `run_python`.
    """
    # The names come from the script, so its trust applies and not the caller's.
    with trusting(program.trust), reading(program.script.path):
        return _find_guests(program, character, find, run_python)


def _find_guests(
    program: Program, character: Character, find: FindController, run_python: bool
) -> dict[str, Controller]:
    found: dict[str, Controller] = {}
    for script in program.scripts.values():
        for call in (c for p in script.phases for c in p.calls):
            name = call.script.text
            if name in program.scripts or name in program.broken or name in found or name.endswith(SUFFIXES):
                continue
            if name.startswith("script/"):
                file = f"{name.removeprefix('script/')}.ctl"
                program.refused[name] = f"a script is called by its file: SCRIPTS {file}; and > {file}(…);"
                continue
            if name.endswith(PYTHON) and not run_python:
                program.not_run.add(name)
                continue
            beside = script.path.parent / name
            try:
                found[name] = find(str(beside) if beside.suffix and isfile(beside) else name, character)
            except PoiseError as error:
                program.refused[name] = str(error)
    return found


def seat_guests(controllers: Mapping[str, Controller], script_law: Law) -> tuple[dict[str, Guest], Law]:
    """The guests of a program, and the law that runs the script together with them."""
    laws: list[Law] = []
    guests = {}
    for name, controller in controllers.items():
        if controller.law not in laws:
            laws.append(controller.law)
        places = {p.name: p.index for p in controller.parameters}
        places |= {strip_unit(p.name): p.index for p in controller.parameters}
        number = laws.index(controller.law)
        guests[name] = Guest(number, controller.params, controller.memory, places, controller.guard)
    return guests, join_laws(script_law, tuple(laws))


@cache
def join_laws(script_law: Law, laws: tuple[Law, ...]) -> Law:
    """The script's law, followed by the law of the guest that it has selected."""
    whole = script_law
    for number, guest in enumerate(laws):
        whole = _join(whole, guest, number)
    return whole


def _join(inner: Any, guest: Any, number: int) -> Law:
    @combined
    def both(percept: Any, params: Any, memory: Any, torque: Any, damping: Any) -> None:
        inner(percept, params, memory, torque, damping)
        row = int(memory[lay.M_GUEST])
        if row > 0 and int(params[row + lay.G_LAW]) == number:
            first, count = int(params[row + lay.G_M_PARAMS]), int(params[row + lay.G_PARAM_COUNT])
            at, size = int(params[row + lay.G_M_MEMORY]), int(params[row + lay.G_MEMORY_COUNT])
            guest(percept, memory[first : first + count], memory[at : at + size], torque, damping)

    return both
