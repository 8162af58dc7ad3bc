"""How to throw a ball that hits a moving target."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def aim_ball(
    target_w_m: FloatArray,
    target_vel_w_mps: FloatArray,
    bearing_rad: float,
    speed_mps: float,
    gravity_mps2: float,
    *,
    distance_m: float,
    floor_m: Callable[[float, float], float] = lambda x_m, y_m: -math.inf,
) -> tuple[FloatArray, FloatArray]:
    """Start position and velocity of a ball that flies along a bearing and hits a target of constant velocity.

    It starts at `distance_m` from the target, at the target's height but never below the floor. `speed_mps` is relative
    to the target; the velocity returned also contains the target's own.
    """
    along = np.array([math.cos(bearing_rad), math.sin(bearing_rad), 0.0])
    start = np.asarray(target_w_m, dtype=float) - distance_m * along
    start[2] = max(start[2], floor_m(float(start[0]), float(start[1])))
    flight_s = distance_m / speed_mps
    drift = np.array([target_vel_w_mps[0], target_vel_w_mps[1], 0.0])
    velocity = speed_mps * along + drift
    velocity[2] = (target_w_m[2] - start[2]) / flight_s + 0.5 * gravity_mps2 * flight_s
    return start, velocity
