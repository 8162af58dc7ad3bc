"""The numbers of a script's state that its law uses as indices: the stack, feedback references, and guests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from poise.controllers.script import layout as lay
from poise.controllers.script.assemble import Tables
from poise.controllers.script.guests import Guest
from poise.errors import InputError
from poise.world.controller import FloatArray
from poise.world.guard import Guard, check_whole, make_guard


def guard_script(tables: Tables) -> Guard:
    """The guard of a program, which is all of `params` except its inputs."""
    program = np.setdiff1d(np.arange(len(tables.params)), list(tables.inputs.values()))
    return make_guard(program, also=partial(_check_memory, tables.seats))


def _check_memory(seats: Sequence[Guest], params: FloatArray, memory: FloatArray) -> None:
    stack, slots = int(params[lay.H_M_STACK]), int(params[lay.H_M_SLOTS])
    most = (slots - stack) // int(params[lay.H_FRAME])
    depth = check_whole("scripts on the stack", float(memory[lay.M_DEPTH]), 0, most)
    # A script that has not begun yet, or has ended, still has its first frame.
    phases = _check_stack(params, memory, max(depth, 1))
    _check_servos(params, memory)
    # A world reads the journal after each call of its loop.
    check_whole("changes of phase in the journal", float(memory[int(params[lay.H_M_JOURNAL])]), 0, 0)
    number = int(params[_phase_row(params, phases[-1]) + lay.P_GUEST])
    if number >= 0 and memory[lay.M_TICKS] != 0.0:
        # At the first tick of its phase a guest's state is initialised.
        _check_guest(seats[number], params, memory, int(params[lay.H_GUESTS]) + number * lay.GUEST_SIZE)


def _check_stack(params: FloatArray, memory: FloatArray, depth: int) -> list[int]:
    """The phases of all scripts on the stack; each script must have been called by the one below it."""
    phases: list[int] = []
    script = 0
    for level in range(depth):
        frame = int(params[lay.H_M_STACK]) + level * int(params[lay.H_FRAME])
        check_whole("script on the stack", float(memory[frame + lay.F_SCRIPT]), script, script)
        row = int(params[lay.H_SCRIPTS]) + script * lay.SCRIPT_SIZE
        count = int(params[row + lay.S_COUNT])
        phase = check_whole("phase on the stack", float(memory[frame + lay.F_PHASE]), 0, count - 1)
        phases.append(int(params[row + lay.S_FIRST]) + phase)
        call = int(params[_phase_row(params, phases[-1]) + lay.P_CALL])
        if level + 1 < depth:
            if call < 0:
                raise InputError("a script on the stack has no caller")
            script = int(params[int(params[lay.H_CALLS]) + call * lay.CALL_SIZE + lay.C_SCRIPT])
    return phases


def _phase_row(params: FloatArray, phase: int) -> int:
    return int(params[lay.H_PHASES]) + phase * lay.PHASE_SIZE


def _check_servos(params: FloatArray, memory: FloatArray) -> None:
    """Check the reference of the feedback of each joint's servo."""
    first, last = int(params[lay.H_M_SLOTS]), int(params[lay.H_M_STATES])
    segments = int(params[lay.H_M_RATES]) - int(params[lay.H_M_TOUCH])
    rows = memory[first:last].reshape(-1, lay.SLOT_SIZE)
    kinds, refs = rows[:, lay.B_REF_KIND], rows[:, lay.B_REF]
    known = [*range(lay.REF_COP + 1), *(lay.REF_ACROSS + k for k in range(1, lay.REF_COP + 1))]
    named = np.isin(kinds % lay.REF_ACROSS, (lay.REF_JOINT, lay.REF_PART))
    inside = (refs >= 0) & (refs < segments) & (refs == np.floor(refs))
    if not np.all(np.isin(kinds, known)) or not np.all(inside | ~named):
        raise InputError("a servo's feedback refers to a part that does not exist")


def _check_guest(guest: Guest, params: FloatArray, memory: FloatArray, row: int) -> None:
    """Check the state of the controller that acts in this phase."""
    if guest.guard is None:
        return
    first, at = int(params[row + lay.G_M_PARAMS]), int(params[row + lay.G_M_MEMORY])
    own_params, own_memory = memory[first : first + len(guest.params)], memory[at : at + len(guest.memory)]
    guest.guard.check(guest.params, own_params, own_memory)
