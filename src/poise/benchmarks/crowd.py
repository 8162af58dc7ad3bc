"""A crowd: many characters of random sizes in one world, close enough to touch each other.

The run is divided into short parts and repeated; the fastest repetition of each part counts. Repetitions are
bit-identical, so their times differ only by other load on the machine.
"""

from __future__ import annotations

import math
import time
from typing import Any, Final

import numpy as np

from poise.characters.random_bodies import random_body
from poise.rollout.actor import Actor
from poise.rollout.scene import Scene
from poise.world.adopt import load_any_character
from poise.world.compile import PhysicsSettings
from poise.world.world import Spawn, World

#: The time step of searches. Twice the default is accurate enough for a crowd that is only watched.
TIMESTEP_S: Final = 0.001
PART_S: Final = 0.1


def open_crowd(
    controller: str = "walker/walk",
    *,
    character: str = "humanoid",
    count: int = 16,
    spacing_m: float = 1.0,
    timestep_s: float = TIMESTEP_S,
    to_the_middle: bool = False,
) -> World:
    """A world with random bodies on a square grid, facing forward or the middle; body k has the seed k."""
    plain = load_any_character(character)
    bodies = [random_body(plain, seed) for seed in range(count)]
    side = math.isqrt(count - 1) + 1
    grid = spacing_m * np.array([(k // side, k % side) for k in range(count)])
    ahead = grid.mean(axis=0) - grid if to_the_middle else np.tile([1.0, 0.0], (count, 1))
    spawns = [Spawn(float(x), float(y), math.atan2(v, u)) for (x, y), (u, v) in zip(grid, ahead)]
    actors = [Actor(controller, body, spawn=spawn) for body, spawn in zip(bodies, spawns)]
    return Scene(actors=actors, physics=PhysicsSettings(timestep_s=timestep_s)).open()


def measure_crowd(
    controller: str = "walker/walk",
    *,
    character: str = "humanoid",
    count: int = 16,
    seconds: float = 4.0,
    repetitions: int = 5,
    spacing_m: float = 1.0,
    to_the_middle: bool = False,
) -> dict[str, Any]:
    """Simulated over wall time of the whole run and of its slowest second, and the most contacts between characters."""
    world = open_crowd(controller, character=character, count=count, spacing_m=spacing_m, to_the_middle=to_the_middle)
    world.warm_up()
    start = world.snapshot()
    parts, ticks = max(round(seconds / PART_S), 1), round(PART_S / TIMESTEP_S)
    walls, busy, between = np.full((repetitions, parts), np.inf), np.full((repetitions, parts), np.inf), 0
    for repetition in range(repetitions):
        world.restore(start)
        for part in range(parts):
            began, worked = time.perf_counter(), time.thread_time()
            world.step(ticks)
            walls[repetition, part] = time.perf_counter() - began
            busy[repetition, part] = time.thread_time() - worked
            between = max(between, count_contacts_between(world))
    fastest = walls.min(axis=0)
    window = min(round(1.0 / PART_S), parts)
    slowest = max(fastest[k : k + window].sum() for k in range(parts - window + 1))
    return {
        "ratio": float(parts * PART_S / fastest.sum()),
        # The same by processor time of the thread, for shared machines.
        "processor_ratio": float(parts * PART_S / busy.min(axis=0).sum()),
        "slowest_second": float(window * PART_S / slowest),
        "contacts_between": between,
        "fallen": sum(world.fell_at_s(k) is not None for k in range(count)),
        "controller": controller,
        "character": character,
        "count": count,
        "timestep_s": TIMESTEP_S,
        "spacing_m": spacing_m,
        "to_the_middle": to_the_middle,
        "seconds": parts * PART_S,
        "repetitions": repetitions,
    }


def count_contacts_between(world: World) -> int:
    """Number of contacts between different characters in the last step."""
    bodies = world.ledger.contact_bodies[: world.ledger.counts.contacts]
    owner = np.full(len(world.state.body_pos_w_m), -1)
    for k, percept in enumerate(world.percepts):
        first = world.body(world.characters[k].segment_names[0], k)
        owner[first : first + len(percept.mass)] = k
    pairs = owner[bodies]
    return int(np.sum((pairs[:, 0] >= 0) & (pairs[:, 1] >= 0) & (pairs[:, 0] != pairs[:, 1])))
