"""Addition, subtraction and scaling of poses [Lee10 App. A], and the smooth transitions for them [Lee10 App. B].

A pose P = (v0, q1 ... qn) is the root's position and orientation and every joint's rotation relative to its parent; a
displacement D = (u0, u1 ... un) is a vector for each of them. All functions work on many frames along leading axes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.errors import InputError
from poise.motion.clip import Clip
from poise.motion.rotations import (
    FloatArray,
    quat_conjugate,
    quat_multiply,
    quat_rotate,
    quat_to_rotation_vector,
    rotation_vector_to_quat,
)


class Pose(NamedTuple):
    """One pose or many: the root's position (..., 3) and the rotations of all joints (..., n, 4), the root's first."""

    root_pos_m: FloatArray
    quats_wxyz: FloatArray


def pose_of(clip: Clip, frame: int | slice) -> Pose:
    """The pose at a frame, or the poses of a slice of frames."""
    return Pose(clip.root_pos_m[frame], clip.quats_wxyz[frame])


def compose(p1: Pose, p2: Pose) -> Pose:
    """P1 ⊗ P2 = (q11 v20 q11⁻¹ + v10, q11 q21, ..., q1n q2n) [Lee10 App. A]."""
    root = quat_rotate(p1.quats_wxyz[..., 0, :], p2.root_pos_m) + p1.root_pos_m
    return Pose(root, quat_multiply(p1.quats_wxyz, p2.quats_wxyz))


def difference(p1: Pose, p2: Pose) -> Pose:
    """P1 ⊘ P2 = (q21⁻¹ (v10 - v20) q21, q21⁻¹ q11, ..., q2n⁻¹ q1n): P2 ⊗ (P1 ⊘ P2) is P1 [Lee10 App. A]."""
    inverse = quat_conjugate(p2.quats_wxyz)
    root = quat_rotate(inverse[..., 0, :], p1.root_pos_m - p2.root_pos_m)
    return Pose(root, quat_multiply(inverse, p1.quats_wxyz))


def exp_pose(displacement: FloatArray) -> Pose:
    """(u0, exp u1, ..., exp un) for (..., n + 1, 3) [Lee10 App. A].

    Deviation: our exp takes a full rotation vector, not half of one, and log returns it; powers are the same.
    """
    return Pose(displacement[..., 0, :], rotation_vector_to_quat(displacement[..., 1:, :]))


def log_pose(pose: Pose) -> FloatArray:
    """(v0, log q1, ..., log qn), (..., n + 1, 3): the displacement of a pose, with the shorter rotations."""
    return np.concatenate([pose.root_pos_m[..., None, :], quat_to_rotation_vector(pose.quats_wxyz)], axis=-2)


def power(pose: Pose, exponent: FloatArray | float) -> Pose:
    """P^a = exp(a log P) [Lee10 App. A]; with exponents (F,) a pose becomes F poses."""
    return exp_pose(np.asarray(exponent)[..., None, None] * log_pose(pose))


def blend(p1: Pose, p2: Pose, part: FloatArray | float) -> Pose:
    """P1 ⊗ (P2 ⊘ P1)^part: P1 for 0, P2 for 1."""
    return compose(p1, power(difference(p2, p1), part))


def warp_start(poses: Pose, start: Pose, weights: FloatArray) -> Pose:
    """Poses that begin at `start` and return to the originals: M'(t) ⊗ (P ⊘ M'(0))^r(t) [Lee10 Eq. 6].

    Deviation: Eq. 6 prints ⊗ in the displacement, where Appendix A has the difference ⊘.
    """
    if len(weights) != len(poses.root_pos_m):
        raise InputError("weights and poses must have the same length", where="weights", got=len(weights))
    first = Pose(poses.root_pos_m[0], poses.quats_wxyz[0])
    return compose(poses, power(difference(start, first), weights))


def rise(x: FloatArray | float, start: float = 0.0, end: float = 1.0) -> FloatArray:
    """s(x) = 3u² - 2u³ with u from 0 at `start` to 1 at `end`, constant beyond both [Lee10 App. B]."""
    if not end > start:
        raise InputError("a transition must end after it starts", where="end", got=(start, end))
    u = np.clip((np.asarray(x, dtype=np.float64) - start) / (end - start), 0.0, 1.0)
    return u * u * (3.0 - 2.0 * u)


def fall(x: FloatArray | float, start: float = 0.0, end: float = 1.0) -> FloatArray:
    """r(x) = 1 - s(x): from one to zero [Lee10 App. B]."""
    return 1.0 - rise(x, start, end)
