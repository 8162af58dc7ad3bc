"""The rest of the body: the style's curves, the back and the head, the arms, and gravity compensation."""

from __future__ import annotations

import math

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.walker import layout
from poise.controllers.walker.frames import write_hinge_rates, write_hinges, write_rotation
from poise.kernels.jit import inlined
from poise.kernels.rotation import wrap_rad

_SPINE = (KNOWN_AXES.index("back_pitch"), KNOWN_AXES.index("chest_pitch"), KNOWN_AXES.index("neck_pitch"))
_SPINE_JOINT = tuple(layout.JOINTS.index(j) for j in ("back", "chest", "neck"))
_SPINE_POSE = tuple(layout.CHANNEL[f"{j}_pitch"] for j in ("back", "chest", "neck"))
#: Shares of lean, and of the turn that is still to come, of lower back, upper back and head [Coros10 §5.3.1, §5.3.5].
_LEAN = (1.5, 2.0, 2.2)
_LOOK = (0.25, 0.45, 1.0)
_SHOULDERS = (KNOWN_AXES.index("left_shoulder_pitch"), KNOWN_AXES.index("right_shoulder_pitch"))
_ELBOWS = (KNOWN_AXES.index("left_elbow_pitch"), KNOWN_AXES.index("right_elbow_pitch"))
_SHOULDER, _ELBOW = layout.JOINTS.index("shoulder"), layout.JOINTS.index("elbow")
_STANCE_ARM, _SWING_ARM = layout.CHANNEL["stance_shoulder_pitch"], layout.CHANNEL["swing_shoulder_pitch"]
_LEGS = (
    (ROLES.index("left_thigh"), ROLES.index("left_shank"), ROLES.index("left_foot"), ROLES.index("left_toes")),
    (ROLES.index("right_thigh"), ROLES.index("right_shank"), ROLES.index("right_foot"), ROLES.index("right_toes")),
)
#: How far head and trunk look ahead into a turn.
MOST_LOOK_RAD = 0.5


@inlined
def play_style(p, m, phase, pace):
    """Writes all channels of the style at this phase, and their rates where it goes on with `pace` a second.

    Uniform Catmull-Rom, one set of weights for all.
    """
    last = layout.KEYS - 1
    # A NaN, for which no comparison holds, becomes the beginning: as an index it would lie anywhere.
    x = min(phase, 1.0) * last if phase > 0.0 else 0.0
    i = min(int(x), last - 1)
    t = x - i
    t2, t3 = t * t, t * t * t
    w1, w2 = 2 * t3 - 3 * t2 + 1, 3 * t2 - 2 * t3
    h1, h2 = 0.5 * (t3 - 2 * t2 + t), 0.5 * (t3 - t2)
    # Their derivatives, per second.
    speed = pace * last if 0.0 < phase < 1.0 else 0.0
    v, v1, v2 = 6.0 * speed * (t - t2), 0.5 * speed * (3.0 * t2 - 4.0 * t + 1.0), 0.5 * speed * (3.0 * t2 - 2.0 * t)
    before, after = max(i - 1, 0), min(i + 2, last)
    style, old = int(m.style), int(m.old_style)
    for k in range(m.pose.shape[0]):
        q = p.styles[style, k]
        value = w1 * q[i] + w2 * q[i + 1] + h1 * (q[i + 1] - q[before]) + h2 * (q[after] - q[i])
        if m.fade < 1.0:
            q = p.styles[old, k]
            past = w1 * q[i] + w2 * q[i + 1] + h1 * (q[i + 1] - q[before]) + h2 * (q[after] - q[i])
            value = m.fade * value + (1.0 - m.fade) * past
        m.pose[k] = value
        q = p.styles[style, k]
        m.pose_vel[k] = v * (q[i + 1] - q[i]) + v1 * (q[i + 1] - q[before]) + v2 * (q[after] - q[i])


@inlined
def track(percept, p, joint, side, axis, j, target, speed, torque, damping):
    """PD control of one hinge, the damper implicit, with a target in the sense of +y, +x, +z."""
    way = p.sign[side, joint, j]
    goal = min(max(target * way, percept.limits[axis, 0]), percept.limits[axis, 1])
    k = p.stiffness
    torque[axis] += k * (p.gain[joint, 0] * (goal - percept.joint_q[axis]) + p.gain[joint, 1] * speed)
    damping[axis] += k * p.gain[joint, 1]


@inlined
def hold_spine(percept, p, m, torque, damping):
    """Back, chest and head, upright in the heading frame [Coros10 §5.3.1]; in a turn they look ahead [§5.3.5]."""
    stance = int(m.stance)
    mirror = 1.0 if stance == 0 else -1.0
    look = min(max(wrap_rad(m.goal - m.heading), -MOST_LOOK_RAD), MOST_LOOK_RAD)
    for k in range(3):
        first = percept.axes[_SPINE[k]]
        if first < 0:
            continue
        at = _SPINE_POSE[k]
        write_rotation(
            m.pose[at] + _LEAN[k] * p.lean,
            mirror * m.pose[at + 1],
            m.yaw + mirror * m.pose[at + 2] + _LOOK[k] * look,
            m.rot,
        )
        segment = percept.axis_segment[first]
        parent = percept.parent[segment]
        write_hinges(percept.rot_w[parent], m.rot, m.angles)
        w = percept.spatial_vel[parent]
        write_hinge_rates(percept, first, w[0], w[1], w[2], m.vec)
        for j in range(3):
            track(percept, p, _SPINE_JOINT[k], 0, first + j, j, m.angles[j], -m.vec[j], torque, damping)


@inlined
def hold_arms(percept, p, m, torque, damping):
    """Shoulders and elbows, relative to their parents; angles are flexion, abduction and outward turn on both sides.

    The faster it goes the further the arms swing: they make up for the legs, which would turn the pelvis.
    """
    stance = int(m.stance)
    k = p.stiffness
    middle = 0.0
    for j in range(layout.KEYS):
        middle += p.styles[int(m.style), _STANCE_ARM, j] + p.styles[int(m.style), _SWING_ARM, j]
    middle /= 2.0 * layout.KEYS
    further = p.arms * min(math.hypot(m.want[0], m.want[1]) / math.sqrt(percept.gravity_mps2 * p.leg), 1.0)
    for at in (_STANCE_ARM, _SWING_ARM):
        m.pose[at] += further * (m.pose[at] - middle)
        m.pose_vel[at] *= 1.0 + further
    for side in range(2):
        at = _STANCE_ARM if side == stance else _SWING_ARM
        shoulder, elbow = percept.axes[_SHOULDERS[side]], percept.axes[_ELBOWS[side]]
        if shoulder >= 0:
            for j in range(3):
                axis = shoulder + j
                goal = min(max(m.pose[at + j], percept.limits[axis, 0]), percept.limits[axis, 1])
                torque[axis] += k * p.gain[_SHOULDER, 0] * (goal - percept.joint_q[axis])
                torque[axis] += k * p.gain[_SHOULDER, 1] * p.lead * m.pose_vel[at + j]
                damping[axis] += k * p.gain[_SHOULDER, 1]
        if elbow >= 0:
            goal = min(max(m.pose[at + 3], percept.limits[elbow, 0]), percept.limits[elbow, 1])
            torque[elbow] += k * p.gain[_ELBOW, 0] * (goal - percept.joint_q[elbow])
            torque[elbow] += k * p.gain[_ELBOW, 1] * p.lead * m.pose_vel[at + 3]
            damping[elbow] += k * p.gain[_ELBOW, 1]


@inlined
def compensate_gravity(percept, p, m, torque):
    """Carries the weight of everything but the legs that stand [Coros10 §5.3.4]: τ = Jᵀ·m·g for what is distal."""
    if p.gravity == 0.0:
        return
    g = p.gravity * percept.gravity_mps2
    for axis in range(torque.shape[0]):
        segment = percept.axis_segment[axis]
        if _carries(percept, m, segment):
            continue
        row = percept.axis_motion[axis]
        mass = percept.subtree_mass[segment]
        rx = percept.subtree_com_w[segment, 0] - m.com[0]
        ry = percept.subtree_com_w[segment, 1] - m.com[1]
        torque[axis] += mass * g * (row[5] + row[0] * ry - row[1] * rx)


@inlined
def _carries(percept, m, segment):
    """Whether a segment belongs to a leg that stands."""
    for side in range(2):
        if int(m.mode) == layout.STAND or side == int(m.stance):
            for k in range(4):
                if percept.roles[_LEGS[side][k]] == segment:
                    return True
    return False
