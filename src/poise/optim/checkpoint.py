"""Checkpoints of a search: what the optimiser was told, and notes that say which search it is. NPZ, no pickles.

Random numbers and covariances are not stored: a resumed search asks and tells the past again, which takes
milliseconds and does not depend on how an optimiser looks inside.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

from poise.errors import FileFormatError
from poise.files import make_plain, write_atomic
from poise.optim.ask_tell import Trace


@dataclass(frozen=True)
class Checkpoint:
    """A search after some generations."""

    trace: Trace
    notes: Mapping[str, Any] = field(default_factory=dict)


def save_checkpoint(path: str | PathLike[str], checkpoint: Checkpoint) -> None:
    """Writes a checkpoint, whole or not at all."""
    notes, trace = json.dumps(make_plain(checkpoint.notes)), checkpoint.trace
    arrays: dict[str, Any] = {"candidates": trace.candidates, "costs": trace.costs, "notes": np.array(notes)}
    if trace.failures:
        arrays["failures"] = np.array(json.dumps(trace.failures))
    with write_atomic(path) as file:
        np.savez(file, **arrays)


def load_checkpoint(path: str | PathLike[str]) -> Checkpoint:
    """The checkpoint in a file."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            candidates = np.array(arrays["candidates"], dtype=float)
            costs = np.array(arrays["costs"], dtype=float)
            notes = json.loads(str(arrays["notes"]))
            failures = json.loads(str(arrays["failures"])) if "failures" in arrays else []
    except FileNotFoundError:
        raise FileFormatError("no such file. A search writes it after its first generation", path=path) from None
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise FileFormatError("is not a checkpoint of a search", path=path) from error
    if candidates.ndim != 3 or candidates.shape[:2] != costs.shape or not isinstance(notes, dict):
        raise FileFormatError("is not a checkpoint of a search: its arrays do not fit together", path=path)
    if failures and [len(row) for row in failures] != [costs.shape[1]] * len(costs):
        raise FileFormatError("is not a checkpoint of a search: its arrays do not fit together", path=path)
    named = tuple(tuple(tuple(map(str, names)) for names in row) for row in failures)
    return Checkpoint(Trace(candidates, costs, named), notes)
