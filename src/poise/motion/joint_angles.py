"""Conversion of joint rotations to axis angles and back. Rotations that a joint cannot do are dropped and measured."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.characters.model import Character, Joint
from poise.kernels.fixed import arctan2, contract, dot, norm
from poise.motion.rotations import (
    IDENTITY_WXYZ,
    FloatArray,
    make_euler_continuous,
    matrix_to_euler_rad,
    quat_about,
    quat_multiply,
    quat_to_matrix,
)

_TURN: Final = 2.0 * math.pi


@dataclass(frozen=True, eq=False)
class FittedJoint:
    """Angles (F, axes) within the joint's limits, the resulting rotation (F, 4), and how much the limits cut off."""

    angles_rad: FloatArray
    quats_wxyz: FloatArray
    cut_rad: FloatArray


def fit_joint(joint: Joint, quats_wxyz: FloatArray) -> FittedJoint:
    """Angles of a joint's axes nearest to the given rotations (F, 4)."""
    raw = _decompose(joint, quats_wxyz)
    low = np.array([axis.low_rad for axis in joint.axes])
    high = np.array([axis.high_rad for axis in joint.axes])
    raw = _move_inside(raw, low, high)
    angles = np.clip(raw, low, high)
    return FittedJoint(angles, compose_joint(joint, angles), np.abs(raw - angles))


def compose_joint(joint: Joint, angles_rad: FloatArray) -> FloatArray:
    """Rotation (F, 4) of a joint for angles (F, axes); the first axis is fixed to the parent."""
    quat = np.tile(np.array(IDENTITY_WXYZ), (len(angles_rad), 1))
    for k, axis in enumerate(joint.axes):
        quat = quat_multiply(quat, quat_about(axis.direction, angles_rad[:, k]))
    return quat


def compose_character(character: Character, angles_rad: FloatArray) -> FloatArray:
    """Rotations (F, segments, 4) relative to the parents for angles (F, axes); the root's is the identity."""
    quats = np.tile(np.array(IDENTITY_WXYZ), (len(angles_rad), len(character.segments), 1))
    column = 0
    for k, segment in enumerate(character.segments):
        if segment.joint is not None:
            count = len(segment.joint.axes)
            quats[:, k] = compose_joint(segment.joint, angles_rad[:, column : column + count])
            column += count
    return quats


def _decompose(joint: Joint, quats_wxyz: FloatArray) -> FloatArray:
    directions = [np.array(axis.direction) for axis in joint.axes]
    if len(directions) == 1:
        along = contract(quats_wxyz[:, 1:], directions[0][:, None])[:, 0]
        angle = 2.0 * arctan2(along, quats_wxyz[:, 0])
        return np.unwrap(_wrap(angle))[:, None]
    basis, sign = _make_basis(directions)
    turned = contract(contract(basis.T, quat_to_matrix(quats_wxyz)), basis)
    euler = make_euler_continuous(matrix_to_euler_rad(turned, (0, 1, 2)))
    return euler[:, : len(directions)] * np.array([1.0, 1.0, sign])[: len(directions)]


def _make_basis(directions: list[FloatArray]) -> tuple[FloatArray, float]:
    """An orthonormal basis near the given axes, as columns, and the sign of the third axis."""
    first = directions[0] / norm(directions[0])
    second = directions[1] - first * dot(first, directions[1])
    second = second / norm(second)
    third = np.cross(first, second)
    sign = 1.0 if len(directions) < 3 or dot(third, directions[2]) >= 0.0 else -1.0
    return np.stack([first, second, third], axis=-1), sign


def _wrap(angle: FloatArray) -> FloatArray:
    return angle - _TURN * np.ceil((angle - math.pi) / _TURN)


def _move_inside(angles: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """The same angles, shifted by whole turns into the range of the limits."""
    bounded = np.isfinite(low) & np.isfinite(high)
    middle = 0.5 * (np.where(bounded, low, 0.0) + np.where(bounded, high, 0.0))
    return angles - _TURN * np.round((angles.mean(axis=0) - middle) / _TURN)
