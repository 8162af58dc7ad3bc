"""`simulate`: runs a world for a time and returns the recording, with parameter changes at exact ticks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from poise.constants import DEFAULT_RECORD_HZ
from poise.errors import DivergedError, out_of_range
from poise.install import describe_install
from poise.recordings.recording import Event, Recording, Tally
from poise.rollout.phase_log import describe_phases, find_details
from poise.rollout.run import Ticks, run
from poise.world.event_kinds import EVENT_KINDS, EventKind
from poise.world.tape import TapeLog
from poise.world.world import World

MAX_SECONDS = 1e6


@dataclass(frozen=True)
class Change:
    """Sets a parameter to a value at a given time; a choice may be given by name or number."""

    at_s: float
    name: str
    value: float | str
    character: int = 0


def _first_tick(at_s: float, timestep_s: float) -> int:
    return round(at_s / timestep_s)


class _Schedule:
    """Parameter changes and the ticks at which they are due."""

    def __init__(self, world: World, end: int, changes: Sequence[Change]) -> None:
        self._world, self.end = world, end
        self._changes = sorted(changes, key=lambda c: c.at_s)
        for change in self._changes:
            world.controllers[change.character].check_value(change.name, change.value)
        self.events: list[Event] = []

    def run_due(self) -> None:
        """Applies every change that is due."""
        world, dt = self._world, self._world.settings.timestep_s
        while self._changes and _first_tick(self._changes[0].at_s, dt) <= world.tick:
            change = self._changes.pop(0)
            world.set_parameter(change.name, change.value, change.character)
            text = f"{change.name}={change.value if isinstance(change.value, str) else f'{change.value:g}'}"
            self.events.append(Event(world.time_s, "parameter", change.character, detail=text))

    def next_tick(self) -> int:
        """The next tick at which a change is due, or the end."""
        tick, stops = self._world.tick, [self.end]
        if self._changes:
            stops.append(_first_tick(self._changes[0].at_s, self._world.settings.timestep_s))
        return max(min(stops), tick + 1)


def simulate(
    world: World,
    seconds: float,
    *,
    changes: Sequence[Change] = (),
    record_hz: float = DEFAULT_RECORD_HZ,
    stop_on_fall: bool = False,
    progress: Callable[[float], None] | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Recording:
    """Simulates for `seconds` from the world's current state.

    An interruption (Ctrl-C) ends the run and returns the recording so far, with `interrupted` in its meta. A state that
    stops being finite raises `DivergedError`, whose `recording` holds the run up to that point.
    """
    if not 0.0 <= seconds <= MAX_SECONDS:
        raise out_of_range("run", "seconds", seconds, 0.0, MAX_SECONDS, "s")
    dt = world.settings.timestep_s
    start = world.tick
    end = start + _first_tick(seconds, dt)
    schedule, log = _Schedule(world, end, changes), TapeLog()
    world.warm_up()
    stop_on = ("down",) if stop_on_fall else ()
    notes = dict(meta or {})

    def report(_: float) -> None:
        if progress is not None:
            progress((world.tick - start) / max(end - start, 1))

    try:
        while world.tick < end:
            schedule.run_due()
            ticks = Ticks(schedule.next_tick() - world.tick)
            ending = run(world, [ticks, *stop_on], record_hz=record_hz, log=log, progress=report)
            if ending.failed and world.fell_at_s() is not None:
                break
    except KeyboardInterrupt:
        notes["interrupted"] = True
    except DivergedError as error:
        error.recording = make_recording(world, log, schedule.events, {**notes, **_asked(world), "diverged": True})
        raise
    notes["seconds"] = (world.tick - start) * dt
    notes["realtime_factor"] = notes["seconds"] / world.loop_wall_s if world.loop_wall_s else 0.0
    return make_recording(world, log, schedule.events, {**notes, **_asked(world)})


def _asked(world: World) -> dict[str, Any]:
    """The controllers' requests to the world, whether any of them helped a body from outside, and their phases."""
    book = world.notebook
    asked = {"requests": [asdict(r) for r in book.requests], "saved": dict(book.saved)} if book.requests else {}
    return {"assisted": book.assisted, **asked, **describe_phases(world)}


def _read_events(world: World, log: TapeLog, more: Sequence[Event]) -> tuple[Event, ...]:
    segments, props = world.body_names()
    names = ["", *(s.rsplit("/", 1)[-1] for s in segments), *props]
    details = find_details(list(world.notebook.passages))
    events = []
    for t, kind, c, place in log.events:
        if int(kind) == EventKind.PHASE:
            events.append(Event(float(t), "phase", int(c), detail=details.get((float(t), int(c)), "")))
        elif int(kind) == EventKind.SWITCH:
            events.append(Event(float(t), "switch", int(c), detail=world.casts[int(c)].names[int(place)]))
        else:
            events.append(Event(float(t), EVENT_KINDS[int(kind)], int(c), names[int(place)]))
    events += [Event(r.start_s, "request", r.character, detail=r.what) for r in world.notebook.requests]
    return tuple(sorted([*events, *more], key=lambda e: e.time_s))


def _read_tally(row: np.record) -> Tally:
    mean_nm = float(row.torque_sum_nm / row.samples) if row.samples else 0.0
    return Tally(float(row.positive_work_j), float(row.absolute_work_j), float(row.peak_torque_nm), mean_nm)


def make_recording(world: World, log: TapeLog, events: Sequence[Event], meta: Mapping[str, Any]) -> Recording:
    """The log as a recording: body k of the model is segment k - 1 of the recording, -1 is the ground."""
    arrays = log.arrays() or _empty_arrays(world)
    joints = [_joint_columns(world, k) for k in range(len(world.characters))]
    q_columns = np.concatenate([np.arange(q, q + n) for q, _, n in joints])
    v_columns = np.concatenate([np.arange(v, v + n) for _, v, n in joints])
    return Recording(
        characters=world.characters,
        controllers=tuple(c.name for c in world.controllers),
        props=tuple(p.name for p in world.props),
        timestep_s=world.settings.timestep_s,
        time_s=arrays["time"],
        qpos=arrays["qpos"],
        qvel=arrays["qvel"],
        joint_q_rad=arrays["qpos"][:, q_columns],
        joint_v_radps=arrays["qvel"][:, v_columns],
        torque_nm=arrays["torque"],
        segment_pos_w_m=arrays["pos"][:, 1:],
        segment_quat_wxyz=arrays["quat"][:, 1:],
        com_w_m=arrays["com"][:, :, :3],
        com_vel_w_mps=arrays["com"][:, :, 3:],
        contact_start=arrays["contact_start"],
        contact_segment=arrays["contact_bodies"][:, 0] - 1,
        contact_other=arrays["contact_bodies"][:, 1] - 1,
        contact_pos_w_m=arrays["contact_rows"][:, :3],
        contact_force_w_n=arrays["contact_rows"][:, 3:],
        events=_read_events(world, log, events),
        tallies=tuple(_read_tally(row) for row in world.ledger.tallies),
        meta={"versions": dict(describe_install()), **meta},
    )


def _joint_columns(world: World, index: int) -> tuple[int, int, int]:
    """First column of a character's joints in qpos and in qvel, and their number."""
    percept = world.percepts[index]
    q0 = (percept.joint_q.ctypes.data - world.state.positions.ctypes.data) // 8
    v0 = (percept.joint_v.ctypes.data - world.state.velocities.ctypes.data) // 8
    return q0, v0, len(percept.joint_q)


def _empty_arrays(world: World) -> dict[str, np.ndarray]:
    log = TapeLog()
    log.take(world.blank_tape())
    return log.arrays()
