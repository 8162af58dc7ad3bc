"""SIMBICON in space as a compiled law [Coros10 §2.4].

Two states, one for each stance leg, play splines for every joint. Those of the swing hip are corrected by the position
and velocity of the centre of mass, and the stance hip holds the pelvis. A gait is written in terms of stance and swing:
one table serves both states. A gait that turns or goes sideways has a table for each.

`track` adds one gait's torques with a weight, which allows one law to blend two gaits.
"""

from __future__ import annotations

import math
from typing import Any, Final

from poise.characters.model import ROLES
from poise.constants import STRIKE_LOAD_N
from poise.kernels.feet import foot_load
from poise.kernels.jit import inlined, law
from poise.kernels.records import make_record, size_of
from poise.kernels.rotation import quat_about, quat_product, rotation_error, wrap_rad
from poise.kernels.splines import catmull_rom
from poise.world.controller import FloatArray

#: params: followed by a row for each axis, then two blocks.
PARAMS: Final = make_record(
    "axes",
    ("blocks", 2),  # used by the left and the right stance
    "until",  # how a state ends
    "hold",  # which hips hold the root
    ("root_kp", 3),  # pitch, roll, yaw
    ("root_kd", 3),
)
HEADER: Final = size_of(PARAMS)
UNTIL_TIME, UNTIL_CONTACT, UNTIL_EITHER = 0, 1, 2
HOLD_STANCE, HOLD_LOADED = 0, 1
#: With HOLD_LOADED the root is held at full strength above this fraction of the weight.
FULL_HOLD_LOAD = 0.1
AXIS: Final = make_record(
    "mirror",  # axis of the mirror image
    "sign",  # of its angles in the mirror image
    "kp",
    "kd",
    "free",  # 1 if its joint's target is relative to the heading, 0 if to the parent
    ("direction", 3),  # in the reference pose
)
ROW_SIZE: Final = size_of(AXIS)
#: Channels of a block that have feedback.
FED_CHANNELS = ("swing_hip_pitch", "swing_hip_roll", "stance_ankle_pitch", "stance_ankle_roll")
#: A block, followed by its channels: a count and control points each.
BLOCK: Final = make_record(
    "duration",
    "turn",  # change of the heading over the step
    ("feedback", (len(FED_CHANNELS), 2)),  # c_d and c_v
)
FIRST_CHANNEL: Final = size_of(BLOCK)
#: The root's channels come first, then one for each axis of the body, for the left stance leg.
ROOT_CHANNELS = ("root_pitch", "root_roll", "root_yaw")
#: [Coros10 §2.4] never needed more than six control points.
MAX_POINTS = 6
CHANNEL_SIZE = 1 + MAX_POINTS

MEMORY: Final = make_record(
    "stance",  # 0 left, 1 right
    "phase",  # elapsed fraction of the state's duration
    "steps",
    "heading",  # target heading of the root at the start of the step
    "known",  # 1 once the heading is known
)
MEMORY_SIZE: Final = size_of(MEMORY)
#: The target heading leads the pelvis by at most this: otherwise a pushed body would spin back too fast.
HEADING_LEAD_RAD = 0.6

_THIGHS = (ROLES.index("left_thigh"), ROLES.index("right_thigh"))


def read_memory(memory: FloatArray) -> Any:
    """The memory, by name."""
    return memory.view(MEMORY)[0]


def read_params(params: FloatArray) -> Any:
    """The header of the parameters, by name."""
    return params[:HEADER].view(PARAMS)[0]


@inlined
def _find_block(params, stance):
    """The start of the block of a stance leg."""
    p = params[:HEADER].view(PARAMS)[0]
    axes = int(p.axes)
    size = FIRST_CHANNEL + (3 + axes) * CHANNEL_SIZE
    return HEADER + axes * ROW_SIZE + int(p.blocks[stance]) * size


@inlined
def advance(percept, memory, duration, until, turn):
    """Advance the phase; change legs when the swing foot has struck or the time is up [Coros10 §2.4].

    A strike counts only in the second half of the step: at its beginning the swing foot is still on the ground. `turn`
    is the change of the target heading over the step that ends.
    """
    m = memory.view(MEMORY)[0]
    if m.known == 0.0:
        m.heading, m.known = percept.heading_rad[0], 1.0
    phase, stance = m.phase, int(m.stance)
    struck = phase > 0.5 and foot_load(percept, 1 - stance) > STRIKE_LOAD_N
    if (until != UNTIL_CONTACT and phase >= 1.0) or (until != UNTIL_TIME and struck):
        m.stance, m.phase = 1.0 - m.stance, 0.0
        m.steps += 1.0
        ahead = wrap_rad(m.heading + turn * min(phase, 1.0) - percept.heading_rad[0])
        m.heading = percept.heading_rad[0] + min(max(ahead, -HEADING_LEAD_RAD), HEADING_LEAD_RAD)
    m.phase += percept.timestep_s / duration


@inlined
def _spline(params, block, channel, phase):
    at = block + FIRST_CHANNEL + channel * CHANNEL_SIZE
    return catmull_rom(params[at + 1 : at + CHANNEL_SIZE], int(params[at]), phase)


@inlined
def _joint_torque(percept, first, count, q1, q2, q3):
    """The torque vector (world) on the child from hinge torques: for three hinges with axes A, τ = A⁻ᵀ·Q."""
    m = percept.axis_motion
    ax, ay, az = m[first, 0], m[first, 1], m[first, 2]
    if count == 1:
        return ax * q1, ay * q1, az * q1
    bx, by, bz = m[first + 1, 0], m[first + 1, 1], m[first + 1, 2]
    if count == 2:
        # Neighbouring hinges are perpendicular.
        return ax * q1 + bx * q2, ay * q1 + by * q2, az * q1 + bz * q2
    cx, cy, cz = m[first + 2, 0], m[first + 2, 1], m[first + 2, 2]
    ux, uy, uz = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
    vx, vy, vz = cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax
    wx, wy, wz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    volume = ax * ux + ay * uy + az * uz
    # The middle hinge at 90 degrees aligns the first and the last.
    inverse = 1.0 / (volume if abs(volume) > 0.1 else math.copysign(0.1, volume))
    return (
        inverse * (q1 * ux + q2 * vx + q3 * wx),
        inverse * (q1 * uy + q2 * vy + q3 * wy),
        inverse * (q1 * uz + q2 * vz + q3 * wz),
    )


@inlined
def _feed_back(percept, params, block, stance, axis_of_leg, side, place):
    """c_d·d + c_v·v of [Coros10 Eq. 2.1] for a channel: forward for pitch, away from the body's middle for roll."""
    gains = params[block : block + FIRST_CHANNEL].view(BLOCK)[0].feedback[place]
    foot = percept.feet[stance, 0]
    dx, dy = percept.com_w[0] - percept.segment_com_w[foot, 0], percept.com_w[1] - percept.segment_com_w[foot, 1]
    vx, vy = percept.com_vel_w[0], percept.com_vel_w[1]
    c, s = percept.heading_w[0], percept.heading_w[1]
    if axis_of_leg == 0:
        return gains[0] * (c * dx + s * dy) + gains[1] * (c * vx + s * vy)
    out = 1.0 if side == 0 else -1.0
    return out * (gains[0] * (c * dy - s * dx) + gains[1] * (c * vy - s * vx))


@inlined
def compute_target_rad(percept, params, block, stance, phase, segment, axis, place_in_joint):
    """Target angle of an axis: its spline, mirrored onto the stance leg, and for hip and ankle the feedback."""
    at = HEADER + axis * ROW_SIZE
    row = params[at : at + ROW_SIZE].view(AXIS)[0]
    if stance == 0:
        target = _spline(params, block, 3 + axis, phase)
    else:
        target = row.sign * _spline(params, block, 3 + int(row.mirror), phase)
    if place_in_joint < 2:
        if segment == percept.roles[_THIGHS[1 - stance]]:
            target += _feed_back(percept, params, block, stance, place_in_joint, 1 - stance, place_in_joint)
        elif segment == percept.feet[stance, 0]:
            target += _feed_back(percept, params, block, stance, place_in_joint, stance, 2 + place_in_joint)
    return target


@inlined
def compute_root_torque(percept, params, memory, block, stance, phase, turn):
    """τ_root (world): a PD on the pelvis' orientation, with separate gains for roll, pitch and yaw."""
    sign = 1.0 if stance == 0 else -1.0
    p = params[:HEADER].view(PARAMS)[0]
    heading = memory.view(MEMORY)[0].heading + turn * min(phase, 1.0)
    yaw = quat_about(0.0, 0.0, 1.0, heading + sign * _spline(params, block, 2, phase))
    pitch = quat_about(0.0, 1.0, 0.0, _spline(params, block, 0, phase))
    roll = quat_about(1.0, 0.0, 0.0, sign * _spline(params, block, 1, phase))
    ex, ey, ez = rotation_error(percept.quat_w[0], quat_product(quat_product(yaw, pitch), roll))
    wx, wy, wz = percept.spatial_vel[0, 0], percept.spatial_vel[0, 1], percept.spatial_vel[0, 2]
    c, s = percept.heading_w[0], percept.heading_w[1]
    roll_torque = p.root_kp[1] * (c * ex + s * ey) - p.root_kd[1] * (c * wx + s * wy)
    pitch_torque = p.root_kp[0] * (c * ey - s * ex) - p.root_kd[0] * (c * wy - s * wx)
    yaw_torque = p.root_kp[2] * ez - p.root_kd[2] * wz
    return c * roll_torque - s * pitch_torque, s * roll_torque + c * pitch_torque, yaw_torque


@inlined
def _add_hold(percept, thigh, part, ax, ay, az, torque):
    """Add a fraction of a torque vector (world, on the thigh) to a hip."""
    first = percept.segment_axes[thigh, 0]
    for axis in range(first, first + percept.segment_axes[thigh, 1]):
        motion = percept.axis_motion[axis]
        torque[axis] += part * (motion[0] * ax + motion[1] * ay + motion[2] * az)


@inlined
def track(percept, params, memory, turn, weight, torque, damping):
    """Add the torques of a gait, times a weight: PD for every joint, then the stance hip.

    Stance hip: τ_A = −τ_root − τ_B [Coros10 Eq. 2.3], where τ_B is the sum over all other joints of the pelvis: the
    net torque on the pelvis is then τ_root.
    Deviation, if a gait selects it (HOLD_LOADED): the hips share τ_A by the load on their feet, which does not change
    the net torque; in flight, with nothing to push against, it fades and the stance hip is only damped.
    Both hips also get an implicit damper, and its torque at this tick's speed is added back: the sums are exact, and
    stiff gains stay stable at long time steps.
    """
    m = memory.view(MEMORY)[0]
    stance, phase = int(m.stance), m.phase
    block = _find_block(params, stance)
    stance_thigh = percept.roles[_THIGHS[stance]]
    swing_thigh = percept.roles[_THIGHS[1 - stance]]
    root = compute_root_torque(percept, params, memory, block, stance, phase, turn)
    # Torque of all joints of the pelvis except the stance hip, with the sign of the torque on the children.
    bx = by = bz = 0.0
    for segment in range(1, percept.parent.shape[0]):
        first, count = percept.segment_axes[segment, 0], percept.segment_axes[segment, 1]
        if segment == stance_thigh or count == 0:
            continue
        q1, q2, q3 = _track_joint(percept, params, block, stance, phase, segment, weight, torque, damping)
        if percept.parent[segment] == 0:
            tx, ty, tz = _joint_torque(percept, first, count, q1, q2, q3)
            bx += tx
            by += ty
            bz += tz
    ax, ay, az = -root[0] - bx, -root[1] - by, -root[2] - bz
    share, strength = _hold_shares(percept, params, stance)
    _add_hold(percept, stance_thigh, weight * strength * share, ax, ay, az, torque)
    _add_hold(percept, swing_thigh, weight * strength * (1.0 - share), ax, ay, az, torque)
    first = percept.segment_axes[stance_thigh, 0]
    for axis in range(first, first + percept.segment_axes[stance_thigh, 1]):
        at = HEADER + axis * ROW_SIZE
        kd = params[at : at + ROW_SIZE].view(AXIS)[0].kd
        torque[axis] += weight * strength * kd * percept.joint_v[axis]
        damping[axis] += weight * kd


@inlined
def _track_joint(percept, params, block, stance, phase, segment, weight, torque, damping):
    """Add the PD torques of the joint above a segment, times a weight; return them without it, by hinge.

    τ = k_p·vq(q, q_d) − k_d·ω [Coros10 Eq. 2.2], the vector's components along the joint's hinges, each with its own
    gains, the damper implicit. The targets of the swing thigh and of free joints are relative to the heading; for the
    swing thigh, ω is its own angular velocity.
    """
    first, count = percept.segment_axes[segment, 0], percept.segment_axes[segment, 1]
    swing = segment == percept.roles[_THIGHS[1 - stance]]
    row = HEADER + first * ROW_SIZE
    rows = params[row : row + count * ROW_SIZE].view(AXIS)
    half = 0.5 * percept.heading_rad[0]
    q = percept.quat_w[percept.parent[segment]]
    free = swing or rows[0].free == 1.0
    target = (math.cos(half), 0.0, 0.0, math.sin(half)) if free else (q[0], q[1], q[2], q[3])
    for k in range(count):
        direction = rows[k].direction
        angle = compute_target_rad(percept, params, block, stance, phase, segment, first + k, k)
        target = quat_product(target, quat_about(direction[0], direction[1], direction[2], angle))
    ex, ey, ez = rotation_error(percept.quat_w[segment], target)
    q1 = q2 = q3 = 0.0
    for k in range(count):
        axis = first + k
        motion, speed = percept.axis_motion[axis], percept.joint_v[axis]
        kp, kd = rows[k].kp, rows[k].kd
        rate = speed
        if swing:
            w = percept.spatial_vel[segment]
            rate = motion[0] * w[0] + motion[1] * w[1] + motion[2] * w[2]
        total = kp * (motion[0] * ex + motion[1] * ey + motion[2] * ez) - kd * rate
        torque[axis] += weight * (total + kd * speed)
        damping[axis] += weight * kd
        if k == 0:
            q1 = total
        elif k == 1:
            q2 = total
        else:
            q3 = total
    return q1, q2, q3


@inlined
def _hold_shares(percept, params, stance):
    """Share of the stance hip in holding the pelvis, and the strength with which both hold it."""
    if int(params[:HEADER].view(PARAMS)[0].hold) != HOLD_LOADED:
        return 1.0, 1.0
    here, there = foot_load(percept, stance), foot_load(percept, 1 - stance)
    weight_n = percept.subtree_mass[0] * percept.gravity_mps2
    return here / max(here + there, 1e-9), min((here + there) / max(FULL_HOLD_LOAD * weight_n, 1e-9), 1.0)


@law
def spatial_law(percept, params, memory, torque, damping):
    """One tick of SIMBICON in space."""
    m, p = memory.view(MEMORY)[0], params[:HEADER].view(PARAMS)[0]
    at = _find_block(params, int(m.stance))
    block = params[at : at + FIRST_CHANNEL].view(BLOCK)[0]
    advance(percept, memory, block.duration, int(p.until), block.turn)
    at = _find_block(params, int(m.stance))
    track(percept, params, memory, params[at : at + FIRST_CHANNEL].view(BLOCK)[0].turn, 1.0, torque, damping)


@law
def blend_law(percept, params, memory, torque, damping):
    """One tick of two blended gaits: τ = t·τ_a + (1 − t)·τ_b, with a common phase whose rate is blended too.

    params: t, the number of the first gait's parameters, then those of both. A step ends as in the gait with the larger
    weight.
    """
    t, size, m = params[0], int(params[1]), memory.view(MEMORY)[0]
    one, other = params[2 : 2 + size], params[2 + size :]
    a, b = _find_block(one, int(m.stance)), _find_block(other, int(m.stance))
    first, second = one[a : a + FIRST_CHANNEL].view(BLOCK)[0], other[b : b + FIRST_CHANNEL].view(BLOCK)[0]
    heavier = one[:HEADER].view(PARAMS)[0] if t >= 0.5 else other[:HEADER].view(PARAMS)[0]
    duration = t * first.duration + (1.0 - t) * second.duration
    advance(percept, memory, duration, int(heavier.until), t * first.turn + (1.0 - t) * second.turn)
    a, b = _find_block(one, int(m.stance)), _find_block(other, int(m.stance))
    first, second = one[a : a + FIRST_CHANNEL].view(BLOCK)[0], other[b : b + FIRST_CHANNEL].view(BLOCK)[0]
    turn = t * first.turn + (1.0 - t) * second.turn
    track(percept, one, memory, turn, t, torque, damping)
    track(percept, other, memory, turn, 1.0 - t, torque, damping)
