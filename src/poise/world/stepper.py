"""Runs the compiled loop in calls of a few milliseconds, and owns the tape that they write."""

from __future__ import annotations

import time
from collections.abc import Sequence

import mujoco

from poise.constants import CHUNK_WALL_S
from poise.errors import PoiseError
from poise.kernels.percept import Percept
from poise.world.cast import Members
from poise.world.loop import DIVERGED, run_ticks
from poise.world.stage import Ledger, Scratch, Stage, Tape
from poise.world.tape import make_tape

_BAD_STATE = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)
_OVERFLOW = (mujoco.mjtWarning.mjWARN_CONTACTFULL, mujoco.mjtWarning.mjWARN_CNSTRFULL)
#: Capacity of the tape in frames; `room` keeps a call within it.
_TAPE_FRAMES = 64


class Stepper:
    """Runs ticks of one world."""

    def __init__(
        self,
        data: mujoco.MjData,
        stage: Stage,
        ledger: Ledger,
        scratch: Scratch,
        percepts: Sequence[Percept],
        members: Members,
    ) -> None:
        self._data, self._stage, self._ledger, self._scratch = data, stage, ledger, scratch
        self._percepts, self._members = percepts, members
        self.tape: Tape = make_tape(stage, _TAPE_FRAMES)
        self._chunk = 16
        #: Wall time spent in the compiled loop.
        self.wall_s = 0.0

    def room(self, record_every: int) -> int:
        """The largest number of ticks for the next call."""
        return min(self._chunk, record_every * (_TAPE_FRAMES - 1)) if record_every > 0 else self._chunk

    def call(self, ticks: int, mask: int, record_every: int) -> tuple[int, int, int]:
        """Runs up to `ticks` ticks; returns (ticks done, reason, bits of the events of the last tick)."""
        lists = self._members.link(self._percepts)
        began = time.perf_counter()
        done, reason, happened = run_ticks(
            ticks, mask, record_every, self._stage, self._ledger, self.tape, self._scratch, *lists
        )
        spent = max(time.perf_counter() - began, 1e-6)
        self.wall_s += spent
        # The length of a call adapts to the speed of the machine; results do not depend on it.
        self._chunk = int(min(max(done / spent * CHUNK_WALL_S, 8), 4096))
        self._check_memory()
        return int(done), DIVERGED if self._is_absurd() else int(reason), int(happened)

    def warm_up(self) -> None:
        """Runs an uncounted tick to compile or load everything a run needs."""
        chunk = self._chunk
        self.call(1, 0, 1)
        self.tape.written[:] = 0
        self._chunk, self.wall_s = chunk, 0.0

    def clear_warnings(self) -> None:
        """Clears MuJoCo's warnings when its state is replaced."""
        for kind in (*_BAD_STATE, *_OVERFLOW):
            self._data.warning[kind].number = 0

    def _is_absurd(self) -> bool:
        """Whether MuJoCo found a position, velocity or acceleration that is absurdly large or not finite."""
        return any(self._data.warning[kind].number for kind in _BAD_STATE)

    def _check_memory(self) -> None:
        if any(self._data.warning[kind].number for kind in _OVERFLOW):
            raise PoiseError(
                f"world: more contacts than MuJoCo has memory for at {self._data.time:.4g} s. "
                "Use fewer props and characters, or simpler terrain."
            )
