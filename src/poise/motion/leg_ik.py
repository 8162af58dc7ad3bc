"""Hip and knee for a given ankle position: the knee bends to the right distance, then the leg rotates to the position.

As in the released code of [Lee10], after Lee & Shin 1999: the knee bends about its own axis by the law of cosines, and
the whole leg takes the shortest rotation about the hip.
"""

from __future__ import annotations

import math

import numpy as np

from poise.kernels.fixed import arccos, dot
from poise.motion.rotations import FloatArray, quat_between, quat_conjugate, quat_multiply, quat_rotate


def solve_knee_rad(
    thigh_m: FloatArray, shank_m: FloatArray, axis: FloatArray, distance_m: FloatArray, usual_rad: float
) -> FloatArray:
    """Knee angles (F,) at which hip and ankle are `distance_m` apart, bent to the same side as `usual_rad`.

    |a + R(t) b|² is |a|² + |b|² + 2 (A cos t + B sin t + C) for the bones a, b and the knee's axis n, with
    A = a·b', B = a·(n × b), C = a·n b·n and b' the component of b perpendicular to n.
    """
    along = dot(axis, shank_m)
    across = shank_m - along * axis
    a, b = dot(thigh_m, across), dot(thigh_m, np.cross(axis, shank_m))
    c = dot(thigh_m, axis) * along
    wanted = 0.5 * (distance_m**2 - dot(thigh_m, thigh_m) - dot(shank_m, shank_m)) - c
    size = math.hypot(a, b)
    turn = arccos(np.clip(wanted / max(size, 1e-12), -1.0, 1.0))
    straight = math.atan2(b, a)
    return straight + np.where(usual_rad >= straight, turn, -turn)


def turn_leg(hip_quat_wxyz: FloatArray, to_ankle_m: FloatArray, target_w_m: FloatArray) -> FloatArray:
    """The thigh's orientation (F, 4) after the shortest rotation that points hip to ankle along `target_w_m`.

    `to_ankle_m` (F, 3) is from hip to ankle in the thigh's frame.
    """
    now = quat_rotate(hip_quat_wxyz, to_ankle_m)
    return quat_multiply(quat_between(now, target_w_m), hip_quat_wxyz)


def relative(parent_wxyz: FloatArray, child_wxyz: FloatArray) -> FloatArray:
    """Rotation of a child relative to its parent, (F, 4)."""
    return quat_multiply(quat_conjugate(parent_wxyz), child_wxyz)
