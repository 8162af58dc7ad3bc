"""The law of phases: PD servos towards the phase's pose, virtual forces by Jᵀ, and balance feedback [Ha15 §7.4.1].

Target of axis k in a phase, with parameters x: θ_k = c_k0 + Σ c_ki·x_i + Σ gain·measure, the last sum over the phase's
feedback. Torque: kp·(θ_k − q_k) − kd·q̇_k, limited, plus Σ (∂p/∂q_k)·F for the forces that the limits do not hold for.
"""

from __future__ import annotations

import math

from poise.characters.model import ROLES
from poise.controllers.phases import layout as at
from poise.kernels.feet import foot_load
from poise.kernels.jacobian import add_virtual_force
from poise.kernels.jit import inlined, law
from poise.kernels.rotation import lean_rad

_TRUNK = ROLES.index("trunk")
_COUNT, _PHASES, _VALUES_AT, _SKILL_AT, _GAINS_AT = at.COUNT, at.PHASES, at.VALUES_AT, at.SKILL_AT, at.GAINS_AT
_POSES_AT, _PHASES_AT, _FEEDBACK_AT, _FORCES_AT = at.POSES_AT, at.PHASES_AT, at.FEEDBACK_AT, at.FORCES_AT
_COMMAND, _LOW, _HIGH, _DEGREE, _SKILL_HEADER = at.COMMAND, at.LOW, at.HIGH, at.DEGREE, at.SKILL_HEADER
_GOVERNED, _LEAST, _MOST, _WEIGHTS, _SKILL_ROW = at.GOVERNED, at.LEAST, at.MOST, at.WEIGHTS, at.SKILL_ROW
_UNTIL, _FEET_MASK, _AFTER, _RAMP, _NEXT, _DURATION = at.UNTIL, at.FEET, at.AFTER, at.RAMP, at.NEXT, at.DURATION
_FEEDBACK_FIRST, _FEEDBACK_COUNT = at.FEEDBACK_FIRST, at.FEEDBACK_COUNT
_FORCE_FIRST, _FORCE_COUNT = at.FORCE_FIRST, at.FORCE_COUNT
_UNTIL_TIME, _UNTIL_LIFT_OFF = at.UNTIL_TIME, at.UNTIL_LIFT_OFF
_GAIN, _FORCE = at.GAIN, at.FORCE
_PHASE, _ELAPSED, _BEFORE, _VALUES = at.PHASE, at.ELAPSED, at.BEFORE, at.VALUES


@inlined
def _linear(params, memory, block, count):
    """A linear form of the parameters."""
    total = params[block]
    for k in range(count):
        total += params[block + 1 + k] * memory[_VALUES + k]
    return total


@inlined
def write_values(params, memory):
    """Writes the parameters' values: their own, or, where a command decides, Σ weight·wᵏ within their range."""
    count, values, skill = int(params[_COUNT]), int(params[_VALUES_AT]), int(params[_SKILL_AT])
    command = int(params[skill + _COMMAND])
    w = 0.0
    if command >= 0:
        low = params[skill + _LOW]
        w = (params[values + command] - low) / (params[skill + _HIGH] - low)
    for k in range(count):
        row = skill + _SKILL_HEADER + k * _SKILL_ROW
        value = params[values + k]
        if params[row + _GOVERNED] != 0.0:
            value = 0.0
            for j in range(int(params[skill + _DEGREE]), -1, -1):
                value = value * w + params[row + _WEIGHTS + j]
            value = min(max(value, params[row + _LEAST]), params[row + _MOST])
        memory[_VALUES + k] = value


@inlined
def _touches(percept, mask):
    """Whether one of the feet that count touches something."""
    return (mask % 2 == 1 and foot_load(percept, 0) > 0.0) or (mask >= 2 and foot_load(percept, 1) > 0.0)


@inlined
def _measure(percept, what):
    """A measure of balance in the heading frame; positions of the centre of mass are from the middle of the feet."""
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
    """Adds the torques of a phase's virtual forces, of those that the torque limits hold for or of the others.

    A segment's force is what it shall exert on the world. A force at the centre of mass is what shall act on the body:
    the legs that are loaded (both, where none is) share it and push the other way, against the ground.
    """
    size = _FORCE + 3 * (1 + count)
    first, ramp = int(params[row + _FORCE_FIRST]), params[row + _RAMP]
    strength = 1.0 if memory[_ELAPSED] >= ramp else memory[_ELAPSED] / ramp
    c, s = percept.heading_w[0], percept.heading_w[1]
    for j in range(first, first + int(params[row + _FORCE_COUNT])):
        block = int(params[_FORCES_AT]) + j * size
        if (params[block + 1] != 0.0) != limited:
            continue
        x = strength * _linear(params, memory, block + _FORCE, count)
        y = strength * _linear(params, memory, block + _FORCE + 1 + count, count)
        fz = strength * _linear(params, memory, block + _FORCE + 2 * (1 + count), count)
        fx, fy = c * x - s * y, s * x + c * y
        segment = int(params[block])
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
    """The target angle of an axis: on the way from the pose before to the phase's own, with feedback."""
    axes = percept.joint_q.shape[0]
    poses, phase = int(params[_POSES_AT]), int(memory[_PHASE])
    target = _linear(params, memory, poses + (phase * axes + axis) * (1 + count), count)
    ramp = params[row + _RAMP]
    if memory[_ELAPSED] < ramp:
        before = _linear(params, memory, poses + (int(memory[_BEFORE]) * axes + axis) * (1 + count), count)
        target = before + (target - before) * memory[_ELAPSED] / ramp
    first, size = int(params[row + _FEEDBACK_FIRST]), _GAIN + 1 + count
    for j in range(first, first + int(params[row + _FEEDBACK_COUNT])):
        block = int(params[_FEEDBACK_AT]) + j * size
        if int(params[block + 1]) == axis:
            target += _linear(params, memory, block + _GAIN, count) * _measure(percept, int(params[block]))
    return target


@inlined
def _is_over(percept, params, memory, row, count):
    """Whether the phase ends with this tick."""
    if memory[_ELAPSED] >= _linear(params, memory, row + _DURATION, count) - 0.5 * percept.timestep_s:
        return True
    until = int(params[row + _UNTIL])
    if until == _UNTIL_TIME or memory[_ELAPSED] < params[row + _AFTER]:
        return False
    return _touches(percept, int(params[row + _FEET_MASK])) != (until == _UNTIL_LIFT_OFF)


@law
def phases_law(percept, params, memory, torque, damping):
    """Servos, forces, and the turn to the next phase."""
    write_values(params, memory)
    count = int(params[_COUNT])
    row = int(params[_PHASES_AT]) + int(memory[_PHASE]) * (_DURATION + 1 + count)
    _add_forces(percept, params, memory, row, count, True, torque)
    gains = int(params[_GAINS_AT])
    for k in range(torque.shape[0]):
        kp, kd = params[gains + 2 * k], params[gains + 2 * k + 1]
        pull = torque[k] + kp * (_target(percept, params, memory, row, count, k) - percept.joint_q[k])
        total, limit = pull - kd * percept.joint_v[k], percept.limits[k, 2]
        if abs(total) > limit:
            torque[k] = math.copysign(limit, total)
        else:
            torque[k], damping[k] = pull, kd
    _add_forces(percept, params, memory, row, count, False, torque)
    memory[_ELAPSED] += percept.timestep_s
    if _is_over(percept, params, memory, row, count):
        following = params[row + _NEXT]
        if following >= 0.0:
            memory[_BEFORE], memory[_PHASE], memory[_ELAPSED] = memory[_PHASE], following, 0.0
            percept.cue[0] = 1
