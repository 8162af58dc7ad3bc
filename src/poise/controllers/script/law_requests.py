"""Requests to the world, recorded by the law and carried out between two ticks. Compiled.

An external force is requested at every tick; only its beginning, its end and a change raise a cue. SAVE and LOAD are
carried out at every tick of their phase, a toggle once each time its phase begins.
"""

from __future__ import annotations

from poise.controllers.script import layout as lay
from poise.kernels.jit import inlined


@inlined
def open_requests(params, memory):
    """Clear the orders of the previous tick; forces that are not requested again will end."""
    at = int(params[lay.H_M_FORCES])
    for k in range(int(params[lay.H_FORCE_COUNT])):
        if memory[at + k * lay.FORCE_SIZE] == lay.ASKED:
            memory[at + k * lay.FORCE_SIZE] = lay.OLD
    at = int(params[lay.H_M_ORDERS])
    for k in range(int(params[lay.H_ORDER_COUNT])):
        memory[at + k] = 0.0


@inlined
def close_requests(percept, params, memory):
    """Raise a cue for each force that has ended, and at every tick if the program watches entities that move."""
    at = int(params[lay.H_M_FORCES])
    for k in range(int(params[lay.H_FORCE_COUNT])):
        if memory[at + k * lay.FORCE_SIZE] == lay.OLD:
            memory[at + k * lay.FORCE_SIZE] = lay.NOT_ASKED
            percept.cue[0] |= lay.CUE_REQUEST
    if params[lay.H_WATCH] > 0.0:
        percept.cue[0] |= lay.CUE_REQUEST


@inlined
def ask(percept, params, memory, row, op):
    """EF, SAVE, LOAD and the toggles; the flag holds the number of the request."""
    number = int(params[row + lay.A_FLAG])
    if op == lay.EF:
        force = int(params[lay.H_M_FORCES]) + number * lay.FORCE_SIZE
        same = memory[force] == lay.OLD
        for j in range(3):
            value = memory[int(params[lay.H_M_VALUES]) + int(params[row + lay.A_V0 + j])]
            same = same and memory[force + lay.R_FORCE + j] == value
            memory[force + lay.R_FORCE + j] = value
        memory[force] = lay.ASKED
        if not same:
            percept.cue[0] |= lay.CUE_REQUEST
        return
    if op == lay.TOGGLE:
        state = int(params[lay.H_M_STATES]) + int(params[row + lay.A_STATE])
        if memory[state] != 0.0:
            return
        memory[state] = 1.0
    memory[int(params[lay.H_M_ORDERS]) + number] = 1.0
    percept.cue[0] |= lay.CUE_REQUEST
