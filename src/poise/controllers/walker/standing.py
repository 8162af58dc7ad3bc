"""Standing: shifts of weight, and the transition to walking, by a command or by a push [Coros10 §5.5.1]."""

from __future__ import annotations

import math

from poise.controllers.walker.commands import natural_step_time, target_speed
from poise.controllers.walker.constants import (
    FALL_TO_SIDE,
    IDLE_BACKWARD,
    LOADED_SHARE,
    LOST_SIDE,
    LOST_SOLE,
    SLOW_START,
    START_SOLE,
    STEP_TO_TURN_RAD,
    STILL_MPS,
)
from poise.controllers.walker.frames import clamp, in_heading
from poise.controllers.walker.layout import WALK
from poise.controllers.walker.senses import capture_offset, half_stand_width, pendulum_rate, weight_share
from poise.controllers.walker.step import begin_step
from poise.kernels.jit import inlined
from poise.kernels.random import next_uniform
from poise.kernels.rotation import wrap_rad


@inlined
def advance_stand(percept, p, m):
    """Begin a step at once after a push, or with shifted weight when a command requires one; otherwise idle."""
    c, s = percept.heading_w[0], percept.heading_w[1]
    m.elapsed += percept.timestep_s
    m.ground = 0.5 * (m.ankle[0, 2] - p.sole_depth[0] + m.ankle[1, 2] - p.sole_depth[1])
    ahead, aside = capture_offset(percept, p, m, c, s)
    half = half_stand_width(m, c, s)
    stance = _find_only_support(percept, p, m)
    if stance >= 0:
        m.unloaded_time = 0.0
    elif _is_lost(p, ahead, aside, half):
        stance = _choose_catching_stance(percept, m, aside, half)
    elif _should_walk(percept, p, m):
        stance = _shift_to_start(percept, p, m, ahead, aside)
    elif m.start_side > 0.0:
        m.start_side = 0.0
        m.stand_shift[0] = m.stand_shift[1] = 0.0
    elif p.idle > 0.0:
        _shift_weight(percept, p, m, half)
    if stance >= 0:
        _begin_walking(percept, p, m, stance)


@inlined
def _find_only_support(percept, p, m):
    """Side of the foot that has carried everything for a while, which leaves the other free to step; −1 for none."""
    loaded = weight_share(percept, LOADED_SHARE)
    if m.elapsed > p.max_unloaded and (m.load[0] < loaded) != (m.load[1] < loaded):
        m.unloaded_time += percept.timestep_s
        if m.unloaded_time > p.max_unloaded:
            return 0 if m.load[1] < loaded else 1
    else:
        m.unloaded_time = 0.0
    return -1


@inlined
def _is_lost(p, ahead, aside, half):
    """Whether the capture point has left the feet, and only a step helps."""
    toe, heel = LOST_SOLE * p.mean_sole[1], LOST_SOLE * p.mean_sole[0]
    return ahead > toe or ahead < heel or abs(aside) > half + LOST_SIDE * p.mean_sole[3]


@inlined
def _choose_catching_stance(percept, m, aside, half):
    """Stance side of a catching step.

    The leg on the side of the fall steps. In a fall forward or back, or with a foot in the air, it is the leg that
    carries less.
    """
    loaded = weight_share(percept, LOADED_SHARE)
    if abs(aside) > FALL_TO_SIDE * half and (m.load[0] < loaded) == (m.load[1] < loaded):
        return 1 if aside > 0.0 else 0
    return 0 if m.load[0] > m.load[1] else 1


@inlined
def _should_walk(percept, p, m):
    """Whether a command, a foothold or idling requires a step."""
    return (
        target_speed(m) > STILL_MPS
        or abs(wrap_rad(m.goal_heading - percept.heading_rad[0])) > STEP_TO_TURN_RAD
        or p.stand == 0.0
        or m.footholds_left > 0.0
        or m.idle_foot != 0.0
    )  # fmt: skip


@inlined
def _shift_to_start(percept, p, m, ahead, aside):
    """Shift the weight over the coming stance foot; return its side once the step may begin, otherwise −1.

    Deviation: [Coros10 §5.5.1] begins when the COM has moved 40 % of the distance, at any speed; here the capture point
    must come as near to the stance foot as in a steady walk, times a margin.
    """
    if m.start_side == 0.0:
        m.start_side = 1.0 if m.load[0] >= m.load[1] else 2.0
    foot = int(m.start_side) - 1
    x = m.ankle[foot, 0] - 0.5 * (m.ankle[0, 0] + m.ankle[1, 0])
    y = m.ankle[foot, 1] - 0.5 * (m.ankle[0, 1] + m.ankle[1, 1])
    _, across = in_heading(percept.heading_w[0], percept.heading_w[1], x, y)
    # A step in place begins over the ankles: ahead of them the foot would have to land further forward.
    slowness = 1.0 - min(target_speed(m) / p.start_lean_speed, 1.0)
    _move_start_shift(percept, p, m, -0.5 * slowness * (p.mean_sole[0] + p.mean_sole[1]), across)
    time = natural_step_time(percept, p, m)
    steady = p.step_width / (math.exp(pendulum_rate(percept, p, m) * time) + 1.0)
    over = aside * math.copysign(1.0, across) >= abs(across) - p.start_margin * steady
    return foot if over and (slowness < SLOW_START or ahead < START_SOLE * p.mean_sole[1]) else -1


@inlined
def _move_start_shift(percept, p, m, ahead, aside):
    """Move the target of the COM over the starting foot: at once, or slowly before a step of idling."""
    if m.idle_foot != 0.0:
        most = p.idle_step_shift_speed * percept.timestep_s
        ahead = m.stand_shift[0] + clamp(ahead - m.stand_shift[0], -most, most)
        aside = m.stand_shift[1] + clamp(aside - m.stand_shift[1], -most, most)
    m.stand_shift[0], m.stand_shift[1] = ahead, aside


@inlined
def _shift_weight(percept, p, m, half):
    """Idle [Coros10 §5.5.1]: shift the weight every few seconds, and occasionally step with a foot."""
    most = p.idle_shift_speed * percept.timestep_s
    for j in range(2):
        m.stand_shift[j] += clamp(m.idle_shift[j] - m.stand_shift[j], -most, most)
    if m.elapsed < m.idle_until:
        return
    m.idle_until = m.elapsed + p.idle_min + (p.idle_max - p.idle_min) * next_uniform(percept.random_state)
    m.idle_shift[0] = p.idle_shift_ahead * p.mean_sole[1] * (next_uniform(percept.random_state) - IDLE_BACKWARD)
    m.idle_shift[1] = p.idle_shift_side * half * (2.0 * next_uniform(percept.random_state) - 1.0)
    if next_uniform(percept.random_state) < p.idle_step_chance:
        m.idle_foot = 1.0 if m.idle_shift[1] > 0.0 else -1.0


@inlined
def _begin_walking(percept, p, m, stance):
    m.mode = WALK
    m.idle_foot = 0.0
    for j in range(2):
        m.strike_ankle[j] = m.ankle[1 - stance, j]
    m.flat_ground = m.ground
    begin_step(percept, p, m, stance)
    m.stride_start[2] = -1.0
    m.vel_bias[0] = m.vel_bias[1] = 0.0
