"""The law that runs every script: one tick of its tables [Firmin15 §3]."""

from __future__ import annotations

import math

from poise.controllers.script import layout as lay
from poise.controllers.script.law_actions import act, serve
from poise.controllers.script.law_flow import begin, find_phase
from poise.controllers.script.law_guests import seat_guest
from poise.controllers.script.law_requests import close_requests, open_requests
from poise.controllers.script.law_senses import feel_touch
from poise.kernels.jit import inlined, law


@inlined
def _limit(percept, memory, torque, damping):
    """Clamp the torque of every joint, damping included, to one common limit."""
    limit = memory[lay.M_LIMIT]
    for axis in range(torque.shape[0]):
        total = torque[axis] - damping[axis] * percept.joint_v[axis]
        if abs(total) > limit:
            torque[axis], damping[axis] = math.copysign(limit, total), 0.0


@law
def script_law(percept, params, memory, torque, damping):
    """One tick: transitions for the last step, then actions in order, servos, and the limit.

    The released code tests transitions after each step of the physics; this is the same moment, seen from the next
    tick. A script that has ended releases all joints. A guest controls all joints itself; its law runs after this one.
    """
    feel_touch(percept, params, memory)
    begin(percept, params, memory)
    open_requests(params, memory)
    phase = find_phase(percept, params, memory)
    guest = seat_guest(params, memory, phase)
    if phase >= 0 and not guest:
        act(percept, params, memory, phase, torque, damping)
    close_requests(percept, params, memory)
    if phase < 0:
        return
    if not guest:
        serve(percept, params, memory, torque, damping)
        _limit(percept, memory, torque, damping)
    memory[lay.M_TICKS] += 1.0
    memory[lay.M_STEPPED] = 1.0
    rates = int(params[lay.H_M_RATES])
    for axis in range(torque.shape[0]):
        memory[rates + axis] = percept.joint_v[axis]
