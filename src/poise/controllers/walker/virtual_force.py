"""The virtual force on the COM that tunes velocity and lateral position [Coros10 §5.3.3]."""

from __future__ import annotations

import math

from poise.controllers.walker import layout
from poise.controllers.walker.frames import clamp, in_heading, to_world
from poise.controllers.walker.senses import half_stand_width, outward_sign, pendulum_rate
from poise.kernels.jit import inlined


@inlined
def write_virtual_force(percept, p, m):
    """Write F_V (world) for this tick."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    if int(m.mode) == layout.WALK:
        fx, fy = _walking_force(percept, p, m, c, s)
    else:
        fx, fy = _standing_force(percept, p, m, c, s)
    x, y = to_world(c, s, fx, fy)
    m.virtual_force[0], m.virtual_force[1], m.virtual_force[2] = p.velocity_tuning * x, p.velocity_tuning * y, 0.0


@inlined
def _walking_force(percept, p, m, c, s):
    """Force ahead and aside: F = k·(V_d − V) ahead, a PD law on the distance from the stance ankle aside.

    The target distance goes from that at the strike to half a step width at the next one.

    Deviation: velocity and distance follow the pendulum's over a step: the COM is slowest ahead and closest to the
    stance foot in the middle, the more so the longer the step.
    """
    stance = int(m.stance)
    vx, vy = in_heading(c, s, m.com_vel[0], m.com_vel[1])
    wx, wy = in_heading(c, s, m.target_vel[0], m.target_vel[1])
    _, side = in_heading(c, s, m.com[0] - m.ankle[stance, 0], m.com[1] - m.ankle[stance, 1])
    time = m.elapsed + m.time_left
    phase = min(m.elapsed / time, 1.0)
    end = outward_sign(1 - stance) * 0.5 * p.step_width
    goal = (1.0 - phase) * m.strike_side + phase * end
    sway = 0.0
    if p.predict_placement > 0.0:
        rate = pendulum_rate(percept, p, m)
        half = 0.5 * rate * time
        swing = math.exp(rate * (m.elapsed - 0.5 * time))
        amplitude = end / math.cosh(half)
        goal += 0.5 * amplitude * (swing + 1.0 / swing) - end
        sway = 0.5 * rate * amplitude * (swing - 1.0 / swing)
        wx *= 1.0 + p.speed_profile * (half * 0.5 * (swing + 1.0 / swing) / math.sinh(half) - 1.0)
    fx = p.speed_gain * (wx - vx)
    fy = p.side_kp * (goal - side) + p.side_kd * (wy + p.side_speed_profile * sway - vy)
    return clamp(fx, -p.speed_force, p.speed_force), clamp(fy, -p.side_force, p.side_force)


@inlined
def _standing_force(percept, p, m, c, s):
    """Force ahead and aside: a PD law towards the middle of the feet, limited to keep both of them on the ground."""
    vx, vy = in_heading(c, s, m.com_vel[0], m.com_vel[1])
    ex = 0.5 * (m.ankle[0, 0] + m.ankle[1, 0]) - m.com[0]
    ey = 0.5 * (m.ankle[0, 1] + m.ankle[1, 1]) - m.com[1]
    ahead, aside = in_heading(c, s, ex, ey)
    middle = 0.5 * (p.mean_sole[0] + p.mean_sole[1])
    fx = p.stand_kp * (ahead + middle + m.stand_shift[0]) - p.stand_kd * vx
    fy = p.stand_kp * (aside + m.stand_shift[1]) - p.stand_kd * vy
    # m·ω² is the force per distance of the centre of pressure from below the COM.
    rate = pendulum_rate(percept, p, m)
    most = p.sole_use * percept.subtree_mass[0] * rate * rate
    most_side = p.stand_side_use * most * half_stand_width(m, c, s)
    return clamp(fx, -most * p.mean_sole[1], -most * p.mean_sole[0]), clamp(fy, -most_side, most_side)
