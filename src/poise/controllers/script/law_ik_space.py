"""IK in space: a limb's angles by cyclic coordinate descent over all axes of its joints [Firmin15 §3.2]. Compiled."""

from __future__ import annotations

import math

from poise.constants import PLANE_Z_M
from poise.controllers.script import layout as lay
from poise.kernels.jit import inlined
from poise.kernels.rotation import quat_about, quat_product, rotate, wrap_rad
from poise.kernels.servo import add_servo


@inlined
def _walk_chain(params, memory, row, state, base, origin, stop):
    """Orientation and position of the limb after `stop` axes."""
    first = int(params[lay.H_LINKS]) + int(params[row + lay.A_LINKS]) * lay.LINK_SIZE
    q, (x, y, z) = base, origin
    for k in range(stop):
        link = first + k * lay.LINK_SIZE
        ax, ay, az = params[link + lay.L_DX], params[link + lay.L_DY], params[link + lay.L_DZ]
        q = quat_product(q, quat_about(ax, ay, az, memory[state + 1 + k]))
        dx, dy, dz = rotate(q, params[link + lay.L_FORWARD], params[link + lay.L_LEFT], params[link + lay.L_UP])
        x, y, z = x + dx, y + dy, z + dz
    return q, (x, y, z)


@inlined
def _best_turn(a, at, end, goal):
    """The angle about an axis through a point that brings the end nearest to the goal."""
    ux, uy, uz = end[0] - at[0], end[1] - at[1], end[2] - at[2]
    vx, vy, vz = goal[0] - at[0], goal[1] - at[1], goal[2] - at[2]
    cross = a[0] * (uy * vz - uz * vy) + a[1] * (uz * vx - ux * vz) + a[2] * (ux * vy - uy * vx)
    along = (a[0] * ux + a[1] * uy + a[2] * uz) * (a[0] * vx + a[1] * vy + a[2] * vz)
    return math.atan2(cross, ux * vx + uy * vy + uz * vz - along)


@inlined
def _distance(a, b):
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@inlined
def _solve(percept, params, memory, row, state, base, origin, goal, near):
    """Angles that bring the end of the limb to the goal, or as near as the sweeps from the middle pose get."""
    count = int(params[row + lay.A_LINK_COUNT])
    first = int(params[lay.H_LINKS]) + int(params[row + lay.A_LINKS]) * lay.LINK_SIZE
    for k in range(count):
        axis = int(params[first + k * lay.LINK_SIZE + lay.L_AXIS])
        middle = 0.5 * (percept.limits[axis, 0] + percept.limits[axis, 1])
        memory[state + 1 + k] = middle if math.isfinite(middle) else 0.0
    for _ in range(lay.IK_SPACE_SWEEPS):
        for k in range(count):
            link = first + k * lay.LINK_SIZE
            q, at = _walk_chain(params, memory, row, state, base, origin, k)
            end = _walk_chain(params, memory, row, state, base, origin, count)[1]
            a = rotate(q, params[link + lay.L_DX], params[link + lay.L_DY], params[link + lay.L_DZ])
            axis = int(params[link + lay.L_AXIS])
            angle = wrap_rad(memory[state + 1 + k] + _best_turn(a, at, end, goal))
            memory[state + 1 + k] = min(max(angle, percept.limits[axis, 0]), percept.limits[axis, 1])
        if _distance(_walk_chain(params, memory, row, state, base, origin, count)[1], goal) < near:
            break


@inlined
def _find_goal(percept, params, memory, row, origin):
    """The goal in the world, given forward, up and to the right of the base, or of the world's origin.

    The plane of the released code's world, z = -10, is our y = 0.
    """
    values = int(params[lay.H_M_VALUES])
    ahead, up = memory[values + int(params[row + lay.A_V0])], memory[values + int(params[row + lay.A_V1])]
    right = memory[values + int(params[row + lay.A_V3])]
    if params[row + lay.A_FLAG] == 0.0:
        return ahead, -(right - PLANE_Z_M), up
    c, s = percept.heading_w[0], percept.heading_w[1]
    return origin[0] + ahead * c + right * s, origin[1] + ahead * s - right * c, origin[2] + up


@inlined
def reach_in_space(percept, params, memory, row, torque, damping):
    """Bring a part's centre to a goal: solve again while it is too far off, and drive the limb to the solution."""
    base, part = int(params[row + lay.A_AXIS]), int(params[row + lay.A_PART])
    near = memory[int(params[lay.H_M_VALUES]) + int(params[row + lay.A_V2])]
    moved = percept.axis_segment[base]
    p, c, q = percept.pos_w[moved], percept.segment_com_w[part], percept.quat_w[percept.parent[moved]]
    origin = (p[0], p[1], p[2])
    goal = _find_goal(percept, params, memory, row, origin)
    state = int(params[lay.H_M_STATES]) + int(params[row + lay.A_STATE])
    if _distance((c[0], c[1], c[2]), goal) > near or memory[state] == 0.0:
        _solve(percept, params, memory, row, state, (q[0], q[1], q[2], q[3]), origin, goal, near)
        memory[state] = 1.0
    first = int(params[lay.H_LINKS]) + int(params[row + lay.A_LINKS]) * lay.LINK_SIZE
    for k in range(int(params[row + lay.A_LINK_COUNT])):
        axis = int(params[first + k * lay.LINK_SIZE + lay.L_AXIS])
        add_servo(percept, axis, memory[state + 1 + k], lay.IK_KP, lay.IK_KD, torque, damping)
        memory[int(params[lay.H_M_SLOTS]) + axis * lay.SLOT_SIZE + lay.B_ON] = 0.0
