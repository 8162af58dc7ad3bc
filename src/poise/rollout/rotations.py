"""Rotations of whole recordings at once: arrays of quaternions wxyz and matrices, along the leading axes.

`poise.kernels.rotation` holds the compiled forms for one quaternion at a time.
"""

from __future__ import annotations

import numpy as np

from poise.rollout.recording import FloatArray


def quat_conjugate(quat_wxyz: FloatArray) -> FloatArray:
    """The inverse turn of unit quaternions, (..., 4)."""
    return quat_wxyz * np.array([1.0, -1.0, -1.0, -1.0])


def quat_multiply(a_wxyz: FloatArray, b_wxyz: FloatArray) -> FloatArray:
    """The turn b, then a, (..., 4)."""
    aw, av = a_wxyz[..., :1], a_wxyz[..., 1:]
    bw, bv = b_wxyz[..., :1], b_wxyz[..., 1:]
    w = aw * bw - np.sum(av * bv, axis=-1, keepdims=True)
    return np.concatenate([w, aw * bv + bw * av + np.cross(av, bv)], axis=-1)


def quat_rotate(quat_wxyz: FloatArray, vec: FloatArray) -> FloatArray:
    """Vectors turned by quaternions, (..., 3)."""
    t = 2.0 * np.cross(quat_wxyz[..., 1:], vec)
    return vec + quat_wxyz[..., :1] * t + np.cross(quat_wxyz[..., 1:], t)


def quat_to_matrix(quat_wxyz: FloatArray) -> FloatArray:
    """Rotation matrices, (..., 3, 3)."""
    columns = [quat_rotate(quat_wxyz, np.broadcast_to(e, quat_wxyz.shape[:-1] + (3,))) for e in np.eye(3)]
    return np.stack(columns, axis=-1)


def quat_to_rotation_vector(quat_wxyz: FloatArray) -> FloatArray:
    """Axis times angle (rad) of the shorter way round, (..., 3)."""
    quat = np.where(quat_wxyz[..., :1] < 0.0, -quat_wxyz, quat_wxyz)
    sine = np.linalg.norm(quat[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, quat[..., :1])
    # angle / sine goes to 2 where both vanish.
    scale = np.divide(angle, sine, out=np.full_like(angle, 2.0), where=sine > 1e-12)
    return scale * quat[..., 1:]


def compute_heading_rad(quat_wxyz: FloatArray) -> FloatArray:
    """Yaw of orientations: their twist about world up, as in `poise.kernels.rotation.heading_rad`."""
    return 2.0 * np.arctan2(quat_wxyz[..., 3], quat_wxyz[..., 0])


def matrix_to_euler_rad(matrix: FloatArray, order: tuple[int, int, int]) -> FloatArray:
    """Angles (a, b, c), (..., 3), with R = R_i(a) R_j(b) R_k(c) for three different axes i, j, k.

    b lies in -90 to 90 degrees. At its ends only a + c or a - c is known; c is then 0.
    """
    i, j, k = order
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    sine = np.clip(sign * matrix[..., i, k], -1.0, 1.0)
    b = np.arcsin(sine)
    a = np.arctan2(-sign * matrix[..., j, k], matrix[..., k, k])
    c = np.arctan2(-sign * matrix[..., i, j], matrix[..., i, i])
    locked = np.abs(sine) > 1.0 - 1e-12
    a = np.where(locked, np.arctan2(sign * matrix[..., k, j], matrix[..., j, j]), a)
    return np.stack([a, b, np.where(locked, 0.0, c)], axis=-1)
