"""Catmull-Rom splines pass through their points, are smooth, and are held outside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.kernels.splines import catmull_rom

points_lists = st.lists(st.floats(-3, 3), min_size=1, max_size=6)


@given(points_lists)
def test_it_passes_through_its_points(points: list[float]) -> None:
    array, count = np.array(points), len(points)
    for k, point in enumerate(points):
        phase = k / (count - 1) if count > 1 else 0.3
        assert catmull_rom(array, count, phase) == pytest.approx(point, abs=1e-9)


@given(points_lists, st.floats(-5, 0), st.floats(1, 5))
def test_it_is_held_before_and_after(points: list[float], before: float, after: float) -> None:
    array, count = np.array(points), len(points)
    assert catmull_rom(array, count, before) == pytest.approx(points[0])
    assert catmull_rom(array, count, after) == pytest.approx(points[-1])


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=6))
def test_it_has_no_corner_at_a_knot(points: list[float]) -> None:
    array, count, h = np.array(points), len(points), 1e-6
    for k in range(1, count - 1):
        at = k / (count - 1)
        left = (catmull_rom(array, count, at) - catmull_rom(array, count, at - h)) / h
        right = (catmull_rom(array, count, at + h) - catmull_rom(array, count, at)) / h
        assert left == pytest.approx(right, abs=1e-2)
