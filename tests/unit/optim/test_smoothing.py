"""Costs smoothed over neighbours: a plane stays one, noise shrinks, and who has no neighbours keeps its cost."""

import numpy as np
import pytest

from poise.optim.smoothing import REACH, smooth_costs


def test_a_plane_stays_what_it_is():
    known = np.random.default_rng(0).uniform(-2.0, 2.0, (400, 2))
    costs = 3.0 + known @ [1.0, -2.0]
    points = np.array([[0.0, 0.0], [1.0, -0.5]])
    assert smooth_costs(points, known, costs) == pytest.approx([3.0, 5.0], abs=0.02)


def test_noise_shrinks_with_neighbours():
    random = np.random.default_rng(1)
    known, noise = random.normal(0.0, REACH, (200, 2)), random.normal(0.0, 1.0, 200)
    near = np.linalg.norm(known, axis=1) < REACH
    assert np.std(smooth_costs(known[near], known, noise)) < 0.4


def test_a_point_without_neighbours_keeps_its_cost():
    known = 20.0 * np.eye(3)
    assert smooth_costs(known, known, np.array([1.0, -5.0, 7.0])) == pytest.approx([1.0, -5.0, 7.0])
