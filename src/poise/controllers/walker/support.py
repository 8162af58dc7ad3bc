"""The supporting legs: bend of their knees, their share of the virtual force, and feed-forward of the weight."""

from __future__ import annotations

import math

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.walker import layout
from poise.controllers.walker.commands import target_speed
from poise.controllers.walker.constants import (
    FULL_LEG_LOAD,
    MAX_KNEE_TORQUE,
    MAX_SHARE,
    MIN_HIP_HEIGHT,
    MIN_LEVER,
    MIN_SHARE,
    MIN_STAND_WIDTH,
    STANCE_STRETCH,
)
from poise.controllers.walker.frames import add_torque_vector, clamp, in_heading
from poise.controllers.walker.senses import body_weight, outward_sign
from poise.kernels.jacobian import com_force
from poise.kernels.jit import inlined
from poise.kernels.servo import add_servo
from poise.kernels.two_link import flexion_for, reach_at

_THIGHS = (ROLES.index("left_thigh"), ROLES.index("right_thigh"))
_SHANKS = (ROLES.index("left_shank"), ROLES.index("right_shank"))
_HIPS = (KNOWN_AXES.index("left_hip_pitch"), KNOWN_AXES.index("right_hip_pitch"))
_KNEES = (KNOWN_AXES.index("left_knee_pitch"), KNOWN_AXES.index("right_knee_pitch"))
_ANKLES = (KNOWN_AXES.index("left_ankle_pitch"), KNOWN_AXES.index("right_ankle_pitch"))
_HIP, _KNEE, _ANKLE = (layout.JOINTS.index(j) for j in ("hip", "knee", "ankle"))
_STANCE_KNEE = layout.CHANNEL["stance_knee"]


@inlined
def write_knee_targets(percept, p, m):
    """Write the flexion of each knee for a supporting leg.

    The style's bend of the shorter leg gives the height of the hips; it is lower for steps so long that the legs would
    not reach. A leg bends and stretches to keep that height wherever its hip is, starting from its bend at the strike.

    Deviation: [Coros10 §5.3.1] plays the style's bend regardless of the hip's position.
    """
    bend = max(m.pose[_STANCE_KNEE] + p.crouch, 0.0)
    reach = min(
        reach_at(p.thigh[0], p.shank[0], bend) + p.sole_depth[0],
        reach_at(p.thigh[1], p.shank[1], bend) + p.sole_depth[1],
    )
    walking = int(m.mode) == layout.WALK
    time = m.elapsed + m.time_left
    phase = min(m.elapsed / time, 1.0) if walking else 0.0
    half = 0.5 * target_speed(m) * time if walking else 0.0
    drop = 0.5 * abs(m.slope[0] * m.target_vel[0] + m.slope[1] * m.target_vel[1]) * time if walking else 0.0
    blend = min(phase / p.knee_settle_phase, 1.0) if walking else 1.0
    blend = blend * blend * (3.0 - 2.0 * blend)
    for side in range(2):
        height, most = reach - p.sole_depth[side], STANCE_STRETCH * (p.thigh[side] + p.shank[side])
        longest = math.sqrt(max(most * most - p.long_step_drop * half * half, MIN_HIP_HEIGHT * most * most))
        height = min(height, longest - drop)
        thigh = percept.roles[_THIGHS[side]]
        dx, dy = percept.pos_w[thigh, 0] - m.ankle[side, 0], percept.pos_w[thigh, 1] - m.ankle[side, 1]
        up = height + m.slope[0] * dx + m.slope[1] * dy
        length = min(math.sqrt(up * up + p.height_control * (dx * dx + dy * dy)), most)
        knee = flexion_for(p.thigh[side], p.shank[side], length)
        m.knee_target[side] = blend * knee + (1.0 - blend) * m.strike_knee if walking else knee


@inlined
def support_body(percept, p, m, side, share, torque, damping):
    """Add the torques of a supporting leg's knee and hip: PD control and its share of the virtual force."""
    knee, hip = percept.axes[_KNEES[side]], percept.axes[_HIPS[side]]
    part = share if int(m.mode) == layout.WALK else 1.0
    kp, kd = part * p.stiffness * p.gain[_KNEE, 0], part * p.stiffness * p.gain[_KNEE, 1]
    add_servo(percept, knee, m.knee_target[side], kp, kd, torque, damping)
    _apply_virtual_force(percept, m, knee, share, torque)
    for j in range(3):
        _apply_virtual_force(percept, m, hip + j, share * p.hip_share, torque)
    if int(m.mode) == layout.STAND:
        _balance_hip(percept, p, m, side, share, torque, damping)


@inlined
def _apply_virtual_force(percept, m, axis, share, torque):
    """Add −F·∂c/∂q: seen from the planted foot, a joint of the leg moves the whole body the opposite way."""
    force = m.virtual_force
    torque[axis] -= share * com_force(percept, axis, force[0], force[1], force[2])


@inlined
def _balance_hip(percept, p, m, side, share, torque, damping):
    """Add the torques of a standing hip that move the body aside and keep the feet from creeping.

    On two feet a level pelvis moves aside like a parallelogram, by the hips, because feet are narrow. Spread legs push
    their feet apart like struts; slightly more than that is removed. The feet are kept from yawing against each other.
    """
    hip, thigh = percept.axes[_HIPS[side]], percept.roles[_THIGHS[side]]
    c, s = percept.heading_w[0], percept.heading_w[1]
    force = c * m.virtual_force[1] - s * m.virtual_force[0]
    across = share * force * (percept.pos_w[thigh, 2] - m.ankle[side, 2])
    ahead, aside = _strut_torque(percept, m, side, c, s)
    other_ahead, other_aside = _strut_torque(percept, m, 1 - side, c, s)
    across += 0.5 * p.strut_compensation * (aside - other_aside)
    along = 0.5 * p.strut_compensation * (ahead - other_ahead)
    for j in range(3):
        row = percept.axis_motion[hip + j]
        torque[hip + j] += along * (c * row[1] - s * row[0]) - across * (c * row[0] + s * row[1])
        # A leg that carries little must not fly off.
        damping[hip + j] += (1.0 - share) * p.stiffness * p.gain[_HIP, 1]
    goal = p.twist * p.sign[side, _HIP, 2] * outward_sign(side)
    torque[hip + 2] += p.foot_alignment * p.stiffness * p.gain[_HIP, 0] * (goal - percept.joint_q[hip + 2])


@inlined
def _strut_torque(percept, m, side, c, s):
    """Torques about the hip, ahead and to the left, of the load on a foot that is not below it."""
    hip = percept.pos_w[percept.roles[_THIGHS[side]]]
    ahead, aside = in_heading(c, s, m.ankle[side, 0] - hip[0], m.ankle[side, 1] - hip[1])
    return m.load[side] * ahead, m.load[side] * aside


@inlined
def left_share(percept, p, m):
    """Share of the weight that the left leg carries in standing, to produce the virtual force.

    The centre of pressure must lie at com − F·h/(m·g), and the legs divide the weight as it divides their distance.
    """
    c, s = percept.heading_w[0], percept.heading_w[1]
    height = (m.com[2] - m.ground) / body_weight(percept)
    x = m.com[0] - height * m.virtual_force[0] - m.ankle[1, 0]
    y = m.com[1] - height * m.virtual_force[1] - m.ankle[1, 1]
    _, width = in_heading(c, s, m.ankle[0, 0] - m.ankle[1, 0], m.ankle[0, 1] - m.ankle[1, 1])
    return clamp((c * y - s * x) / max(width, MIN_STAND_WIDTH * p.leg), MIN_SHARE, MAX_SHARE)


@inlined
def add_knee_support(percept, p, m, side, share, torque):
    """Add the torque with which a massless leg's knee carries its share of the weight, given those of hip and ankle.

    With R the force of the ground at the centre of pressure: about the hip, T_hip + d × R = 0 gives the component of R
    in the direction in which the knee bends; then T_knee = T_hip + k × R, with d and k from the hip to the centre of
    pressure and to the knee.

    Deviation: [Coros10 §5.3] has no such feed-forward; without it, the hip's torque folds the leg.
    """
    weight = _carried_weight(percept, p, m, side, share)
    thigh, shank = percept.roles[_THIGHS[side]], percept.roles[_SHANKS[side]]
    hip, knee, ankle = percept.axes[_HIPS[side]], percept.axes[_KNEES[side]], percept.axes[_ANKLES[side]]
    vec = m.vec2
    vec[0] = vec[1] = vec[2] = 0.0
    add_torque_vector(percept, hip, torque, hip, vec)
    axis = percept.axis_motion[knee]
    ex, ey = axis[1], -axis[0]
    turn = vec[0] * axis[0] + vec[1] * axis[1] + vec[2] * axis[2]
    # The ankle moves the centre of pressure: toes pressed down, forward.
    shift = p.sign[side, _ANKLE, 0] * torque[ankle] / max(weight, 1.0)
    hx, hy, hz = percept.pos_w[thigh, 0], percept.pos_w[thigh, 1], percept.pos_w[thigh, 2]
    d = (m.ankle[side, 0] - hx) * ex + (m.ankle[side, 1] - hy) * ey
    d += clamp(shift, p.sole[side, 0], p.sole[side, 1])
    dz = min(m.ankle[side, 2] - p.sole_depth[side] - hz, -MIN_LEVER * p.thigh[side])
    k = (percept.pos_w[shank, 0] - hx) * ex + (percept.pos_w[shank, 1] - hy) * ey
    kz = percept.pos_w[shank, 2] - hz
    along = (d * weight - turn) / dz
    most = MAX_KNEE_TORQUE * weight * (p.thigh[side] + p.shank[side])
    torque[knee] += p.support_feedforward * clamp(turn + kz * along - k * weight, -most, most)


@inlined
def _carried_weight(percept, p, m, side, share):
    """Weight on a leg: in standing its share; in a step all of it, as soon as the foot is loaded."""
    weight = body_weight(percept)
    if int(m.mode) == layout.WALK:
        # A leg that waited for its full load would fold under a fall.
        return weight * (min(m.elapsed / p.support_ramp, 1.0) * min(m.load[side] / (FULL_LEG_LOAD * weight), 1.0))
    return weight * share
