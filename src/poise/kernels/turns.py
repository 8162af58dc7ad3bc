"""Turns as quaternions wxyz and as rotation vectors (axis times angle) that stand somewhere in flat arrays.

`a, i` is what begins at a[i]. Laws keep their poses in their memories, and cannot hand slices of them on. All outputs
may be inputs.
"""

from __future__ import annotations

import math

from poise.kernels.jit import law

#: Below this sine a turn's axis is lost in rounding, and the turn is as good as none.
TINY = 1e-12


@law
def quat_product(a, i, b, j, out, k):
    """Writes a·b: the turn b, then a."""
    aw, ax, ay, az = a[i], a[i + 1], a[i + 2], a[i + 3]
    bw, bx, by, bz = b[j], b[j + 1], b[j + 2], b[j + 3]
    out[k] = aw * bw - ax * bx - ay * by - az * bz
    out[k + 1] = aw * bx + ax * bw + ay * bz - az * by
    out[k + 2] = aw * by - ax * bz + ay * bw + az * bx
    out[k + 3] = aw * bz + ax * by - ay * bx + az * bw


@law
def quat_between(a, i, b, j, out, k):
    """Writes a⁻¹·b: the turn from a to b, in the frame of a."""
    aw, ax, ay, az = a[i], -a[i + 1], -a[i + 2], -a[i + 3]
    bw, bx, by, bz = b[j], b[j + 1], b[j + 2], b[j + 3]
    out[k] = aw * bw - ax * bx - ay * by - az * bz
    out[k + 1] = aw * bx + ax * bw + ay * bz - az * by
    out[k + 2] = aw * by - ax * bz + ay * bw + az * bx
    out[k + 3] = aw * bz + ax * by - ay * bx + az * bw


@law
def quat_log(a, i, out, k):
    """Writes the rotation vector of a unit quaternion, the shorter way round."""
    w, x, y, z = a[i], a[i + 1], a[i + 2], a[i + 3]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > TINY else 2.0
    out[k], out[k + 1], out[k + 2] = scale * x, scale * y, scale * z


@law
def quat_exp(v, i, scale, out, k):
    """Writes the quaternion of a rotation vector times a factor."""
    x, y, z = scale * v[i], scale * v[i + 1], scale * v[i + 2]
    angle = math.sqrt(x * x + y * y + z * z)
    s = math.sin(0.5 * angle) / angle if angle > TINY else 0.5
    out[k], out[k + 1], out[k + 2], out[k + 3] = math.cos(0.5 * angle), s * x, s * y, s * z


@law
def turn_vector(a, i, sense, v, j, out, k):
    """Writes the vector v turned by the quaternion a, or, where `sense` is -1, by its inverse."""
    w, x, y, z = a[i], sense * a[i + 1], sense * a[i + 2], sense * a[i + 3]
    vx, vy, vz = v[j], v[j + 1], v[j + 2]
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    out[k] = vx + w * tx + y * tz - z * ty
    out[k + 1] = vy + w * ty + z * tx - x * tz
    out[k + 2] = vz + w * tz + x * ty - y * tx
