"""Catmull-Rom splines pass through their points, are smooth, and are held outside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.kernels.splines import catmull_rom, find_interval, hermite_weights

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


def test_intervals_and_weights_are_those_of_the_spline():
    points = np.array([0.3, -1.0, 2.0, 0.5, 0.1])
    for phase in (-1.0, 0.0, 0.2, 0.25, 0.6, 1.0, 3.0, float("nan")):
        i, t = find_interval(5, phase)
        assert 0 <= i <= 3 and 0.0 <= t <= 1.0
        w0, w1, h0, h1 = hermite_weights(t)
        before, after = points[max(i - 1, 0)], points[min(i + 2, 4)]
        tangents = 0.5 * (h0 * (points[i + 1] - before) + h1 * (after - points[i]))
        assert w0 + w1 == pytest.approx(1.0)
        assert catmull_rom(points, 5, phase) == pytest.approx(w0 * points[i] + w1 * points[i + 1] + tangents)
