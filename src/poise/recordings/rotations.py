"""Rotations of whole recordings, re-exported from `poise.motion.rotations`."""

from __future__ import annotations

from poise.motion.rotations import (
    compute_heading_rad,
    make_euler_continuous,
    matrix_to_euler_rad,
    quat_conjugate,
    quat_multiply,
    quat_rotate,
    quat_to_matrix,
    quat_to_rotation_vector,
)

__all__ = [
    "compute_heading_rad",
    "make_euler_continuous",
    "matrix_to_euler_rad",
    "quat_conjugate",
    "quat_multiply",
    "quat_rotate",
    "quat_to_matrix",
    "quat_to_rotation_vector",
]
