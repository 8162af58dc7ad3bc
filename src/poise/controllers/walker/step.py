"""The step: its phase, the strike that ends it, and the transition to standing [Coros10 §5.3.1, §5.5.1]."""

from __future__ import annotations

from poise.characters.model import KNOWN_AXES
from poise.controllers.walker.commands import natural_step_time, target_speed
from poise.controllers.walker.constants import (
    IDLE_AFTER_STOP_S,
    REST_SOLE,
    REST_STRIDE,
    REST_YAW_RAD,
    STILL_MPS,
    STRIKE_PHASE,
    TURNED_RAD,
)
from poise.controllers.walker.corrections import (
    correct_time,
    correct_velocity,
    correct_width,
    estimate_slope,
    measure_placement,
)
from poise.controllers.walker.frames import in_heading
from poise.controllers.walker.layout import MAX_FOOTHOLDS, STAND
from poise.controllers.walker.senses import body_weight, capture_offset
from poise.kernels.jit import inlined
from poise.kernels.rotation import wrap_rad

_KNEES = (KNOWN_AXES.index("left_knee_pitch"), KNOWN_AXES.index("right_knee_pitch"))


@inlined
def advance_walk(percept, p, m):
    """Advance the phase; at a strike begin the next step, or stand if the walk has stopped."""
    dt = percept.timestep_s
    m.target_travel[0] += m.target_vel[0] * dt
    m.target_travel[1] += m.target_vel[1] * dt
    m.elapsed += dt
    m.time_left -= dt
    time = m.elapsed + m.time_left
    if m.elapsed / time >= p.flat_phase > (m.elapsed - dt) / time:
        estimate_slope(p, m)
    if not _step_ends(percept, p, m, time):
        return
    swing = 1 - int(m.stance)
    measure_placement(percept, m, swing)
    _drop_foothold(m)
    correct_time(p, m)
    begin_step(percept, p, m, swing)
    correct_velocity(percept, p, m)
    correct_width(percept, p, m)
    if p.stand > 0.0 and _is_at_rest(percept, p, m):
        _begin_standing(m)


@inlined
def _step_ends(percept, p, m, time):
    """Whether the swing foot carries load in the second half of the step, or the step has run out of time.

    Deviation: [Coros10 §5.3.1] ends a step at its time. A touch alone is not a strike: the filtered load must reach a
    threshold.
    """
    swing = 1 - int(m.stance)
    dt = percept.timestep_s
    m.swing_load += (m.load[swing] - m.swing_load) * min(dt / max(p.strike_filter, dt), 1.0)
    struck = m.elapsed / time > STRIKE_PHASE and m.swing_load > p.strike_load * body_weight(percept)
    late = m.time_left <= -(p.late_step_ratio - 1.0) * time if p.replan_path > 0.0 else m.time_left <= 0.0
    return struck or late


@inlined
def begin_step(percept, p, m, stance):
    """Exchange the roles of the legs at a strike, and latch the values that apply to the step."""
    swing = 1 - stance
    m.stance = stance
    m.previous_ankle[0], m.previous_ankle[1] = m.strike_ankle[0], m.strike_ankle[1]
    m.previous_ankle[2] = m.flat_ground
    m.strike_knee = max(percept.joint_q[percept.axes[_KNEES[stance]]], 0.0)
    m.steps += 1
    m.elapsed = m.swing_load = 0.0
    m.time_left = natural_step_time(percept, p, m)
    for j in range(3):
        m.lift_off[j] = m.ankle[swing, j]
    for j in range(2):
        m.planned_foot[j] = m.ankle[swing, j]
        m.planned_foot_vel[j] = 0.0
        m.strike_ankle[j] = m.ankle[stance, j]
    m.ground = m.ankle[stance, 2] - p.sole_depth[stance]
    dx, dy = m.com[0] - m.ankle[stance, 0], m.com[1] - m.ankle[stance, 1]
    _, m.strike_side = in_heading(percept.heading_w[0], percept.heading_w[1], dx, dy)


@inlined
def _drop_foothold(m):
    """Remove the foothold of the step that ended."""
    if m.footholds_left > 0.0:
        m.footholds_left -= 1.0
        for k in range(MAX_FOOTHOLDS - 1):
            m.foothold[k, 0], m.foothold[k, 1] = m.foothold[k + 1, 0], m.foothold[k + 1, 1]


@inlined
def _is_at_rest(percept, p, m):
    """Whether no speed is commanded, the body has stopped, and the feet are side by side below the COM."""
    if target_speed(m) > STILL_MPS or m.footholds_left > 0.0:
        return False
    c, s = percept.heading_w[0], percept.heading_w[1]
    ahead, aside = capture_offset(percept, p, m, c, s)
    apart, across = in_heading(c, s, m.ankle[0, 0] - m.ankle[1, 0], m.ankle[0, 1] - m.ankle[1, 1])
    inside = REST_SOLE * p.mean_sole[0] < ahead < REST_SOLE * p.mean_sole[1] and abs(aside) < 0.5 * abs(across)
    turned = (
        abs(wrap_rad(m.heading - percept.heading_rad[0])) < REST_YAW_RAD
        and abs(wrap_rad(m.goal_heading - m.heading)) < TURNED_RAD
    )
    return inside and turned and abs(apart) < REST_STRIDE * p.leg


@inlined
def _begin_standing(m):
    m.mode = STAND
    m.elapsed = 0.0
    m.start_side = 0.0
    m.idle_until = IDLE_AFTER_STOP_S
    m.stand_shift[0] = m.stand_shift[1] = m.idle_shift[0] = m.idle_shift[1] = 0.0
