"""The swing leg: a path for its ankle, and the two-link inverse kinematics that follows it [Coros10 §5.3.2, §5.3.5]."""

from __future__ import annotations

import math

from poise.characters.model import KNOWN_AXES, ROLES
from poise.controllers.walker import layout
from poise.controllers.walker.constants import DELTA_S, MAX_IK_RADPS, MIN_REACH, SEARCH_DEPTH, SWING_STRETCH
from poise.controllers.walker.frames import (
    clamp,
    in_heading,
    write_hinge_rates,
    write_hinges,
)
from poise.controllers.walker.placement import foot_clearance
from poise.controllers.walker.senses import outward_sign, step_phase
from poise.kernels.jacobian import point_velocity
from poise.kernels.jit import inlined
from poise.kernels.servo import add_moving_servo
from poise.kernels.two_link import flexion_for, solve_upper_link

_PELVIS = ROLES.index("pelvis")
_THIGHS = (ROLES.index("left_thigh"), ROLES.index("right_thigh"))
_HIPS = (KNOWN_AXES.index("left_hip_pitch"), KNOWN_AXES.index("right_hip_pitch"))
_KNEES = (KNOWN_AXES.index("left_knee_pitch"), KNOWN_AXES.index("right_knee_pitch"))
_HIP = layout.JOINTS.index("hip")
_FORWARD, _OUTWARD, _UP = (layout.CHANNEL[f"foot_{k}"] for k in ("forward", "outward", "up"))


@inlined
def plan_foot(percept, p, m):
    """Move the planned ankle towards its target, to arrive in time.

    The curve has the least acceleration from the planned state: a = 6·(target − x)/τ² − 4·v/τ.

    Deviation: the path of [Coros10 §5.3.2] is the straight line from lift-off to the target; this one is replanned at
    every tick, so it stays smooth when a push moves the target.
    """
    dt = percept.timestep_s
    if p.replan_path == 0.0:
        w = min(step_phase(m), 1.0)
        for j in range(2):
            x = (1.0 - w) * m.lift_off[j] + w * m.foot_target[j]
            m.planned_foot_vel[j] = (x - m.planned_foot[j]) / dt if m.elapsed > 1.5 * dt else 0.0
            m.planned_foot[j] = x
        return
    left = max(m.time_left, p.min_replan_time)
    for j in range(2):
        a = 6.0 * (m.foot_target[j] - m.planned_foot[j]) / (left * left) - 4.0 * m.planned_foot_vel[j] / left
        m.planned_foot_vel[j] += a * dt
        m.planned_foot[j] += m.planned_foot_vel[j] * dt


@inlined
def keep_clear(percept, p, m):
    """Move the planned ankle away from the stance leg, and stop its motion towards it."""
    stance = int(m.stance)
    sign = outward_sign(1 - stance)
    c, s = percept.heading_w[0], percept.heading_w[1]
    dx, dy = m.planned_foot[0] - m.ankle[stance, 0], m.planned_foot[1] - m.ankle[stance, 1]
    ahead, aside = in_heading(c, s, dx, dy)
    length = p.sole[stance, 1] - p.sole[stance, 0]
    need = foot_clearance(percept, p, m) * clamp(2.0 - abs(ahead) / length, 0.0, 1.0)
    if sign * aside < need:
        shift = sign * (need - sign * aside)
        m.planned_foot[0] -= s * shift
        m.planned_foot[1] += c * shift
        speed = sign * (c * m.planned_foot_vel[1] - s * m.planned_foot_vel[0])
        if speed < 0.0:
            m.planned_foot_vel[0] += s * sign * speed
            m.planned_foot_vel[1] -= c * sign * speed


@inlined
def foot_height(p, m, phase):
    """Height of the swing ankle above its height in standing: a sine, minus a landing that aims below the ground."""
    lift = p.step_height * math.sin(math.pi * min(phase, 1.0)) if phase < 1.0 else 0.0
    start = 1.0 - phase
    # The stance leg loses load in a fall: a foot that catches it aims deeper, to land sooner.
    sink = p.touchdown_depth * (1.0 + p.catch_depth_gain * m.catch) * phase * phase * phase
    if phase > 1.0:
        sink += p.late_step_depth * (phase - 1.0) / (p.late_step_ratio - 1.0)
    rise = max(start, 0.0)
    return lift - sink + rise * rise * rise * max(m.lift_off[2] - m.ground - p.sole_depth[1 - int(m.stance)], 0.0)


@inlined
def solve_leg(percept, p, m, side, hx, hy, hz, tx, ty, tz, out):
    """Write the hip's hinge angles (about +y, +x, +z) that put the ankle at t with the hip at h; return the knee's.

    Hip, knee and ankle lie in a plane whose normal is the left axis of the limbs' yaw, rotated by the twist
    [Coros10 §5.3.5].
    """
    upper, lower = p.thigh[side], p.shank[side]
    dx, dy, dz = tx - hx, ty - hy, tz - hz
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    reach = clamp(distance, abs(upper - lower) + MIN_REACH * upper, SWING_STRETCH * (upper + lower))
    dx, dy, dz = dx / distance, dy / distance, dz / distance
    # The plane's normal, perpendicular to the line from hip to ankle.
    yaw = m.limb_yaw + outward_sign(side) * p.twist
    nx, ny, nz = -math.sin(yaw), math.cos(yaw), 0.0
    bx, by, bz, nx, ny, nz = solve_upper_link(upper, lower, reach, dx, dy, dz, nx, ny, nz)
    _write_thigh_frame(bx, by, bz, nx, ny, nz, m.rot2)
    write_hinges(percept.rot_w[percept.roles[_PELVIS]], m.rot2, out)
    return flexion_for(upper, lower, reach)


@inlined
def _write_thigh_frame(bx, by, bz, nx, ny, nz, rot):
    """Write the thigh's rotation matrix: z up along the bone b, y along the normal n, x = y × z."""
    zx, zy, zz = -bx, -by, -bz
    rot[0], rot[3], rot[6] = ny * zz - nz * zy, nz * zx - nx * zz, nx * zy - ny * zx
    rot[1], rot[4], rot[7] = nx, ny, nz
    rot[2], rot[5], rot[8] = zx, zy, zz


@inlined
def swing_leg(percept, p, m, torque, damping):
    """PD control of the swing hip and knee along the ankle's path."""
    stance = int(m.stance)
    side = 1 - stance
    c, s = percept.heading_w[0], percept.heading_w[1]
    time = m.elapsed + m.time_left
    phase = m.elapsed / time
    fx, fy = m.pose[_FORWARD], outward_sign(side) * m.pose[_OUTWARD]
    tx, ty = m.planned_foot[0] + c * fx - s * fy, m.planned_foot[1] + s * fx + c * fy
    rise = m.slope[0] * (tx - m.ankle[stance, 0]) + m.slope[1] * (ty - m.ankle[stance, 1])
    tz = m.ground + rise + p.sole_depth[side] + foot_height(p, m, phase) + m.pose[_UP]
    vz = (foot_height(p, m, (m.elapsed + DELTA_S) / time) - foot_height(p, m, phase)) / DELTA_S
    vz += m.slope[0] * m.planned_foot_vel[0] + m.slope[1] * m.planned_foot_vel[1]
    vx, vy = m.planned_foot_vel[0], m.planned_foot_vel[1]
    reach_for(percept, p, m, side, 1.0, tx, ty, tz, vx, vy, vz, torque, damping)


@inlined
def search_ground(percept, p, m, side, share, torque, damping):
    """Reach with an airborne stance leg for the point where it struck, with a share of the swing gains."""
    tz = m.ground + (p.sole_depth[side] - SEARCH_DEPTH * (p.thigh[side] + p.shank[side]))
    tx, ty = m.strike_ankle[0], m.strike_ankle[1]
    reach_for(percept, p, m, side, share, tx, ty, tz, 0.0, 0.0, 0.0, torque, damping)


@inlined
def reach_for(percept, p, m, side, share, tx, ty, tz, vx, vy, vz, torque, damping):
    """PD control of hip and knee towards an ankle at t that moves with v, with feed-forward of the joint speeds."""
    pelvis, thigh = percept.roles[_PELVIS], percept.roles[_THIGHS[side]]
    hx, hy, hz = percept.pos_w[thigh, 0], percept.pos_w[thigh, 1], percept.pos_w[thigh, 2]
    # Velocity of the hip.
    w = percept.spatial_vel[pelvis]
    rx, ry, rz = hx - m.com[0], hy - m.com[1], hz - m.com[2]
    ux, uy, uz = point_velocity(w, rx, ry, rz)
    knee = solve_leg(percept, p, m, side, hx, hy, hz, tx, ty, tz, m.angles)
    d = DELTA_S
    later = solve_leg(
        percept, p, m, side, hx + ux * d, hy + uy * d, hz + uz * d, tx + vx * d, ty + vy * d, tz + vz * d, m.angles2
    )
    hip = percept.axes[_HIPS[side]]
    write_hinge_rates(percept, hip, w[0], w[1], w[2], m.vec)
    k = share * p.stiffness
    for j in range(3):
        sign = p.sign[side, _HIP, j]
        # The joint must also undo the pelvis' rotation; `vec` is along the hinges' own axes.
        speed = (m.angles2[j] - m.angles[j]) / d * sign - m.vec[j]
        _drive(percept, p, k, hip + j, p.swing_hip_gain, m.angles[j] * sign, speed, torque, damping)
    bend = percept.axes[_KNEES[side]]
    _drive(percept, p, k, bend, p.swing_knee_gain, knee, (later - knee) / d, torque, damping)


@inlined
def _drive(percept, p, k, axis, gain, angle, speed, torque, damping):
    """PD control of one hinge with k times a gain (kp, kd) to an angle within its limits, and speed feed-forward."""
    speed = p.velocity_feedforward * clamp(speed, -MAX_IK_RADPS, MAX_IK_RADPS)
    target = clamp(angle, percept.limits[axis, 0], percept.limits[axis, 1])
    add_moving_servo(percept, axis, target, speed, gain[0], gain[1], k, torque, damping)
