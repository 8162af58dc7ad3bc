"""Foot placement by an inverted pendulum [Coros10 §5.3.2], and when the step ends."""

from __future__ import annotations

import math

from poise.characters.model import ROLES
from poise.controllers.walker.commands import target_speed
from poise.controllers.walker.constants import (
    FALL_OVER_STANCE,
    GAP_SLOPE,
    MAX_CLOCK_GAIN,
    MIN_PENDULUM_M,
    SPARE_AHEAD,
    SPARE_ASIDE,
)
from poise.controllers.walker.frames import clamp, in_heading
from poise.controllers.walker.senses import outward_sign, pendulum_rate, pressure_ahead
from poise.kernels.jit import inlined

_FEET = (ROLES.index("left_foot"), ROLES.index("right_foot"))


@inlined
def pivot(p, m, stance, c, s):
    """Pivot of the pendulum: the assumed centre of pressure of the stance foot."""
    ahead = pressure_ahead(p, m, stance)
    return m.ankle[stance, 0] + ahead * c, m.ankle[stance, 1] + ahead * s


@inlined
def pendulum_state(p, m, stance, rate, c, s):
    """COM relative to the pivot, ahead and aside, and its velocity over ω; their sums are the capture point."""
    px, py = pivot(p, m, stance, c, s)
    x, y = in_heading(c, s, m.com[0] - px, m.com[1] - py)
    vx, vy = in_heading(c, s, m.com_vel[0], m.com_vel[1])
    return x, y, vx / rate, vy / rate


@inlined
def sagittal_gain(p, m, fall, c, s):
    """Gain of the pendulum ahead. A foot reaches further ahead than behind, so a fall forward needs a shorter step."""
    if fall < 0.0:
        reverse = -(c * m.target_vel[0] + s * m.target_vel[1]) / p.full_reverse_speed
        return p.pendulum_gain_back + p.pendulum_gain_reverse * clamp(reverse, 0.0, 1.0)
    return p.pendulum_gain


@inlined
def place_by_source(percept, p, m):
    """Place the foot at d' = d − α·V_d from the COM, in the sagittal and the coronal plane [Coros10 §5.3.2].

    Deviation: the energy balance printed there gives d = v·√(h/g + v²/4g²), not the printed d = v·√(h/g); we use the
    former, and the latter with `printed_pendulum`.
    """
    g = percept.gravity_mps2
    h = max(m.com[2] - m.ground, MIN_PENDULUM_M)
    c, s = percept.heading_w[0], percept.heading_w[1]
    vx, vy = in_heading(c, s, m.com_vel[0], m.com_vel[1])
    wx, wy = in_heading(c, s, m.target_vel[0], m.target_vel[1])
    full = 0.0 if p.printed_pendulum > 0.0 else 1.0 / (4.0 * g * g)
    dx = p.pendulum_gain * vx * math.sqrt(h / g + full * vx * vx) - p.alpha * (wx + m.vel_bias[0])
    dy = p.pendulum_gain_side * vy * math.sqrt(h / g + full * vy * vy) - p.alpha * (wy + m.vel_bias[1])
    most = p.reach * p.leg
    dx, dy = clamp(dx, -most, most), clamp(dy, -most, most)
    m.foot_target[0] = m.com[0] + c * dx - s * dy
    m.foot_target[1] = m.com[1] + s * dx + c * dy


@inlined
def place_by_prediction(percept, p, m):
    """Place the foot where the pendulum, predicted to the strike, yields the desired next step.

    Of x'' = ω²·x only the growing part ξ = x + v/ω matters for balance; it grows by e^(ωt) until the strike. A step of
    time T that continues with velocity V and width W starts with ξ ahead of the foot by V·T/(e^(ωT) − 1), and inside of
    it by W/(e^(ωT) + 1).

    Deviation: [Coros10 §5.3.2] does not predict and has one constant α; this is the α that a steady gait needs at each
    step time.
    """
    stance = int(m.stance)
    sign = outward_sign(1 - stance)
    rate = pendulum_rate(percept, p, m)
    c, s = percept.heading_w[0], percept.heading_w[1]
    px, py = pivot(p, m, stance, c, s)
    ahead, aside, forth, across = pendulum_state(p, m, stance, rate, c, s)
    time = m.elapsed + m.time_left
    growth = math.exp(rate * clamp(m.time_left, 0.0, p.prediction_horizon))
    wx, wy = _wanted_velocity(p, m, c, s)
    cycle = math.exp(rate * time)
    x = sagittal_gain(p, m, ahead + forth, c, s) * (ahead + forth) * growth - wx * time / (cycle - 1.0)
    y = p.pendulum_gain_side * (aside + across) * growth - wy * time / (cycle - 1.0)
    y += sign * (p.step_width / (cycle + 1.0) + m.width_bias)
    # The COM at the strike: the foot lands no further from it than the legs reach.
    cosh, sinh = 0.5 * (growth + 1.0 / growth), 0.5 * (growth - 1.0 / growth)
    mx, my = ahead * cosh + forth * sinh, aside * cosh + across * sinh
    # The impact pushes a descending body back along its new stance leg; a long step amplifies that.
    long = max(rate * time - p.long_step_time, 0.0)
    impact = p.impact_gain * long * max(-m.com_vel[2], 0.0) * rate / percept.gravity_mps2
    y = (y + impact * my) / (1.0 + impact)
    most = p.reach * p.leg
    x, y = mx + clamp(x - mx, -most, most), my + clamp(y - my, -most, most)
    most = p.max_stride * p.leg
    x, y = clamp(x, -most, most), clamp(y, -most, most)
    if p.pass_legs == 0.0:
        # The foot lands on its own side, except well ahead of or behind the other one.
        gap = _lateral_gap(p, stance, foot_clearance(percept, p, m), x)
        m.placement_clamped = 1.0 if sign * y < gap else 0.0
        y = sign * max(sign * y, gap)
    middle = pressure_ahead(p, m, 1 - stance)
    m.foot_target[0] = px + c * (x - middle) - s * y
    m.foot_target[1] = py + s * (x - middle) + c * y


@inlined
def _wanted_velocity(p, m, c, s):
    """Velocity for which the next step is placed: the corrected target, plus the return to the rest position."""
    vx, vy = m.target_vel[0], m.target_vel[1]
    if p.idle > 0.0:
        vx += clamp((m.rest_position[0] - m.com[0]) / p.homing_time, -p.homing_speed, p.homing_speed)
        vy += clamp((m.rest_position[1] - m.com[1]) / p.homing_time, -p.homing_speed, p.homing_speed)
    ahead, aside = in_heading(c, s, vx, vy)
    return p.placement_speed_gain * ahead + m.vel_bias[0], p.placement_speed_gain * aside + m.vel_bias[1]


@inlined
def foot_clearance(percept, p, m):
    """Least lateral distance between the ankles of feet side by side: more if the stance foot is turned inward."""
    stance = int(m.stance)
    rot = percept.rot_w[percept.roles[_FEET[stance]]]
    inward = (percept.heading_w[0] * rot[3] - percept.heading_w[1] * rot[0]) * outward_sign(1 - stance)
    toe, heel = p.sole[stance, 1], p.sole[stance, 0]
    return p.sole[stance, 3] - p.sole[stance, 2] + p.foot_gap + max(inward * toe, inward * heel)


@inlined
def _lateral_gap(p, stance, clearance, ahead):
    """Least lateral distance between the ankles with one foot this far ahead of the other."""
    length = p.sole[stance, 1] - p.sole[stance, 0]
    far = abs(ahead) / length - 1.0
    return clearance if far < 0.0 else clearance * max(1.0 - GAP_SLOPE * far, p.far_gap_ratio)


@inlined
def shorten_step(percept, p, m):
    """Speed up the step's clock when the body falls faster than the legs reach, and note how much of a fall to catch.

    Deviation: steps of [Coros10 §5.3.2] keep their time.
    """
    stance = int(m.stance)
    sign = outward_sign(1 - stance)
    rate = pendulum_rate(percept, p, m)
    c, s = percept.heading_w[0], percept.heading_w[1]
    ahead, aside, forth, across = pendulum_state(p, m, stance, rate, c, s)
    ahead, aside = ahead + forth, sign * (aside + across)
    time = m.elapsed + m.time_left
    growth, cycle = math.exp(rate * clamp(m.time_left, 0.0, p.fall_horizon)), math.exp(rate * time)
    # Capture point of a steady walk at the strike, plus some reserve.
    usual = target_speed(m) * time * cycle / (cycle - 1.0) + SPARE_AHEAD * p.leg
    usual_side = p.step_width * cycle / (cycle + 1.0) + SPARE_ASIDE * p.leg
    fall = max(abs(ahead) * growth / usual, aside * growth / usual_side)
    if p.pass_legs == 0.0:
        # In a fall over the stance leg only the step after this one can help, so this one must be quick.
        fall = max(fall, 1.0 - (aside + 0.5 * p.sole[stance, 3]) / (FALL_OVER_STANCE * p.leg))
    else:
        # Legs that pass each other catch a fall to either side.
        either = max(fall, -aside * growth / usual_side)
        m.catch = clamp((either - p.catch_threshold) / p.catch_range, 0.0, 1.0)
    if fall > 1.0:
        # A fall has more time to grow in a long step.
        quick = p.step_shortening_gain * (1.0 + p.long_step_shortening * max(rate * time - p.long_step_time, 0.0))
        m.time_left -= percept.timestep_s * min(quick * (fall - 1.0), MAX_CLOCK_GAIN)
