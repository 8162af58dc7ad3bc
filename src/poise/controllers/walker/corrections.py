"""Corrections from step to step: gradient of the ground, placement error, and integral control once per stride."""

from __future__ import annotations

import math

from poise.controllers.walker.commands import target_speed
from poise.controllers.walker.constants import (
    MAX_BIAS_MPS,
    MAX_BIAS_PER_SPEED,
    MAX_SIDE_BIAS_MPS,
    MAX_WIDTH_BIAS,
    MIN_SLOPE_DISTANCE_M,
    MIN_STRIDE_S,
    NEWEST_STEP,
    PUSHED_AHEAD,
    PUSHED_ASIDE,
    PUSHED_MPS,
    PUSHED_WIDTH,
    WIDTH_STEP_S,
)
from poise.controllers.walker.frames import clamp, in_heading
from poise.controllers.walker.senses import outward_sign, pendulum_rate
from poise.kernels.jit import inlined


@inlined
def estimate_slope(p, m):
    """Move the estimated gradient towards that from the last stance foot to this one, once it lies flat.

    Only the component along the line between the feet is observed; left and right steps observe different ones.
    """
    stance = int(m.stance)
    m.flat_ground = m.ankle[stance, 2] - p.sole_depth[stance]
    dx, dy = m.ankle[stance, 0] - m.previous_ankle[0], m.ankle[stance, 1] - m.previous_ankle[1]
    distance = math.hypot(dx, dy)
    if distance > MIN_SLOPE_DISTANCE_M:
        error = m.flat_ground - m.previous_ankle[2] - m.slope[0] * dx - m.slope[1] * dy
        for j in range(2):
            part = NEWEST_STEP * error * (dx if j == 0 else dy) / (distance * distance)
            m.slope[j] = clamp(m.slope[j] + part, -p.max_slope, p.max_slope)


@inlined
def measure_placement(percept, m, side):
    """Update the mean placement error, ahead and outward: where the foot struck minus where it was planned."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    ahead, aside = in_heading(c, s, m.ankle[side, 0] - m.planned_foot[0], m.ankle[side, 1] - m.planned_foot[1])
    m.placement_error[0] += NEWEST_STEP * (ahead - m.placement_error[0])
    m.placement_error[1] += NEWEST_STEP * (outward_sign(side) * aside - m.placement_error[1])


@inlined
def correct_velocity(percept, p, m):
    """Integrate the error of the mean velocity over each stride of two steps, in the heading frame."""
    if m.steps % 2 != 0:
        return
    time = percept.time_s[0] - m.stride_start[2]
    if m.stride_start[2] >= 0.0 and time > MIN_STRIDE_S:
        c, s = math.cos(m.heading), math.sin(m.heading)
        gx = (m.com[0] - m.stride_start[0]) - m.target_travel[0]
        gy = (m.com[1] - m.stride_start[1]) - m.target_travel[1]
        ahead, aside = in_heading(c, s, gx, gy)
        ahead, aside = ahead / time, aside / time
        speed = target_speed(m)
        if abs(ahead) < PUSHED_MPS + PUSHED_AHEAD * speed and abs(aside) < PUSHED_MPS + PUSHED_ASIDE * speed:
            most = MAX_BIAS_MPS + MAX_BIAS_PER_SPEED * speed
            m.vel_bias[0] = clamp(m.vel_bias[0] - p.integral_gain * ahead, -most, most)
            m.vel_bias[1] = clamp(m.vel_bias[1] - p.integral_gain * aside, -MAX_SIDE_BIAS_MPS, MAX_SIDE_BIAS_MPS)
    m.stride_start[0], m.stride_start[1], m.stride_start[2] = m.com[0], m.com[1], percept.time_s[0]
    m.target_travel[0] = m.target_travel[1] = 0.0


@inlined
def correct_time(p, m):
    """Integrate the error of a commanded step time: strikes come a little before they are due."""
    if p.step_time > 0.0 and p.integral_gain > 0.0:
        most = min(p.max_time_bias, max(p.max_biased_time - p.step_time, 0.0))
        m.time_bias = clamp(m.time_bias + p.integral_gain * (p.step_time - m.elapsed), -most, most)


@inlined
def correct_width(percept, p, m):
    """Integrate the error of the step width."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    _, width = in_heading(c, s, m.ankle[0, 0] - m.ankle[1, 0], m.ankle[0, 1] - m.ankle[1, 1])
    error = p.step_width - width
    if abs(error) < PUSHED_WIDTH * p.leg and m.placement_clamped == 0.0:
        growth = math.exp(pendulum_rate(percept, p, m) * min(m.elapsed + m.time_left, WIDTH_STEP_S))
        most = MAX_WIDTH_BIAS * p.leg
        m.width_bias = clamp(m.width_bias + p.integral_gain * 0.5 * error / (growth + 1.0), -most, most)
