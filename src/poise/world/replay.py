"""Replays recorded drives with physics alone: the cost of a tick without sensing, laws, contacts and events."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.kernels.jit import kernel
from poise.world.physics import addresses, step1, step2
from poise.world.snapshots import Snapshot
from poise.world.world import World


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


class Replay:
    """Records a world's drives over some ticks and repeats these ticks with physics alone."""

    def __init__(self, world: World, ticks: int) -> None:
        self.world, self.ticks = world, ticks
        # Nothing has been driven yet, so the model still holds the bodies' own damping.
        self._base = np.array(world.model.dof_damping, dtype=float)
        self._at = addresses(world.model, world.data)
        world.warm_up()
        self.start: Snapshot = world.snapshot()
        self.forces, self.dampings = np.zeros((ticks, world.model.nv)), np.zeros((ticks, world.model.nv))
        for t in range(ticks):
            world.step(1)
            self.forces[t], self.dampings[t] = world.data.qfrc_applied, world.model.dof_damping
        self.end = self.read_state()
        self.run(0)

    def read_state(self) -> bytes:
        """Positions and velocities as raw bytes."""
        return bytes(self.world.data.qpos.tobytes() + self.world.data.qvel.tobytes())

    def run(self, ticks: int) -> None:
        """Replays the first ticks from the world's current state."""
        model, data = self.world.model, self.world.data
        replay(self._at, self._base, model.dof_damping, data.qfrc_applied, self.forces[:ticks], self.dampings[:ticks])
