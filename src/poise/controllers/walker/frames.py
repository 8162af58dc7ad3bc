"""Geometry of the walker's law: the heading frame, rotations, and torques about three hinges."""

from __future__ import annotations

import math

from poise.controllers.walker.constants import MIN_HINGE_VOLUME
from poise.kernels.jit import inlined


@inlined
def in_heading(c, s, x, y):
    """Components ahead and to the left of a horizontal world vector, by cosine and sine of the heading."""
    return c * x + s * y, c * y - s * x


@inlined
def to_world(c, s, ahead, aside):
    """The horizontal world vector with these components ahead and to the left."""
    return c * ahead - s * aside, s * ahead + c * aside


@inlined
def clamp(value, low, high):
    """The nearest value in low..high."""
    return min(max(value, low), high)


@inlined
def write_rotation(pitch, roll, yaw, out):
    """Write Rz(yaw)·Ry(pitch)·Rx(roll), row-major: a posture in the heading frame. Positive pitch leans forward."""
    cp, sp = math.cos(pitch), math.sin(pitch)
    cr, sr = math.cos(roll), math.sin(roll)
    cy, sy = math.cos(yaw), math.sin(yaw)
    out[0], out[1], out[2] = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    out[3], out[4], out[5] = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    out[6], out[7], out[8] = -sp, cp * sr, cp * cr


@inlined
def write_hinges(parent, child, out):
    """Write pitch, roll and yaw (about +y, +x, +z) with parentᵀ·child = Ry·Rx·Rz, the order of our ball joints."""
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
    """Write the world rotation vector that turns `rot` into `target`, both row-major."""
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
def _cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def _reciprocal(percept, first):
    """Reciprocal basis uⱼ of the axes aᵢ of the three hinges from `first` on: aᵢ·uⱼ is 1 for i = j, otherwise 0."""
    a, b, c = percept.axis_motion[first], percept.axis_motion[first + 1], percept.axis_motion[first + 2]
    u, v, w = _cross(b, c), _cross(c, a), _cross(a, b)
    volume = a[0] * u[0] + a[1] * u[1] + a[2] * u[2]
    # Hinges in a plane (a leg stretched sideways) cannot produce the missing component.
    if abs(volume) < MIN_HINGE_VOLUME:
        volume = math.copysign(MIN_HINGE_VOLUME, volume)
    k = 1.0 / volume
    return (k * u[0], k * u[1], k * u[2]), (k * v[0], k * v[1], k * v[2]), (k * w[0], k * w[1], k * w[2])


@inlined
def add_torque_vector(percept, first, torque, at, out):
    """Add to `out` the vector T with aᵢ·T = torque[at + i] for the three hinges from `first` on."""
    u, v, w = _reciprocal(percept, first)
    for j in range(3):
        out[j] += torque[at] * u[j] + torque[at + 1] * v[j] + torque[at + 2] * w[j]


@inlined
def write_hinge_rates(percept, first, wx, wy, wz, out):
    """Write the speeds of the three hinges from `first` on that add up to the angular velocity w (world)."""
    u, v, w = _reciprocal(percept, first)
    out[0] = wx * u[0] + wy * u[1] + wz * u[2]
    out[1] = wx * v[0] + wy * v[1] + wz * v[2]
    out[2] = wx * w[0] + wy * w[1] + wz * w[2]
