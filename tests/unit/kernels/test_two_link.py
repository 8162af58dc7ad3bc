"""Two links: their triangle, and the plane in which they reach."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.kernels.pendulum import capture_point, pendulum_rate
from poise.kernels.two_link import angle_between, flexion_for, reach_at, solve_upper_link

lengths = st.floats(0.2, 0.6)


@given(lengths, lengths, st.floats(0.05, 3.0))
def test_reach_and_flexion_are_inverse(upper, lower, flexion):
    assert flexion_for(upper, lower, reach_at(upper, lower, flexion)) == pytest.approx(flexion, abs=1e-6)


def test_angles_obey_the_law_of_cosines():
    assert angle_between(3.0, 4.0, 5.0) == pytest.approx(0.5 * math.pi)
    assert angle_between(1.0, 1.0, 5.0) == math.pi and flexion_for(0.4, 0.4, 0.8) == pytest.approx(0.0, abs=1e-7)


@given(lengths, lengths, st.floats(0.1, 0.9), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_the_links_meet_the_goal_in_their_plane(upper, lower, part, ahead, aside):
    low, high = abs(upper - lower), upper + lower
    reach = low + part * (high - low)
    goal = np.array([ahead, aside, -1.0]) / math.hypot(ahead, aside, 1.0)
    *bone, nx, ny, nz = solve_upper_link(upper, lower, reach, *goal.tolist(), 0.0, 1.0, 0.0)
    bone, normal = np.array(bone), np.array([nx, ny, nz])
    assert np.linalg.norm(bone) == pytest.approx(1.0) and np.linalg.norm(normal) == pytest.approx(1.0)
    assert normal @ goal == pytest.approx(0.0, abs=1e-9) and normal @ bone == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(reach * goal - upper * bone) == pytest.approx(lower, abs=1e-6)
    # With the normal to the left, a knee points forward.
    assert bone @ np.cross(goal, normal) >= 0.0


def test_a_pendulum_comes_to_rest_over_its_capture_point():
    rate = pendulum_rate(9.81, 0.9)
    x, v, dt = 0.1, 0.6, 1e-4
    foot = capture_point(x, v, rate)
    for _ in range(10000):
        v += rate * rate * (x - foot) * dt
        x += v * dt
    assert rate == pytest.approx(math.sqrt(9.81 / 0.9))
    left = math.exp(-rate)
    assert x == pytest.approx(foot + (0.1 - foot) * left, abs=1e-3) and v == pytest.approx(0.6 * left, abs=0.01)
