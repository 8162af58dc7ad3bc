"""How exactly joints reach the accelerations that the tracker requests, in the air and on the ground [Lee10 Eq. 1]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.controllers.tracker import layout
from poise.motion.rotations import FloatArray, quat_conjugate, quat_rotate
from poise.reproduce.lee.runs import NORMAL, Run, load_walk, open_walk
from poise.world.handling import read_wanted_accelerations
from poise.world.senses import sense
from poise.world.world import World

#: Ticks per frame, and number of frames of which one tick each is sampled.
TICKS, FRAMES, QUICK_FRAMES = 30, 60, 20


@dataclass(frozen=True)
class Comparison:
    """Largest values over all sampled ticks."""

    #: Difference between the wanted accelerations of hinges and root and those of forward dynamics (rad/s²).
    forward_error: float
    #: Acceleration requested of the joints (rad/s²).
    largest: float
    #: Force or torque on the root (N, N·m).
    root_force: float
    #: Difference between requested and actual change of joint velocity over a tick, over the largest request.
    tick_error: float


def compare_accelerations(quick: bool, lifted_m: float) -> Comparison:
    """Compare requested and actual accelerations once per frame of the normal walk, lifted by some height."""
    world = open_walk(load_walk(NORMAL), Run())
    world.percepts[0].root_q[2] += lifted_m
    forward, largest, root, ticks = 0.0, 0.0, 0.0, 0.0
    # In the air it falls: the run must end before it lands.
    for _ in range(min(QUICK_FRAMES if quick or lifted_m else FRAMES, FRAMES)):
        world.advance(TICKS - 1)
        before = _joint_speeds(world)
        world.step(1)
        first = world.characters[0].root_dofs
        # Of this tick: what the law requested of the hinges, and what must follow for the root.
        wanted = read_wanted_accelerations(world)
        asked = world.memories[0][layout.ASKED + 3 : layout.ASKED + 3 * len(world.characters[0].segments)]
        forward = max(forward, float(np.abs(world.state.accelerations - wanted).max()))
        root = max(root, float(np.abs(world.state.drive[:first]).max()))
        largest = max(largest, float(np.abs(asked).max()))
        change = (_joint_speeds(world) - before) / world.settings.timestep_s
        ticks = max(ticks, float(np.abs(change - asked.reshape(-1, 3)).max()))
    return Comparison(forward, largest, root, ticks / largest)


def _joint_speeds(world: World) -> FloatArray:
    """Angular velocity of each segment relative to its parent, in its own frame."""
    sense(world)  # updates positions and velocities
    p = world.percepts[0]
    return quat_rotate(quat_conjugate(p.quat_w[1:]), p.spatial_vel[1:, :3] - p.spatial_vel[p.parent[1:], :3])
