"""Trunk, head and arms: the style's curves, PD control, and gravity compensation [Coros10 §5.3.1, §5.3.4]."""

from __future__ import annotations

import math

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.walker import layout
from poise.controllers.walker.commands import target_speed
from poise.controllers.walker.frames import clamp, write_hinge_rates, write_hinges, write_rotation
from poise.kernels.jacobian import axis_force
from poise.kernels.jit import inlined
from poise.kernels.rotation import wrap_rad
from poise.kernels.servo import add_moving_servo, add_servo
from poise.kernels.splines import find_interval, hermite_weights

_SPINE = tuple(KNOWN_AXES.index(f"{j}_pitch") for j in layout.SPINE)
_SPINE_JOINT = tuple(layout.JOINTS.index(j) for j in layout.SPINE)
_SPINE_POSE = tuple(layout.CHANNEL[f"{j}_pitch"] for j in layout.SPINE)
_SHOULDERS = (KNOWN_AXES.index("left_shoulder_pitch"), KNOWN_AXES.index("right_shoulder_pitch"))
_ELBOWS = (KNOWN_AXES.index("left_elbow_pitch"), KNOWN_AXES.index("right_elbow_pitch"))
_SHOULDER, _ELBOW = layout.JOINTS.index("shoulder"), layout.JOINTS.index("elbow")
_STANCE_ARM, _SWING_ARM = layout.CHANNEL["stance_shoulder_pitch"], layout.CHANNEL["swing_shoulder_pitch"]
_LEGS = (
    (ROLES.index("left_thigh"), ROLES.index("left_shank"), ROLES.index("left_foot"), ROLES.index("left_toes")),
    (ROLES.index("right_thigh"), ROLES.index("right_shank"), ROLES.index("right_foot"), ROLES.index("right_toes")),
)


@inlined
def play_style(p, m, phase, rate):
    """Write all channels of the style at this phase, and their rates for a phase that advances by `rate` per second.

    A uniform Catmull-Rom spline through the five control points [Coros10 §5.3.1].
    """
    last = layout.KEYS - 1
    i, t = find_interval(layout.KEYS, phase)
    w1, w2, h1, h2 = hermite_weights(t)
    h1, h2 = 0.5 * h1, 0.5 * h2
    t2 = t * t
    # Their derivatives, per second.
    speed = rate * last if 0.0 < phase < 1.0 else 0.0
    v, v1, v2 = 6.0 * speed * (t - t2), 0.5 * speed * (3.0 * t2 - 4.0 * t + 1.0), 0.5 * speed * (3.0 * t2 - 2.0 * t)
    before, after = max(i - 1, 0), min(i + 2, last)
    style, old = int(m.style), int(m.old_style)
    for k in range(m.pose.shape[0]):
        q = p.styles[style, k]
        value = w1 * q[i] + w2 * q[i + 1] + h1 * (q[i + 1] - q[before]) + h2 * (q[after] - q[i])
        if m.style_fade < 1.0:
            q = p.styles[old, k]
            past = w1 * q[i] + w2 * q[i + 1] + h1 * (q[i + 1] - q[before]) + h2 * (q[after] - q[i])
            value = m.style_fade * value + (1.0 - m.style_fade) * past
        m.pose[k] = value
        q = p.styles[style, k]
        m.pose_vel[k] = v * (q[i + 1] - q[i]) + v1 * (q[i + 1] - q[before]) + v2 * (q[after] - q[i])


@inlined
def hold_spine(percept, p, m, torque, damping):
    """Add the torques of back, chest and head: upright in the heading frame [Coros10 §5.3.1].

    In a turn they look ahead into it [Coros10 §5.3.5].
    """
    mirror = 1.0 if int(m.stance) == 0 else -1.0
    look = clamp(wrap_rad(m.goal_heading - m.heading), -p.max_look, p.max_look)
    for k in range(len(_SPINE)):
        first = percept.axes[_SPINE[k]]
        if first < 0:
            continue
        at = _SPINE_POSE[k]
        write_rotation(
            m.pose[at] + p.lean_share[k] * p.lean,
            mirror * m.pose[at + 1],
            m.limb_yaw + mirror * m.pose[at + 2] + p.look_share[k] * look,
            m.rot,
        )
        parent = percept.parent[percept.axis_segment[first]]
        write_hinges(percept.rot_w[parent], m.rot, m.angles)
        w = percept.spatial_vel[parent]
        write_hinge_rates(percept, first, w[0], w[1], w[2], m.vec)
        joint = _SPINE_JOINT[k]
        for j in range(3):
            target = m.angles[j] * p.sign[0, joint, j]
            track(percept, p, joint, first + j, target, -m.vec[j], torque, damping)


@inlined
def track(percept, p, joint, axis, target, speed, torque, damping):
    """PD control of one hinge of a joint to an angle within its limits, the damper implicit."""
    goal = clamp(target, percept.limits[axis, 0], percept.limits[axis, 1])
    kp, kd = p.gain[joint, 0], p.gain[joint, 1]
    add_moving_servo(percept, axis, goal, speed, kp, kd, p.stiffness, torque, damping)


@inlined
def hold_arms(percept, p, m, torque, damping):
    """Add the torques of shoulders and elbows: PD control to the style's angles relative to their parents.

    The angles are flexion, abduction and outward rotation on both sides.
    """
    stance = int(m.stance)
    _widen_arm_swing(percept, p, m)
    for side in range(2):
        at = _STANCE_ARM if side == stance else _SWING_ARM
        shoulder, elbow = percept.axes[_SHOULDERS[side]], percept.axes[_ELBOWS[side]]
        if shoulder >= 0:
            for j in range(3):
                _hold_arm_hinge(percept, p, m, _SHOULDER, shoulder + j, at + j, torque, damping)
        if elbow >= 0:
            _hold_arm_hinge(percept, p, m, _ELBOW, elbow, at + 3, torque, damping)


@inlined
def _widen_arm_swing(percept, p, m):
    """Make the arms swing further around their middle in faster walks: they balance the legs.

    Deviation: the arm swing of [Coros10 §5.3.1] does not depend on the speed.
    """
    middle = 0.0
    for j in range(layout.KEYS):
        middle += p.styles[int(m.style), _STANCE_ARM, j] + p.styles[int(m.style), _SWING_ARM, j]
    middle /= 2.0 * layout.KEYS
    further = p.arm_swing_gain * min(target_speed(m) / math.sqrt(percept.gravity_mps2 * p.leg), 1.0)
    for at in (_STANCE_ARM, _SWING_ARM):
        m.pose[at] += further * (m.pose[at] - middle)
        m.pose_vel[at] *= 1.0 + further


@inlined
def _hold_arm_hinge(percept, p, m, joint, axis, channel, torque, damping):
    goal = clamp(m.pose[channel], percept.limits[axis, 0], percept.limits[axis, 1])
    k = p.stiffness
    # In two sums: one would round differently.
    add_servo(percept, axis, goal, k * p.gain[joint, 0], k * p.gain[joint, 1], torque, damping)
    torque[axis] += k * p.gain[joint, 1] * p.velocity_feedforward * m.pose_vel[channel]


@inlined
def compensate_gravity(percept, p, m, torque):
    """Add τ = Jᵀ·m·g of everything distal to each joint, except in the stance legs [Coros10 §5.3.4]."""
    if p.gravity_compensation == 0.0:
        return
    g = p.gravity_compensation * percept.gravity_mps2
    for axis in range(torque.shape[0]):
        segment = percept.axis_segment[axis]
        if _carries(percept, m, segment):
            continue
        at, weight = percept.subtree_com_w[segment], percept.subtree_mass[segment] * g
        torque[axis] += weight * axis_force(percept, axis, at[0], at[1], at[2], 0.0, 0.0, 1.0)


@inlined
def _carries(percept, m, segment):
    """Whether a segment belongs to a supporting leg."""
    for side in range(2):
        if int(m.mode) == layout.STAND or side == int(m.stance):
            for k in range(4):
                if percept.roles[_LEGS[side][k]] == segment:
                    return True
    return False
