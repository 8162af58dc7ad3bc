"""The effect of a phase's actions on servos and torques [Firmin15 §3.2, §3.3]. Compiled."""

from __future__ import annotations

from poise.controllers.script import layout as lay
from poise.controllers.script.law_ik import reach
from poise.controllers.script.law_ik_space import reach_in_space
from poise.controllers.script.law_requests import ask
from poise.controllers.script.law_senses import feedback, forward, lean_rad, lean_rate, to_left
from poise.controllers.script.law_turns import find_gains, turn_in_space
from poise.kernels.jacobian import axis_force
from poise.kernels.jit import inlined
from poise.kernels.servo import add_servo


@inlined
def _set_servo(params, memory, axis, target, kp, kd):
    """Set a joint's servo, switch it on and clear its feedback."""
    slot = int(params[lay.H_M_SLOTS]) + axis * lay.SLOT_SIZE
    memory[slot + lay.B_ON], memory[slot + lay.B_TARGET] = 1.0, target
    memory[slot + lay.B_KP], memory[slot + lay.B_KD] = kp, kd
    memory[slot + lay.B_REF_KIND] = lay.REF_NONE


@inlined
def _switch_off(params, memory, axis):
    memory[int(params[lay.H_M_SLOTS]) + axis * lay.SLOT_SIZE + lay.B_ON] = 0.0


@inlined
def _value(params, memory, row, column):
    return memory[int(params[lay.H_M_VALUES]) + int(params[row + column])]


@inlined
def _angle(percept, params, axis):
    """A joint's angle in the sign of scripts."""
    return params[int(params[lay.H_SIGNS]) + axis] * percept.joint_q[axis]


@inlined
def _ramp(memory, state, start, goal, time, dt):
    """The current point of a straight line from start to goal; counts the action's ticks.

    Deviation: with zero time the goal is taken at once; the released code never leaves the start.
    """
    part = 1.0 if time <= 0.0 else min(memory[state + 1] * dt / time, 1.0)
    memory[state + 1] += 1.0
    return start + part * (goal - start)


@inlined
def _set_joint(percept, params, memory, row, op):
    """POSE, LIPOSE, MATCH and HOLD."""
    axis, dt = int(params[row + lay.A_AXIS]), percept.timestep_s
    state = int(params[lay.H_M_STATES]) + int(params[row + lay.A_STATE])
    kp, kd = _value(params, memory, row, lay.A_V1), _value(params, memory, row, lay.A_V2)
    if op == lay.POSE:
        target = _value(params, memory, row, lay.A_V0)
    elif op == lay.MATCH:
        target = _angle(percept, params, int(params[row + lay.A_OTHER]))
    else:
        if memory[state] == 0.0:
            # The first step of the phase stores the start of the ramp and the angle to match or hold.
            memory[state], memory[state + 1] = 1.0, 0.0
            if op == lay.HOLD:
                memory[state + 1] = _angle(percept, params, axis)
            else:
                memory[state + 2] = _angle(percept, params, axis)
            if op == lay.LIMATCH:
                memory[state + 3] = _angle(percept, params, int(params[row + lay.A_OTHER]))
        if op == lay.HOLD:
            target = memory[state + 1]
        else:
            goal = _value(params, memory, row, lay.A_V0) if op == lay.LIPOSE else memory[state + 3]
            target = _ramp(memory, state, memory[state + 2], goal, _value(params, memory, row, lay.A_V3), dt)
    _set_servo(params, memory, axis, target, kp, kd)


@inlined
def _set_law(params, memory, row):
    """POSEFB: feedback for a servo whose target another action sets.

    Deviation: gains are evaluated in their own script; the released code uses whichever script runs at the time.
    """
    slot = int(params[lay.H_M_SLOTS]) + int(params[row + lay.A_AXIS]) * lay.SLOT_SIZE
    memory[slot + lay.B_REF_KIND], memory[slot + lay.B_REF] = params[row + lay.A_REF_KIND], params[row + lay.A_REF]
    sense = params[row + lay.A_SENSE]
    memory[slot + lay.B_CD] = sense * _value(params, memory, row, lay.A_V0)
    memory[slot + lay.B_CV] = sense * _value(params, memory, row, lay.A_V1)


@inlined
def _turn_part(percept, params, memory, row, torque, damping):
    """VPD: T = −[kp·(A + fb − α) − kd·α̇] on one joint, α the part's angle in the world.

    If the part is a neighbour of the joint and the sign allows it, damping by the joint's own rate is left to the
    integrator. A trunk steered by a hip is not a neighbour: the light pelvis between them would absorb the damping.
    """
    axis, part = int(params[row + lay.A_AXIS]), int(params[row + lay.A_PART])
    sign = params[int(params[lay.H_SIGNS]) + axis]
    kp, kd = find_gains(params, memory, row)
    target = _value(params, memory, row, lay.A_V0)
    kind = int(params[row + lay.A_REF_KIND])
    if kind != lay.REF_NONE:
        cd, cv = _value(params, memory, row, lay.A_V3), _value(params, memory, row, lay.A_LINKS)
        target += feedback(percept, params, memory, kind, int(params[row + lay.A_REF]), cd, cv)
    total = -(kp * (target - lean_rad(percept, part)) - kd * lean_rate(percept, part))
    _switch_off(params, memory, axis)
    other = int(params[row + lay.A_OTHER])
    if other >= 0:
        torque[other] -= params[int(params[lay.H_SIGNS]) + other] * total
        _switch_off(params, memory, other)
    calm = -kd * params[row + lay.A_FLAG]
    if calm > 0.0:
        damping[axis] += calm
        total += calm * sign * percept.joint_v[axis]
    torque[axis] += sign * total


@inlined
def _push(percept, params, row, ahead, up, right, x, y, z, torque):
    """τ = Jᵀ·F along a chain [Firmin15 Eq. 2] for a force ahead, up and to the right at a point.

    A link's axis moves the point with v + ω × (p − c) if the point is attached to it; otherwise the reaction rotates
    the other side.
    """
    fx = ahead * percept.heading_w[0] + right * percept.heading_w[1]
    fy = ahead * percept.heading_w[1] - right * percept.heading_w[0]
    first = int(params[lay.H_LINKS]) + int(params[row + lay.A_LINKS]) * lay.LINK_SIZE
    for k in range(int(params[row + lay.A_LINK_COUNT])):
        link = first + k * lay.LINK_SIZE
        axis = int(params[link + lay.L_AXIS])
        torque[axis] += params[link + lay.L_SIDE] * axis_force(percept, axis, x, y, z, fx, fy, up)


@inlined
def _given(params, memory, row, column):
    """A value, or 0 if the action does not give it."""
    return _value(params, memory, row, column) if params[row + column] >= 0.0 else 0.0


@inlined
def _add_force(percept, params, memory, row, op, torque):
    """VF, VFFB, VFSFB and GC: virtual forces, at a part or at the centre of mass."""
    p = percept.segment_com_w[int(params[row + lay.A_PART])]
    if op == lay.VF:
        ahead, up = _value(params, memory, row, lay.A_V0), _value(params, memory, row, lay.A_V1)
        _push(percept, params, row, ahead, up, _given(params, memory, row, lay.A_V2), p[0], p[1], p[2], torque)
    elif op == lay.GC:
        weight = lay.GC_GRAVITY * percept.mass[int(params[row + lay.A_PART])]
        _push(percept, params, row, 0.0, weight, 0.0, p[0], p[1], p[2], torque)
    else:
        right = 0.0
        if op == lay.VFFB:
            cd, cv = _value(params, memory, row, lay.A_V0), _value(params, memory, row, lay.A_V1)
            kind, ref = int(params[row + lay.A_REF_KIND]), int(params[row + lay.A_REF])
            # [Firmin15 Eq. 4] with d from the centre of mass to the target and v against its velocity: both restore.
            ahead = -feedback(percept, params, memory, kind, ref, cd, cv)
            if params[row + lay.A_V2] >= 0.0:
                cd, cv = _value(params, memory, row, lay.A_V2), _value(params, memory, row, lay.A_V3)
                right = feedback(percept, params, memory, kind + lay.REF_ACROSS, ref, cd, cv)
        else:
            speed = forward(percept, percept.com_vel_w)
            ahead = _value(params, memory, row, lay.A_V0) * (_value(params, memory, row, lay.A_V1) - speed)
            if params[row + lay.A_V2] >= 0.0:
                wanted = _value(params, memory, row, lay.A_V3)
                right = _value(params, memory, row, lay.A_V2) * (wanted + to_left(percept, percept.com_vel_w))
        _push(percept, params, row, ahead, 0.0, right, percept.com_w[0], percept.com_w[1], percept.com_w[2], torque)


@inlined
def act(percept, params, memory, phase, torque, damping):
    """Run every action of a phase, in the order of the text."""
    head = int(params[lay.H_PHASES]) + phase * lay.PHASE_SIZE
    first = int(params[lay.H_ACTIONS]) + int(params[head + lay.P_ACTIONS]) * lay.ACTION_SIZE
    for k in range(int(params[head + lay.P_ACTION_COUNT])):
        row = first + k * lay.ACTION_SIZE
        op = int(params[row + lay.A_OP])
        if lay.POSE <= op <= lay.HOLD:
            _set_joint(percept, params, memory, row, op)
        elif op == lay.POSEFB:
            _set_law(params, memory, row)
        elif op == lay.VPD:
            if params[row + lay.A_TURN] == lay.TURN_SAGITTAL:
                _turn_part(percept, params, memory, row, torque, damping)
            else:
                turn_in_space(percept, params, memory, row, torque, damping)
        elif lay.VF <= op <= lay.GC:
            _add_force(percept, params, memory, row, op, torque)
        elif op == lay.IK:
            reach(percept, params, memory, row, torque, damping)
        elif op == lay.IK_SPACE:
            reach_in_space(percept, params, memory, row, torque, damping)
        else:
            ask(percept, params, memory, row, op)


@inlined
def serve(percept, params, memory, torque, damping):
    """The servos that are on: τ = kp·(θ_d + fb − θ) − kd·θ̇; feedback shifts the target, the damper is implicit."""
    for axis in range(torque.shape[0]):
        slot = int(params[lay.H_M_SLOTS]) + axis * lay.SLOT_SIZE
        if memory[slot + lay.B_ON] == 0.0:
            continue
        kind, ref = int(memory[slot + lay.B_REF_KIND]), int(memory[slot + lay.B_REF])
        target = memory[slot + lay.B_TARGET]
        target += feedback(percept, params, memory, kind, ref, memory[slot + lay.B_CD], memory[slot + lay.B_CV])
        sign = params[int(params[lay.H_SIGNS]) + axis]
        kd = memory[slot + lay.B_KD]
        add_servo(percept, axis, sign * target, memory[slot + lay.B_KP], max(kd, 0.0), torque, damping)
        if kd < 0.0:
            torque[axis] -= kd * percept.joint_v[axis]
