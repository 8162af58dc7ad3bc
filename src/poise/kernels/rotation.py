"""Rotations: quaternions wxyz and row-major matrices, world z up.

Functions take tuples or arrays and return tuples. `poise.kernels.turns` has the same for values inside flat arrays, and
`poise.motion.rotations` for whole motions.
"""

from __future__ import annotations

import math

import numpy as np

from poise.kernels.jit import law

#: Below this sine, the axis of a rotation is lost to rounding.
TINY = 1e-12


@law
def quat_product(a, b):
    """Return a·b: the rotation b, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@law
def quat_inverse(q):
    """Return the inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@law
def quat_about(x, y, z, angle):
    """Return the rotation by an angle about a unit axis."""
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    return c, s * x, s * y, s * z


@law
def rotate(q, x, y, z):
    """Return a vector rotated by q."""
    tx = 2.0 * (q[2] * z - q[3] * y)
    ty = 2.0 * (q[3] * x - q[1] * z)
    tz = 2.0 * (q[1] * y - q[2] * x)
    return (
        x + q[0] * tx + q[2] * tz - q[3] * ty,
        y + q[0] * ty + q[3] * tx - q[1] * tz,
        z + q[0] * tz + q[1] * ty - q[2] * tx,
    )


@law
def rotation_vector(q):
    """Return the rotation vector (axis times angle, rad) of a unit quaternion, at most half a revolution."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > TINY else 2.0
    return scale * x, scale * y, scale * z


@law
def rotation_error(q, target):
    """Return the rotation vector (rad, world) from orientation q to `target`.

    Deviation: [Coros10 Eq. 2.2] prints the axis-angle of q_d⁻¹q, which points away from the target; this is the
    rotation from current to desired.
    """
    return rotation_vector(quat_product(target, quat_inverse(q)))


@law
def heading_rad(q):
    """Return the yaw of an orientation: its twist about world up (swing-twist), the papers' character frame."""
    return 2.0 * math.atan2(q[3], q[0])


@law
def pitch_rad(rot):
    """Return the forward lean of a planar segment, from its row-major matrix."""
    return math.atan2(rot[2], rot[8])


@law
def lean_rad(rot, heading_w):
    """Return the forward lean of a segment along the heading, in (-π, π]; ignores lateral lean."""
    return math.atan2(rot[2] * heading_w[0] + rot[5] * heading_w[1], rot[8])


@law
def wrap_rad(angle):
    """Return the angle wrapped to (-π, π]."""
    return angle - 2.0 * math.pi * math.ceil((angle - math.pi) / (2.0 * math.pi))


def quat_from_axis_angle(axis: tuple[float, float, float], angle_rad: float) -> np.ndarray:
    """Quaternion wxyz of a rotation about a unit axis."""
    half = 0.5 * angle_rad
    return np.array([math.cos(half), *(math.sin(half) * np.asarray(axis, dtype=float))])
