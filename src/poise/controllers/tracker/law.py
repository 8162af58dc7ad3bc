"""The tracker's law: thirty times a second a target pose, and every tick the accelerations that follow it.

θ̈ = kp·log(θ⁻¹θ_r) + kv·(θ̇_r − θ̇) + θ̈_r for every joint [Lee10 Eq. 1], in the frame of its segment. It is computed
when the target changes and held until the next; the world finds the torques (`poise.world.hybrid`). A ball joint is
three hinges, so each tick converts the angular acceleration into those of the hinges. Joints with fewer hinges follow
as far as they can.
"""

from __future__ import annotations

import math

from poise.controllers.tracker import layout
from poise.controllers.tracker.law_feedback import write_target
from poise.controllers.tracker.law_flow import advance, find_floor_m, frame_at, gain, join, write_reference
from poise.controllers.tracker.law_pose import copy_block, leg_part, place_target, quat_at, spare, vector_at
from poise.kernels.jit import inlined, law
from poise.kernels.turns import write_between, write_log, write_rotated

#: Below this cosine of its middle angle a ball joint no longer gets the full acceleration (its hinges would race), and
#: its hinges are slowed down at the rate CALM_PS. Only a fallen body gets there.
SINGULAR = 0.3
CALM_PS = 30.0
#: A body has fallen if its root is below this fraction of its height in the reference.
FALLEN = 0.5


@inlined
def begin(percept, params, memory):
    """Initialise the memory: the first frame is the target so far, and the root's velocity is the body's own."""
    row = frame_at(params, memory, 0.0)
    count = int(params[layout.SEGMENTS])
    for k in range(4 * count):
        memory[layout.TARGET + k] = params[row + layout.TURNS + k]
    memory[layout.ROOT_M] = params[row + layout.HEIGHT]
    place_target(percept, params, memory)
    copy_block(memory, layout.TARGET, layout.LAST, 4 * count)
    copy_block(memory, layout.TARGET, layout.BEFORE, 4 * count)
    for side in range(2):
        height = memory[vector_at(layout.PLACES, leg_part(params, side, 2)) + 2]
        memory[layout.ANKLES + side] = height
        memory[layout.ANKLES_BEFORE + side] = height
    for j in range(3):
        memory[layout.PELVIS + j] = percept.root_q[j]
        memory[layout.SPEED + j] = percept.root_v[j]
    join(params, memory)
    memory[layout.BEGUN] = 1.0
    memory[layout.NEXT_S] = percept.time_s[0]


@inlined
def sense(percept, params, memory):
    """Write the rotations of the body's joints, and the mean velocity of its root since the last control."""
    for s in range(1, int(params[layout.SEGMENTS])):
        above, own = percept.quat_w[percept.parent[s]], percept.quat_w[s]
        write_between(above, 0, own, 0, memory, quat_at(layout.ACTUAL, s))
    for j in range(3):
        if memory[layout.BEGUN] > 1.0:
            way = percept.root_q[j] - memory[layout.PELVIS + j]
            memory[layout.SPEED + j] = way / params[layout.FRAME_S]
        memory[layout.PELVIS + j] = percept.root_q[j]
    memory[layout.BEGUN] = 2.0


@inlined
def ask(percept, params, memory):
    """Write the angular accelerations that follow the target, each in the frame of its segment.

    The velocity of the newest target is a one-sided difference and the previous one is a central difference, as no
    later target is known; the acceleration, their difference, is half of the second difference [Lee10 code].
    """
    frame = params[layout.FRAME_S]
    kp, kv = gain(params, memory, layout.TRACK_KP), gain(params, memory, layout.TRACK_KV)
    # The joints of a fallen body are only slowed down: targets made for an upright body would throw it about.
    down = percept.root_q[2] - find_floor_m(percept, params, memory) < FALLEN * memory[layout.ROOT_M]
    turn, error, rate, rate2, actual = spare(0), spare(1), spare(2), spare(3), spare(4)
    for s in range(1, int(params[layout.SEGMENTS])):
        target = quat_at(layout.TARGET, s)
        write_between(memory, quat_at(layout.ACTUAL, s), memory, target, memory, turn)
        write_log(memory, turn, memory, error)
        write_between(memory, quat_at(layout.LAST, s), memory, target, memory, turn)
        write_log(memory, turn, memory, rate)
        write_between(memory, quat_at(layout.BEFORE, s), memory, target, memory, turn)
        write_log(memory, turn, memory, rate2)
        for j in range(3):
            memory[actual + j] = percept.spatial_vel[s, j] - percept.spatial_vel[percept.parent[s], j]
        write_rotated(percept.quat_w[s], 0, -1.0, memory, actual, memory, actual)
        for j in range(3):
            v = memory[rate + j] / frame
            a = (v - 0.5 * memory[rate2 + j] / frame) / frame
            asked = kp * memory[error + j] + kv * (v - memory[actual + j])
            memory[layout.ASKED + 3 * s + j] = -kv * memory[actual + j] if down else asked + a


@inlined
def count_errors(params, memory):
    """Add up the differences of the joints from the recording in this frame."""
    count = int(params[layout.SEGMENTS])
    row = frame_at(params, memory, memory[layout.FRAME])
    turn, total = spare(0), 0.0
    for s in range(1, count):
        write_between(params, row + layout.TURNS + 4 * s, memory, quat_at(layout.ACTUAL, s), memory, turn)
        write_log(memory, turn, memory, turn)
        total += math.sqrt(memory[turn] ** 2 + memory[turn + 1] ** 2 + memory[turn + 2] ** 2)
    memory[layout.ERROR_SUM] += total / (count - 1)
    memory[layout.ERROR_COUNT] += 1.0


@inlined
def control(percept, params, memory):
    """One frame: the next target, and the accelerations towards it."""
    sense(percept, params, memory)
    count_errors(params, memory)
    advance(percept, params, memory)
    write_reference(percept, params, memory)
    write_target(percept, params, memory)
    ask(percept, params, memory)
    count = 4 * int(params[layout.SEGMENTS])
    copy_block(memory, layout.LAST, layout.BEFORE, count)
    copy_block(memory, layout.TARGET, layout.LAST, count)


@inlined
def drive_ball(percept, memory, segment, torque):
    """Write the accelerations of a ball joint's three hinges.

    With v_k the hinges' axes in the segment's frame and ω = Σ v_k·q̇_k, α = Σ v_k·q̈_k + Σ v̇_k·q̇_k, where an axis rotates
    backwards with the hinges after it: v̇_2 = −(v_3·q̇_3) × v_2, v̇_1 = −(v_3·q̇_3 + v_2·q̇_2) × v_1.
    """
    k = percept.segment_axes[segment, 0]
    a, b, c, r = spare(0), spare(1), spare(2), spare(3)
    for n in range(3):
        write_rotated(percept.quat_w[segment], 0, -1.0, percept.axis_motion[k + n], 0, memory, a + 4 * n)
    p, q, s = percept.joint_v[k], percept.joint_v[k + 1], percept.joint_v[k + 2]
    for j in range(3):
        m, n = (j + 1) % 3, (j + 2) % 3
        am, an, bm, bn, cm, cn = (
            memory[a + m],
            memory[a + n],
            memory[b + m],
            memory[b + n],
            memory[c + m],
            memory[c + n],
        )
        last = s * (cm * bn - cn * bm) * q
        both = ((s * cm + q * bm) * an - (s * cn + q * bn) * am) * p
        memory[r + j] = memory[layout.ASKED + 3 * segment + j] + last + both
    volume = _triple(memory, a, b, c)
    part = min(1.0, (volume / SINGULAR) ** 2)
    scale = volume / SINGULAR**2 if part < 1.0 else 1.0 / volume
    calm = CALM_PS * (1.0 - part)
    torque[k] = scale * _triple(memory, r, b, c) - calm * p
    torque[k + 1] = scale * _triple(memory, a, r, c) - calm * q
    torque[k + 2] = scale * _triple(memory, a, b, r) - calm * s


@inlined
def drive_hinges(percept, memory, segment, count, torque):
    """Write the accelerations of one or two hinges that come nearest to the requested angular acceleration.

    As in `drive_ball`, α = Σ v_k·q̈_k + v̇_1·q̇_1 with v̇_1 = −(v_2·q̇_2) × v_1; the least squares solution has the normal
    equations of two unit axes.
    """
    k = percept.segment_axes[segment, 0]
    a, b = spare(0), spare(1)
    for n in range(count):
        write_rotated(percept.quat_w[segment], 0, -1.0, percept.axis_motion[k + n], 0, memory, a + 4 * n)
    asked = layout.ASKED + 3 * segment
    if count == 1:
        torque[k] = memory[asked] * memory[a] + memory[asked + 1] * memory[a + 1] + memory[asked + 2] * memory[a + 2]
        return
    speed = percept.joint_v[k] * percept.joint_v[k + 1]
    along_a = along_b = shared = 0.0
    for j in range(3):
        m, n = (j + 1) % 3, (j + 2) % 3
        r = memory[asked + j] + (memory[b + m] * memory[a + n] - memory[b + n] * memory[a + m]) * speed
        along_a += r * memory[a + j]
        along_b += r * memory[b + j]
        shared += memory[a + j] * memory[b + j]
    rest = 1.0 - shared * shared
    torque[k] = (along_a - shared * along_b) / rest
    torque[k + 1] = (along_b - shared * along_a) / rest


@inlined
def _triple(m, a, b, c):
    """a · (b × c)"""
    x = m[b + 1] * m[c + 2] - m[b + 2] * m[c + 1]
    y = m[b + 2] * m[c] - m[b] * m[c + 2]
    z = m[b] * m[c + 1] - m[b + 1] * m[c]
    return m[a] * x + m[a + 1] * y + m[a + 2] * z


@law
def tracker_law(percept, params, memory, torque, damping):
    """Write the accelerations of the joints' axes that follow the reference motion."""
    if memory[layout.BEGUN] == 0.0:
        begin(percept, params, memory)
    # Half a tick of slack: a frame is a whole number of ticks whatever the rounding.
    if percept.time_s[0] >= memory[layout.NEXT_S] - 0.5 * percept.timestep_s:
        control(percept, params, memory)
        memory[layout.NEXT_S] += params[layout.FRAME_S]
    for segment in range(1, percept.parent.shape[0]):
        hinges = percept.segment_axes[segment, 1]
        if hinges == 3:
            drive_ball(percept, memory, segment, torque)
        elif hinges > 0:
            drive_hinges(percept, memory, segment, hinges, torque)
