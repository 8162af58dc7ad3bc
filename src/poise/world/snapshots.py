"""Snapshots: everything needed to go on, in memory and on disk as plain arrays."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileFormatError
from poise.files import write_atomic
from poise.world.notebook import Notebook

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Snapshot:
    """Everything needed to go on: physics, ledger, parameters, memories, what pilots remember, what was asked for."""

    physics: FloatArray
    ledger: Mapping[str, np.ndarray]
    params: tuple[FloatArray, ...]
    memories: tuple[FloatArray, ...]
    pilots: tuple[Any, ...] = ()
    notebook: Notebook = field(default_factory=Notebook)


def save_snapshot(snapshot: Snapshot, path: str | PathLike[str]) -> None:
    """Writes a snapshot as NPZ. The pilots' part is not kept: it is theirs to save."""
    arrays: dict[str, Any] = {"physics": snapshot.physics, "notebook": np.array(snapshot.notebook.to_json())}
    arrays |= {f"ledger_{name}": value for name, value in snapshot.ledger.items()}
    for k, (params, memory) in enumerate(zip(snapshot.params, snapshot.memories, strict=True)):
        arrays[f"params_{k}"], arrays[f"memory_{k}"] = params, memory
    with write_atomic(path, "wb") as file:
        np.savez_compressed(file, **arrays)


def load_snapshot(path: str | PathLike[str]) -> Snapshot:
    """Reads what `save_snapshot` wrote."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            count = sum(name.startswith("params_") for name in arrays.files)
            return Snapshot(
                physics=arrays["physics"],
                ledger={n.removeprefix("ledger_"): arrays[n] for n in arrays.files if n.startswith("ledger_")},
                params=tuple(arrays[f"params_{k}"] for k in range(count)),
                memories=tuple(arrays[f"memory_{k}"] for k in range(count)),
                notebook=Notebook.from_json(str(arrays["notebook"])) if "notebook" in arrays.files else Notebook(),
            )
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise FileFormatError(f"not a snapshot: {error}", path=path) from error
