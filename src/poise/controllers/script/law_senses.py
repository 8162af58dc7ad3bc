"""What a script feels: values, offsets of the centre of mass, contacts that do not chatter. Compiled."""

from __future__ import annotations

import math

from poise.controllers.script import layout as lay
from poise.kernels import rotation
from poise.kernels.jit import inlined
from poise.kernels.rotation import wrap_rad


@inlined
def evaluate(params, memory, phase):
    """Fills in the values of a phase in the scope of the script that is on top.

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
    """Where the script on top of the stack keeps its place and its arguments."""
    return int(params[lay.H_M_STACK]) + (int(memory[lay.M_DEPTH]) - 1) * int(params[lay.H_FRAME])


@inlined
def forward(percept, point):
    """How far ahead a point lies, along the heading."""
    return point[0] * percept.heading_w[0] + point[1] * percept.heading_w[1]


@inlined
def to_left(percept, point):
    """How far to the left a point lies, across the heading."""
    return point[1] * percept.heading_w[0] - point[0] * percept.heading_w[1]


@inlined
def lean_rad(percept, segment):
    """A part's angle in the world, forward positive, in (-π, π]; leans across the heading do not count."""
    return rotation.lean_rad(percept.rot_w[segment], percept.heading_w)


@inlined
def lean_rate(percept, segment):
    """The part's rate about the axis to the left of the heading."""
    vel = percept.spatial_vel[segment]
    return vel[1] * percept.heading_w[0] - vel[0] * percept.heading_w[1]


@inlined
def roll_rad(percept, segment):
    """A part's angle in the world seen from the front, to the right positive, in (-π, π]."""
    rot, c, s = percept.rot_w[segment], percept.heading_w[0], percept.heading_w[1]
    return math.atan2(rot[2] * s - rot[5] * c, rot[8])


@inlined
def yaw_rad(percept, memory, segment):
    """Where a part faces, seen from above and from where the body faced at the start; to the left positive."""
    rot = percept.rot_w[segment]
    return wrap_rad(math.atan2(rot[3], rot[0]) - memory[lay.M_FACING])


@inlined
def tilt_rad(percept, segment):
    """How far a part leans, whichever way."""
    return math.acos(min(max(percept.rot_w[segment, 8], -1.0), 1.0))


@inlined
def feel_touch(percept, params, memory):
    """Time since each part last felt a contact; a part that never has is long past letting go."""
    at, dt = int(params[lay.H_M_TOUCH]), percept.timestep_s
    for i in range(percept.touch_load.shape[0]):
        if percept.touch_load[i] > 0.0:
            memory[at + i] = 1.0 + lay.RELEASE_S / dt
        else:
            memory[at + i] -= 1.0


@inlined
def touches(params, memory, segment):
    """Whether a part touches something, or did just now."""
    return memory[int(params[lay.H_M_TOUCH]) + segment] > 0.0


@inlined
def _along(point, x, y):
    return point[0] * x + point[1] * y


@inlined
def find_reference(percept, params, memory, kind, ref, x, y):
    """How far that lies along a level direction which the offset of the centre of mass is measured from.

    `cop` is the mean of the centres of all parts that touch, or of the feet in flight [Firmin15, released code].
    Deviation: the paper's centre of pressure would weigh them by their loads, and the published gains would not fit.
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
    """cd·d + cv·v [Firmin15 Eq. 3]: d from the reference to the centre of mass, v its speed; 0 without a law.

    In space the same to the left, for references that say so.
    """
    if kind == lay.REF_NONE:
        return 0.0
    x, y = percept.heading_w[0], percept.heading_w[1]
    if kind > lay.REF_ACROSS:
        kind, x, y = kind - lay.REF_ACROSS, -percept.heading_w[1], percept.heading_w[0]
    d = _along(percept.com_w, x, y) - find_reference(percept, params, memory, kind, ref, x, y)
    return cd * d + cv * _along(percept.com_vel_w, x, y)
