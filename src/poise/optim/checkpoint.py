"""Checkpoints of a search: what the optimiser was told, and notes that say which search it is. NPZ, no pickles.

Random numbers and covariances are not stored: a resumed search asks and tells the past again, which takes
milliseconds and does not depend on how an optimiser looks inside.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise.archives import Field, load_archive, parse_json, save_archive
from poise.errors import FileFormatError
from poise.files import make_plain
from poise.optim.ask_tell import Trace
from poise.optim.space import FloatArray

MAX_BYTES: Final = 2**30
"""Ten thousand generations of a hundred candidates with a hundred numbers each."""

#: An evaluation that failed costs infinitely much, or NaN.
_FIELDS: Final = {
    "candidates": Field(finite=False),
    "candidate_shapes": Field("int", shape=(None, 2), low=0, required=False),
    "costs": Field(finite=False),
    "tasks": Field("int", shape=(None,), low=0, required=False),
    "failures": Field("text", shape=(), required=False),
    "notes": Field("text", shape=()),
}


@dataclass(frozen=True)
class Checkpoint:
    """A search after some generations."""

    trace: Trace
    notes: Mapping[str, Any] = field(default_factory=dict)


def save_checkpoint(path: str | PathLike[str], checkpoint: Checkpoint) -> None:
    """Writes a checkpoint, whole or not at all, and keeps the one before; the same checkpoint gives the same bytes."""
    trace = checkpoint.trace
    # Generations may be of different sizes: all numbers stand one after the other, with the shapes beside.
    arrays = {
        "candidates": _flatten(trace.candidates),
        "candidate_shapes": np.array([c.shape for c in trace.candidates], dtype=np.int64).reshape(-1, 2),
        "costs": _flatten(trace.costs),
        "tasks": np.array([0 if c.ndim == 1 else c.shape[1] for c in trace.costs], dtype=np.int64),
        "failures": np.array(json.dumps(trace.failures)),
        "notes": np.array(json.dumps(make_plain(checkpoint.notes))),
    }
    save_archive(path, arrays, compressed=False, previous=name_previous(path))


def name_previous(path: str | PathLike[str]) -> Path:
    """The file of the checkpoint before the last."""
    return Path(path).with_name(Path(path).name + ".previous")


def has_checkpoint(path: str | PathLike[str]) -> bool:
    """Whether a search has left its last checkpoint or the one before."""
    return Path(path).exists() or name_previous(path).exists()


def load_last_checkpoint(
    path: str | PathLike[str], say: Callable[[str], None] | None = None, *, repair: bool = False
) -> Checkpoint:
    """The checkpoint in a file, or the one before if that is missing or damaged; `say` is told of damage.

    `repair` removes a damaged file once the one before is known to be good, which it would otherwise replace later.
    """
    try:
        return load_checkpoint(path)
    except FileFormatError as error:
        try:
            previous = load_checkpoint(name_previous(path))
        except FileFormatError:
            raise error from None
        if Path(path).exists() and say is not None:
            say(f"{error} The search continues from the checkpoint before it.")
        if repair:
            Path(path).unlink(missing_ok=True)
        return previous


def load_checkpoint(path: str | PathLike[str]) -> Checkpoint:
    """The checkpoint in a file."""
    if not os.path.exists(path):
        raise FileFormatError("no such file. A search writes it when it begins", path=path)
    entries = load_archive(path, _FIELDS, kind="checkpoint of a search", max_bytes=MAX_BYTES)
    if "candidate_shapes" not in entries and "candidates" in entries:
        raise FileFormatError(
            "is a checkpoint of an older Poise, which kept no names of failures. Start a new search", path=path
        )
    texts = {name: parse_json(str(entries.pop(name, "null")), path, name) for name in ("failures", "notes")}
    try:
        return _build({**entries, **texts})
    except (KeyError, ValueError, TypeError, OverflowError, MemoryError) as error:
        raise FileFormatError("is not a checkpoint of a search, its entries do not fit together", path=path) from error


def _flatten(parts: Sequence[FloatArray]) -> FloatArray:
    return np.concatenate([np.zeros(0), *(p.ravel() for p in parts)])


def _build(entries: Mapping[str, Any]) -> Checkpoint:
    """The checkpoint of a file's entries; a ValueError where they do not fit together."""
    shapes = [(int(count), int(size)) for count, size in entries["candidate_shapes"]]
    tasks = [int(n) for n in entries["tasks"]]
    costs_shapes = [(count, n) if n else (count,) for (count, _), n in zip(shapes, tasks, strict=True)]
    failures = tuple(tuple(tuple(map(str, names)) for names in row) for row in entries["failures"])
    if failures and [len(row) for row in failures] != [count for count, _ in shapes]:
        raise ValueError
    notes = entries["notes"]
    if not isinstance(notes, dict):
        raise ValueError
    trace = Trace(_cut(entries["candidates"], shapes), _cut(entries["costs"], costs_shapes), failures)
    return Checkpoint(trace, notes)


def _cut(numbers: Any, shapes: Sequence[tuple[int, ...]]) -> tuple[FloatArray, ...]:
    """Arrays of these shapes out of all of their numbers."""
    flat = np.array(numbers, dtype=float)
    ends = np.cumsum([0, *(math.prod(shape) for shape in shapes)])
    if flat.shape != (ends[-1],):
        raise ValueError
    return tuple(flat[a:b].reshape(shape).copy() for a, b, shape in zip(ends, ends[1:], shapes))
