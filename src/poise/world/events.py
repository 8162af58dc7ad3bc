"""Contact events, falls and phase changes: detected once a tick, latched, written to the tape."""

from __future__ import annotations

import math

import numpy as np

from poise.constants import LIFT_LOAD_N, LIFT_OFF_S, STRIKE_LOAD_N, UP_S
from poise.kernels.jit import inlined
from poise.world.event_kinds import JOURNAL_BIT, EventKind
from poise.world.layout import LATCH, POSTURE, UNWATCHED, WRITTEN

#: Plain numbers: compiled code has no enumerations.
STRIKE, LIFT, DOWN, PUSH, PHASE, REQUEST, STEP, TOUCH, UP = (
    int(EventKind[name]) for name in ("STRIKE", "LIFT", "DOWN", "PUSH", "PHASE", "REQUEST", "STEP", "TOUCH", "UP")
)


@inlined
def write_event(tape, time, kind, character, body):
    written = tape.written.view(WRITTEN)[0]
    if written.events < tape.events.shape[0]:
        row = tape.events[written.events]
        row[0], row[1], row[2], row[3] = time, kind, character, body
        written.events += 1


@inlined
def update_latch(latch, load, time):
    """Updates a latch with a tick's load: 1 if contact begins, -1 if it ended at `unloaded_since_s`, else 0."""
    if latch.state < 0.0:
        # A contact that exists at the start is not a strike.
        if load > STRIKE_LOAD_N:
            latch.state = 1.0
        elif time > LIFT_OFF_S:
            latch.state = 0.0
    elif latch.state == 0.0:
        if load > STRIKE_LOAD_N:
            latch.state, latch.unloaded_since_s = 1.0, -1.0
            return 1
    elif load >= LIFT_LOAD_N:
        latch.unloaded_since_s = -1.0
    elif latch.unloaded_since_s < 0.0:
        latch.unloaded_since_s = time
    elif time - latch.unloaded_since_s >= LIFT_OFF_S:
        latch.state = 0.0
        return -1
    return 0


@inlined
def detect_feet(stage, ledger, tape, time, c):
    """Strikes, lifts and steps of one character; returns the bits of the events that happened."""
    happened = 0
    for side in range(2):
        foot, toes = stage.feet[c, side, 0], stage.feet[c, side, 1]
        load = ledger.touch_load[foot]
        if toes >= 0:
            load += ledger.touch_load[toes]
        latch = ledger.foot_latch[c, side].view(LATCH)[0]
        change = update_latch(latch, load, time)
        if change > 0:
            write_event(tape, time, STRIKE, c, foot)
            happened |= 1 << STRIKE
            if ledger.last_step[c] != side:
                ledger.last_step[c] = side
                write_event(tape, time, STEP, c, foot)
                happened |= 1 << STEP
        elif change < 0:
            write_event(tape, latch.unloaded_since_s, LIFT, c, foot)
            latch.unloaded_since_s = -1.0
            happened |= 1 << LIFT
    return happened


@inlined
def detect_touches(stage, ledger, tape, time, c):
    """Touches and lifts of one character's watched segments; returns the bits of the events that happened."""
    happened = 0
    if ledger.watching[c] == 0:
        return happened
    own = stage.characters[c]
    for body in range(own.first_body, own.first_body + own.bodies):
        latch = ledger.touch_latch[body].view(LATCH)[0]
        if latch.state == UNWATCHED:
            continue
        change = update_latch(latch, ledger.touch_load[body], time)
        if change > 0:
            write_event(tape, time, TOUCH, c, body)
            happened |= 1 << TOUCH
        elif change < 0:
            write_event(tape, latch.unloaded_since_s, LIFT, c, body)
            latch.unloaded_since_s = -1.0
            happened |= 1 << LIFT
    return happened


@inlined
def detect_cues(ledger, tape, time, c):
    """Reads the signals of one character's law: the end of a phase (1), requests (2), a full journal (4)."""
    cue = ledger.cues[c]
    if cue == 0:
        return 0
    ledger.cues[c] = 0
    happened = 0
    if cue & 1:
        write_event(tape, time, PHASE, c, 0)
        happened |= 1 << PHASE
    if cue & 2:
        happened |= 1 << REQUEST
    if cue & 4:
        happened |= JOURNAL_BIT
    return happened


@inlined
def _lower_foot_height(stage, c):
    return min(stage.xpos[stage.feet[c, 0, 0], 2], stage.xpos[stage.feet[c, 1, 0], 2])


@inlined
def find_fall_cause(stage, ledger, c):
    """The body whose tilt, height or forbidden contact shows that a character is not upright, or -1."""
    trunk, rule, own = stage.trunks[c], stage.fall_rules[c], stage.characters[c]
    if stage.xmat[trunk, 8] < math.cos(rule.tilt_rad):
        return trunk
    if stage.xpos[rule.body, 2] - _lower_foot_height(stage, c) < rule.height_m:
        return rule.body
    cause = np.int64(-1)
    for b in range(own.first_body, own.first_body + own.bodies):
        if stage.fall_bodies[b] == 1 and ledger.grounded[b] == 1:
            cause = b
    return cause


@inlined
def detect_posture(stage, ledger, tape, time, c):
    """Detects that a character has fallen, or has been back on its feet for UP_S; returns the bits of the events."""
    posture, cause = ledger.posture[c].view(POSTURE)[0], find_fall_cause(stage, ledger, c)
    if posture.down == 0.0:
        if cause < 0:
            return 0
        posture.down, posture.upright_since_s = 1.0, -1.0
        if ledger.fallen[c, 0] == 0.0:
            ledger.fallen[c, 0], ledger.fallen[c, 1] = 1.0, time
        write_event(tape, time, DOWN, c, cause)
        return 1 << DOWN
    on_feet = ledger.foot_latch[c, 0, 0] == 1.0 or ledger.foot_latch[c, 1, 0] == 1.0
    if cause >= 0 or not on_feet:
        posture.upright_since_s = -1.0
    elif posture.upright_since_s < 0.0:
        posture.upright_since_s = time
    elif time - posture.upright_since_s >= UP_S:
        posture.down = 0.0
        write_event(tape, time, UP, c, 0)
        return 1 << UP
    return 0
