"""Quantities computed from the percept at every tick: COM, ankles, loads, and the pendulum on the stance foot."""

from __future__ import annotations

import math

from poise.controllers.walker.constants import MIN_PENDULUM
from poise.controllers.walker.frames import in_heading
from poise.controllers.walker.layout import CHANNEL, WALK
from poise.kernels import pendulum
from poise.kernels.feet import foot_load
from poise.kernels.jit import inlined

_STANCE_ANKLE = CHANNEL["stance_ankle"]


@inlined
def sense(percept, p, m):
    """Copy COM, ankles and loads into the memory of this tick, and filter how far the feet support the body."""
    for j in range(3):
        m.com[j] = percept.com_w[j]
        m.com_vel[j] = percept.com_vel_w[j]
    for side in range(2):
        foot, toes = percept.feet[side, 0], percept.feet[side, 1]
        for j in range(3):
            m.ankle[side, j] = percept.pos_w[foot, j]
        m.load[side] = foot_load(percept, side)
        fx, fy = percept.touch_force_w[foot, 0], percept.touch_force_w[foot, 1]
        if toes >= 0:
            fx, fy = fx + percept.touch_force_w[toes, 0], fy + percept.touch_force_w[toes, 1]
        m.shear[side] = math.hypot(fx, fy)
    support = min((m.load[0] + m.load[1]) / (p.full_support_load * body_weight(percept)), 1.0)
    m.support += (support - m.support) * min(percept.timestep_s / p.load_filter, 1.0)


@inlined
def body_weight(percept):
    """Weight of the character (N)."""
    return percept.subtree_mass[0] * percept.gravity_mps2


@inlined
def weight_share(percept, share):
    """A share of the character's weight (N)."""
    return share * percept.subtree_mass[0] * percept.gravity_mps2


@inlined
def half_stand_width(m, c, s):
    """Half the lateral distance of the ankles."""
    _, aside = in_heading(c, s, m.ankle[0, 0] - m.ankle[1, 0], m.ankle[0, 1] - m.ankle[1, 1])
    return 0.5 * abs(aside)


@inlined
def pendulum_rate(percept, p, m):
    """ω = √(g/h) of the pendulum from the stance foot to the COM."""
    h = max(m.com[2] - m.ground, MIN_PENDULUM * p.leg)
    return pendulum.pendulum_rate(percept.gravity_mps2, h)


@inlined
def capture_offset(percept, p, m, c, s):
    """Capture point (COM + v/ω) relative to the middle of the feet, in the heading frame."""
    rate = pendulum_rate(percept, p, m)
    ex = pendulum.capture_point(m.com[0], m.com_vel[0], rate) - 0.5 * (m.ankle[0, 0] + m.ankle[1, 0])
    ey = pendulum.capture_point(m.com[1], m.com_vel[1], rate) - 0.5 * (m.ankle[0, 1] + m.ankle[1, 1])
    return in_heading(c, s, ex, ey)


@inlined
def on_tiptoe(p, m):
    """How far the style walks on the ball of the foot: 0 on flat soles, 1 in full."""
    return min(max(m.pose[_STANCE_ANKLE], 0.0) / p.tiptoe_pitch, 1.0) if int(m.mode) == WALK else 0.0


@inlined
def pressure_ahead(p, m, side):
    """Distance of the assumed centre of pressure ahead of the ankle: on tiptoe, that of the ball of the foot."""
    return max(p.pressure_offset, p.ball_position * on_tiptoe(p, m)) * p.sole[side, 1]


@inlined
def step_phase(m):
    """Phase of the step: 0 at the strike, 1 when the next one is due, more if it is late."""
    return m.elapsed / (m.elapsed + m.time_left)


@inlined
def outward_sign(side):
    """+1 for the left side and −1 for the right one."""
    return 1.0 if side == 0 else -1.0
