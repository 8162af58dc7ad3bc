"""The cost of control: time of the closed loop over that of bare physics with the same torques.

Both step the same bodies through bit-identical states. The closed loop senses, evaluates the law, clamps torques, reads
contacts, finds events and keeps a snapshot for each call; the replay only copies recorded torques and dampings into the
physics and steps.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.benchmarks.scenes import SUBJECTS, open_subject
from poise.errors import PoiseError
from poise.world.replay import Replay
from poise.world.world import World

FloatArray = NDArray[np.float64]


class ReplayedRun:
    """A closed loop and its replay, from the same snapshot."""

    def __init__(self, world: World, ticks: int) -> None:
        self.world, self.ticks = world, ticks
        self.replay = Replay(world, ticks)

    def time_closed(self) -> float:
        """Processor seconds of this thread for the closed loop."""
        self.world.restore(self.replay.start)
        began = time.thread_time()
        self.world.advance(self.ticks)
        return self._check(time.thread_time() - began, "closed loop")

    def time_bare(self) -> float:
        """Processor seconds of this thread for the replay."""
        self.world.restore(self.replay.start)
        began = time.thread_time()
        self.replay.run(self.ticks)
        return self._check(time.thread_time() - began, "replay")

    def _check(self, spent: float, what: str) -> float:
        if self.replay.read_state() != self.replay.end:
            raise PoiseError(f"bench: the {what} of {self.world.characters[0].name} did not end in the recorded state.")
        return spent


def measure_control_cost(character: str, ticks: int, repetitions: int) -> dict[str, Any]:
    """The ratio and its two times: the fastest of several alternating repetitions."""
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
