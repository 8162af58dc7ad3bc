"""The swing leg: a path for its ankle and the two-link inverse kinematics that follows it."""

from __future__ import annotations

import math

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.walker import layout
from poise.controllers.walker.frames import angle_between, flexion_for, write_hinge_rates, write_hinges
from poise.controllers.walker.placement import foot_room
from poise.controllers.walker.timing import LATE
from poise.kernels.jit import inlined

_PELVIS = ROLES.index("pelvis")
_THIGHS = (ROLES.index("left_thigh"), ROLES.index("right_thigh"))
_SHANKS = (ROLES.index("left_shank"), ROLES.index("right_shank"))
_HIPS = (KNOWN_AXES.index("left_hip_pitch"), KNOWN_AXES.index("right_hip_pitch"))
_KNEES = (KNOWN_AXES.index("left_knee_pitch"), KNOWN_AXES.index("right_knee_pitch"))
_HIP, _KNEE = layout.JOINTS.index("hip"), layout.JOINTS.index("knee")
_FORWARD, _OUTWARD, _UP = (layout.CHANNEL[f"foot_{k}"] for k in ("forward", "outward", "up"))

#: A leg is never stretched further than this part of its length.
STRETCH = 0.993
#: Least time in which the planned foot may still be moved to a new target.
SHORTEST_S = 0.06
#: Fastest joint speed that the inverse kinematics asks for.
FASTEST_RADPS = 12.0
#: How much deeper a step aims that catches a fall.
DEEPER = 2.0
#: Step of the differences that give the joint speeds.
DELTA_S = 0.001


@inlined
def plan_foot(percept, p, m):
    """Moves the planned ankle towards its target so as to arrive in time.

    The text's path is the straight line from lift-off to the target. Ours is replanned at every tick: the curve of
    least acceleration from where it is, a = 6·(target − x)/τ² − 4·v/τ, so a new target after a shove makes no jump.
    """
    dt = percept.timestep_s
    if p.path == 0.0:
        w = min(m.elapsed / (m.elapsed + m.left), 1.0)
        for j in range(2):
            x = (1.0 - w) * m.lift[j] + w * m.target[j]
            m.foot_vel[j] = (x - m.foot[j]) / dt if m.elapsed > 1.5 * dt else 0.0
            m.foot[j] = x
        return
    left = max(m.left, SHORTEST_S)
    for j in range(2):
        a = 6.0 * (m.target[j] - m.foot[j]) / (left * left) - 4.0 * m.foot_vel[j] / left
        m.foot_vel[j] += a * dt
        m.foot[j] += m.foot_vel[j] * dt


@inlined
def keep_clear(percept, p, m):
    """Moves the planned ankle out of the way of the stance leg."""
    stance = int(m.stance)
    sign = 1.0 if stance == 1 else -1.0
    c, s = percept.heading_w[0], percept.heading_w[1]
    dx, dy = m.foot[0] - m.ankle[stance, 0], m.foot[1] - m.ankle[stance, 1]
    ahead, aside = c * dx + s * dy, sign * (c * dy - s * dx)
    width = foot_room(percept, p, m)
    length = p.sole[stance, 1] - p.sole[stance, 0]
    need = width * min(max(2.0 - abs(ahead) / length, 0.0), 1.0)
    if aside < need:
        shift = sign * (need - aside)
        m.foot[0] -= s * shift
        m.foot[1] += c * shift
        # Nor does it go on towards it.
        speed = sign * (c * m.foot_vel[1] - s * m.foot_vel[0])
        if speed < 0.0:
            m.foot_vel[0] += s * sign * speed
            m.foot_vel[1] -= c * sign * speed


@inlined
def foot_height(p, m, phase):
    """Height of the swing ankle over the ground under it: a bump, and a strike that aims a little below."""
    lift = p.step_height * math.sin(math.pi * min(phase, 1.0)) if phase < 1.0 else 0.0
    start = 1.0 - phase
    # The leg that carries gets light in a fall: a foot that catches it is led further down, to be there sooner.
    sink = p.touchdown_depth * (1.0 + DEEPER * m.catch) * phase * phase * phase
    if phase > 1.0:
        sink += 0.15 * (phase - 1.0) / (LATE - 1.0)
    rise = max(start, 0.0)
    return lift - sink + rise * rise * rise * max(m.lift[2] - m.ground - p.sole_depth[1 - int(m.stance)], 0.0)


@inlined
def solve_leg(percept, p, m, side, hx, hy, hz, tx, ty, tz, out):
    """Writes the hip's hinge angles (about +y, +x, +z) that put the ankle at t with the hip at h; returns the knee's.

    [Coros10 §5.3.5]: hip, knee and ankle lie in a plane, whose normal is the pelvis' left axis turned by the twist.
    """
    sign = 1.0 if side == 0 else -1.0
    upper, lower = p.thigh[side], p.shank[side]
    dx, dy, dz = tx - hx, ty - hy, tz - hz
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    reach = min(max(distance, abs(upper - lower) + 0.05 * upper), STRETCH * (upper + lower))
    dx, dy, dz = dx / distance, dy / distance, dz / distance
    knee = flexion_for(upper, lower, reach)
    open_angle = angle_between(upper, reach, lower)
    # The plane's normal, at right angles to the line from hip to ankle.
    yaw = m.yaw + sign * p.twist
    nx, ny, nz = -math.sin(yaw), math.cos(yaw), 0.0
    along = nx * dx + ny * dy + nz * dz
    nx, ny, nz = nx - along * dx, ny - along * dy, nz - along * dz
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / size, ny / size, nz / size
    # Thigh: the line to the ankle turned forward, about −n.
    co, si = math.cos(open_angle), -math.sin(open_angle)
    bx, by, bz = (
        dx * co + (ny * dz - nz * dy) * si,
        dy * co + (nz * dx - nx * dz) * si,
        dz * co + (nx * dy - ny * dx) * si,
    )
    # Thigh frame: z up along the bone, y the normal, x = y × z.
    zx, zy, zz = -bx, -by, -bz
    rot = m.rot2
    rot[0], rot[3], rot[6] = ny * zz - nz * zy, nz * zx - nx * zz, nx * zy - ny * zx
    rot[1], rot[4], rot[7] = nx, ny, nz
    rot[2], rot[5], rot[8] = zx, zy, zz
    write_hinges(percept.rot_w[percept.roles[_PELVIS]], rot, out)
    return knee


@inlined
def swing_leg(percept, p, m, torque, damping):
    """PD control of the swing hip and knee to the angles that the ankle's path asks for."""
    stance = int(m.stance)
    side = 1 - stance
    sign = 1.0 if side == 0 else -1.0
    c, s = percept.heading_w[0], percept.heading_w[1]
    time = m.elapsed + m.left
    phase = m.elapsed / time
    # Target and its velocity.
    fx, fy = m.pose[_FORWARD], sign * m.pose[_OUTWARD]
    tx, ty = m.foot[0] + c * fx - s * fy, m.foot[1] + s * fx + c * fy
    rise = m.slope[0] * (tx - m.ankle[stance, 0]) + m.slope[1] * (ty - m.ankle[stance, 1])
    tz = m.ground + rise + p.sole_depth[side] + foot_height(p, m, phase) + m.pose[_UP]
    ahead = (m.elapsed + DELTA_S) / time
    vz = (foot_height(p, m, ahead) - foot_height(p, m, phase)) / DELTA_S
    vz += m.slope[0] * m.foot_vel[0] + m.slope[1] * m.foot_vel[1]
    reach_for(percept, p, m, side, 1.0, tx, ty, tz, m.foot_vel[0], m.foot_vel[1], vz, torque, damping)


@inlined
def find_ground(percept, p, m, side, part, torque, damping):
    """A leg that should carry but is in the air reaches for where it struck, with `part` of the swing gains."""
    depth = p.sole_depth[side] - 0.03 * (p.thigh[side] + p.shank[side])
    reach_for(percept, p, m, side, part, m.plant[0], m.plant[1], m.ground + depth, 0.0, 0.0, 0.0, torque, damping)


@inlined
def reach_for(percept, p, m, side, part, tx, ty, tz, vx, vy, vz, torque, damping):
    """PD control of hip and knee towards an ankle at t that moves with v, with feed-forward of the joint speeds."""
    pelvis, thigh = percept.roles[_PELVIS], percept.roles[_THIGHS[side]]
    # The hip and its velocity.
    hx, hy, hz = percept.pos_w[thigh, 0], percept.pos_w[thigh, 1], percept.pos_w[thigh, 2]
    w = percept.spatial_vel[pelvis]
    rx, ry, rz = hx - m.com[0], hy - m.com[1], hz - m.com[2]
    ux, uy, uz = w[3] + w[1] * rz - w[2] * ry, w[4] + w[2] * rx - w[0] * rz, w[5] + w[0] * ry - w[1] * rx
    knee = solve_leg(percept, p, m, side, hx, hy, hz, tx, ty, tz, m.angles)
    d = DELTA_S
    later = solve_leg(
        percept, p, m, side, hx + ux * d, hy + uy * d, hz + uz * d, tx + vx * d, ty + vy * d, tz + vz * d, m.angles2
    )
    hip, bend = percept.axes[_HIPS[side]], percept.axes[_KNEES[side]]
    write_hinge_rates(percept, hip, w[0], w[1], w[2], m.vec)
    k = part * p.stiffness
    for j in range(3):
        way = p.sign[side, _HIP, j]
        # The joint must also undo what the pelvis turns; `vec` is in the hinges' own directions.
        speed = (m.angles2[j] - m.angles[j]) / d * way - m.vec[j]
        speed = p.lead * min(max(speed, -FASTEST_RADPS), FASTEST_RADPS)
        target = min(max(m.angles[j] * way, percept.limits[hip + j, 0]), percept.limits[hip + j, 1])
        torque[hip + j] += k * (p.swing_hip_gain[0] * (target - percept.joint_q[hip + j]) + p.swing_hip_gain[1] * speed)
        damping[hip + j] += k * p.swing_hip_gain[1]
    speed = p.lead * min(max((later - knee) / d, -FASTEST_RADPS), FASTEST_RADPS)
    target = min(max(knee, percept.limits[bend, 0]), percept.limits[bend, 1])
    torque[bend] += k * (p.swing_knee_gain[0] * (target - percept.joint_q[bend]) + p.swing_knee_gain[1] * speed)
    damping[bend] += k * p.swing_knee_gain[1]
