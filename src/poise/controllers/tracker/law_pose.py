"""Poses inside the law: positions of the target's segments, rotations of one in the world, and legs that reach."""

from __future__ import annotations

import math

from poise.controllers.tracker import layout
from poise.kernels.jit import inlined
from poise.kernels.turns import write_between, write_exp, write_log, write_product, write_rotated
from poise.kernels.two_link import angle_between

#: A leg is not stretched or folded beyond this fraction of its limits.
REACH = 0.9995
#: A leg is straight if the sine of its knee's angle is below this.
STRAIGHT = 1e-6


@inlined
def quat_at(block, segment):
    """Index of a segment's quaternion in a block of memory."""
    return block + 4 * segment


@inlined
def vector_at(block, segment):
    """Index of a segment's vector in a block of memory."""
    return block + 3 * segment


@inlined
def spare(k):
    """Index of one of eight scratch areas."""
    return layout.SPARE + 4 * k


@inlined
def leg_part(params, side, k):
    """The thigh (0), shank (1) or foot (2) of a side."""
    return int(params[layout.LEGS + 3 * side + k])


@inlined
def copy_block(memory, source, target, count):
    for k in range(count):
        memory[target + k] = memory[source + k]


@inlined
def place_target(percept, params, memory):
    """Write the world positions and rotations of all segments of the target; its root is over the origin."""
    memory[layout.PLACES], memory[layout.PLACES + 1], memory[layout.PLACES + 2] = 0.0, 0.0, memory[layout.ROOT_M]
    copy_block(memory, layout.TARGET, layout.WORLD, 4)
    way = spare(7)
    for s in range(1, percept.parent.shape[0]):
        parent = percept.parent[s]
        above = quat_at(layout.WORLD, parent)
        write_product(memory, above, memory, quat_at(layout.TARGET, s), memory, quat_at(layout.WORLD, s))
        write_rotated(memory, above, 1.0, params, vector_at(layout.OFFSETS, s), memory, way)
        for j in range(3):
            memory[layout.PLACES + 3 * s + j] = memory[layout.PLACES + 3 * parent + j] + memory[way + j]


@inlined
def turn_in_world(percept, memory, segment, quat):
    """Rotate a segment of the target to the world orientation stored at `quat`; its descendants follow.

    The parent's world rotation must be up to date; the segment's own is afterwards, those of its descendants are not.
    """
    above = quat_at(layout.WORLD, percept.parent[segment])
    write_between(memory, above, memory, quat, memory, quat_at(layout.TARGET, segment))
    write_product(memory, above, memory, quat_at(layout.TARGET, segment), memory, quat_at(layout.WORLD, segment))


@inlined
def turn_by(percept, memory, segment, vector, scale):
    """Rotate a segment of the target by the world vector stored at `vector`, on top of its orientation."""
    turn = spare(6)
    write_exp(memory, vector, scale, memory, turn)
    write_product(memory, turn, memory, quat_at(layout.WORLD, segment), memory, turn)
    turn_in_world(percept, memory, segment, turn)


@inlined
def turn_towards(percept, memory, segment, goal, part):
    """Rotate a segment of the target by a fraction of the angle to the world orientation stored at `goal`."""
    turn, own = spare(6), quat_at(layout.WORLD, segment)
    write_between(memory, own, memory, goal, memory, turn)
    write_log(memory, turn, memory, turn)
    write_exp(memory, turn, part, memory, turn)
    write_product(memory, own, memory, turn, memory, turn)
    turn_in_world(percept, memory, segment, turn)


@inlined
def raise_ankle(percept, params, memory, side, rise_m):
    """Raise an ankle of the target by bending the knee in its plane and rotating the whole leg about the hip.

    The law of cosines gives the angle of the knee, then the leg is rotated to bring the ankle to its goal [Lee10 §4.1].
    World positions and rotations must be up to date, and are afterwards.
    """
    thigh, shank = leg_part(params, side, 0), leg_part(params, side, 1)
    hip, knee = vector_at(layout.PLACES, thigh), vector_at(layout.PLACES, shank)
    ankle = vector_at(layout.PLACES, leg_part(params, side, 2))
    axis, goal = spare(0), spare(1)
    copy_block(memory, ankle, goal, 3)
    memory[goal + 2] += rise_m
    upper, lower = _distance(memory, hip, knee), _distance(memory, knee, ankle)
    longest, shortest = REACH * (upper + lower), abs(upper - lower) / REACH
    reach = min(max(_distance(memory, hip, goal), shortest), longest)
    bend = angle_between(upper, lower, reach) - angle_between(upper, lower, _distance(memory, hip, ankle))
    _write_bending_axis(memory, hip, knee, ankle, quat_at(layout.WORLD, thigh), axis)
    turn_by(percept, memory, shank, axis, bend)
    place_target(percept, params, memory)
    _write_swing(memory, hip, ankle, goal, axis)
    turn_by(percept, memory, thigh, axis, 1.0)
    place_target(percept, params, memory)


@inlined
def _distance(m, a, b):
    return math.sqrt((m[b] - m[a]) ** 2 + (m[b + 1] - m[a + 1]) ** 2 + (m[b + 2] - m[a + 2]) ** 2)


@inlined
def _write_bending_axis(m, hip, knee, ankle, thigh, axis):
    """Write the unit axis about which the shank opens from the thigh; for a straight leg, its pitch axis."""
    ux, uy, uz = m[hip] - m[knee], m[hip + 1] - m[knee + 1], m[hip + 2] - m[knee + 2]
    lx, ly, lz = m[ankle] - m[knee], m[ankle + 1] - m[knee + 1], m[ankle + 2] - m[knee + 2]
    x, y, z = uy * lz - uz * ly, uz * lx - ux * lz, ux * ly - uy * lx
    size = math.sqrt(x * x + y * y + z * z)
    if size < STRAIGHT * math.sqrt((ux * ux + uy * uy + uz * uz) * (lx * lx + ly * ly + lz * lz)):
        # A knee bends backwards, which is a rotation about the left; opening it is the opposite rotation.
        m[axis], m[axis + 1], m[axis + 2] = 0.0, -1.0, 0.0
        write_rotated(m, thigh, 1.0, m, axis, m, axis)
        return
    m[axis], m[axis + 1], m[axis + 2] = x / size, y / size, z / size


@inlined
def _write_swing(m, hip, ankle, goal, out):
    """Write the rotation vector that takes the direction from hip to ankle to that from hip to goal."""
    ax, ay, az = m[ankle] - m[hip], m[ankle + 1] - m[hip + 1], m[ankle + 2] - m[hip + 2]
    gx, gy, gz = m[goal] - m[hip], m[goal + 1] - m[hip + 1], m[goal + 2] - m[hip + 2]
    x, y, z = ay * gz - az * gy, az * gx - ax * gz, ax * gy - ay * gx
    size = math.sqrt(x * x + y * y + z * z)
    angle = math.atan2(size, ax * gx + ay * gy + az * gz)
    scale = angle / size if size > 0.0 else 0.0
    m[out], m[out + 1], m[out + 2] = scale * x, scale * y, scale * z
