"""Rotations: quaternions wxyz and row-major matrices, world z up."""

from __future__ import annotations

import math

import numpy as np

from poise.kernels.jit import law


@law
def quat_multiply(a, b, out):
    """Writes a·b: the rotation b, then a."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    out[0], out[1], out[2], out[3] = w, x, y, z


@law
def quat_rotate(q, v, out):
    """Writes the vector v turned by q."""
    tx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    ty = 2.0 * (q[3] * v[0] - q[1] * v[2])
    tz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    x = v[0] + q[0] * tx + q[2] * tz - q[3] * ty
    y = v[1] + q[0] * ty + q[3] * tx - q[1] * tz
    z = v[2] + q[0] * tz + q[1] * ty - q[2] * tx
    out[0], out[1], out[2] = x, y, z


@law
def rotation_vector_to(q, target, out):
    """Writes the shortest rotation vector (rad, world) that turns orientation q into `target`.

    Deviation: [Coros10 Eq. 2.2] prints the axis-angle of q_d⁻¹q, which points away from the target; this is the
    rotation from current to desired.
    """
    # target · q⁻¹, both in world.
    w = target[0] * q[0] + target[1] * q[1] + target[2] * q[2] + target[3] * q[3]
    x = -target[0] * q[1] + target[1] * q[0] - target[2] * q[3] + target[3] * q[2]
    y = -target[0] * q[2] + target[1] * q[3] + target[2] * q[0] - target[3] * q[1]
    z = -target[0] * q[3] - target[1] * q[2] + target[2] * q[1] + target[3] * q[0]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    s = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(s, w) / s if s > 1e-12 else 2.0
    out[0], out[1], out[2] = scale * x, scale * y, scale * z


@law
def heading_rad(q):
    """Yaw of an orientation: its twist about world up (swing-twist), the papers' character frame."""
    return 2.0 * math.atan2(q[3], q[0])


@law
def pitch_rad(rot):
    """Forward lean of a segment in the plane from its row-major matrix: positive turns up (z) towards forward (x)."""
    return math.atan2(rot[2], rot[8])


@law
def wrap_rad(angle):
    """The same angle in (-pi, pi]."""
    return angle - 2.0 * math.pi * math.ceil((angle - math.pi) / (2.0 * math.pi))


def quat_from_axis_angle(axis: tuple[float, float, float], angle_rad: float) -> np.ndarray:
    """Quaternion wxyz of a turn about a unit axis."""
    half = 0.5 * angle_rad
    return np.array([math.cos(half), *(math.sin(half) * np.asarray(axis, dtype=float))])
