"""Checks that a snapshot fits a world: names, shapes, types, finite numbers, and indices in range.

A snapshot may come from a file that was damaged, edited, or written by another world. Nothing is restored until all
of it has passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import mujoco
import numpy as np

from poise.errors import InputError
from poise.world.cast import Member, Members
from poise.world.controller import Controller
from poise.world.layout import COUNTERS
from poise.world.notebook import Notebook
from poise.world.snapshots import LATER_FIELDS, FloatArray, Snapshot
from poise.world.stage import Ledger

MAX_TICK: Final = 2**53
"""Above this a tick is no longer exact as a float."""

_FINITE: Final = (
    "touch_force", "touch_load", "foot_latch", "touch_latch", "posture", "fallen", "anchors", "springs", "tally",
    "contact_rows",
)  # fmt: skip

#: MuJoCo rejects larger positions and velocities.
MAX_STATE: Final = float(mujoco.mjMAXVAL)


class Frame(NamedTuple):
    """What a snapshot is compared with: the world's own arrays and sizes."""

    model: mujoco.MjModel
    ledger: Ledger
    members: Members
    physics_size: int
    entities: Sequence[str]


def complete_snapshot(snapshot: Snapshot, fresh: Ledger) -> Snapshot:
    """A snapshot whose missing fields, if from an earlier version, are those of a fresh ledger."""
    missing = {name: getattr(fresh, name) for name in LATER_FIELDS if name not in snapshot.ledger}
    if not missing:
        return snapshot
    fallen = snapshot.ledger.get("fallen")
    if "posture" in missing and fallen is not None and np.shape(fallen) == fresh.fallen.shape:
        missing["posture"][:, 0] = fallen[:, 0]
    return replace(snapshot, ledger={**snapshot.ledger, **missing})


def check_fit(snapshot: Snapshot, frame: Frame) -> None:
    """Raises an InputError unless a world can continue from a snapshot."""
    _check_members(snapshot, frame)
    _check_sizes(snapshot, frame)
    _check_physics(snapshot.physics, frame.model)
    _check_ledger(snapshot, frame)
    for (member, controller), params, memory in zip(frame.members, snapshot.params, snapshot.memories, strict=True):
        try:
            _check_controller(controller, params, memory)
        except InputError as error:
            reason = str(error).removesuffix(".")
            raise _wrong(
                f"state of the controller {controller.name} of character {member.character}: {reason}"
            ) from error
    _check_notebook(snapshot.notebook, frame)


def _wrong(what: str) -> InputError:
    return InputError(f"the snapshot cannot be restored, {what}", where="world")


def _check_members(snapshot: Snapshot, frame: Frame) -> None:
    """Raises unless a snapshot has the same controllers; files of earlier versions do not name theirs."""
    ours, theirs = tuple(frame.members.keys), snapshot.members
    if not theirs or ours == theirs:
        return
    for mine, other in zip(ours, theirs, strict=False):
        if mine[:2] == other[:2] and mine.revision != other.revision:
            when = "before" if other.revision < mine.revision else "after"
            raise _wrong(f"it was taken {when} the controller {mine.name} of character {mine.character} was replaced")
    raise _wrong(f"it was taken with {_name_members(theirs)}, and this world has {_name_members(ours)}")


def _name_members(members: Sequence[Member]) -> str:
    word = "the controller " if len(members) == 1 else "the controllers "
    return word + ", ".join(f"{m.name} of character {m.character}" for m in members)


def _check_sizes(snapshot: Snapshot, frame: Frame) -> None:
    arrays = (snapshot.physics, *snapshot.params, *snapshot.memories)
    if any(np.ndim(a) != 1 or np.asarray(a).dtype != np.float64 for a in arrays):
        raise _wrong("physics, params and memories must be rows of float64")
    sizes = [len(a) for a in arrays]
    mine = [frame.physics_size, *(len(a) for a in (*frame.members.params, *frame.members.memories))]
    if sizes != mine or len(snapshot.params) != len(frame.members):
        raise InputError(
            f"world: the snapshot is from another world: its arrays have {sizes} values, this world's {mine}."
        )
    for name in Ledger._fields:
        own, got = getattr(frame.ledger, name), snapshot.ledger.get(name)
        if got is None:
            raise _wrong(f"ledger {name} is missing")
        if np.shape(got) != own.shape:
            raise InputError(
                f"world: the snapshot is from another world: its ledger {name} has the shape {np.shape(got)}, "
                f"this world's {own.shape}."
            )
        if np.asarray(got).dtype != own.dtype:
            raise _wrong(f"ledger {name} must hold {own.dtype}, got {np.asarray(got).dtype}")


def _check_physics(physics: FloatArray, model: mujoco.MjModel) -> None:
    if not np.all(np.isfinite(physics)):
        raise _wrong("physics must be finite")
    # Time, positions, velocities; forces follow.
    if np.max(np.abs(physics[: 1 + model.nq + model.nv])) > MAX_STATE:
        raise _wrong(f"positions and velocities must lie in {-MAX_STATE:g} to {MAX_STATE:g}")


def _check_ledger(snapshot: Snapshot, frame: Frame) -> None:
    ledger, last = snapshot.ledger, frame.model.nbody - 1
    for name in _FINITE:
        if not np.all(np.isfinite(ledger[name])):
            raise _wrong(f"ledger {name} must be finite")
    # The end time of a push may be infinite.
    if not np.all(np.isfinite(np.delete(ledger["pushes"], 6, axis=1))) or np.any(np.isnan(ledger["pushes"])):
        raise _wrong("ledger pushes must be finite")
    counters, clock = ledger["counters"].view(COUNTERS)[0], ledger["clock"]
    _check_range("the tick", counters.tick, 0, MAX_TICK)
    _check_range("the number of contacts", counters.contacts, 0, len(frame.ledger.contact_rows))
    _check_range("the numbers of pushes and springs", ledger["counters"][2:], 0, MAX_TICK)
    if not np.isfinite(clock[0]) or not np.array_equal(clock[1:], frame.ledger.clock[1:]):
        raise _wrong("its time step or gravity differs from this world's")
    _check_range("ledger grounded", ledger["grounded"], 0, 1)
    for active, cast in zip(ledger["active"], frame.members.casts, strict=True):
        _check_range("ledger active", active, 0, len(cast.controllers) - 1)
    _check_range("ledger cues", ledger["cues"], 0, 7)
    _check_range("ledger contact_bodies", ledger["contact_bodies"], 0, last)
    _check_range("states of ledger foot_latch", ledger["foot_latch"][..., 0], -1, 1)
    _check_range("states of ledger touch_latch", ledger["touch_latch"][:, 0], -2, 1)
    _check_range("ledger watching", ledger["watching"], 0, frame.model.nbody)
    _check_range("ledger last_step", ledger["last_step"], -1, 1)
    _check_range("states of ledger posture", ledger["posture"][:, 0], 0, 1)
    _check_range("states of ledger fallen", ledger["fallen"][:, 0], 0, 1)
    _check_range("states of ledger pushes", ledger["pushes"][:, 0], 0, 2)
    _check_range("bodies of ledger pushes", ledger["pushes"][:, 1], 0, last)
    _check_range("states of ledger springs", ledger["springs"][:, 0], 0, 1)
    _check_range("bodies of ledger springs", ledger["springs"][:, [1, 5]], 0, last)


def _check_range(name: str, values: np.ndarray, low: int, high: int) -> None:
    """Raises unless all are whole numbers from low to high."""
    # Written so that a NaN fails.
    if not np.all((values >= low) & (values <= high)) or np.any(values != np.floor(values)):
        raise _wrong(f"{name} must be whole numbers from {low} to {high}")


def _check_controller(controller: Controller, params: FloatArray, memory: FloatArray) -> None:
    if not np.array_equal(np.isfinite(params), np.isfinite(controller.params)):
        raise InputError("its parameters must be finite")
    if not np.array_equal(np.isfinite(memory), np.isfinite(controller.memory)):
        raise InputError("its memory must be finite")
    for parameter in controller.parameters:
        if parameter.choices:
            value = float(params[parameter.index])
            if not (0 <= value < len(parameter.choices) and value == int(value)):
                raise InputError(f"{parameter.name} must be one of {len(parameter.choices)} choices", got=value)
    if controller.guard is not None:
        controller.guard.check(controller.params, params, memory)


def _check_notebook(notebook: Notebook, frame: Frame) -> None:
    if any(entity not in frame.entities for entity in notebook.toggled):
        raise _wrong("its notebook names an entity that this world does not have")
    owners = {row.character for row in (*notebook.requests, *notebook.passages)}
    if any(not 0 <= character < len(frame.members.casts) for character in owners):
        raise _wrong("its notebook names a character that this world does not have")
