"""IK: a limb's angles by cyclic coordinate descent in the sagittal plane [Firmin15 §3.2], and servos towards them.

Deviation: the released code rotates the last link by the angle of whichever joint was rotated last and does not wrap
differences of angles. Here every link follows its own joints, and a joint rotates the short way.
"""

from __future__ import annotations

import math

from poise.controllers.script import layout as lay
from poise.controllers.script.law_senses import forward, lean_rad
from poise.kernels.jit import inlined
from poise.kernels.rotation import wrap_rad
from poise.kernels.servo import add_servo


@inlined
def _walk_chain(params, memory, row, state, lean, x, z, stop):
    """Position (forward, up) of the limb after `stop` joints, from a base at (x, z) whose parent leans by `lean`."""
    first = int(params[lay.H_LINKS]) + int(params[row + lay.A_LINKS]) * lay.LINK_SIZE
    for k in range(stop):
        link = first + k * lay.LINK_SIZE
        lean += memory[state + 1 + k]
        ahead, up = params[link + lay.L_FORWARD], params[link + lay.L_UP]
        x += ahead * math.cos(lean) + up * math.sin(lean)
        z += up * math.cos(lean) - ahead * math.sin(lean)
    return x, z


@inlined
def _limit(percept, params, axis, angle):
    sign = params[int(params[lay.H_SIGNS]) + axis]
    return sign * min(max(sign * angle, percept.limits[axis, 0]), percept.limits[axis, 1])


@inlined
def _solve(percept, params, memory, row, state, lean, x, z, goal_x, goal_z, near):
    """Angles that bring the end of the limb to the goal, or as near as eleven sweeps from the middle pose get."""
    count = int(params[row + lay.A_LINK_COUNT])
    first = int(params[lay.H_LINKS]) + int(params[row + lay.A_LINKS]) * lay.LINK_SIZE
    for k in range(count):
        axis = int(params[first + k * lay.LINK_SIZE + lay.L_AXIS])
        low, high = percept.limits[axis, 0], percept.limits[axis, 1]
        sign = params[int(params[lay.H_SIGNS]) + axis]
        bounded = math.isfinite(low) and math.isfinite(high)
        memory[state + 1 + k] = sign * 0.5 * (low + high) if bounded else 0.0
    for _ in range(lay.IK_SWEEPS):
        for k in range(count):
            at_x, at_z = _walk_chain(params, memory, row, state, lean, x, z, k)
            end_x, end_z = _walk_chain(params, memory, row, state, lean, x, z, count)
            # Leaning forward rotates a direction clockwise.
            turn = math.atan2(end_z - at_z, end_x - at_x) - math.atan2(goal_z - at_z, goal_x - at_x)
            axis = int(params[first + k * lay.LINK_SIZE + lay.L_AXIS])
            memory[state + 1 + k] = _limit(percept, params, axis, memory[state + 1 + k] + wrap_rad(turn))
        end_x, end_z = _walk_chain(params, memory, row, state, lean, x, z, count)
        if math.hypot(end_x - goal_x, end_z - goal_z) < near:
            break


@inlined
def reach(percept, params, memory, row, torque, damping):
    """Bring a part's centre to a goal: solve again while it is too far off, and drive the limb to the solution."""
    base, part = int(params[row + lay.A_AXIS]), int(params[row + lay.A_PART])
    values = int(params[lay.H_M_VALUES])
    goal_x, goal_z = memory[values + int(params[row + lay.A_V0])], memory[values + int(params[row + lay.A_V1])]
    near = memory[values + int(params[row + lay.A_V2])]
    moved = percept.axis_segment[base]
    x, z = forward(percept, percept.pos_w[moved]), percept.pos_w[moved, 2]
    if params[row + lay.A_FLAG] > 0.0:
        goal_x, goal_z = goal_x + x, goal_z + z
    state = int(params[lay.H_M_STATES]) + int(params[row + lay.A_STATE])
    off = math.hypot(forward(percept, percept.segment_com_w[part]) - goal_x, percept.segment_com_w[part, 2] - goal_z)
    if off > near or memory[state] == 0.0:
        _solve(
            percept, params, memory, row, state, lean_rad(percept, percept.parent[moved]), x, z, goal_x, goal_z, near
        )
        memory[state] = 1.0
    first = int(params[lay.H_LINKS]) + int(params[row + lay.A_LINKS]) * lay.LINK_SIZE
    for k in range(int(params[row + lay.A_LINK_COUNT])):
        axis = int(params[first + k * lay.LINK_SIZE + lay.L_AXIS])
        sign = params[int(params[lay.H_SIGNS]) + axis]
        add_servo(percept, axis, sign * memory[state + 1 + k], lay.IK_KP, lay.IK_KD, torque, damping)
        memory[int(params[lay.H_M_SLOTS]) + axis * lay.SLOT_SIZE + lay.B_ON] = 0.0
