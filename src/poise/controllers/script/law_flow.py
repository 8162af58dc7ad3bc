"""Flow between phases and between scripts: transitions, calls, returns [Firmin15 §3.1, §3.4]. Compiled."""

from __future__ import annotations

from poise.controllers.script import layout as lay
from poise.controllers.script.law_senses import evaluate, find_frame, forward, lean_rad, tilt_rad, touches
from poise.kernels.jit import inlined
from poise.kernels.random import next_uniform


@inlined
def current_phase(params, memory):
    """The row of the current phase of the script on top of the stack."""
    frame = find_frame(params, memory)
    script = int(params[lay.H_SCRIPTS]) + int(memory[frame + lay.F_SCRIPT]) * lay.SCRIPT_SIZE
    return int(params[script + lay.S_FIRST]) + int(memory[frame + lay.F_PHASE])


@inlined
def _is_stable(percept, params, memory, limit):
    """Whether all joints, averaged over two steps, and the centre of mass are slower than a limit."""
    v = percept.com_vel_w
    if v[0] * v[0] + v[1] * v[1] + v[2] * v[2] >= limit * limit:
        return False
    at = int(params[lay.H_M_RATES])
    for axis in range(percept.joint_v.shape[0]):
        if abs(0.5 * (percept.joint_v[axis] + memory[at + axis])) >= limit:
            return False
    return True


@inlined
def _leans(percept, params, kind, sign, a, b):
    """`fallen` and `anglerange` of the trunk's angle in the world; in space `fallen x` tests the tilt to any side."""
    if kind == lay.K_FALLEN and sign == 0 and params[lay.H_SPACE] > 0.0:
        return tilt_rad(percept, int(params[lay.H_TRUNK])) > a
    lean = lean_rad(percept, int(params[lay.H_TRUNK]))
    if kind == lay.K_ANGLERANGE:
        return a < lean < b if a < b else (lean > a or lean < b)
    if sign > 0:
        return lean > a
    return lean < a if sign < 0 else (lean > a or lean < -a)


@inlined
def _passes(percept, params, memory, entity, state, distance):
    """Whether the body has just left an entity that it was near; nearness is remembered, even across phases."""
    x = memory[int(params[lay.H_M_ENTITIES]) + entity]
    least = abs(forward(percept, percept.segment_com_w[0]) - x)
    for i in range(1, percept.segment_com_w.shape[0]):
        least = min(least, abs(forward(percept, percept.segment_com_w[i]) - x))
    if least < distance:
        memory[state] = 1.0
    elif least > distance and memory[state] == 1.0:
        memory[state] = 0.0
        return True
    return False


@inlined
def _holds(percept, params, memory, row):
    """Whether the condition of a transition is true now; each call advances its counter."""
    kind, part = int(params[row + lay.T_KIND]), int(params[row + lay.T_PART])
    values = int(params[lay.H_M_VALUES])
    a = memory[values + int(params[row + lay.T_V0])] if params[row + lay.T_V0] >= 0.0 else 0.0
    b = memory[values + int(params[row + lay.T_V1])] if params[row + lay.T_V1] >= 0.0 else 0.0
    if kind == lay.K_COMPLETE:
        return True
    if kind == lay.K_TIME:
        return memory[lay.M_TICKS] * percept.timestep_s > a
    if kind == lay.K_CONTACT:
        return touches(params, memory, part)
    if kind == lay.K_NOCONTACT:
        # At the very start no contact has been felt yet, which means nothing.
        return not touches(params, memory, part) and memory[lay.M_STARTED] * percept.timestep_s > lay.RELEASE_S
    if kind == lay.K_STABLE:
        return _is_stable(percept, params, memory, a)
    if kind == lay.K_FALLEN or kind == lay.K_ANGLERANGE:
        return _leans(percept, params, kind, int(params[row + lay.T_SIGN]), a, b)
    if kind == lay.K_PRESS or kind == lay.K_RELEASE:
        key = params[int(params[lay.H_INPUTS]) + int(params[lay.H_INPUT_COUNT]) + part]
        return (key > 0.5) == (kind == lay.K_PRESS)
    if kind == lay.K_RANDOM:
        return next_uniform(percept.random_state) < a
    state = int(params[lay.H_M_STATES]) + int(params[row + lay.T_STATE])
    if kind == lay.K_PASS:
        return part >= 0 and _passes(percept, params, memory, part, state, a)
    if kind == lay.K_ITERATIONS:
        if memory[state] >= a:
            memory[state] = 0.0
            return True
        memory[state] += 1.0
    return False


@inlined
def _write_journal(percept, params, memory, kind, number):
    """Append a change of phase to the journal. A world reads it before it is full; nobody else needs it."""
    at = int(params[lay.H_M_JOURNAL])
    count = int(memory[at])
    if count >= lay.JOURNAL_ROWS:
        return
    row = at + 1 + count * lay.JOURNAL_SIZE
    memory[at] = count + 1.0
    memory[row + lay.J_TICK], memory[row + lay.J_KIND] = memory[lay.M_STARTED], float(kind)
    memory[row + lay.J_NUMBER] = float(number)
    if count + 1 >= lay.JOURNAL_FULL:
        percept.cue[0] |= lay.CUE_JOURNAL


@inlined
def _find_transition(percept, params, memory, phase):
    """The number of the first transition whose condition holds; NONE if none holds."""
    head = int(params[lay.H_PHASES]) + phase * lay.PHASE_SIZE
    first = int(params[head + lay.P_TRANSITIONS])
    for k in range(first, first + int(params[head + lay.P_TRANSITION_COUNT])):
        if _holds(percept, params, memory, int(params[lay.H_TRANSITIONS]) + k * lay.TRANSITION_SIZE):
            return k
    return lay.NONE


@inlined
def _reset(params, memory, phase):
    """Reset what a phase forgets when it ends: ramps, matches, holds and counters."""
    head = int(params[lay.H_PHASES]) + phase * lay.PHASE_SIZE
    states = int(params[lay.H_M_STATES])
    first = int(params[lay.H_ACTIONS]) + int(params[head + lay.P_ACTIONS]) * lay.ACTION_SIZE
    for k in range(int(params[head + lay.P_ACTION_COUNT])):
        row = first + k * lay.ACTION_SIZE
        op = int(params[row + lay.A_OP])
        if op == lay.LIPOSE or op == lay.LIMATCH or op == lay.HOLD or op == lay.TOGGLE:
            memory[states + int(params[row + lay.A_STATE])] = 0.0
    first = int(params[lay.H_TRANSITIONS]) + int(params[head + lay.P_TRANSITIONS]) * lay.TRANSITION_SIZE
    for k in range(int(params[head + lay.P_TRANSITION_COUNT])):
        row = first + k * lay.TRANSITION_SIZE
        if params[row + lay.T_KIND] == lay.K_ITERATIONS:
            memory[states + int(params[row + lay.T_STATE])] = 0.0


@inlined
def _set_limit(params, memory, frame):
    """Apply the torque limit of a script that sets one; it stays when that script ends, as in the released code."""
    script = int(params[lay.H_SCRIPTS]) + int(memory[frame + lay.F_SCRIPT]) * lay.SCRIPT_SIZE
    if params[script + lay.S_LIMIT] >= 0.0:
        memory[lay.M_LIMIT] = params[script + lay.S_LIMIT]


@inlined
def _leave(percept, params, memory, phase, to):
    """Switch to another phase, or return to the caller."""
    percept.cue[0] |= lay.CUE_PHASE
    _reset(params, memory, phase)
    memory[lay.M_TICKS] = 0.0
    memory[lay.M_STEPPED] = 0.0
    if to >= 0:
        memory[find_frame(params, memory) + lay.F_PHASE] = to
        return
    memory[lay.M_DEPTH] -= 1.0
    if memory[lay.M_DEPTH] > 0.0:
        _set_limit(params, memory, find_frame(params, memory))


@inlined
def _call(percept, params, memory, call):
    """Push a script onto the stack, with its arguments as the caller evaluates them now."""
    row = int(params[lay.H_CALLS]) + call * lay.CALL_SIZE
    arguments = int(params[lay.H_ARGUMENTS]) + int(params[row + lay.C_ARGUMENTS])
    values = int(params[lay.H_M_VALUES])
    memory[lay.M_DEPTH] += 1.0
    frame = find_frame(params, memory)
    memory[frame + lay.F_SCRIPT], memory[frame + lay.F_PHASE] = params[row + lay.C_SCRIPT], params[row + lay.C_PHASE]
    for k in range(int(params[row + lay.C_COUNT])):
        memory[frame + lay.F_ARGUMENTS + k] = memory[values + int(params[arguments + k])]
    _set_limit(params, memory, frame)
    memory[lay.M_TICKS] = 0.0
    memory[lay.M_STEPPED] = 0.0
    _write_journal(percept, params, memory, lay.J_CALL, call)


@inlined
def begin(percept, params, memory):
    """Push the main script at the first tick; at every tick, set its arguments from the inputs."""
    if memory[lay.M_STARTED] == 0.0:
        memory[lay.M_DEPTH] = 1.0
        memory[lay.M_LIMIT], memory[lay.M_FACING] = params[lay.H_LIMIT], percept.heading_rad[0]
        _set_limit(params, memory, int(params[lay.H_M_STACK]))
    memory[lay.M_STARTED] += 1.0
    if memory[lay.M_STARTED] == 1.0:
        _write_journal(percept, params, memory, lay.J_BEGIN, 0)
    first, frame = int(params[lay.H_INPUTS]), int(params[lay.H_M_STACK]) + lay.F_ARGUMENTS
    for k in range(int(params[lay.H_INPUT_COUNT])):
        memory[frame + k] = params[first + k]


@inlined
def find_phase(percept, params, memory):
    """Follow transitions and calls to the phase that acts now, and evaluate its values; -1 once the script has ended.

    Transitions are tested after a step, in a phase without actions, and in a calling phase when the callee has ended;
    if none of them holds then, it calls again. A phase without actions in which none holds waits, with its servos
    unchanged. Deviation: the released code takes no step then, and hangs.
    """
    ask, asked = memory[lay.M_STEPPED] > 0.0, False
    phase = -1
    for _ in range(lay.MAX_HOPS):
        if memory[lay.M_DEPTH] == 0.0:
            return -1
        phase = current_phase(params, memory)
        evaluate(params, memory, phase)
        head = int(params[lay.H_PHASES]) + phase * lay.PHASE_SIZE
        call = int(params[head + lay.P_CALL])
        if not ask:
            if call >= 0:
                _call(percept, params, memory, call)
                asked = False
                continue
            if asked or params[head + lay.P_ACTION_COUNT] > 0.0 or params[head + lay.P_GUEST] >= 0.0:
                break
        transition = _find_transition(percept, params, memory, phase)
        if transition == lay.NONE:
            ask, asked = False, True
        else:
            to = int(params[int(params[lay.H_TRANSITIONS]) + transition * lay.TRANSITION_SIZE + lay.T_TO])
            _write_journal(percept, params, memory, lay.J_MOVE, transition)
            _leave(percept, params, memory, phase, to)
            # A caller's transitions are tested as soon as its callee has ended.
            ask, asked = to == lay.END, False
    return phase
