"""The compiled loop: steps world, controllers and disturbances tick by tick, with the GIL released.

One tick: positions (`step1`), sensing, laws, limits, external forces, integration (`step2`), contacts, events, tape.
The order is fixed, and only the ledger, MuJoCo's state and the controllers' memories carry state between calls. A run
is therefore bit-identical however it is split into calls.
"""

from __future__ import annotations

import math

import numpy as np

from poise.kernels.jit import inlined, kernel
from poise.world.contacts import clear_touch, read_contacts
from poise.world.events import PUSH, detect_cues, detect_feet, detect_posture, detect_touches, write_event
from poise.world.forces import apply_pushes, apply_springs
from poise.world.ground import apply_ground
from poise.world.hybrid import ACCELERATION, solve_torques
from poise.world.layout import CLOCK, COUNTERS, TALLY, WRITTEN
from poise.world.physics import step1, step2
from poise.world.sense import sense_whole

#: Why the loop returned.
DONE, EVENT, DIVERGED = 0, 1, 2
#: Clamping a joint changes the others' speeds; eight rounds converge for any chain that a leg can form.
LIMIT_ROUNDS = 8
#: The first character. numba gives a plain 0 a type of its own and would compile every function again for it.
FIRST = np.int64(0)


@inlined
def drive_joints(stage, drive, first):
    """Clamps one character's torque and damping and writes them to the physics.

    The damping is integrated implicitly: MuJoCo's joint damping holds it during the second half step only, and the
    explicit part −damping·v is in the applied torque. A clamped joint has no damping.
    """
    for k in range(drive.torque.shape[0]):
        i = first + k
        total = drive.torque[k] - drive.damping[k] * stage.qvel[i]
        limit = drive.limit[k]
        if abs(total) > limit:
            drive.torque[k], drive.damping[k] = math.copysign(limit, total), 0.0
            total = drive.torque[k]
        stage.qfrc_applied[i] = total
        stage.dof_damping[i] = stage.base_damping[i] + drive.damping[k]


@inlined
def settle_joints(stage, drive, first):
    """Stores the torque applied over the step, τ − damping·v⁺; true if any exceeded its limit.

    The implicit damper acts with the speed at the end of the step, which an impact may change. Such a joint is clamped
    here, and the step is repeated.
    """
    over = False
    for k in range(drive.torque.shape[0]):
        total = drive.torque[k] - drive.damping[k] * stage.qvel[first + k]
        limit = drive.limit[k]
        if abs(total) > limit:
            drive.torque[k], drive.damping[k] = math.copysign(limit, total), 0.0
            over = True
        drive.applied[k] = total
    return over


@inlined
def _copy(source, target):
    for i in range(source.shape[0]):
        target[i] = source[i]


@inlined
def keep_state(stage, scratch):
    """Saves the state before the second half step."""
    _copy(stage.qpos, scratch.qpos)
    _copy(stage.qvel, scratch.qvel)
    _copy(stage.qacc_warmstart, scratch.qacc)


@inlined
def take_back(stage, scratch):
    """Restores the state saved by `keep_state`; the results of the first half step remain valid."""
    _copy(scratch.qpos, stage.qpos)
    _copy(scratch.qvel, stage.qvel)
    _copy(scratch.qacc, stage.qacc_warmstart)


@inlined
def apply_outside(stage, ledger, tape, scratch):
    """Applies pushes and springs, if any."""
    for b in range(stage.xfrc_applied.shape[0]):
        for j in range(6):
            stage.xfrc_applied[b, j] = 0.0
    counters = ledger.counters.view(COUNTERS)[0]
    if counters.pushes > 0 and apply_pushes(stage, ledger, scratch.headings) > 0:
        write_event(tape, ledger.clock.view(CLOCK)[0].time_s, PUSH, 0, 0)
    if counters.springs > 0:
        apply_springs(stage, ledger, scratch.points)


@inlined
def is_finite(qpos, qvel):
    """False if any number of the state is not finite."""
    total = 0.0
    for i in range(qpos.shape[0]):
        total += abs(qpos[i])
    for i in range(qvel.shape[0]):
        total += abs(qvel[i])
    return math.isfinite(total)


@inlined
def tally_work(ledger, drive, stage, scratch, c):
    """Adds this tick's torques and mechanical work, computed with the mean speed over the step."""
    first, dt = stage.characters[c].joint_dof, ledger.clock.view(CLOCK)[0].timestep_s
    tally = ledger.tally[c].view(TALLY)[0]
    for k in range(drive.applied.shape[0]):
        torque = drive.applied[k]
        work = torque * 0.5 * (scratch.qvel[first + k] + stage.qvel[first + k]) * dt
        tally.positive_work_j += max(work, 0.0)
        tally.absolute_work_j += abs(work)
        tally.peak_torque_nm = max(tally.peak_torque_nm, abs(torque))
        tally.torque_sum_nm += abs(torque)
    tally.samples += drive.applied.shape[0]


@inlined
def open_frame(stage, tape, scratch, time):
    """Writes the state of this tick to the tape."""
    f = tape.written.view(WRITTEN)[0].frames
    tape.time[f] = time
    _copy(stage.qpos, tape.qpos[f])
    _copy(stage.qvel, tape.qvel[f])
    for b in range(stage.xpos.shape[0]):
        for j in range(3):
            tape.pos[f, b, j] = stage.xpos[b, j]
        for j in range(4):
            tape.quat[f, b, j] = stage.xquat[b, j]
    for c in range(scratch.com.shape[0]):
        for j in range(6):
            tape.com[f, c, j] = scratch.com[c, j]


@inlined
def tape_torque(tape, drive, first):
    """Writes one character's torques to the open frame; returns the next free column."""
    f = tape.written.view(WRITTEN)[0].frames
    for k in range(drive.applied.shape[0]):
        tape.torque[f, first + k] = drive.applied[k]
    return first + drive.applied.shape[0]


@inlined
def close_frame(ledger, tape):
    """Adds the contacts of the step to the frame and advances to the next."""
    written, rows = tape.written.view(WRITTEN)[0], ledger.counters.view(COUNTERS)[0].contacts
    start = written.contacts
    tape.contact_start[written.frames] = start
    for k in range(rows):
        for j in range(6):
            tape.contact_rows[start + k, j] = ledger.contact_rows[k, j]
        tape.contact_bodies[start + k, 0] = ledger.contact_bodies[k, 0]
        tape.contact_bodies[start + k, 1] = ledger.contact_bodies[k, 1]
    written.contacts = start + rows
    written.frames += 1


@inlined
def prepare(stage, scratch, percept, drive, c):
    """Updates one character's percept and clears the outputs of its law."""
    sense_whole(percept, stage.characters[c].root_dofs == 3)
    scratch.headings[c] = percept.heading_rad[0]
    for j in range(3):
        scratch.com[c, j], scratch.com[c, 3 + j] = percept.com_w[j], percept.com_vel_w[j]
    for k in range(drive.torque.shape[0]):
        drive.torque[k] = 0.0
        drive.damping[k] = 0.0


@inlined
def watch(stage, ledger, tape, scratch, drive, time, c):
    """Tallies work and detects events of one character; returns the bits of the events that happened."""
    tally_work(ledger, drive, stage, scratch, c)
    touched = detect_feet(stage, ledger, tape, time, c) | detect_touches(stage, ledger, tape, time, c)
    return touched | detect_posture(stage, ledger, tape, time, c) | detect_cues(ledger, tape, time, c)


@inlined
def find_active(stage, ledger, c):
    """Index of the active member of a character's cast among the members of all casts."""
    return stage.casts[c] + ledger.active[c]


@kernel
def run_ticks(ticks, stop_mask, record_every, stage, ledger, tape, scratch, percepts, drives, laws, params, memories):
    """Runs up to `ticks` ticks; returns (ticks done, reason, bits of the events of the last tick).

    There is one percept per character, and one drive, law, params and memory per member of all casts.
    """
    # Most worlds hold one character. It is looked up in the lists once: a lookup costs more than its sensing.
    m0 = find_active(stage, ledger, FIRST)
    percept0, drive0, law0, params0, memory0 = percepts[0], drives[m0], laws[m0], params[m0], memories[m0]
    first0 = stage.characters[FIRST].joint_dof
    counters, clock = ledger.counters.view(COUNTERS)[0], ledger.clock.view(CLOCK)[0]
    for done in range(ticks):
        tick = counters.tick
        time = tick * clock.timestep_s
        clock.time_s = time
        _copy(stage.base_damping, stage.dof_damping)
        step1(stage.at)
        prepare(stage, scratch, percept0, drive0, FIRST)
        law0(percept0, params0, memory0, drive0.torque, drive0.damping)
        for c in range(1, len(percepts)):
            m = find_active(stage, ledger, c)
            percept, drive = percepts[c], drives[m]
            prepare(stage, scratch, percept, drive, c)
            laws[m](percept, params[m], memories[m], drive.torque, drive.damping)
        apply_outside(stage, ledger, tape, scratch)
        clear_touch(ledger)
        rows = apply_ground(stage, ledger, scratch.points)
        if drive0.kind[0] == ACCELERATION:
            solve_torques(stage, scratch, drive0, FIRST)
        for c in range(1, len(percepts)):
            drive = drives[find_active(stage, ledger, c)]
            if drive.kind[0] == ACCELERATION:
                solve_torques(stage, scratch, drive, c)
        recording = record_every > 0 and tick % record_every == 0
        if recording:
            open_frame(stage, tape, scratch, time)
        keep_state(stage, scratch)
        for attempt in range(LIMIT_ROUNDS):
            drive_joints(stage, drive0, first0)
            for c in range(1, len(percepts)):
                drive_joints(stage, drives[find_active(stage, ledger, c)], stage.characters[c].joint_dof)
            step2(stage.at)
            over = settle_joints(stage, drive0, first0)
            for c in range(1, len(percepts)):
                drive = drives[find_active(stage, ledger, c)]
                over = settle_joints(stage, drive, stage.characters[c].joint_dof) or over
            if not over:
                break
            if attempt < LIMIT_ROUNDS - 1:
                take_back(stage, scratch)
        counters.contacts = read_contacts(stage, ledger, rows, scratch.geoms, scratch.contact)
        counters.tick = tick + 1
        if not is_finite(stage.qpos, stage.qvel):
            return done + 1, DIVERGED, 0
        column = np.int64(0)
        happened = watch(stage, ledger, tape, scratch, drive0, time, FIRST)
        if recording:
            column = tape_torque(tape, drive0, column)
        for c in range(1, len(percepts)):
            drive = drives[find_active(stage, ledger, c)]
            happened |= watch(stage, ledger, tape, scratch, drive, time, c)
            if recording:
                column = tape_torque(tape, drive, column)
        if recording:
            close_frame(ledger, tape)
        if happened & stop_mask:
            return done + 1, EVENT, happened
    return ticks, DONE, 0
