"""The cost of control: the closed loop over bare physics that replays the same torques.

Both sides step the same bodies through the same states, to the last bit. The closed loop senses, asks the law, limits,
reads contacts, finds events and keeps a snapshot for each call; the replay copies recorded torques and dampings into
the physics and steps, and does nothing else.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.benchmarks.scenes import SUBJECTS, open_subject
from poise.errors import PoiseError
from poise.kernels.jit import kernel
from poise.world.physics import addresses, step1, step2
from poise.world.snapshots import Snapshot
from poise.world.world import World

FloatArray = NDArray[np.float64]


@kernel
def replay(at: Any, base: Any, dof_damping: Any, qfrc_applied: Any, forces: Any, dampings: Any) -> None:
    """Steps the physics once for each row of `forces` and `dampings`."""
    for t in range(forces.shape[0]):
        for i in range(base.shape[0]):
            dof_damping[i] = base[i]
        step1(at)
        for i in range(base.shape[0]):
            qfrc_applied[i] = forces[t, i]
            dof_damping[i] = dampings[t, i]
        step2(at)


class ReplayedRun:
    """A closed loop and its replay, from one snapshot on."""

    def __init__(self, world: World, ticks: int) -> None:
        self.world, self.ticks = world, ticks
        # Nothing has been driven yet: the model still holds the bodies' own damping.
        self._base = np.array(world.model.dof_damping, dtype=float)
        self._at = addresses(world.model, world.data)
        world.warm_up()
        self._start: Snapshot = world.snapshot()
        self._forces, self._dampings = np.zeros((ticks, world.model.nv)), np.zeros((ticks, world.model.nv))
        for t in range(ticks):
            world.step(1)
            self._forces[t], self._dampings[t] = world.data.qfrc_applied, world.model.dof_damping
        self._end = self._state()
        self._replay(0)

    def _state(self) -> bytes:
        return bytes(self.world.data.qpos.tobytes() + self.world.data.qvel.tobytes())

    def _replay(self, ticks: int) -> None:
        model, data = self.world.model, self.world.data
        forces, dampings = self._forces[:ticks], self._dampings[:ticks]
        replay(self._at, self._base, model.dof_damping, data.qfrc_applied, forces, dampings)

    def time_closed(self) -> float:
        """Processor seconds of this thread for the closed loop."""
        self.world.restore(self._start)
        began = time.thread_time()
        self.world.advance(self.ticks)
        return self._check(time.thread_time() - began, "closed loop")

    def time_bare(self) -> float:
        """Processor seconds of this thread for the replay."""
        self.world.restore(self._start)
        began = time.thread_time()
        self._replay(self.ticks)
        return self._check(time.thread_time() - began, "replay")

    def _check(self, spent: float, what: str) -> float:
        if self._state() != self._end:
            raise PoiseError(f"bench: the {what} of {self.world.characters[0].name} did not end in the recorded state.")
        return spent


def measure_control_cost(character: str, ticks: int, repetitions: int) -> dict[str, Any]:
    """The ratio and what it is made of: the fastest of several repetitions that take turns."""
    run = ReplayedRun(open_subject(character), ticks)
    closed, bare = [], []
    for _ in range(repetitions):
        closed.append(run.time_closed())
        bare.append(run.time_bare())
    return {
        "ratio": min(closed) / min(bare),
        "median_ratio": float(np.median(np.array(closed) / np.array(bare))),
        "closed_us_per_tick": 1e6 * min(closed) / ticks,
        "bare_us_per_tick": 1e6 * min(bare) / ticks,
        "controller": SUBJECTS[character],
        "ticks": ticks,
        "repetitions": repetitions,
        "same_bits": True,
    }
