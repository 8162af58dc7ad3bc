"""A world in which everything is in use, for tests of bits. It stands here so that other processes can import it."""

from __future__ import annotations

import numpy as np

from poise.kernels.jit import kernel
from poise.kernels.random import next_normal
from poise.world.adopt import load_any_character
from poise.world.controller import Controller
from poise.world.props import ball
from poise.world.world import Push, Snapshot, World


@kernel
def tremble(percept, params, memory, torque, damping):
    """Holds the rest pose with noise, so that the random state matters, and counts its ticks in its memory."""
    for k in range(torque.shape[0]):
        noise = 2.0 * next_normal(percept.random_state)
        torque[k] = percept.gains[k, 0] * (percept.rest_q[k] - percept.joint_q[k]) + noise
        damping[k] = percept.gains[k, 1]
    memory[0] += 1.0


def make_world(name: str, seed: int = 7) -> World:
    """A trembling character that is pushed and has a ball thrown at it."""
    character = load_any_character(name)
    controller = Controller("tremble", tremble, np.zeros(1), np.zeros(1))
    world = World([character], [controller], props=[ball(name="ball", position_m=(1.0, 0.0, 0.5))], seed=seed)
    world.push(Push(force_n=100.0, direction_deg=30.0, start_s=0.2, duration_s=0.1))
    world.throw("ball", (1.5, 0.0, 1.0), (-4.0, 0.0, 1.0))
    return world


def bits(snapshot: Snapshot) -> bytes:
    arrays = [snapshot.physics, *snapshot.ledger.values(), *snapshot.params, *snapshot.memories]
    return b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)


def run_chunks(name: str, chunk: int, ticks: int = 1500) -> bytes:
    world = make_world(name)
    left = ticks
    while left:
        n = min(chunk, left)
        world.step(n)
        left -= n
    return bits(world.snapshot())
