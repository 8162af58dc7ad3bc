"""The position of a running script: the phases on its stack, and their lines in the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.controllers.script import layout as lay
from poise.language.tree import Phase, Script

FloatArray = NDArray[np.float64]


class Place(NamedTuple):
    """A phase of a script, by the script's name in the program and the phase's position."""

    script: str
    phase: int


Stack = tuple[Place, ...]


def read_stack(names: Sequence[str], params: FloatArray, memory: FloatArray) -> Stack:
    """The active phases, from the main script's to the one that acts; none once the script has ended.

    `names` are those of `Program.called`, in the order of the tables.
    """
    first, size = int(params[lay.H_M_STACK]), int(params[lay.H_FRAME])
    frames = (first + k * size for k in range(int(memory[lay.M_DEPTH])))
    return tuple(Place(names[int(memory[f + lay.F_SCRIPT])], int(memory[f + lay.F_PHASE])) for f in frames)


def find_lines(script: Script) -> list[tuple[int, int]]:
    """First and last line of every phase, from 1."""
    return [(phase.at.line, _last_line(script, phase)) for phase in script.phases]


def _last_line(script: Script, phase: Phase) -> int:
    return phase.at.line + script.text.count("\n", phase.at.start, phase.at.end)
