"""Footholds: steps to given points instead of the pendulum's [Coros10 §5.3.2]."""

from __future__ import annotations

import math

from poise.controllers.walker.commands import natural_step_time
from poise.controllers.walker.constants import MIN_SQUARED_FALL
from poise.controllers.walker.frames import clamp, in_heading
from poise.controllers.walker.placement import pendulum_state, pivot, sagittal_gain
from poise.controllers.walker.senses import outward_sign, pendulum_rate, pressure_ahead
from poise.kernels.jit import inlined


@inlined
def place_on_foothold(percept, m):
    """Place the foot on the next foothold, less the mean placement error."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    aside = outward_sign(1 - int(m.stance)) * m.placement_error[1]
    m.foot_target[0] = m.foothold[0, 0] - c * m.placement_error[0] + s * aside
    m.foot_target[1] = m.foothold[0, 1] - s * m.placement_error[0] - c * aside


@inlined
def time_foothold(percept, p, m):
    """End the step when the pendulum itself would place the foot on the foothold.

    The placement k·ξ·e^(ωt) − b is solved for the remaining time t: for a farther point the body must also have moved
    further, or it would stop short of the next one. If the planes differ, t is that of the nearest placement.

    Deviation: [Coros10 §5.3.2] keeps the step's time.
    """
    stance = int(m.stance)
    rate = pendulum_rate(percept, p, m)
    c, s = percept.heading_w[0], percept.heading_w[1]
    px, py = pivot(p, m, stance, c, s)
    ahead, aside, forth, across = pendulum_state(p, m, stance, rate, c, s)
    time = natural_step_time(percept, p, m)
    cycle = math.exp(rate * time)
    vx, vy = in_heading(c, s, m.target_vel[0], m.target_vel[1])
    wx, wy = p.placement_speed_gain * vx + m.vel_bias[0], p.placement_speed_gain * vy + m.vel_bias[1]
    dx, dy = in_heading(c, s, m.foothold[0, 0] - px, m.foothold[0, 1] - py)
    x = dx + pressure_ahead(p, m, 1 - stance) + wx * time / (cycle - 1.0)
    y = dy + wy * time / (cycle - 1.0) - outward_sign(1 - stance) * (p.step_width / (cycle + 1.0) + m.width_bias)
    fx, fy = sagittal_gain(p, m, ahead + forth, c, s) * (ahead + forth), p.pendulum_gain_side * (aside + across)
    growth = (fx * x + fy * y) / max(fx * fx + fy * fy, MIN_SQUARED_FALL * p.leg * p.leg)
    left = p.max_foothold_time * time if growth <= 0.0 else math.log(growth) / rate
    left = clamp(left, p.min_foothold_time * time - m.elapsed, p.max_foothold_time * time - m.elapsed)
    # Gradually: the height of the foot follows the same clock.
    rate_error = clamp((left - m.time_left) / p.foothold_time_filter, -p.foothold_clock_range, p.foothold_clock_range)
    m.time_left += percept.timestep_s * rate_error
