"""Snapshots: everything needed to continue a run, in memory and on disk as plain arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.archives import Field, load_archive, pack_archive, parse_json, save_archive
from poise.errors import FileFormatError, InputError
from poise.world.cast import Member
from poise.world.notebook import Notebook
from poise.world.pilot import PilotState
from poise.world.plain_data import pack_plain, unpack_plain
from poise.world.stage import Ledger

FloatArray = NDArray[np.float64]

_LEDGER_HOLDS: Final = {
    "counters": "int", "grounded": "int", "active": "int", "cues": "int", "contact_bodies": "int", "watching": "int",
    "last_step": "int", "random_state": "bits",
}  # fmt: skip

LATER_FIELDS: Final = ("active", "touch_latch", "watching", "last_step", "posture")
"""Arrays of the ledger that files of earlier versions lack; `World.restore` fills them in."""

#: Infinity is valid in some arrays (a push without an end, an unlimited joint); `World.restore` checks the others.
_FIELDS: Final = {
    "physics": Field(shape=(None,), finite=False),
    "notebook": Field("text", shape=(), required=False),
    "pilots": Field("text", shape=(), required=False),
    "members": Field("text", shape=(), required=False),
    **{
        f"ledger_{name}": Field(_LEDGER_HOLDS.get(name, "float"), finite=False, required=name not in LATER_FIELDS)
        for name in Ledger._fields
    },
    "params_*": Field(shape=(None,), finite=False),
    "memory_*": Field(shape=(None,), finite=False),
}


@dataclass(frozen=True)
class Snapshot:
    """Everything needed to continue: physics, ledger, parameters, memories, state of the pilots, requests."""

    physics: FloatArray
    ledger: Mapping[str, np.ndarray]
    #: Of the members of all casts, one character after another.
    params: tuple[FloatArray, ...]
    memories: tuple[FloatArray, ...]
    #: The pilots' states, from the top of their stacks to the bottom; None leaves the pilots unchanged.
    pilots: tuple[PilotState, ...] | None = ()
    notebook: Notebook = field(default_factory=Notebook)
    #: The owners of `params` and `memories`; empty in files of earlier versions.
    members: tuple[Member, ...] = ()
    #: Identifies the world that took it and can restore it unchecked; empty in modified copies and files.
    token: str = field(default="", init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        # The first number of MuJoCo's state is the time.
        at = f"at {self.physics[0]:.4g} s" if len(self.physics) else "without physics"
        return f"<Snapshot {at} of {', '.join(member.name for member in self.members) or 'unnamed controllers'}>"


def save_snapshot(snapshot: Snapshot, path: str | PathLike[str]) -> None:
    """Writes a snapshot as NPZ."""
    save_archive(path, pack_snapshot(snapshot))


def pack_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """The entries of a snapshot file."""
    arrays: dict[str, Any] = {"physics": snapshot.physics, "notebook": np.array(snapshot.notebook.to_json())}
    if snapshot.pilots is not None:
        arrays["pilots"] = np.array(pack_pilots(snapshot))
    if snapshot.members:
        arrays["members"] = np.array(json.dumps(snapshot.members))
    arrays |= {f"ledger_{name}": value for name, value in snapshot.ledger.items()}
    for k, (params, memory) in enumerate(zip(snapshot.params, snapshot.memories, strict=True)):
        arrays[f"params_{k}"], arrays[f"memory_{k}"] = params, memory
    return arrays


def pack_pilots(snapshot: Snapshot) -> str:
    """The states of a snapshot's pilots as JSON."""
    return json.dumps([[pilot.character, pilot.name, pack_plain(pilot.state)] for pilot in snapshot.pilots or ()])


def load_snapshot(path: str | PathLike[str]) -> Snapshot:
    """Reads a snapshot written by `save_snapshot`. `World.restore` checks whether it fits."""
    return _read_snapshot(load_archive(path, _FIELDS, kind="snapshot"), path)


def copy_through_file(snapshot: Snapshot) -> Snapshot:
    """A snapshot after a round trip through a file's bytes."""
    data, name = pack_archive(pack_snapshot(snapshot)), "snapshot.npz"
    return _read_snapshot(load_archive(data, _FIELDS, kind="snapshot", name=name), name)


def _read_snapshot(arrays: Mapping[str, Any], path: str | PathLike[str]) -> Snapshot:
    count = sum(name.startswith("params_") for name in arrays)
    numbered = {f"{part}_{k}" for part in ("params", "memory") for k in range(count)}
    if numbered != {name for name in arrays if name.startswith(("params_", "memory_"))}:
        raise FileFormatError("is damaged, parameters and memories of its controllers do not match", path=path)
    ledger = {name: arrays[f"ledger_{name}"] for name in Ledger._fields if f"ledger_{name}" in arrays}
    return Snapshot(
        physics=arrays["physics"],
        ledger=ledger,
        params=tuple(arrays[f"params_{k}"] for k in range(count)),
        memories=tuple(arrays[f"memory_{k}"] for k in range(count)),
        pilots=_load_pilots(str(arrays["pilots"]), path) if "pilots" in arrays else (),
        notebook=_load_notebook(str(arrays["notebook"]), path) if "notebook" in arrays else Notebook(),
        members=_load_members(str(arrays["members"]), path) if "members" in arrays else (),
    )


def _load_pilots(text: str, path: str | PathLike[str]) -> tuple[PilotState, ...]:
    table = parse_json(text, path, "pilots")
    try:
        states = tuple(PilotState(int(k), str(name), unpack_plain(state)) for k, name, state in table)
    except (InputError, ValueError, TypeError, OverflowError) as error:
        raise FileFormatError("is damaged, entry 'pilots' does not hold the states of pilots", path=path) from error
    if not all(isinstance(saved.state, Mapping) for saved in states):
        raise FileFormatError("is damaged, entry 'pilots' does not hold the states of pilots", path=path)
    return states


def _load_members(text: str, path: str | PathLike[str]) -> tuple[Member, ...]:
    table = parse_json(text, path, "members")
    try:
        return tuple(Member(int(k), str(name), int(revision)) for k, name, revision in table)
    except (ValueError, TypeError, OverflowError) as error:
        raise FileFormatError("is damaged, entry 'members' does not list controllers", path=path) from error


def _load_notebook(text: str, path: str | PathLike[str]) -> Notebook:
    try:
        return Notebook.from_table(parse_json(text, path, "notebook"))
    except FileFormatError:
        raise
    except InputError as error:
        raise FileFormatError(f"is damaged, {error}", path=path) from error
