"""Velocities and accelerations of a clip by finite differences, as [Lee10] computes them for its reference motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.motion.clip import Clip
from poise.motion.rotations import FloatArray, quat_conjugate, quat_multiply, quat_to_rotation_vector


@dataclass(frozen=True, eq=False)
class Derivatives:
    """Velocities and accelerations of F frames: the root's along world axes, the joints' about their own axes."""

    root_vel_w_mps: FloatArray  # (F, 3)
    joint_vel_radps: FloatArray  # (F, J, 3)
    root_acc_w_mps2: FloatArray  # (F, 3)
    joint_acc_radps2: FloatArray  # (F, J, 3)


def compute_derivatives(clip: Clip) -> Derivatives:
    """Central differences, one-sided at the ends; accelerations are differences of velocities."""
    root_vel = differentiate(clip.root_pos_m, clip.frame_s)
    joint_vel = differentiate_turns(clip.quats_wxyz, clip.frame_s)
    return Derivatives(
        root_vel, joint_vel, differentiate(root_vel, clip.frame_s), differentiate(joint_vel, clip.frame_s)
    )


def differentiate(values: FloatArray, frame_s: float) -> FloatArray:
    """(x[f+1] - x[f-1]) / 2h, and one-sided (x[1] - x[0]) / h at the ends; zero for a single frame."""
    if len(values) < 2:
        return np.zeros_like(values)
    before, after = _neighbours(len(values))
    span = (after - before).reshape(-1, *[1] * (values.ndim - 1)) * frame_s
    return (values[after] - values[before]) / span


def differentiate_turns(quats_wxyz: FloatArray, frame_s: float) -> FloatArray:
    """log(q[f-1]⁻¹ q[f+1]) / 2h, (F, J, 3), about the joint's own axes; one-sided at the ends."""
    if len(quats_wxyz) < 2:
        return np.zeros(quats_wxyz.shape[:-1] + (3,))
    before, after = _neighbours(len(quats_wxyz))
    turn = quat_multiply(quat_conjugate(quats_wxyz[before]), quats_wxyz[after])
    span = (after - before).reshape(-1, *[1] * (quats_wxyz.ndim - 1)) * frame_s
    return quat_to_rotation_vector(turn) / span


def _neighbours(frames: int) -> tuple[np.ndarray, np.ndarray]:
    index = np.arange(frames)
    return np.maximum(index - 1, 0), np.minimum(index + 1, frames - 1)
