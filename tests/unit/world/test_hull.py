import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import ConvexHull, QhullError

from poise.world.hull import compute_convex_hull

POINTS = st.integers(0, 30).flatmap(lambda n: arrays(float, (n, 2), elements=st.integers(-50, 50).map(float)))


@given(POINTS)
def test_it_agrees_with_scipy_where_that_answers(points):
    try:
        wanted = ConvexHull(points)
    except (QhullError, ValueError, IndexError):
        assume(False)
    corners = compute_convex_hull(points)
    assert {tuple(c) for c in corners} == {tuple(points[k]) for k in wanted.vertices}
    x, y = corners.T
    assert 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) == pytest.approx(wanted.volume)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=9, unique=True))
def test_points_on_a_line_have_two_corners(places):
    points = np.outer(places, [3.0, 1.0])
    assert compute_convex_hull(points).tolist() == [[3.0 * k, 1.0 * k] for k in (min(places), max(places))]


def test_a_point_is_its_own_hull_and_nothing_has_none():
    assert compute_convex_hull(np.array([[1.0, 2.0], [1.0, 2.0]])).tolist() == [[1.0, 2.0]]
    assert compute_convex_hull(np.zeros((0, 2))).shape == (0, 2)
