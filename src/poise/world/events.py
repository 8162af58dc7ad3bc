"""Events: foot strike, lift-off, fall, change of phase. Found once a tick, latched, and written to the tape."""

from __future__ import annotations

import math

from poise.constants import LIFT_LOAD_N, LIFT_OFF_S, STRIKE_LOAD_N
from poise.kernels.jit import inlined
from poise.world.layout import FOOT_LATCH, WRITTEN

#: Codes as they stand on the tape; the names are poise.recordings.recording.EVENT_KINDS.
FOOT_STRIKE, LIFT_OFF, FALL, TIMER, PUSH = 0, 1, 2, 3, 4
PHASE, SWITCHED = 6, 8
#: Bits for the set of events at which the loop should return.
PARAMETER, SWITCH = "parameter", "switch"
"""Events between two ticks, for pilots: a parameter was set, another controller became active."""

STOP_ON = {"foot_strike": 1, "lift_off": 2, "fall": 4, "phase": 8, "request": 16}


@inlined
def write_event(tape, time, kind, character, body):
    written = tape.written.view(WRITTEN)[0]
    if written.events < tape.events.shape[0]:
        row = tape.events[written.events]
        row[0], row[1], row[2], row[3] = time, kind, character, body
        written.events += 1


@inlined
def detect_feet(stage, ledger, tape, time, c):
    """Foot strikes and lift-offs of one character; returns the bits of the events that happened."""
    happened = 0
    for side in range(2):
        foot, toes = stage.feet[c, side, 0], stage.feet[c, side, 1]
        load = ledger.touch_load[foot]
        if toes >= 0:
            load += ledger.touch_load[toes]
        latch = ledger.foot_latch[c, side].view(FOOT_LATCH)[0]
        if latch.state < 0.0:
            # A foot that stands at the start has not struck.
            if load > STRIKE_LOAD_N:
                latch.state = 1.0
            elif time > LIFT_OFF_S:
                latch.state = 0.0
        elif latch.state == 0.0:
            if load > STRIKE_LOAD_N:
                latch.state, latch.unloaded_since_s = 1.0, -1.0
                write_event(tape, time, FOOT_STRIKE, c, foot)
                happened |= 1
        elif load >= LIFT_LOAD_N:
            latch.unloaded_since_s = -1.0
        elif latch.unloaded_since_s < 0.0:
            latch.unloaded_since_s = time
        elif time - latch.unloaded_since_s >= LIFT_OFF_S:
            write_event(tape, latch.unloaded_since_s, LIFT_OFF, c, foot)
            latch.state, latch.unloaded_since_s = 0.0, -1.0
            happened |= 2
    return happened


@inlined
def detect_phase(ledger, tape, time, c):
    """What one character's law says of itself: it has come to the end of a phase (1), it has requests (2)."""
    cue = ledger.cues[c]
    if cue == 0:
        return 0
    ledger.cues[c] = 0
    if cue & 1:
        write_event(tape, time, PHASE, c, 0)
        return 8 if cue & 2 == 0 else 24
    return 16


@inlined
def _lower_foot_height(stage, c):
    return min(stage.xpos[stage.feet[c, 0, 0], 2], stage.xpos[stage.feet[c, 1, 0], 2])


@inlined
def detect_fall(stage, ledger, tape, time, c):
    """The first fall of one character: trunk too far over, head or pelvis too low, or what may not touch touches."""
    if ledger.fallen[c, 0] != 0.0:
        return 0
    trunk, rule, own = stage.trunks[c], stage.fall_rules[c], stage.characters[c]
    cause = -1
    if stage.xmat[trunk, 8] < math.cos(rule.tilt_rad):
        cause = trunk
    elif stage.xpos[rule.body, 2] - _lower_foot_height(stage, c) < rule.height_m:
        cause = rule.body
    else:
        for b in range(own.first_body, own.first_body + own.bodies):
            if stage.fall_bodies[b] == 1 and ledger.grounded[b] == 1:
                cause = b
    if cause < 0:
        return 0
    ledger.fallen[c, 0], ledger.fallen[c, 1] = 1.0, time
    write_event(tape, time, FALL, c, cause)
    return 4
