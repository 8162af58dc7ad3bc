import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from poise.kernels.rotation import heading_rad
from poise.recordings.rotations import (
    compute_heading_rad,
    matrix_to_euler_rad,
    quat_conjugate,
    quat_multiply,
    quat_rotate,
    quat_to_matrix,
    quat_to_rotation_vector,
)

ANGLES = st.tuples(*[st.floats(-3.1, 3.1)] * 3)


def as_quat(rotvec):
    return Rotation.from_rotvec(rotvec).as_quat(scalar_first=True)


@given(ANGLES, ANGLES, st.tuples(*[st.floats(-2, 2)] * 3))
def test_quaternions_agree_with_scipy(a, b, vec):
    ra, rb = Rotation.from_rotvec(a), Rotation.from_rotvec(b)
    qa, qb = as_quat(a), as_quat(b)
    assert quat_to_matrix(quat_multiply(qa, qb)) == pytest.approx((ra * rb).as_matrix(), abs=1e-12)
    assert quat_rotate(qa, np.array(vec)) == pytest.approx(ra.apply(vec), abs=1e-12)
    assert quat_rotate(quat_conjugate(qa), np.array(vec)) == pytest.approx(ra.inv().apply(vec), abs=1e-12)
    again = Rotation.from_rotvec(quat_to_rotation_vector(-qa))
    assert again.as_matrix() == pytest.approx(ra.as_matrix(), abs=1e-9)


@given(ANGLES, st.sampled_from(list(itertools.permutations(range(3)))))
def test_euler_angles_give_the_rotation_back(rotvec, order):
    matrix = Rotation.from_rotvec(rotvec).as_matrix()
    angles = matrix_to_euler_rad(matrix, order)
    letters = "".join("XYZ"[k] for k in order)
    assert Rotation.from_euler(letters, angles).as_matrix() == pytest.approx(matrix, abs=1e-6)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("middle", [-np.pi / 2, np.pi / 2])
def test_in_the_singular_pose_the_last_angle_is_zero(order, middle):
    letters = "".join("XYZ"[k] for k in order)
    matrix = Rotation.from_euler(letters, [0.4, middle, -0.9]).as_matrix()
    angles = matrix_to_euler_rad(matrix, order)
    assert angles[2] == 0.0
    assert Rotation.from_euler(letters, angles).as_matrix() == pytest.approx(matrix, abs=1e-6)


@given(ANGLES)
def test_heading_is_that_of_the_compiled_form(rotvec):
    quat = as_quat(rotvec)
    assert compute_heading_rad(quat[None])[0] == pytest.approx(heading_rad(quat), abs=1e-12)
