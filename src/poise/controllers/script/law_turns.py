"""VPD in space: each world angle of a part is controlled by a torque about its axis of the heading frame. Compiled."""

from __future__ import annotations

from poise.controllers.script import layout as lay
from poise.controllers.script.law_senses import feedback, lean_rad, roll_rad, yaw_rad
from poise.kernels.jit import inlined


@inlined
def find_gains(params, memory, row):
    """kp and kd of a VPD; in the old form `.parent(link)` with the sign that drives the part towards its angle."""
    values, side = int(params[lay.H_M_VALUES]), params[row + lay.A_SIDE]
    kp, kd = memory[values + int(params[row + lay.A_V1])], memory[values + int(params[row + lay.A_V2])]
    if side == 0.0:
        return kp, kd
    return side * abs(kp), side * abs(kd)


@inlined
def _find_direction(percept, turn):
    """Rotation axis of an angle: the left of the heading for pitch, its front for roll, the vertical for yaw."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    if turn == lay.TURN_PITCH:
        return -s, c, 0.0
    if turn == lay.TURN_ROLL:
        return c, s, 0.0
    return 0.0, 0.0, 1.0


@inlined
def _find_angle(percept, memory, part, turn):
    if turn == lay.TURN_PITCH:
        return lean_rad(percept, part)
    if turn == lay.TURN_ROLL:
        return roll_rad(percept, part)
    return yaw_rad(percept, memory, part)


@inlined
def _twist(percept, params, memory, axis, x, y, z, total, calm, torque, damping):
    """Apply a torque about a direction at a joint: τ = a·T on each of its axes, whose servos are switched off.

    The damping `calm` of the part by the joint's own rate is left to the integrator.
    """
    moved = percept.axis_segment[axis]
    first = percept.segment_axes[moved, 0]
    for k in range(first, first + percept.segment_axes[moved, 1]):
        a = percept.axis_motion[k]
        share = a[0] * x + a[1] * y + a[2] * z
        torque[k] += share * total
        if calm > 0.0:
            damping[k] += share * share * calm
            torque[k] += share * share * calm * percept.joint_v[k]
        memory[int(params[lay.H_M_SLOTS]) + k * lay.SLOT_SIZE + lay.B_ON] = 0.0


@inlined
def turn_in_space(percept, params, memory, row, torque, damping):
    """T = −[kp·(A + fb − α) − kd·α̇] about one direction, on all axes of the joint; α has the sign of its side."""
    axis, part = int(params[row + lay.A_AXIS]), int(params[row + lay.A_PART])
    turn, sense = int(params[row + lay.A_TURN]), params[row + lay.A_SENSE]
    values = int(params[lay.H_M_VALUES])
    target = memory[values + int(params[row + lay.A_V0])]
    kp, kd = find_gains(params, memory, row)
    kind = int(params[row + lay.A_REF_KIND])
    if kind != lay.REF_NONE:
        cd, cv = memory[values + int(params[row + lay.A_V3])], memory[values + int(params[row + lay.A_LINKS])]
        way = feedback(percept, params, memory, kind, int(params[row + lay.A_REF]), cd, cv)
        target += params[row + lay.A_LINK_COUNT] * way
    x, y, z = _find_direction(percept, turn)
    vel = percept.spatial_vel[part]
    rate = sense * (vel[0] * x + vel[1] * y + vel[2] * z)
    total = -sense * (kp * (target - sense * _find_angle(percept, memory, part, turn)) - kd * rate)
    other = int(params[row + lay.A_OTHER])
    if other >= 0:
        _twist(percept, params, memory, other, x, y, z, -total, 0.0, torque, damping)
    _twist(percept, params, memory, axis, x, y, z, total, -kd * params[row + lay.A_FLAG], torque, damping)
