"""Reads the journal of a script's law: names of phases, calls and conditions for its numbers.

The law writes one row for each call and each transition. The stack after the last row is the current one; walking
backward from it gives the stack after every row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.controllers.script import layout as lay
from poise.controllers.script.whereabouts import Place, Stack, read_stack
from poise.world.diary import Standing, Turn

FloatArray = NDArray[np.float64]


class Move(NamedTuple):
    """A transition: the phase that it leaves, the phase that it leads to (or END), and its condition."""

    place: Place
    to: int
    condition: str
    #: Whether its values are not plain numbers.
    varies: bool = False


@dataclass(frozen=True)
class Journal:
    """The diary of a script: `names` are those of the tables' scripts, `moves` their transitions."""

    names: tuple[str, ...]
    moves: tuple[Move, ...]

    def read(self, params: FloatArray, memory: FloatArray) -> Sequence[Turn]:
        """The changes of phase in the journal, which is then cleared."""
        at = int(params[lay.H_M_JOURNAL])
        count = int(memory[at])
        if not count:
            return ()
        block = memory[at + 1 : at + 1 + count * lay.JOURNAL_SIZE]
        rows = block.reshape(count, lay.JOURNAL_SIZE).astype(int).tolist()
        block[:], memory[at] = 0.0, 0.0
        now, stack = int(memory[lay.M_STARTED]), read_stack(self.names, params, memory)
        turns: list[Turn] = []
        counts = Counter(row[0] for row in rows)
        for tick, kind, number in reversed(rows):
            move = self.moves[number] if kind == lay.J_MOVE else None
            # Of a loop that takes no time, one change in a tick tells as much as all of them.
            if counts[tick] < lay.MAX_HOPS or not turns or turns[-1].ticks_ago != now - tick:
                turns.append(self._describe(now - tick, stack, move))
            stack = _undo(stack, kind, move)
        return turns[::-1]

    def _describe(self, ticks_ago: int, stack: Stack, move: Move | None) -> Turn:
        places = tuple(map(name_place, stack))
        if move is None:
            return Turn(ticks_ago, places)
        return Turn(ticks_ago, places, name_place(move.place), move.condition)

    def find_standing(self, params: FloatArray, memory: FloatArray) -> Standing:
        """Where the script stands: no phases once it has ended."""
        stack = read_stack(self.names, params, memory)
        if not stack:
            return Standing(())
        waits = tuple(
            m.condition + (_describe_values(params, memory, k) if m.varies else "")
            for k, m in enumerate(self.moves)
            if m.place == stack[-1]
        )
        return Standing(tuple(map(name_place, stack)), int(memory[lay.M_TICKS]), waits)


def _describe_values(params: FloatArray, memory: FloatArray, transition: int) -> str:
    """The current values of a transition of the active phase."""
    row = int(params[lay.H_TRANSITIONS]) + transition * lay.TRANSITION_SIZE
    places = [int(params[row + v]) for v in (lay.T_V0, lay.T_V1)]
    values = [memory[int(params[lay.H_M_VALUES]) + place] for place in places if place >= 0]
    return f" = {' '.join(f'{value:.4g}' for value in values)}"


def _undo(stack: Stack, kind: int, move: Move | None) -> Stack:
    """The stack before a row of the journal."""
    if move is None:
        return () if kind == lay.J_BEGIN else stack[:-1]
    return (*(stack if move.to == lay.END else stack[:-1]), move.place)


def name_place(place: Place) -> str:
    """A phase as users see it: `walk.t:2`, counted from 0."""
    return f"{place.script}:{place.phase}"
