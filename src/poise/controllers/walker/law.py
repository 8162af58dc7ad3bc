"""The generalized walker as a compiled law [Coros10 §5.3]: what happens in one tick, in order."""

from __future__ import annotations

from poise.controllers.walker.commands import follow_commands
from poise.controllers.walker.constants import FULL_LEG_LOAD
from poise.controllers.walker.feet import hold_toes, plant_ankle, swing_ankle
from poise.controllers.walker.footholds import place_on_foothold, time_foothold
from poise.controllers.walker.layout import MEMORY, PARAMS, SCRATCH, WALK
from poise.controllers.walker.pelvis import hold_pelvis
from poise.controllers.walker.placement import place_by_prediction, place_by_source, shorten_step
from poise.controllers.walker.posture import compensate_gravity, hold_arms, hold_spine, play_style
from poise.controllers.walker.senses import sense, weight_share
from poise.controllers.walker.standing import advance_stand
from poise.controllers.walker.step import advance_walk
from poise.controllers.walker.support import add_knee_support, left_share, support_body, write_knee_targets
from poise.controllers.walker.swing import keep_clear, plan_foot, search_ground, swing_leg
from poise.controllers.walker.virtual_force import write_virtual_force
from poise.kernels.jit import inlined, law


@law
def walker_law(percept, params, memory, torque, damping):
    """Add up motion generator, gravity compensation and virtual force [Coros10 Fig. 5.1]."""
    p, m = params.view(PARAMS)[0], memory.view(MEMORY)[0]
    sense(percept, p, m)
    follow_commands(percept, p, m)
    if int(m.mode) == WALK:
        advance_walk(percept, p, m)
    else:
        advance_stand(percept, p, m)
    walking = int(m.mode) == WALK
    time = m.elapsed + m.time_left
    play_style(p, m, m.elapsed / time if walking else 0.5, 1.0 / time if walking else 0.0)
    write_knee_targets(percept, p, m)
    write_virtual_force(percept, p, m)
    hold_spine(percept, p, m, torque, damping)
    hold_arms(percept, p, m, torque, damping)
    compensate_gravity(percept, p, m, torque)
    if walking:
        _swing(percept, p, m, torque, damping)
    hold_pelvis(percept, p, m, torque, damping)
    if walking:
        _carry_on_stance_leg(percept, p, m, torque, damping)
    else:
        _carry_on_both_legs(percept, p, m, torque, damping)
    for side in range(2):
        hold_toes(percept, p, side, torque, damping)
    for k in range(SCRATCH, memory.shape[0]):
        memory[k] = 0.0


@inlined
def _swing(percept, p, m, torque, damping):
    """Choose the foothold, plan the path of the swing foot, and follow it."""
    if p.predict_placement > 0.0:
        shorten_step(percept, p, m)
        place_by_prediction(percept, p, m)
    else:
        place_by_source(percept, p, m)
    if m.footholds_left > 0.0:
        if p.predict_placement > 0.0:
            time_foothold(percept, p, m)
        place_on_foothold(percept, m)
    plan_foot(percept, p, m)
    if p.pass_legs == 0.0:
        keep_clear(percept, p, m)
    swing_leg(percept, p, m, torque, damping)
    swing_ankle(percept, p, m, 1 - int(m.stance), torque, damping)


@inlined
def _carry_on_stance_leg(percept, p, m, torque, damping):
    """Carry the body on the stance leg; to the extent that it is unloaded, search the ground with it."""
    stance = int(m.stance)
    loaded = min(m.load[stance] / weight_share(percept, FULL_LEG_LOAD), 1.0)
    if loaded < 1.0:
        search_ground(percept, p, m, stance, 1.0 - loaded, torque, damping)
    support_body(percept, p, m, stance, loaded, torque, damping)
    plant_ankle(percept, p, m, stance, 1.0, torque, damping)
    add_knee_support(percept, p, m, stance, 1.0, torque)


@inlined
def _carry_on_both_legs(percept, p, m, torque, damping):
    """Carry the body on both legs, in shares that produce the virtual force."""
    left = left_share(percept, p, m)
    for side in range(2):
        share = left if side == 0 else 1.0 - left
        support_body(percept, p, m, side, share, torque, damping)
        plant_ankle(percept, p, m, side, share, torque, damping)
        add_knee_support(percept, p, m, side, share, torque)
