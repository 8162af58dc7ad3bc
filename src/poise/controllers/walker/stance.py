"""The legs that carry: virtual forces through them, the hips that hold the pelvis, knees and ankles."""

from __future__ import annotations

import math

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.walker import layout
from poise.controllers.walker.frames import (
    add_torque_vector,
    flexion_for,
    reach_at,
    write_rotation,
    write_rotation_error,
)
from poise.controllers.walker.timing import BALL, on_tiptoe, pendulum_rate, press_ahead
from poise.kernels.jit import inlined

_PELVIS = ROLES.index("pelvis")
_THIGHS = (ROLES.index("left_thigh"), ROLES.index("right_thigh"))
_SHANKS = (ROLES.index("left_shank"), ROLES.index("right_shank"))
_FEET = (ROLES.index("left_foot"), ROLES.index("right_foot"))
_HIPS = (KNOWN_AXES.index("left_hip_pitch"), KNOWN_AXES.index("right_hip_pitch"))
_KNEES = (KNOWN_AXES.index("left_knee_pitch"), KNOWN_AXES.index("right_knee_pitch"))
_ANKLES = (KNOWN_AXES.index("left_ankle_pitch"), KNOWN_AXES.index("right_ankle_pitch"))
_ANKLE_ROLLS = (KNOWN_AXES.index("left_ankle_roll"), KNOWN_AXES.index("right_ankle_roll"))
_TOE_AXES = (KNOWN_AXES.index("left_toe_pitch"), KNOWN_AXES.index("right_toe_pitch"))
_BACK = KNOWN_AXES.index("back_pitch")
_HIP, _KNEE, _ANKLE, _TOE = (layout.JOINTS.index(j) for j in ("hip", "knee", "ankle", "toe"))
_PELVIS_PITCH, _PELVIS_ROLL, _PELVIS_YAW = (layout.CHANNEL[f"pelvis_{k}"] for k in ("pitch", "roll", "yaw"))
_STANCE_KNEE, _STANCE_ANKLE, _SWING_ANKLE = (layout.CHANNEL[k] for k in ("stance_knee", "stance_ankle", "swing_ankle"))

#: The ankle never asks for a centre of pressure further out than this part of the sole.
SOLE_USE = 0.85
#: A leg that carries is not stretched further than this part of its length.
STRETCH = 0.997
#: Seconds after the strike in which the weight comes onto a leg.
LOADED_S = 0.03
#: How much stiffer an ankle is on tiptoe.
TIPTOE_FIRMER = 3.0
#: How much of what legs that stand apart do to each other is taken from them.
VERTICAL = 1.1
#: Of the ground, as far as a foot can know it.
FRICTION = 0.8
#: Part of the twist that the foot on the ground cannot hold by which the swing hip gives way.
GIVE_WAY = 0.5
#: How hard standing turns its feet forward, in gains of the hips.
FEET_FORWARD = 0.2
#: A foot that turns faster than this is not planted [Coros10 §5.3.3].
PLANTED_RADPS = 1.5


@inlined
def virtual_force(percept, p, m):
    """Writes F_V [Coros10 §5.3.3]: towards the wanted velocity ahead, and towards the wanted place across."""
    stance = int(m.stance)
    c, s = percept.heading_w[0], percept.heading_w[1]
    vx, vy = c * m.vel[0] + s * m.vel[1], c * m.vel[1] - s * m.vel[0]
    wx, wy = c * m.want[0] + s * m.want[1], c * m.want[1] - s * m.want[0]
    if int(m.mode) == layout.WALK:
        sign = 1.0 if stance == 1 else -1.0
        rx, ry = m.com[0] - m.ankle[stance, 0], m.com[1] - m.ankle[stance, 1]
        side = c * ry - s * rx
        # From where the COM was at the strike to half a step's width at the next.
        time = m.elapsed + m.left
        phase = min(m.elapsed / time, 1.0)
        end = sign * 0.5 * p.step_width
        goal = (1.0 - phase) * m.side0 + phase * end
        sway = 0.0
        if p.placement > 0.0:
            # As a pendulum does: near to the foot in the middle, the more so the longer the step.
            rate = pendulum_rate(percept, p, m)
            swing = math.exp(rate * (m.elapsed - 0.5 * time))
            whole = end / math.cosh(0.5 * rate * time)
            goal += 0.5 * whole * (swing + 1.0 / swing) - end
            sway = 0.5 * rate * whole * (swing - 1.0 / swing)
            half = 0.5 * rate * time
            wx *= 1.0 + p.surge * (half * 0.5 * (swing + 1.0 / swing) / math.sinh(half) - 1.0)
        fx = p.speed_gain * (wx - vx)
        fy = p.side_kp * (goal - side) + p.side_kd * (wy + p.sway * sway - vy)
        fx = min(max(fx, -p.speed_force), p.speed_force)
        fy = min(max(fy, -p.side_force), p.side_force)
    else:
        ex = 0.5 * (m.ankle[0, 0] + m.ankle[1, 0]) - m.com[0]
        ey = 0.5 * (m.ankle[0, 1] + m.ankle[1, 1]) - m.com[1]
        middle = 0.5 * (p.foot[0] + p.foot[1])
        gx, gy = c * ex + s * ey + middle + m.weight[0], c * ey - s * ex + m.weight[1]
        fx = p.stand_kp * gx - p.stand_kd * vx
        fy = p.stand_kp * gy - p.stand_kd * vy
        # No more than what keeps the centre of pressure inside the feet, and both of them on the ground.
        rate = pendulum_rate(percept, p, m)
        hard = SOLE_USE * percept.subtree_mass[0] * rate * rate
        half = 0.5 * abs(c * (m.ankle[0, 1] - m.ankle[1, 1]) - s * (m.ankle[0, 0] - m.ankle[1, 0]))
        fx = min(max(fx, -hard * p.foot[1]), -hard * p.foot[0])
        fy = min(max(fy, -0.6 * hard * half), 0.6 * hard * half)
    m.force[0], m.force[1], m.force[2] = p.tuning * (c * fx - s * fy), p.tuning * (s * fx + c * fy), 0.0


@inlined
def write_knees(percept, p, m):
    """Writes the flexion of each knee when its leg carries.

    The style's bend, of the shorter leg, gives the height of the hips; it is lower where steps are so long that legs
    would not reach. A leg bends and stretches so as to keep that height wherever the hip is, starting from the bend
    with which it struck.
    """
    bend = max(m.pose[_STANCE_KNEE] + p.crouch, 0.0)
    reach = min(
        reach_at(p.thigh[0], p.shank[0], bend) + p.sole_depth[0],
        reach_at(p.thigh[1], p.shank[1], bend) + p.sole_depth[1],
    )
    walking = int(m.mode) == layout.WALK
    phase = min(m.elapsed / (m.elapsed + m.left), 1.0) if walking else 0.0
    half = 0.5 * math.hypot(m.want[0], m.want[1]) * (m.elapsed + m.left) if walking else 0.0
    drop = 0.5 * abs(m.slope[0] * m.want[0] + m.slope[1] * m.want[1]) * (m.elapsed + m.left) if walking else 0.0
    early = min(phase / p.settle, 1.0) if walking else 1.0
    early = early * early * (3.0 - 2.0 * early)
    for side in range(2):
        height, most = reach - p.sole_depth[side], STRETCH * (p.thigh[side] + p.shank[side])
        height = min(height, math.sqrt(max(most * most - p.sink * half * half, 0.2 * most * most)) - drop)
        thigh = percept.roles[_THIGHS[side]]
        dx, dy = percept.pos_w[thigh, 0] - m.ankle[side, 0], percept.pos_w[thigh, 1] - m.ankle[side, 1]
        up = height + m.slope[0] * dx + m.slope[1] * dy
        length = min(math.sqrt(up * up + p.level * (dx * dx + dy * dy)), most)
        knee = flexion_for(p.thigh[side], p.shank[side], length)
        m.knee[side] = early * knee + (1.0 - early) * m.knee0 if walking else knee


@inlined
def carry(percept, p, m, side, share, torque, damping):
    """Knee, ankle and toes of a leg that carries, with its share of the virtual force [Coros10 §5.3.3]."""
    k = p.stiffness
    knee = percept.axes[_KNEES[side]]
    part = share if int(m.mode) == layout.WALK else 1.0
    torque[knee] += part * k * p.gain[_KNEE, 0] * (m.knee[side] - percept.joint_q[knee])
    damping[knee] += part * k * p.gain[_KNEE, 1]
    _push(percept, m, knee, share, torque)
    hip = percept.axes[_HIPS[side]]
    for j in range(3):
        _push(percept, m, hip + j, share * p.hip_share, torque)
    if int(m.mode) == layout.STAND:
        # On two feet a level pelvis moves aside as a parallelogram does: by the hips, for ankles are narrow.
        thigh = percept.roles[_THIGHS[side]]
        c, s = percept.heading_w[0], percept.heading_w[1]
        across = share * (c * m.force[1] - s * m.force[0]) * (percept.pos_w[thigh, 2] - m.ankle[side, 2])
        # Legs that stand apart like struts push their feet further apart, and feet creep: a little more is taken away.
        ahead, aside = _strut(percept, m, side, c, s)
        other_ahead, other_aside = _strut(percept, m, 1 - side, c, s)
        across += 0.5 * VERTICAL * (aside - other_aside)
        along = 0.5 * VERTICAL * (ahead - other_ahead)
        for j in range(3):
            row = percept.axis_motion[hip + j]
            torque[hip + j] += along * (c * row[1] - s * row[0]) - across * (c * row[0] + s * row[1])
            # A leg that carries little must not fly off.
            damping[hip + j] += (1.0 - share) * p.stiffness * p.gain[_HIP, 1]
        # Nor may the feet turn against each other: they would creep, a degree in two seconds.
        goal = p.twist * p.sign[side, _HIP, 2] * (1.0 if side == 0 else -1.0)
        torque[hip + 2] += FEET_FORWARD * p.stiffness * p.gain[_HIP, 0] * (goal - percept.joint_q[hip + 2])


@inlined
def _strut(percept, m, side, c, s):
    """Torques about the hip, ahead and to the left, of the load on a foot that does not stand under it."""
    hip = percept.pos_w[percept.roles[_THIGHS[side]]]
    dx, dy = m.ankle[side, 0] - hip[0], m.ankle[side, 1] - hip[1]
    return m.load[side] * (c * dx + s * dy), m.load[side] * (c * dy - s * dx)


@inlined
def left_share(percept, p, m):
    """Part of the weight that the left leg should carry in standing, so that the virtual force comes about.

    The centre of pressure must lie at com − F·h/(m·g), and the legs divide the weight as it divides their distance.
    """
    c, s = percept.heading_w[0], percept.heading_w[1]
    height = (m.com[2] - m.ground) / (percept.subtree_mass[0] * percept.gravity_mps2)
    x = m.com[0] - height * m.force[0] - m.ankle[1, 0]
    y = m.com[1] - height * m.force[1] - m.ankle[1, 1]
    dx, dy = m.ankle[0, 0] - m.ankle[1, 0], m.ankle[0, 1] - m.ankle[1, 1]
    wide = max(c * dy - s * dx, 0.02 * p.leg)
    return min(max((c * y - s * x) / wide, 0.1), 0.9)


@inlined
def lift_knee(percept, p, m, side, share, torque):
    """Adds the torque with which the knee of a light leg carries its share of the weight, given what hip and ankle do.

    With R the force of the ground at the centre of pressure: about the hip, T_hip + d × R = 0 gives the part of R along
    the way that the knee bends in; then T_knee = T_hip + k × R, with d and k from the hip to the ground and the knee.
    """
    weight = percept.subtree_mass[0] * percept.gravity_mps2
    if int(m.mode) == layout.WALK:
        # A leg that waited for its load before it carries would fold under a fall.
        weight *= min(m.elapsed / LOADED_S, 1.0) * min(m.load[side] / (0.1 * weight), 1.0)
    else:
        weight *= share
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
    d += min(max(shift, p.sole[side, 0]), p.sole[side, 1])
    dz = min(m.ankle[side, 2] - p.sole_depth[side] - hz, -0.2 * p.thigh[side])
    k = (percept.pos_w[shank, 0] - hx) * ex + (percept.pos_w[shank, 1] - hy) * ey
    kz = percept.pos_w[shank, 2] - hz
    along = (d * weight - turn) / dz
    most = 0.3 * weight * (p.thigh[side] + p.shank[side])
    torque[knee] += p.lift * min(max(turn + kz * along - k * weight, -most), most)


@inlined
def _push(percept, m, axis, share, torque):
    """−F·∂c/∂q: seen from the planted foot, a joint of the leg moves all of the body the other way."""
    row = percept.axis_motion[axis]
    torque[axis] -= share * (m.force[0] * row[3] + m.force[1] * row[4] + m.force[2] * row[5])


@inlined
def _briskness(percept, p, m, after):
    """Forward Froude number of the wanted walk, coming in over the part of the step after a phase."""
    if int(m.mode) != layout.WALK:
        return 0.0
    ahead = percept.heading_w[0] * m.want[0] + percept.heading_w[1] * m.want[1]
    speed = ahead / math.sqrt(percept.gravity_mps2 * p.leg)
    late = min(max((m.elapsed / (m.elapsed + m.left) - after) / (1.0 - after), 0.0), 1.0)
    return min(max(speed, 0.0), 1.0) * late


@inlined
def plant_ankle(percept, p, m, side, share, torque, damping):
    """The ankle of a leg that carries: the sole flat, and as much of the virtual force as the load allows."""
    pitch, roll = percept.axes[_ANKLES[side]], percept.axes[_ANKLE_ROLLS[side]]
    foot = percept.roles[_FEET[side]]
    k, load = p.stiffness, m.load[side]
    c, s = percept.heading_w[0], percept.heading_w[1]
    rot = percept.rot_w[foot]
    up = math.atan2(rot[6], math.hypot(rot[0], rot[3]))  # toe-up angle of the sole
    slope = math.atan(c * m.slope[0] + s * m.slope[1])
    tilt = math.atan2(rot[7], rot[8])  # left side up
    spin = percept.spatial_vel[foot]
    nose = c * spin[1] - s * spin[0]  # toe-down rate
    goal = slope - m.pose[_STANCE_ANKLE] - p.toe_off * _briskness(percept, p, m, 0.5)
    firm = k * (1.0 + TIPTOE_FIRMER * on_tiptoe(m))
    flat = firm * p.gain[_ANKLE, 0] * (goal - up) * p.sign[side, _ANKLE, 0] * -1.0
    row = percept.axis_motion[pitch]
    force = -share * (m.force[0] * row[3] + m.force[1] * row[4])
    if abs(nose) > PLANTED_RADPS:
        force = 0.0
    # Torque on the foot that presses the toes down is bounded by the sole ahead of the ankle, toe-up by the heel.
    down = -p.sign[side, _ANKLE, 0]
    least, most = SOLE_USE * load * p.sole[side, 0], SOLE_USE * load * p.sole[side, 1]
    total = down * (-(flat + force))
    # On tiptoe the ball of the foot carries: a spring alone would not lift the heel.
    total += load * BALL * on_tiptoe(m) * p.sole[side, 1]
    total = min(max(total, least), most)
    torque[pitch] += -down * total
    damping[pitch] += firm * p.gain[_ANKLE, 1]
    if roll >= 0:
        flat = -k * p.gain[_ANKLE, 0] * tilt * p.sign[side, _ANKLE, 1]
        row = percept.axis_motion[roll]
        force = -share * (m.force[0] * row[3] + m.force[1] * row[4])
        most = SOLE_USE * load * min(p.sole[side, 3], -p.sole[side, 2])
        torque[roll] += min(max(flat + force, -most), most)
        damping[roll] += 0.5 * k * p.gain[_ANKLE, 1]


@inlined
def swing_ankle(percept, p, m, side, torque, damping):
    """The ankle in the air: the sole level with the ground ahead, and the style's angle, in the heading frame."""
    pitch, roll = percept.axes[_ANKLES[side]], percept.axes[_ANKLE_ROLLS[side]]
    foot = percept.roles[_FEET[side]]
    c, s = percept.heading_w[0], percept.heading_w[1]
    rot = percept.rot_w[foot]
    up = math.atan2(rot[6], math.hypot(rot[0], rot[3]))
    tilt = math.atan2(rot[7], rot[8])
    slope = math.atan(c * m.slope[0] + s * m.slope[1])
    k = p.stiffness
    goal = slope - m.pose[_SWING_ANKLE] + p.heel * _briskness(percept, p, m, 0.4)
    # Toe-up is a turn about −y.
    torque[pitch] -= k * p.gain[_ANKLE, 0] * (goal - up) * p.sign[side, _ANKLE, 0]
    damping[pitch] += k * p.gain[_ANKLE, 1]
    if roll >= 0:
        torque[roll] -= k * p.gain[_ANKLE, 0] * tilt * p.sign[side, _ANKLE, 1]
        damping[roll] += 0.5 * k * p.gain[_ANKLE, 1]


@inlined
def hold_toes(percept, p, m, side, torque, damping):
    toe = percept.axes[_TOE_AXES[side]]
    if toe >= 0:
        torque[toe] -= p.stiffness * p.gain[_TOE, 0] * percept.joint_q[toe]
        damping[toe] += p.stiffness * p.gain[_TOE, 1]


@inlined
def _net(percept, torque, damping, first, net, out):
    """Adds the torque vector that the three hinges from `first` on put on their child, dampers and limits included."""
    for j in range(3):
        most = percept.limits[first + j, 2]
        net[j] = min(max(torque[first + j] - damping[first + j] * percept.joint_v[first + j], -most), most)
    add_torque_vector(percept, first, net, 0, out)


@inlined
def hold_pelvis(percept, p, m, torque, damping):
    """The hips that carry give the pelvis the torque it should have [Coros10 §5.3.1 after Yin et al. 2007].

    The net torque on the pelvis is its PD torque: what the back and the swing leg put on it is taken back by the
    stance hip, in double stance by both in proportion to their loads.
    """
    stance = int(m.stance)
    swing = 1 - stance
    # On two legs the pelvis cannot tilt to a side.
    mirror = 0.0 if int(m.mode) == layout.STAND else (1.0 if stance == 0 else -1.0)
    pelvis = percept.roles[_PELVIS]
    k = p.stiffness
    write_rotation(
        m.pose[_PELVIS_PITCH] + p.lean,
        mirror * m.pose[_PELVIS_ROLL],
        m.heading + mirror * m.pose[_PELVIS_YAW],
        m.rot,
    )
    write_rotation_error(percept.rot_w[pelvis], m.rot, m.vec)
    w = percept.spatial_vel[pelvis]
    tx = k * (p.pelvis_gain[0, 0] * m.vec[0] - p.pelvis_gain[0, 1] * w[0])
    ty = k * (p.pelvis_gain[0, 0] * m.vec[1] - p.pelvis_gain[0, 1] * w[1])
    tz = k * (p.pelvis_gain[1, 0] * m.vec[2] - p.pelvis_gain[1, 1] * w[2])
    # What the other joints of the pelvis do to it.
    vec = m.vec2
    vec[0] = vec[1] = vec[2] = 0.0
    back = percept.axes[_BACK]
    if back >= 0:
        _net(percept, torque, damping, back, m.net, vec)
    total = m.load[0] + m.load[1]
    weight = percept.subtree_mass[0] * percept.gravity_mps2
    share = m.load[stance] / total if total > 1e-3 else 1.0
    strength = min(total / (p.firm * weight), 1.0)
    if int(m.mode) == layout.WALK:
        _net(percept, torque, damping, percept.axes[_HIPS[swing]], m.net, vec)
    m.vec[0] = m.vec[1] = m.vec[2] = 0.0
    if p.lead > 0.0:
        _lift_body(percept, p, m, stance, p.lift * share, m.vec)
        _lift_body(percept, p, m, swing, p.lift * (1.0 - share), m.vec)
    nx, ny, nz = -(tx + m.vec[0]) - vec[0], -(ty + m.vec[1]) - vec[1], -tz - vec[2]
    # A foot turns on the spot when it is twisted harder than its friction holds, less what holds against sliding.
    slide = (m.shear[0] + m.shear[1]) / FRICTION
    grip = p.grip * math.sqrt(max(total * total - slide * slide, 0.0)) * (p.sole[stance, 1] - p.sole[stance, 0])
    held = strength * min(max(nz, -grip), grip)
    if p.pass_legs > 0.0 and p.placement > 0.0 and int(m.mode) == layout.WALK:
        # What the foot cannot hold would turn the pelvis: the leg that is thrown gives way by part of it.
        other = percept.axes[_HIPS[swing]]
        for j in range(3):
            torque[other + j] += GIVE_WAY * percept.axis_motion[other + j, 2] * (nz - held)
    nz = min(max(nz, -grip), grip)
    for side in range(2):
        spin = p.spin * percept.spatial_vel[percept.roles[_FEET[side]], 2]
        part = strength * (share if side == stance else 1.0 - share)
        hip = percept.axes[_HIPS[side]]
        for j in range(3):
            row = percept.axis_motion[hip + j]
            torque[hip + j] += part * (row[0] * nx + row[1] * ny + row[2] * (nz - spin))


@inlined
def _lift_body(percept, p, m, side, part, out):
    """Adds what a hip must give to carry the body as a pendulum over its foot; our own lead, none in the text.

    The ground pushes along the line from the foot to the COM, F = m·(ω²·r, g); about the hip, F turns the body.
    """
    rate = pendulum_rate(percept, p, m)
    thigh = percept.roles[_THIGHS[side]]
    mass = percept.subtree_mass[0] - percept.subtree_mass[thigh]
    total = percept.subtree_mass[0]
    leg = percept.subtree_mass[thigh]
    bx = (total * m.com[0] - leg * percept.subtree_com_w[thigh, 0]) / mass - percept.pos_w[thigh, 0]
    by = (total * m.com[1] - leg * percept.subtree_com_w[thigh, 1]) / mass - percept.pos_w[thigh, 1]
    bz = (total * m.com[2] - leg * percept.subtree_com_w[thigh, 2]) / mass - percept.pos_w[thigh, 2]
    ahead = press_ahead(p, m, side)
    fx = mass * rate * rate * (m.com[0] - m.ankle[side, 0] - ahead * percept.heading_w[0])
    fy = mass * rate * rate * (m.com[1] - m.ankle[side, 1] - ahead * percept.heading_w[1])
    fz = mass * percept.gravity_mps2
    out[0] += part * (by * fz - bz * fy)
    out[1] += part * (bz * fx - bx * fz)
