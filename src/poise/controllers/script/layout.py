"""Layout of the tables of a compiled script: `params` is the program, `memory` is its state.

All tables are rows of plain numbers in one array; the header holds the start of each. `assemble` writes them, `law` and
its neighbours read them.
"""

from __future__ import annotations

# --- params -----------------------------------------------------------------------------------------------------------
(
    H_SCRIPTS, H_PHASES, H_ACTIONS, H_TRANSITIONS, H_CALLS, H_ARGUMENTS, H_VALUES, H_LINKS, H_SIGNS, H_INPUTS,
    H_INPUT_COUNT, H_TRUNK, H_LEFT_FOOT, H_RIGHT_FOOT, H_FRAME, H_LIMIT,
    H_M_STACK, H_M_SLOTS, H_M_STATES, H_M_VALUES, H_M_TOUCH, H_M_RATES,
    H_FORCE_COUNT, H_ORDER_COUNT, H_WATCH, H_GUESTS, H_M_FORCES, H_M_ORDERS, H_M_ENTITIES, H_SPACE, H_M_JOURNAL,
) = range(31)  # fmt: skip
HEADER_SIZE = 31

#: A script: first phase, number of phases, torque limit (negative if it sets none).
S_FIRST, S_COUNT, S_LIMIT, SCRIPT_SIZE = 0, 1, 2, 3
#: A phase: start and number of its actions, transitions and values; the call that it makes, or -1; the guest that acts
#: in it, or -1.
P_ACTIONS, P_ACTION_COUNT, P_TRANSITIONS, P_TRANSITION_COUNT, P_CALL, P_VALUES, P_VALUE_COUNT, P_GUEST = range(8)
PHASE_SIZE = 8
#: A call: the script, the phase to begin with, start and number of its arguments.
C_SCRIPT, C_PHASE, C_ARGUMENTS, C_COUNT, CALL_SIZE = 0, 1, 2, 3, 4
#: A guest, another controller that acts in a phase: its law, the place of its initial parameters and memory (in
#: `params`) and their sizes, their place while it runs (in `memory`), and its arguments: pairs of the place in its
#: parameters and the value.
(
    G_LAW, G_PARAMS, G_PARAM_COUNT, G_MEMORY, G_MEMORY_COUNT, G_M_PARAMS, G_M_MEMORY, G_ARGUMENTS, G_ARGUMENT_COUNT,
) = range(9)  # fmt: skip
GUEST_SIZE = 9
#: A value: its kind and up to five numbers. Values inside a linterp precede it in the same phase.
V_LITERAL, V_INPUT, V_LINTERP = 0, 1, 2
VALUE_SIZE = 6
#: An action: its kind, joint, part, four values, its state, its chain, a flag, the reference of its feedback, a second
#: joint; for a VPD in space also which angle of the part it controls, and the sign of that angle; for a VPD also the
#: sign that its gains get, or 0 if their own counts.
(
    A_OP, A_AXIS, A_PART, A_V0, A_V1, A_V2, A_V3, A_STATE, A_LINKS, A_LINK_COUNT, A_FLAG, A_REF_KIND, A_REF, A_OTHER,
    A_TURN, A_SENSE, A_SIDE,
) = range(17)  # fmt: skip
ACTION_SIZE = 17
TURN_SAGITTAL, TURN_PITCH, TURN_ROLL, TURN_YAW = range(4)
POSE, LIPOSE, MATCH, LIMATCH, HOLD, POSEFB, VPD, VF, VFFB, VFSFB, GC, IK, EF, ORDER, TOGGLE, IK_SPACE = range(1, 17)
#: What d is measured from: nothing (no feedback), a joint, a part, the middle of the feet, all touching parts.
REF_NONE, REF_JOINT, REF_PART, REF_FEET, REF_COP = range(5)
#: Added to these if d and v are measured to the left.
REF_ACROSS = 8
#: A link of a chain: its axis; for forces the side of the part (1 if it hangs on the axis, else -1); for IK the vector
#: from this joint to the next, forward, up and to the left, and the direction of the axis, in the reference pose.
L_AXIS, L_SIDE, L_FORWARD, L_UP, L_LEFT, L_DX, L_DY, L_DZ, LINK_SIZE = range(9)
#: A transition: kind, phase to go to, part, key or entity, sign, two values, its state.
T_KIND, T_TO, T_PART, T_SIGN, T_V0, T_V1, T_STATE, TRANSITION_SIZE = range(8)
(
    K_TIME, K_CONTACT, K_NOCONTACT, K_COMPLETE, K_STABLE, K_ITERATIONS, K_PRESS, K_RELEASE, K_FALLEN, K_ANGLERANGE,
    K_PASS, K_RANDOM,
) = range(12)  # fmt: skip
CONDITION_CODES = {
    "time": K_TIME,
    "contact": K_CONTACT,
    "nocontact": K_NOCONTACT,
    "complete": K_COMPLETE,
    "stable": K_STABLE,
    "iterations": K_ITERATIONS,
    "press": K_PRESS,
    "release": K_RELEASE,
    "fallen": K_FALLEN,
    "anglerange": K_ANGLERANGE,
    "pass": K_PASS,
    "random": K_RANDOM,
}
SIGN_CODES = {"": 0, ">": 1, "<": -1, "x": 0}

#: `to(-1)`, and no transition fired.
END, NONE = -1, -2

# --- memory -----------------------------------------------------------------------------------------------------------
#: Ticks since the start; scripts on the stack (none: it has ended); ticks in the phase; torque limit; whether the phase
#: has taken a step; the row of the guest that acts in this tick, or 0; the body's heading at the start, in radians.
M_STARTED, M_DEPTH, M_TICKS, M_LIMIT, M_STEPPED, M_GUEST, M_FACING = range(7)
MEMORY_HEADER = 7
#: A script on the stack: its number, its phase (counted from its first), then its arguments.
F_SCRIPT, F_PHASE, F_ARGUMENTS = 0, 1, 2
#: A joint's servo: on or off, target, gains, and its feedback: what d is measured from, cd, cv.
B_ON, B_TARGET, B_KP, B_KD, B_REF_KIND, B_REF, B_CD, B_CV, SLOT_SIZE = range(9)

# --- requests: written by the law, carried out between ticks by `requests` -------------------------------------------
#: An external force: whether it is requested in this tick (ASKED) or was in the last (OLD), and its components in N.
R_STATE, R_FORCE, FORCE_SIZE = 0, 1, 4
NOT_ASKED, ASKED, OLD = 0.0, 1.0, 2.0
#: Bits of the cue: a new phase begins; there are requests; the journal must be read.
CUE_PHASE, CUE_REQUEST, CUE_JOURNAL = 1, 2, 4

# --- journal: changes of phase, written by the law, read and cleared by `journal` after each call of the loop ---------
#: The number of rows, then the rows: the tick (`M_STARTED`), what happened, and the number of the transition or call.
J_TICK, J_KIND, J_NUMBER, JOURNAL_SIZE = 0, 1, 2, 3
#: The main script began; a script was called; a transition fired.
J_BEGIN, J_CALL, J_MOVE = 0, 1, 2

# --- numbers of the language ------------------------------------------------------------------------------------------
#: Gravity in GC is 10 in the released code.
GC_GRAVITY = 10.0
IK_KP, IK_KD, IK_SWEEPS = 300.0, 30.0, 11
#: More axes need more sweeps.
IK_SPACE_SWEEPS = 20
#: The initial torque limit of a body [Firmin15, released code].
START_LIMIT_NM = 1000.0
#: Contacts in the released code end a millimetre above the ground, and MuJoCo's chatter: a part counts as released
#: after this long without contact.
RELEASE_S = 0.004
#: Most phases that one tick may pass through; more means a cycle of phases that do nothing.
MAX_HOPS = 64
#: Capacity of the journal, and the number of rows from which it must be read: one tick more always fits.
JOURNAL_ROWS, JOURNAL_FULL = 160, 160 - MAX_HOPS - 1
