"""The compiled loop: world, controllers and disturbances, tick after tick, with the GIL released.

One tick: positions (`step1`), sensing, laws, limits, outside forces, integration (`step2`), contacts, events, tape.
The order is fixed and nothing is carried between calls except through the ledger, MuJoCo's state and the controllers'
memories, so that a run is the same to the last bit however it is cut into calls.
"""

from __future__ import annotations

import math

from poise.kernels.jit import kernel
from poise.world.contacts import clear_touch, read_contacts
from poise.world.events import PUSH, detect_fall, detect_feet, write_event
from poise.world.forces import apply_pushes, apply_springs
from poise.world.ground import apply_ground
from poise.world.physics import step1, step2
from poise.world.sense import sense_whole

#: Why the loop returned.
DONE, EVENT, DIVERGED, TAPE_FULL = 0, 1, 2, 3
#: A clamped joint changes the others' speeds; eight rounds settle any chain that a leg can form.
LIMIT_ROUNDS = 8


@kernel
def drive_joints(stage, drive, c, limits):
    """Writes one character's torque and damping into the physics, limited.

    The damping is integrated implicitly: MuJoCo's joint damping holds it during the second half step only, while the
    explicit part −damping·v is part of the applied torque. Where the sum is clamped there is no damping left.
    """
    first = stage.characters[c, 4]
    for k in range(drive.torque.shape[0]):
        i = first + k
        total = drive.torque[k] - drive.damping[k] * stage.qvel[i]
        limit = limits[k, 2]
        if abs(total) > limit:
            drive.torque[k], drive.damping[k] = math.copysign(limit, total), 0.0
            total = drive.torque[k]
        stage.qfrc_applied[i] = total
        stage.dof_damping[i] = stage.base_damping[i] + drive.damping[k]


@kernel
def settle_joints(stage, drive, c, limits):
    """Notes the torque that was applied over the step, τ − damping·v⁺; true if a limit was overstepped.

    The implicit damper acts with the speed at the end of the step, which an impact may change: such a joint is clamped
    here, and the step is taken again.
    """
    first = stage.characters[c, 4]
    over = False
    for k in range(drive.torque.shape[0]):
        total = drive.torque[k] - drive.damping[k] * stage.qvel[first + k]
        limit = limits[k, 2]
        if abs(total) > limit:
            drive.torque[k], drive.damping[k] = math.copysign(limit, total), 0.0
            over = True
        drive.applied[k] = total
    return over


@kernel
def _copy(source, target):
    for i in range(source.shape[0]):
        target[i] = source[i]


@kernel
def integrate(stage, drives, percepts, scratch):
    """Second half of the step; repeated from the same state until every torque limit holds for the sum."""
    _copy(stage.qpos, scratch.qpos)
    _copy(stage.qvel, scratch.qvel)
    _copy(stage.qacc_warmstart, scratch.qacc)
    for attempt in range(LIMIT_ROUNDS):
        for c in range(len(drives)):
            drive_joints(stage, drives[c], c, percepts[c].limits)
        step2(stage.at)
        over = False
        for c in range(len(drives)):
            over = settle_joints(stage, drives[c], c, percepts[c].limits) or over
        if not over or attempt == LIMIT_ROUNDS - 1:
            return
        _copy(scratch.qpos, stage.qpos)
        _copy(scratch.qvel, stage.qvel)
        _copy(scratch.qacc, stage.qacc_warmstart)


@kernel
def tally_work(ledger, drive, stage, scratch, c):
    """Adds this tick's mechanical work, with the mean speed over the step, and torque sums."""
    first, dt, row = stage.characters[c, 4], ledger.clock[1], ledger.tally[c]
    for k in range(drive.applied.shape[0]):
        torque = drive.applied[k]
        work = torque * 0.5 * (scratch.qvel[first + k] + stage.qvel[first + k]) * dt
        row[0] += max(work, 0.0)
        row[1] += abs(work)
        row[2] = max(row[2], abs(torque))
        row[3] += abs(torque)
    row[4] += drive.applied.shape[0]


@kernel
def open_frame(stage, tape, time, percepts):
    """Writes the state of this tick to the tape."""
    f = tape.frames[0]
    tape.time[f] = time
    _copy(stage.qpos, tape.qpos[f])
    _copy(stage.qvel, tape.qvel[f])
    for b in range(stage.xpos.shape[0]):
        _copy(stage.xpos[b], tape.pos[f, b])
        _copy(stage.xquat[b], tape.quat[f, b])
    for c in range(len(percepts)):
        for j in range(6):
            tape.com[f, c, j] = percepts[c].whole[j]


@kernel
def close_frame(ledger, tape, drives):
    """Adds the torques and contacts of the step to the frame and goes on to the next."""
    f, u = tape.frames[0], 0
    for c in range(len(drives)):
        for k in range(drives[c].applied.shape[0]):
            tape.torque[f, u] = drives[c].applied[k]
            u += 1
    start = tape.frames[1]
    tape.contact_start[f] = start
    for k in range(ledger.counters[1]):
        _copy(ledger.contact_rows[k], tape.contact_rows[start + k])
        tape.contact_bodies[start + k, 0] = ledger.contact_bodies[k, 0]
        tape.contact_bodies[start + k, 1] = ledger.contact_bodies[k, 1]
    tape.frames[1] = start + ledger.counters[1]
    tape.frames[0] = f + 1


@kernel
def think(stage, ledger, scratch, percepts, drives, laws, params, memories):
    """Sensing and laws of every character."""
    for c in range(len(percepts)):
        percept, drive = percepts[c], drives[c]
        sense_whole(percept, stage.characters[c, 3] == 3)
        scratch.headings[c] = percept.whole[6]
        for k in range(drive.torque.shape[0]):
            drive.torque[k] = 0.0
            drive.damping[k] = 0.0
        laws[c](percept, params[c], memories[c], drive.torque, drive.damping)


@kernel
def run_ticks(ticks, stop_mask, record_every, stage, ledger, tape, scratch, percepts, drives, laws, params, memories):
    """Runs up to `ticks` ticks; returns (ticks done, reason)."""
    for done in range(ticks):
        tick = ledger.counters[0]
        time = tick * ledger.clock[1]
        ledger.clock[0] = time
        _copy(stage.base_damping, stage.dof_damping)
        step1(stage.at)
        think(stage, ledger, scratch, percepts, drives, laws, params, memories)
        stage.xfrc_applied[:] = 0.0
        if apply_pushes(stage, ledger, scratch.headings) > 0:
            write_event(tape, time, PUSH, 0, 0)
        apply_springs(stage, ledger, scratch.points)
        clear_touch(ledger)
        rows = apply_ground(stage, ledger, scratch.points)
        recording = record_every > 0 and tick % record_every == 0
        if recording:
            open_frame(stage, tape, time, percepts)
        integrate(stage, drives, percepts, scratch)
        ledger.counters[1] = read_contacts(stage, ledger, rows, scratch.geoms, scratch.contact)
        happened = 0
        speed = 0.0
        for i in range(stage.qvel.shape[0]):
            speed += abs(stage.qvel[i]) + abs(stage.qpos[i])
        ledger.counters[0] = tick + 1
        if not math.isfinite(speed):
            return done + 1, DIVERGED
        for c in range(len(drives)):
            tally_work(ledger, drives[c], stage, scratch, c)
            happened |= detect_feet(stage, ledger, tape, time, c)
            happened |= detect_fall(stage, ledger, tape, time, c)
        if recording:
            close_frame(ledger, tape, drives)
        if happened & stop_mask:
            return done + 1, EVENT
    return ticks, DONE
