"""The pelvis: its torque, applied by the hips of the supporting legs [Coros10 §5.3.1]."""

from __future__ import annotations

import math

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.walker import layout
from poise.controllers.walker.constants import MIN_LOAD_N
from poise.controllers.walker.frames import add_torque_vector, clamp, write_rotation, write_rotation_error
from poise.controllers.walker.senses import body_weight, pendulum_rate, pressure_ahead
from poise.kernels.jit import inlined

_PELVIS = ROLES.index("pelvis")
_THIGHS = (ROLES.index("left_thigh"), ROLES.index("right_thigh"))
_FEET = (ROLES.index("left_foot"), ROLES.index("right_foot"))
_HIPS = (KNOWN_AXES.index("left_hip_pitch"), KNOWN_AXES.index("right_hip_pitch"))
_BACK = KNOWN_AXES.index("back_pitch")
_PELVIS_PITCH, _PELVIS_ROLL, _PELVIS_YAW = (layout.CHANNEL[f"pelvis_{k}"] for k in ("pitch", "roll", "yaw"))


@inlined
def hold_pelvis(percept, p, m, torque, damping):
    """Add the torques of the stance hips that give the pelvis its PD torque [Coros10 §5.3.1, after Yin et al. 2007].

    The net torque on the pelvis is to be the PD torque: the stance hip cancels what back and swing leg add; in double
    stance both hips do, in proportion to their loads.

    Deviation: a hip twists its foot no harder than friction allows, loaded feet that spin are damped, and all of it
    fades with the load.
    """
    stance = int(m.stance)
    swing = 1 - stance
    walking = int(m.mode) == layout.WALK
    tx, ty, tz = _pelvis_torque(percept, p, m, stance)
    vec = m.vec2
    _write_other_torques(percept, m, swing, torque, damping, vec)
    total = m.load[0] + m.load[1]
    share = m.load[stance] / total if total > MIN_LOAD_N else 1.0
    strength = min(total / (p.full_support_load * body_weight(percept)), 1.0)
    m.vec[0] = m.vec[1] = m.vec[2] = 0.0
    if p.velocity_feedforward > 0.0:
        _add_pendulum_torque(percept, p, m, stance, p.support_feedforward * share, m.vec)
        _add_pendulum_torque(percept, p, m, swing, p.support_feedforward * (1.0 - share), m.vec)
    nx, ny, nz = -(tx + m.vec[0]) - vec[0], -(ty + m.vec[1]) - vec[1], -tz - vec[2]
    most = _twist_limit(p, m, stance, total)
    if p.pass_legs > 0.0 and p.predict_placement > 0.0 and walking:
        # Torque that the foot cannot hold would rotate the pelvis: the swing leg yields to part of it.
        excess = nz - strength * clamp(nz, -most, most)
        other = percept.axes[_HIPS[swing]]
        for j in range(3):
            torque[other + j] += p.swing_hip_yield * percept.axis_motion[other + j, 2] * excess
    nz = clamp(nz, -most, most)
    for side in range(2):
        spin = p.foot_spin_damping * percept.spatial_vel[percept.roles[_FEET[side]], 2]
        part = strength * (share if side == stance else 1.0 - share)
        hip = percept.axes[_HIPS[side]]
        for j in range(3):
            row = percept.axis_motion[hip + j]
            torque[hip + j] += part * (row[0] * nx + row[1] * ny + row[2] * (nz - spin))


@inlined
def _pelvis_torque(percept, p, m, stance):
    """PD torque (world) that rotates the pelvis to the style's posture."""
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
    return tx, ty, tz


@inlined
def _write_other_torques(percept, m, swing, torque, damping, out):
    """Write the torque vector that back and swing hip exert on their children."""
    out[0] = out[1] = out[2] = 0.0
    back = percept.axes[_BACK]
    if back >= 0:
        _add_net_torque(percept, torque, damping, back, m.net, out)
    if int(m.mode) == layout.WALK:
        _add_net_torque(percept, torque, damping, percept.axes[_HIPS[swing]], m.net, out)


@inlined
def _add_net_torque(percept, torque, damping, first, net, out):
    """Add the torque vector of the three hinges from `first` on to `out`, with damping and torque limits."""
    for j in range(3):
        most = percept.limits[first + j, 2]
        net[j] = clamp(torque[first + j] - damping[first + j] * percept.joint_v[first + j], -most, most)
    add_torque_vector(percept, first, net, 0, out)


@inlined
def _twist_limit(p, m, stance, total):
    """Torque about the vertical up to which the feet do not spin: their friction, less what keeps them from sliding."""
    slide = (m.shear[0] + m.shear[1]) / p.assumed_friction
    held = math.sqrt(max(total * total - slide * slide, 0.0))
    return p.foot_twist_limit * held * (p.sole[stance, 1] - p.sole[stance, 0])


@inlined
def _add_pendulum_torque(percept, p, m, side, share, out):
    """Add the torque that a hip needs to carry the body as a pendulum over its foot.

    The ground pushes along the line from the foot to the COM, F = m·(ω²·r, g); F has a moment about the hip.

    Deviation: [Coros10 §5.3] has no such feed-forward.
    """
    rate = pendulum_rate(percept, p, m)
    thigh = percept.roles[_THIGHS[side]]
    mass = percept.subtree_mass[0] - percept.subtree_mass[thigh]
    total = percept.subtree_mass[0]
    leg = percept.subtree_mass[thigh]
    bx = (total * m.com[0] - leg * percept.subtree_com_w[thigh, 0]) / mass - percept.pos_w[thigh, 0]
    by = (total * m.com[1] - leg * percept.subtree_com_w[thigh, 1]) / mass - percept.pos_w[thigh, 1]
    bz = (total * m.com[2] - leg * percept.subtree_com_w[thigh, 2]) / mass - percept.pos_w[thigh, 2]
    ahead = pressure_ahead(p, m, side)
    fx = mass * rate * rate * (m.com[0] - m.ankle[side, 0] - ahead * percept.heading_w[0])
    fy = mass * rate * rate * (m.com[1] - m.ankle[side, 1] - ahead * percept.heading_w[1])
    fz = mass * percept.gravity_mps2
    out[0] += share * (by * fz - bz * fy)
    out[1] += share * (bz * fx - bx * fz)
