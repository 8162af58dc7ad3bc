"""Quaternion kernels against MuJoCo's own, and against what they mean."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.kernels.rotation import (
    heading_rad,
    lean_rad,
    pitch_rad,
    quat_about,
    quat_from_axis_angle,
    quat_inverse,
    quat_product,
    rotate,
    rotation_error,
    rotation_vector,
    wrap_rad,
)

angles = st.floats(-math.pi, math.pi)


@st.composite
def quaternions(draw: st.DrawFn) -> np.ndarray:
    vector = np.array([draw(st.floats(-1, 1)) for _ in range(4)])
    norm = np.linalg.norm(vector)
    return vector / norm if norm > 0.1 else np.array([1.0, 0.0, 0.0, 0.0])


@given(quaternions(), quaternions())
def test_products_are_mujocos(a: np.ndarray, b: np.ndarray) -> None:
    theirs = np.zeros(4)
    mujoco.mju_mulQuat(theirs, a, b)
    assert quat_product(a, b) == pytest.approx(tuple(theirs), abs=1e-12)
    assert quat_product(quat_inverse(a), a) == pytest.approx((1.0, 0.0, 0.0, 0.0), abs=1e-12)


@given(quaternions())
def test_turning_a_vector_is_mujocos(q: np.ndarray) -> None:
    vector, theirs = np.array([0.3, -1.2, 0.7]), np.zeros(3)
    mujoco.mju_rotVecQuat(theirs, vector, q)
    assert rotate(q, 0.3, -1.2, 0.7) == pytest.approx(tuple(theirs), abs=1e-12)


@given(quaternions(), quaternions())
def test_the_rotation_vector_leads_to_the_target_by_the_short_way(q: np.ndarray, target: np.ndarray) -> None:
    vector = np.array(rotation_error(q, target))
    angle = float(np.linalg.norm(vector))
    assert angle <= math.pi + 1e-9
    axis = vector / angle if angle > 1e-12 else np.array([1.0, 0.0, 0.0])
    rotated = quat_product(quat_about(*axis.tolist(), angle), q)
    assert abs(float(np.array(rotated) @ target)) == pytest.approx(1.0, abs=1e-9)


@given(angles)
def test_the_rotation_vector_is_axis_times_angle(angle: float) -> None:
    expected = (0.6 * angle, 0.0, 0.8 * angle)
    assert rotation_vector(quat_about(0.6, 0.0, 0.8, angle)) == pytest.approx(expected, abs=1e-9)
    assert quat_about(0.6, 0.0, 0.8, angle) == pytest.approx(quat_from_axis_angle((0.6, 0.0, 0.8), angle))


@given(angles, st.floats(-1.2, 1.2))
def test_heading_is_the_yaw_that_was_turned_first(yaw: float, lean: float) -> None:
    q = np.array(quat_product(quat_about(0.0, 0.0, 1.0, yaw), quat_about(0.0, 1.0, 0.0, lean)))
    assert wrap_rad(heading_rad(q) - yaw) == pytest.approx(0.0, abs=1e-9)
    matrix, heading_w = np.zeros(9), np.array([math.cos(yaw), math.sin(yaw)])
    mujoco.mju_quat2Mat(matrix, q)
    assert wrap_rad(lean_rad(matrix, heading_w) - lean) == pytest.approx(0.0, abs=1e-9)


@given(angles)
def test_pitch_is_positive_forward(lean: float) -> None:
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quat_from_axis_angle((0.0, 1.0, 0.0), lean))
    assert wrap_rad(pitch_rad(matrix) - lean) == pytest.approx(0.0, abs=1e-9)
    up = matrix.reshape(3, 3) @ [0.0, 0.0, 1.0]
    assert (up[0] > 0) == (math.sin(lean) > 0) or abs(math.sin(lean)) < 1e-12


@given(st.floats(-50, 50))
def test_wrapping_keeps_the_angle(angle: float) -> None:
    wrapped = wrap_rad(angle)
    assert -math.pi - 1e-9 < wrapped <= math.pi + 1e-9
    assert math.cos(wrapped) == pytest.approx(math.cos(angle), abs=1e-9)
    assert math.sin(wrapped) == pytest.approx(math.sin(angle), abs=1e-9)
