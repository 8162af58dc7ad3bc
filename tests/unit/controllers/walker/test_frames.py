"""The heading frame, rotations and hinges of the law."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from poise.controllers.walker import frames

ANGLE = st.floats(-1.4, 1.4)


def plain(function: Any) -> Any:
    """The Python function of a compiled one that has no way in from Python."""
    return getattr(function, "py_func", function)


@given(st.floats(-3.0, 3.0), st.floats(-9.0, 9.0), st.floats(-9.0, 9.0))
def test_the_heading_frame_turns_with_the_heading_and_back(heading: float, x: float, y: float) -> None:
    c, s = math.cos(heading), math.sin(heading)
    ahead, aside = plain(frames.in_heading)(c, s, x, y)
    rotated = Rotation.from_euler("Z", -heading).apply([x, y, 0.0])
    assert (ahead, aside) == pytest.approx(tuple(rotated[:2]), abs=1e-9)
    assert plain(frames.to_world)(c, s, ahead, aside) == pytest.approx((x, y), abs=1e-9)


@given(ANGLE, ANGLE, ANGLE, st.floats(-3.0, 3.0), st.floats(-1.0, 1.0))
def test_hinges_give_back_the_rotation(pitch: float, roll: float, yaw: float, turn: float, tilt: float) -> None:
    parent = Rotation.from_euler("ZX", [turn, tilt])
    child = parent * Rotation.from_euler("YXZ", [pitch, roll, yaw])
    out = np.zeros(3)
    plain(frames.write_hinges)(parent.as_matrix().ravel(), child.as_matrix().ravel(), out)
    assert out == pytest.approx([pitch, roll, yaw], abs=1e-9)


@given(ANGLE, ANGLE, st.floats(-3.0, 3.0))
def test_a_posture_is_yaw_then_pitch_then_roll(pitch: float, roll: float, yaw: float) -> None:
    out = np.zeros(9)
    plain(frames.write_rotation)(pitch, roll, yaw, out)
    assert out.reshape(3, 3) == pytest.approx(Rotation.from_euler("ZYX", [yaw, pitch, roll]).as_matrix(), abs=1e-12)


@given(st.lists(st.floats(-1.5, 1.5), min_size=3, max_size=3), st.floats(-3.0, 3.0))
def test_the_rotation_error_turns_one_into_the_other(vector: list[float], yaw: float) -> None:
    now = Rotation.from_euler("Z", yaw)
    target = Rotation.from_rotvec(vector) * now
    out = np.zeros(3)
    plain(frames.write_rotation_error)(now.as_matrix().ravel(), target.as_matrix().ravel(), out)
    assert out == pytest.approx(vector, abs=1e-6)
