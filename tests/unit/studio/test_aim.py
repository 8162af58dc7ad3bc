"""A thrown ball hits its target."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from poise.studio.aim import aim_ball

START_M = 3.0
speeds = st.floats(2.0, 16.0)
coordinates = st.floats(-5.0, 5.0)


@given(coordinates, coordinates, st.floats(0.5, 2.0), st.floats(-2.0, 2.0), st.floats(-math.pi, math.pi), speeds)
def test_a_ball_meets_a_target_that_keeps_its_speed(
    x: float, y: float, z: float, vx: float, bearing: float, speed: float
) -> None:
    target, drift = np.array([x, y, z]), np.array([vx, 0.3, 0.0])
    start, velocity = aim_ball(target, drift, bearing, speed, 9.81, distance_m=START_M)
    flight_s = START_M / speed
    landed = start + velocity * flight_s - np.array([0.0, 0.0, 0.5 * 9.81 * flight_s**2])
    assert np.allclose(landed, target + drift * flight_s, atol=1e-9)


def test_a_ball_does_not_start_inside_the_floor() -> None:
    start, _ = aim_ball(
        np.array([0.0, 0.0, 0.4]), np.zeros(3), 0.0, 5.0, 9.81, distance_m=START_M, floor_m=lambda x_m, y_m: 1.1
    )
    assert start.tolist() == [-3.0, 0.0, 1.1]
