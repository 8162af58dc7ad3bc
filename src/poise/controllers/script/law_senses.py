"""The senses of a script: values, offsets of the centre of mass, debounced contacts. Compiled."""

from __future__ import annotations

import math

from poise.controllers.script import layout as lay
from poise.kernels import rotation
from poise.kernels.jit import inlined
from poise.kernels.rotation import wrap_rad


@inlined
def evaluate(params, memory, phase):
    """Evaluate the values of a phase in the scope of the script on top of the stack.

    linterp(g, g0, g1, v0, v1) = v0 + (v1 − v0)·(g − g0)/(g1 − g0), not clamped [Firmin15, released code].
    """
    row = int(params[lay.H_PHASES]) + phase * lay.PHASE_SIZE
    first = int(params[lay.H_VALUES]) + int(params[row + lay.P_VALUES]) * lay.VALUE_SIZE
    frame = find_frame(params, memory) + lay.F_ARGUMENTS
    out = int(params[lay.H_M_VALUES])
    for k in range(int(params[row + lay.P_VALUE_COUNT])):
        at = first + k * lay.VALUE_SIZE
        kind = int(params[at])
        if kind == lay.V_LITERAL:
            memory[out + k] = params[at + 1]
        elif kind == lay.V_INPUT:
            memory[out + k] = memory[frame + int(params[at + 1])]
        else:
            g, g0 = memory[out + int(params[at + 1])], memory[out + int(params[at + 2])]
            g1, v0 = memory[out + int(params[at + 3])], memory[out + int(params[at + 4])]
            memory[out + k] = v0 + (memory[out + int(params[at + 5])] - v0) * (g - g0) / (g1 - g0)


@inlined
def find_frame(params, memory):
    """Index of the frame (phase and arguments) of the script on top of the stack."""
    return int(params[lay.H_M_STACK]) + (int(memory[lay.M_DEPTH]) - 1) * int(params[lay.H_FRAME])


@inlined
def forward(percept, point):
    """Coordinate of a point along the heading."""
    return point[0] * percept.heading_w[0] + point[1] * percept.heading_w[1]


@inlined
def to_left(percept, point):
    """Coordinate of a point across the heading, positive to the left."""
    return point[1] * percept.heading_w[0] - point[0] * percept.heading_w[1]


@inlined
def lean_rad(percept, segment):
    """A part's pitch in the world, positive forward, in (-π, π]; lean across the heading does not count."""
    return rotation.lean_rad(percept.rot_w[segment], percept.heading_w)


@inlined
def lean_rate(percept, segment):
    """A part's angular rate about the axis to the left of the heading."""
    vel = percept.spatial_vel[segment]
    return vel[1] * percept.heading_w[0] - vel[0] * percept.heading_w[1]


@inlined
def roll_rad(percept, segment):
    """A part's roll in the world about the heading, positive to the right, in (-π, π]."""
    rot, c, s = percept.rot_w[segment], percept.heading_w[0], percept.heading_w[1]
    return math.atan2(rot[2] * s - rot[5] * c, rot[8])


@inlined
def yaw_rad(percept, memory, segment):
    """A part's yaw relative to the body's heading at the start, positive to the left."""
    rot = percept.rot_w[segment]
    return wrap_rad(math.atan2(rot[3], rot[0]) - memory[lay.M_FACING])


@inlined
def tilt_rad(percept, segment):
    """A part's tilt from the vertical, in any direction."""
    return math.acos(min(max(percept.rot_w[segment, 8], -1.0), 1.0))


@inlined
def feel_touch(percept, params, memory):
    """Count down each part's ticks until release since its last contact; a part that never touched is released."""
    at, dt = int(params[lay.H_M_TOUCH]), percept.timestep_s
    for i in range(percept.touch_load.shape[0]):
        if percept.touch_load[i] > 0.0:
            memory[at + i] = 1.0 + lay.RELEASE_S / dt
        else:
            memory[at + i] -= 1.0


@inlined
def touches(params, memory, segment):
    """Whether a part touches something, or did until just now."""
    return memory[int(params[lay.H_M_TOUCH]) + segment] > 0.0


@inlined
def _along(point, x, y):
    return point[0] * x + point[1] * y


@inlined
def find_reference(percept, params, memory, kind, ref, x, y):
    """Coordinate, along a level direction, of the point from which the offset of the centre of mass is measured.

    `cop` is the mean of the centres of all touching parts, or of the feet in flight [Firmin15, released code].
    Deviation: the paper's centre of pressure would weight them by their loads, and the published gains would not fit.
    """
    if kind == lay.REF_JOINT:
        return _along(percept.pos_w[ref], x, y)
    if kind == lay.REF_PART:
        return _along(percept.segment_com_w[ref], x, y)
    if kind == lay.REF_COP:
        total, count = 0.0, 0
        for i in range(percept.segment_com_w.shape[0]):
            if touches(params, memory, i):
                total += _along(percept.segment_com_w[i], x, y)
                count += 1
        if count > 0:
            return total / count
    left, right = int(params[lay.H_LEFT_FOOT]), int(params[lay.H_RIGHT_FOOT])
    return 0.5 * (_along(percept.segment_com_w[left], x, y) + _along(percept.segment_com_w[right], x, y))


@inlined
def feedback(percept, params, memory, kind, ref, cd, cv):
    """cd·d + cv·v [Firmin15 Eq. 3]: d from the reference to the centre of mass, v its velocity; 0 without a law.

    A reference with `REF_ACROSS` (in space only) measures both to the left instead of forward.
    """
    if kind == lay.REF_NONE:
        return 0.0
    x, y = percept.heading_w[0], percept.heading_w[1]
    if kind > lay.REF_ACROSS:
        kind, x, y = kind - lay.REF_ACROSS, -percept.heading_w[1], percept.heading_w[0]
    d = _along(percept.com_w, x, y) - find_reference(percept, params, memory, kind, ref, x, y)
    return cd * d + cv * _along(percept.com_vel_w, x, y)
