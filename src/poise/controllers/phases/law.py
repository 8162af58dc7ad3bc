"""The law of phases: PD servos towards the phase's pose, virtual forces by Jᵀ, and balance feedback [Ha15 §7.4.1].

Target of axis k in a phase, with parameters x: θ_k = c_k0 + Σ c_ki·x_i + Σ gain·measure, the last sum over the phase's
feedback. Torque: kp·(θ_k − q_k) − kd·q̇_k, limited, plus Σ (∂p/∂q_k)·F for the forces exempt from the limits.
"""

from __future__ import annotations

import math

from poise.characters.model import ROLES
from poise.controllers.phases.layout import (
    DURATION,
    FEEDBACK,
    FORCE,
    FORCE_RECORD,
    GAIN,
    HEADER,
    MEMORY,
    PARAMS,
    PHASE,
    SKILL,
    SKILL_HEADER,
    SKILL_ROW,
    SKILL_ROW_RECORD,
    UNTIL_LIFT_OFF,
    UNTIL_TIME,
    VALUES,
)
from poise.kernels.feet import foot_load
from poise.kernels.jacobian import add_virtual_force
from poise.kernels.jit import inlined, law
from poise.kernels.rotation import lean_rad

_TRUNK = ROLES.index("trunk")


@inlined
def _linear(params, memory, block, count):
    """A linear form of the parameters."""
    total = params[block]
    for k in range(count):
        total += params[block + 1 + k] * memory[VALUES + k]
    return total


@inlined
def write_values(params, memory):
    """Write the parameters' values: their own or, if the command governs them, Σ weight·wᵏ clamped to their range."""
    head = params[:HEADER].view(PARAMS)[0]
    values, at = int(head.values_at), int(head.skill_at)
    skill = params[at : at + SKILL_HEADER].view(SKILL)[0]
    command = int(skill.command)
    w = 0.0
    if command >= 0:
        w = (params[values + command] - skill.low) / (skill.high - skill.low)
    for k in range(int(head.count)):
        first = at + SKILL_HEADER + k * SKILL_ROW
        row = params[first : first + SKILL_ROW].view(SKILL_ROW_RECORD)[0]
        value = params[values + k]
        if row.governed != 0.0:
            value = 0.0
            for j in range(int(skill.degree), -1, -1):
                value = value * w + row.weights[j]
            value = min(max(value, row.least), row.most)
        memory[VALUES + k] = value


@inlined
def _touches(percept, mask):
    """Whether one of the feet in the mask touches something."""
    return (mask % 2 == 1 and foot_load(percept, 0) > 0.0) or (mask >= 2 and foot_load(percept, 1) > 0.0)


@inlined
def _measure(percept, what):
    """A measure of balance in the heading frame; COM positions are relative to the middle of the feet."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    if what == 4:
        return lean_rad(percept.rot_w[percept.roles[_TRUNK]], percept.heading_w)
    if what >= 2:
        x, y = percept.com_vel_w[0], percept.com_vel_w[1]
    else:
        left, right = percept.segment_com_w[percept.feet[0, 0]], percept.segment_com_w[percept.feet[1, 0]]
        x = percept.com_w[0] - 0.5 * (left[0] + right[0])
        y = percept.com_w[1] - 0.5 * (left[1] + right[1])
    return c * x + s * y if what % 2 == 0 else c * y - s * x


@inlined
def _add_forces(percept, params, memory, row, count, limited, torque):
    """Add the torques of a phase's virtual forces: either those that the torque limits apply to, or the others.

    A segment's force is what the segment should exert on the world. A force at the centre of mass is what should act on
    the body: the loaded legs (both if neither is loaded) share it and push the opposite way, against the ground.
    """
    head, phase = params[:HEADER].view(PARAMS)[0], params[row : row + DURATION].view(PHASE)[0]
    size, first, elapsed = FORCE + 3 * (1 + count), int(phase.force_first), memory[:VALUES].view(MEMORY)[0].elapsed
    strength = 1.0 if elapsed >= phase.ramp else elapsed / phase.ramp
    c, s = percept.heading_w[0], percept.heading_w[1]
    for j in range(first, first + int(phase.force_count)):
        block = int(head.forces_at) + j * size
        force = params[block : block + FORCE].view(FORCE_RECORD)[0]
        if (force.limited != 0.0) != limited:
            continue
        x = strength * _linear(params, memory, block + FORCE, count)
        y = strength * _linear(params, memory, block + FORCE + 1 + count, count)
        fz = strength * _linear(params, memory, block + FORCE + 2 * (1 + count), count)
        fx, fy = c * x - s * y, s * x + c * y
        segment = int(force.segment)
        if segment >= 0:
            p = percept.segment_com_w[segment]
            add_virtual_force(percept, segment, p[0], p[1], p[2], fx, fy, fz, torque)
            continue
        left, right = foot_load(percept, 0) > 0.0, foot_load(percept, 1) > 0.0
        part = 0.5 if left == right else 1.0
        for side in range(2):
            if left == right or (left and side == 0) or (right and side == 1):
                p = percept.com_w
                foot = percept.feet[side, 0]
                add_virtual_force(percept, foot, p[0], p[1], p[2], -part * fx, -part * fy, -part * fz, torque)


@inlined
def _target(percept, params, memory, row, count, axis):
    """The target angle of an axis: interpolated from the previous pose to the phase's own, plus feedback."""
    head, phase = params[:HEADER].view(PARAMS)[0], params[row : row + DURATION].view(PHASE)[0]
    m = memory[:VALUES].view(MEMORY)[0]
    axes, poses = percept.joint_q.shape[0], int(head.poses_at)
    target = _linear(params, memory, poses + (int(m.phase) * axes + axis) * (1 + count), count)
    if m.elapsed < phase.ramp:
        before = _linear(params, memory, poses + (int(m.before) * axes + axis) * (1 + count), count)
        target = before + (target - before) * m.elapsed / phase.ramp
    first, size = int(phase.feedback_first), GAIN + 1 + count
    for j in range(first, first + int(phase.feedback_count)):
        block = int(head.feedback_at) + j * size
        feedback = params[block : block + GAIN].view(FEEDBACK)[0]
        if int(feedback.axis) == axis:
            target += _linear(params, memory, block + GAIN, count) * _measure(percept, int(feedback.measure))
    return target


@inlined
def _is_over(percept, params, memory, row, count):
    """Whether the phase ends with this tick."""
    phase, elapsed = params[row : row + DURATION].view(PHASE)[0], memory[:VALUES].view(MEMORY)[0].elapsed
    if elapsed >= _linear(params, memory, row + DURATION, count) - 0.5 * percept.timestep_s:
        return True
    until = int(phase.until)
    if until == UNTIL_TIME or elapsed < phase.after:
        return False
    return _touches(percept, int(phase.feet)) != (until == UNTIL_LIFT_OFF)


@law
def phases_law(percept, params, memory, torque, damping):
    """Servos, forces, and the transition to the next phase."""
    head, m = params[:HEADER].view(PARAMS)[0], memory[:VALUES].view(MEMORY)[0]
    write_values(params, memory)
    count = int(head.count)
    row = int(head.phases_at) + int(m.phase) * (DURATION + 1 + count)
    _add_forces(percept, params, memory, row, count, True, torque)
    gains = int(head.gains_at)
    for k in range(torque.shape[0]):
        kp, kd = params[gains + 2 * k], params[gains + 2 * k + 1]
        pull = torque[k] + kp * (_target(percept, params, memory, row, count, k) - percept.joint_q[k])
        total, limit = pull - kd * percept.joint_v[k], percept.limits[k, 2]
        if abs(total) > limit:
            torque[k] = math.copysign(limit, total)
        else:
            torque[k], damping[k] = pull, kd
    _add_forces(percept, params, memory, row, count, False, torque)
    m.elapsed += percept.timestep_s
    if _is_over(percept, params, memory, row, count):
        following = params[row : row + DURATION].view(PHASE)[0].next
        if following >= 0.0:
            m.before, m.phase, m.elapsed = m.phase, following, 0.0
            percept.cue[0] |= 1
