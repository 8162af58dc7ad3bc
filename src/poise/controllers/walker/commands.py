"""Commands: heading, velocity, footholds and style follow what is commanded at limited rates."""

from __future__ import annotations

import math

from poise.controllers.walker.constants import MAX_STEP_FROUDE, MIN_SPEED_MPS, STILL_MPS
from poise.controllers.walker.frames import clamp
from poise.controllers.walker.layout import MAX_FOOTHOLDS, MAX_STYLES
from poise.kernels.jit import inlined
from poise.kernels.rotation import wrap_rad


@inlined
def follow_commands(percept, p, m):
    """Move the targets of heading, velocity and style towards what is commanded, and take new footholds."""
    _follow_heading_and_velocity(percept, p, m)
    if target_speed(m) > STILL_MPS or m.has_rest_position == 0.0:
        m.rest_position[0], m.rest_position[1], m.has_rest_position = m.com[0], m.com[1], 1.0
    if p.foothold_order != m.foothold_order:
        m.foothold_order, m.footholds_left = p.foothold_order, p.footholds
        for k in range(MAX_FOOTHOLDS):
            m.foothold[k, 0], m.foothold[k, 1] = p.foothold[k, 0], p.foothold[k, 1]
    # A script may set any number, but only these are rows of the table.
    if p.style != m.style and 0.0 <= p.style < MAX_STYLES and p.style == math.floor(p.style):
        m.old_style, m.style, m.style_fade = m.style, p.style, 0.0
    m.style_fade = min(m.style_fade + percept.timestep_s / p.style_fade, 1.0)


@inlined
def _follow_heading_and_velocity(percept, p, m):
    """Turn the heading at up to ω_max, and interpolate the velocity through the turn [Coros10 §5.3.5].

    The target velocity moves from its value before the turn to that after it in proportion to the completed rotation.

    Deviation: the lateral acceleration also limits the turning rate; a limit on the change of the velocity governs
    starts, stops and reversals; the speed is limited to a Froude number; trunk and swing leg turn only a little ahead
    of the pelvis.
    """
    dt = percept.timestep_s
    m.goal_heading = math.radians(p.heading)
    error = wrap_rad(m.goal_heading - m.heading)
    commanded = math.hypot(p.speed, p.side_speed)
    rate = min(p.turn_rate, p.turn_acceleration / max(commanded, MIN_SPEED_MPS))
    m.heading += clamp(error, -rate * dt, rate * dt)
    # In the air, rotating limbs would rotate the pelvis the opposite way.
    ahead = wrap_rad(m.heading - percept.heading_rad[0])
    m.limb_yaw = percept.heading_rad[0] + m.support * clamp(ahead, -p.max_yaw_ahead, p.max_yaw_ahead)
    c, s = math.cos(m.goal_heading), math.sin(m.goal_heading)
    scale = min(p.max_froude * math.sqrt(percept.gravity_mps2 * p.leg) / max(commanded, MIN_SPEED_MPS), 1.0)
    dx = scale * (p.speed * c - p.side_speed * s) - m.target_vel[0]
    dy = scale * (p.speed * s + p.side_speed * c) - m.target_vel[1]
    most, size = p.acceleration * dt, math.hypot(dx, dy)
    if abs(error) > 2.0 * rate * dt:
        most = max(most, size * rate * dt / abs(error))
    if size > most:
        dx, dy = dx * most / size, dy * most / size
    m.target_vel[0] += dx
    m.target_vel[1] += dy


@inlined
def target_speed(m):
    """Magnitude of the target velocity."""
    return math.hypot(m.target_vel[0], m.target_vel[1])


@inlined
def natural_step_time(percept, p, m):
    """Duration of a step: as commanded, or by one rule of speed and leg length for every body."""
    if p.step_time > 0.0:
        return p.step_time + m.time_bias
    size = math.sqrt(p.leg / percept.gravity_mps2)
    froude = target_speed(m) * size / p.leg
    return p.tempo[int(m.style)] * size * (p.rest_step_time - p.step_time_slope * min(froude, MAX_STEP_FROUDE))
