"""Quaternions wxyz and rotation vectors (axis times angle) inside flat arrays.

`a, i` denotes the value that begins at a[i]: laws keep poses in their memories, and cannot pass slices of them. Outputs
may alias inputs.
"""

from __future__ import annotations

import math

from poise.kernels.jit import law
from poise.kernels.rotation import TINY, quat_inverse, quat_product, rotate, rotation_vector


@law
def _read_quat(a, i):
    return a[i], a[i + 1], a[i + 2], a[i + 3]


@law
def write_product(a, i, b, j, out, k):
    """Write a·b: the rotation b, then a."""
    out[k], out[k + 1], out[k + 2], out[k + 3] = quat_product(_read_quat(a, i), _read_quat(b, j))


@law
def write_between(a, i, b, j, out, k):
    """Write a⁻¹·b: the rotation from a to b, in the frame of a."""
    out[k], out[k + 1], out[k + 2], out[k + 3] = quat_product(quat_inverse(_read_quat(a, i)), _read_quat(b, j))


@law
def write_log(a, i, out, k):
    """Write the rotation vector of a unit quaternion, at most half a revolution."""
    out[k], out[k + 1], out[k + 2] = rotation_vector(_read_quat(a, i))


@law
def write_exp(v, i, scale, out, k):
    """Write the quaternion of a rotation vector times a factor."""
    x, y, z = scale * v[i], scale * v[i + 1], scale * v[i + 2]
    angle = math.sqrt(x * x + y * y + z * z)
    s = math.sin(0.5 * angle) / angle if angle > TINY else 0.5
    out[k], out[k + 1], out[k + 2], out[k + 3] = math.cos(0.5 * angle), s * x, s * y, s * z


@law
def write_rotated(a, i, sense, v, j, out, k):
    """Write the vector v rotated by the quaternion a, or by its inverse if `sense` is -1."""
    q = a[i], sense * a[i + 1], sense * a[i + 2], sense * a[i + 3]
    out[k], out[k + 1], out[k + 2] = rotate(q, v[j], v[j + 1], v[j + 2])
