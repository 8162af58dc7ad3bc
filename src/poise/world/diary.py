"""Changes of phase that a law recorded in its memory: read after each call of the loop, kept in the world's notebook.

A law cannot write text. It writes numbers to its own memory, and its controller's `Diary` turns them into names. The
memory holds none of them between two calls, so results do not depend on the length of a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from poise.world.passages import Passage

if TYPE_CHECKING:
    from poise.world.world import World

FloatArray = NDArray[np.float64]


class Turn(NamedTuple):
    """A change of phase: how many ticks before the last one, the phases then active, the phase left, and why."""

    ticks_ago: int
    stack: tuple[str, ...]
    left: str = ""
    after: str = ""


@dataclass(frozen=True)
class Standing:
    """Where a program stands: the active phases, the ticks since the last of them began, and what it waits for."""

    stack: tuple[str, ...]
    ticks: int = 0
    waits_for: tuple[str, ...] = ()


class Diary(Protocol):
    """Reads the phases of one controller from its memory."""

    def read(self, params: FloatArray, memory: FloatArray) -> Sequence[Turn]:
        """The changes of phase since the last reading, which it removes from the memory."""

    def find_standing(self, params: FloatArray, memory: FloatArray) -> Standing:
        """Where the program stands after the last tick."""


def read_diaries(world: World) -> None:
    """Move the changes of phase of all active controllers to the notebook."""
    last = world.tick - 1
    for k, controller in enumerate(world.controllers):
        if controller.diary is not None:
            for turn in controller.diary.read(world.params[k], world.memories[k]):
                time_s = (last - turn.ticks_ago) * world.settings.timestep_s
                world.notebook.passages.append(Passage(time_s, k, turn.stack, turn.left, turn.after))
