"""Rotations of whole motions: arrays of wxyz quaternions and matrices, along the leading axes.

`poise.kernels.rotation` holds the compiled forms for single quaternions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.kernels.fixed import arcsin, arctan2, cos, sin

FloatArray = NDArray[np.float64]

IDENTITY_WXYZ = (1.0, 0.0, 0.0, 0.0)


def quat_conjugate(quat_wxyz: FloatArray) -> FloatArray:
    """Inverse rotations of unit quaternions, (..., 4)."""
    return quat_wxyz * np.array([1.0, -1.0, -1.0, -1.0])


def quat_multiply(a_wxyz: FloatArray, b_wxyz: FloatArray) -> FloatArray:
    """Rotation by b, then by a, (..., 4)."""
    aw, av = a_wxyz[..., :1], a_wxyz[..., 1:]
    bw, bv = b_wxyz[..., :1], b_wxyz[..., 1:]
    w = aw * bw - np.sum(av * bv, axis=-1, keepdims=True)
    return np.concatenate([w, aw * bv + bw * av + np.cross(av, bv)], axis=-1)


def quat_normalize(quat_wxyz: FloatArray) -> FloatArray:
    """The same rotations as unit quaternions, (..., 4)."""
    return quat_wxyz / np.linalg.norm(quat_wxyz, axis=-1, keepdims=True)


def quat_rotate(quat_wxyz: FloatArray, vec: FloatArray) -> FloatArray:
    """Vectors rotated by quaternions, (..., 3)."""
    t = 2.0 * np.cross(quat_wxyz[..., 1:], vec)
    return vec + quat_wxyz[..., :1] * t + np.cross(quat_wxyz[..., 1:], t)


def quat_to_matrix(quat_wxyz: FloatArray) -> FloatArray:
    """Rotation matrices, (..., 3, 3)."""
    columns = [quat_rotate(quat_wxyz, np.broadcast_to(e, quat_wxyz.shape[:-1] + (3,))) for e in np.eye(3)]
    return np.stack(columns, axis=-1)


def matrix_to_quat(matrix: FloatArray) -> FloatArray:
    """Unit quaternions of rotation matrices, (..., 4), with w ≥ 0."""
    m = matrix
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    # Four times the squared components. Dividing by the largest avoids loss of precision.
    squares = np.stack(
        [1.0 + trace, *(1.0 + 2.0 * m[..., k, k] - trace for k in range(3))],
        axis=-1,
    )
    rows = np.stack(
        [
            np.stack([squares[..., 0], _odd(m, 2, 1), _odd(m, 0, 2), _odd(m, 1, 0)], axis=-1),
            np.stack([_odd(m, 2, 1), squares[..., 1], _even(m, 0, 1), _even(m, 0, 2)], axis=-1),
            np.stack([_odd(m, 0, 2), _even(m, 0, 1), squares[..., 2], _even(m, 1, 2)], axis=-1),
            np.stack([_odd(m, 1, 0), _even(m, 0, 2), _even(m, 1, 2), squares[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(squares, axis=-1)[..., None, None]
    quat = quat_normalize(np.take_along_axis(rows, best, axis=-2)[..., 0, :])
    return np.where(quat[..., :1] < 0.0, -quat, quat)


def _odd(m: FloatArray, i: int, j: int) -> FloatArray:
    return m[..., i, j] - m[..., j, i]


def _even(m: FloatArray, i: int, j: int) -> FloatArray:
    return m[..., i, j] + m[..., j, i]


def quat_to_rotation_vector(quat_wxyz: FloatArray) -> FloatArray:
    """Axis times angle (rad) of the shorter rotation, (..., 3)."""
    quat = np.where(quat_wxyz[..., :1] < 0.0, -quat_wxyz, quat_wxyz)
    sine = np.linalg.norm(quat[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * arctan2(sine, quat[..., :1])
    # angle / sine tends to 2 as both vanish.
    scale = np.divide(angle, sine, out=np.full_like(angle, 2.0), where=sine > 1e-12)
    return scale * quat[..., 1:]


def rotation_vector_to_quat(vector_rad: FloatArray) -> FloatArray:
    """Quaternions of axis times angle, (..., 4)."""
    angle = np.linalg.norm(vector_rad, axis=-1, keepdims=True)
    return np.concatenate([cos(0.5 * angle), _half_sinc(angle) * vector_rad], axis=-1)


def _half_sinc(angle_rad: FloatArray) -> FloatArray:
    """sin(a / 2) / a, by the same steps as `numpy.sinc`; 1/2 at a = 0."""
    y = np.pi * np.where(angle_rad == 0.0, 1.0e-20, 0.5 * angle_rad / np.pi)
    return 0.5 * (sin(y) / y)


def quat_power(quat_wxyz: FloatArray, exponent: FloatArray | float) -> FloatArray:
    """Fraction `exponent` of each rotation, by the shorter arc, (..., 4)."""
    return rotation_vector_to_quat(np.asarray(exponent)[..., None] * quat_to_rotation_vector(quat_wxyz))


def quat_slerp(a_wxyz: FloatArray, b_wxyz: FloatArray, part: FloatArray | float) -> FloatArray:
    """Slerp from a (part 0) to b (part 1) along the shorter arc, (..., 4)."""
    return quat_multiply(a_wxyz, quat_power(quat_multiply(quat_conjugate(a_wxyz), b_wxyz), part))


def quat_between(a: FloatArray, b: FloatArray) -> FloatArray:
    """Shortest rotations from directions a to directions b, (..., 4); neither needs unit length."""
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    w = 1.0 + np.sum(a * b, axis=-1, keepdims=True)
    # Opposite directions: half a turn about any perpendicular axis.
    across = np.cross(a, np.where(np.abs(a[..., :1]) > 0.7, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]))
    turn = np.concatenate([w, np.cross(a, b)], axis=-1)
    half = np.concatenate([np.zeros_like(w), across], axis=-1)
    return quat_normalize(np.where(w < 1e-9, half, turn))


def quat_about(axis: Sequence[float] | FloatArray, angle_rad: FloatArray | float) -> FloatArray:
    """Rotations by angles about one unit axis, (..., 4)."""
    half = 0.5 * np.asarray(angle_rad)[..., None]
    return np.concatenate([cos(half), sin(half) * np.asarray(axis)], axis=-1)


def quat_mean(quat_wxyz: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Mean rotation of (N, 4): the eigenvector with the largest eigenvalue of their outer products, (4,)."""
    weight = np.ones(len(quat_wxyz)) if weights is None else weights
    _, vectors = np.linalg.eigh(np.einsum("n,ni,nj->ij", weight, quat_wxyz, quat_wxyz))
    mean = vectors[:, -1]
    return mean if mean[0] >= 0.0 else -mean


def quat_align_signs(quat_wxyz: FloatArray) -> FloatArray:
    """The same rotations, (F, ..., 4), with signs that do not jump from frame to frame."""
    dots = np.sum(quat_wxyz[1:] * quat_wxyz[:-1], axis=-1, keepdims=True)
    flips = np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)
    return np.concatenate([quat_wxyz[:1], flips * quat_wxyz[1:]], axis=0)


def compute_heading_rad(quat_wxyz: FloatArray) -> FloatArray:
    """Yaw of orientations: their twist about world up, as in `poise.kernels.rotation.heading_rad`."""
    return 2.0 * arctan2(quat_wxyz[..., 3], quat_wxyz[..., 0])


def matrix_to_euler_rad(matrix: FloatArray, order: tuple[int, int, int]) -> FloatArray:
    """Angles (a, b, c), (..., 3), with R = R_i(a) R_j(b) R_k(c) for three different axes i, j, k.

    b lies between -90 and 90 degrees. At both ends only a + c or a - c is determined; c is then 0.
    """
    i, j, k = order
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    sine = np.clip(sign * matrix[..., i, k], -1.0, 1.0)
    b = arcsin(sine)
    a = arctan2(-sign * matrix[..., j, k], matrix[..., k, k])
    c = arctan2(-sign * matrix[..., i, j], matrix[..., i, i])
    locked = np.abs(sine) > 1.0 - 1e-12
    a = np.where(locked, arctan2(sign * matrix[..., k, j], matrix[..., j, j]), a)
    return np.stack([a, b, np.where(locked, 0.0, c)], axis=-1)


def make_euler_continuous(euler_rad: FloatArray) -> FloatArray:
    """The same rotations, (F, ..., 3), with angles that do not jump: programs interpolate between frames.

    Every rotation equals (a + pi, pi - b, c + pi), and all angles repeat after a full turn.
    """
    out = euler_rad.copy()
    half = np.array([np.pi, np.pi, np.pi])
    flip = np.array([1.0, -1.0, 1.0])
    for f in range(1, len(out)):
        choices = []
        for angles in (out[f], out[f] * flip + half):
            choices.append(angles - 2.0 * np.pi * np.round((angles - out[f - 1]) / (2.0 * np.pi)))
        jumps = [np.abs(c - out[f - 1]).sum(axis=-1, keepdims=True) for c in choices]
        out[f] = np.where(jumps[1] < jumps[0], choices[1], choices[0])
    return out
