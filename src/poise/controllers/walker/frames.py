"""Small geometry of the walker: rotations from angles and back, torques about three hinges."""

from __future__ import annotations

import math

from poise.kernels.jit import inlined


@inlined
def write_rotation(pitch, roll, yaw, out):
    """Writes Rz(yaw)·Ry(pitch)·Rx(roll), row-major: a posture in the heading frame. Pitch leans forward."""
    cp, sp = math.cos(pitch), math.sin(pitch)
    cr, sr = math.cos(roll), math.sin(roll)
    cy, sy = math.cos(yaw), math.sin(yaw)
    out[0], out[1], out[2] = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    out[3], out[4], out[5] = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    out[6], out[7], out[8] = -sp, cp * sr, cp * cr


@inlined
def write_hinges(parent, child, out):
    """Writes pitch, roll and yaw (about +y, +x, +z) with parentᵀ·child = Ry·Rx·Rz, the order of our ball joints."""
    r02 = parent[0] * child[2] + parent[3] * child[5] + parent[6] * child[8]
    r12 = parent[1] * child[2] + parent[4] * child[5] + parent[7] * child[8]
    r22 = parent[2] * child[2] + parent[5] * child[5] + parent[8] * child[8]
    r10 = parent[1] * child[0] + parent[4] * child[3] + parent[7] * child[6]
    r11 = parent[1] * child[1] + parent[4] * child[4] + parent[7] * child[7]
    out[0] = math.atan2(r02, r22)
    out[1] = -math.asin(min(max(r12, -1.0), 1.0))
    out[2] = math.atan2(r10, r11)


@inlined
def write_rotation_error(rot, target, out):
    """Writes the world rotation vector that turns `rot` into `target`, both row-major."""
    # target·rotᵀ
    e00 = target[0] * rot[0] + target[1] * rot[1] + target[2] * rot[2]
    e01 = target[0] * rot[3] + target[1] * rot[4] + target[2] * rot[5]
    e02 = target[0] * rot[6] + target[1] * rot[7] + target[2] * rot[8]
    e10 = target[3] * rot[0] + target[4] * rot[1] + target[5] * rot[2]
    e11 = target[3] * rot[3] + target[4] * rot[4] + target[5] * rot[5]
    e12 = target[3] * rot[6] + target[4] * rot[7] + target[5] * rot[8]
    e20 = target[6] * rot[0] + target[7] * rot[1] + target[8] * rot[2]
    e21 = target[6] * rot[3] + target[7] * rot[4] + target[8] * rot[5]
    e22 = target[6] * rot[6] + target[7] * rot[7] + target[8] * rot[8]
    x, y, z = e21 - e12, e02 - e20, e10 - e01
    s = 0.5 * math.sqrt(x * x + y * y + z * z)
    c = 0.5 * (e00 + e11 + e22 - 1.0)
    angle = math.atan2(s, c)
    scale = 0.5 * angle / s if s > 1e-9 else 0.5
    out[0], out[1], out[2] = scale * x, scale * y, scale * z


@inlined
def add_torque_vector(percept, first, torque, out):
    """Adds to `out` the vector T with aᵢ·T = τᵢ for the three hinges from `first` on: their reciprocal basis."""
    a, b, c = percept.axis_motion[first], percept.axis_motion[first + 1], percept.axis_motion[first + 2]
    bc0, bc1, bc2 = b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]
    ca0, ca1, ca2 = c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2], c[0] * a[1] - c[1] * a[0]
    ab0, ab1, ab2 = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    volume = a[0] * bc0 + a[1] * bc1 + a[2] * bc2
    # Where the hinges lie in a plane (a leg stretched sideways) no torque of theirs gives the missing component.
    if abs(volume) < 0.05:
        volume = math.copysign(0.05, volume)
    t0, t1, t2 = torque[first] / volume, torque[first + 1] / volume, torque[first + 2] / volume
    out[0] += t0 * bc0 + t1 * ca0 + t2 * ab0
    out[1] += t0 * bc1 + t1 * ca1 + t2 * ab1
    out[2] += t0 * bc2 + t1 * ca2 + t2 * ab2


@inlined
def write_hinge_rates(percept, first, wx, wy, wz, out):
    """Writes the speeds of the three hinges from `first` on that add up to the angular velocity w (world)."""
    a, b, c = percept.axis_motion[first], percept.axis_motion[first + 1], percept.axis_motion[first + 2]
    bc0, bc1, bc2 = b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]
    ca0, ca1, ca2 = c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2], c[0] * a[1] - c[1] * a[0]
    ab0, ab1, ab2 = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    volume = a[0] * bc0 + a[1] * bc1 + a[2] * bc2
    if abs(volume) < 0.05:
        volume = math.copysign(0.05, volume)
    out[0] = (wx * bc0 + wy * bc1 + wz * bc2) / volume
    out[1] = (wx * ca0 + wy * ca1 + wz * ca2) / volume
    out[2] = (wx * ab0 + wy * ab1 + wz * ab2) / volume
