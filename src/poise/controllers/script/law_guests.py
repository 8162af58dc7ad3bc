"""Another controller that controls the body for the duration of a phase: its parameters and its memory. Compiled.

The combined law that `guests` makes calls its law after the script's own.
"""

from __future__ import annotations

from poise.controllers.script import layout as lay
from poise.kernels.jit import inlined


@inlined
def seat_guest(params, memory, phase):
    """Whether a guest acts in a phase: the first tick initialises it, and every tick sets its arguments."""
    memory[lay.M_GUEST] = 0.0
    if phase < 0:
        return False
    number = int(params[int(params[lay.H_PHASES]) + phase * lay.PHASE_SIZE + lay.P_GUEST])
    if number < 0:
        return False
    row = int(params[lay.H_GUESTS]) + number * lay.GUEST_SIZE
    own_params, own_memory = int(params[row + lay.G_M_PARAMS]), int(params[row + lay.G_M_MEMORY])
    if memory[lay.M_TICKS] == 0.0:
        source = int(params[row + lay.G_PARAMS])
        for k in range(int(params[row + lay.G_PARAM_COUNT])):
            memory[own_params + k] = params[source + k]
        source = int(params[row + lay.G_MEMORY])
        for k in range(int(params[row + lay.G_MEMORY_COUNT])):
            memory[own_memory + k] = params[source + k]
    pairs = int(params[lay.H_ARGUMENTS]) + int(params[row + lay.G_ARGUMENTS])
    for k in range(int(params[row + lay.G_ARGUMENT_COUNT])):
        place = int(params[lay.H_M_VALUES]) + int(params[pairs + 2 * k + 1])
        memory[own_params + int(params[pairs + 2 * k])] = memory[place]
    memory[lay.M_GUEST] = row
    return True
