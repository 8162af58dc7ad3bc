"""The generalized walker as a compiled law [Coros10 §5.3]: what happens in one tick, in order."""

from __future__ import annotations

from poise.controllers.walker.layout import MEMORY, PARAMS, SCRATCH, WALK
from poise.controllers.walker.placement import (
    hasten,
    place_as_told,
    place_by_prediction,
    place_by_text,
    time_as_told,
)
from poise.controllers.walker.posture import compensate_gravity, hold_arms, hold_spine, play_style
from poise.controllers.walker.stance import (
    carry,
    hold_pelvis,
    hold_toes,
    left_share,
    lift_knee,
    plant_ankle,
    swing_ankle,
    virtual_force,
    write_knees,
)
from poise.controllers.walker.swing import find_ground, keep_clear, plan_foot, swing_leg
from poise.controllers.walker.timing import advance_stand, advance_walk, follow_commands, see
from poise.kernels.jit import law


@law
def walker_law(percept, params, memory, torque, damping):
    """Senses, decides on the step, and sums motion generator, gravity compensation and virtual force [Fig. 5.1]."""
    p, m = params.view(PARAMS)[0], memory.view(MEMORY)[0]
    see(percept, p, m)
    follow_commands(percept, p, m)
    if int(m.mode) == WALK:
        advance_walk(percept, p, m)
    else:
        advance_stand(percept, p, m)
    walking = int(m.mode) == WALK
    stance = int(m.stance)
    swing = 1 - stance
    time = m.elapsed + m.left
    play_style(p, m, m.elapsed / time if walking else 0.5, 1.0 / time if walking else 0.0)
    write_knees(percept, p, m)
    virtual_force(percept, p, m)
    hold_spine(percept, p, m, torque, damping)
    hold_arms(percept, p, m, torque, damping)
    compensate_gravity(percept, p, m, torque)
    if walking:
        if p.placement > 0.0:
            hasten(percept, p, m)
            place_by_prediction(percept, p, m)
        else:
            place_by_text(percept, p, m)
        if m.aims > 0.0:
            if p.placement > 0.0:
                time_as_told(percept, p, m)
            place_as_told(percept, m)
        plan_foot(percept, p, m)
        if p.pass_legs == 0.0:
            keep_clear(percept, p, m)
        swing_leg(percept, p, m, torque, damping)
        swing_ankle(percept, p, m, swing, torque, damping)
    hold_pelvis(percept, p, m, torque, damping)
    if walking:
        firm = min(m.load[stance] / (0.1 * percept.subtree_mass[0] * percept.gravity_mps2), 1.0)
        if firm < 1.0:
            find_ground(percept, p, m, stance, 1.0 - firm, torque, damping)
        carry(percept, p, m, stance, firm, torque, damping)
        plant_ankle(percept, p, m, stance, 1.0, torque, damping)
        lift_knee(percept, p, m, stance, 1.0, torque)
    else:
        left = left_share(percept, p, m)
        for side in range(2):
            share = left if side == 0 else 1.0 - left
            carry(percept, p, m, side, share, torque, damping)
            plant_ankle(percept, p, m, side, share, torque, damping)
            lift_knee(percept, p, m, side, share, torque)
    for side in range(2):
        hold_toes(percept, p, m, side, torque, damping)
    for k in range(SCRATCH, memory.shape[0]):
        memory[k] = 0.0
