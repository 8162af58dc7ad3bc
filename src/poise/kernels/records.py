"""Named fields for flat arrays: record types of float64, read with `array.view(RECORD)[0]`.

Parameters, memories and tables of laws are flat arrays, which snapshots and files can hold. A record names the values
at fixed places in them, in Python and in compiled code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Field = str | tuple[str, int | tuple[int, ...]]


def make_record(*fields: Field) -> np.dtype[Any]:
    """Return a record type; a field is a number, or an array if a shape is given with the name."""
    names = [field if isinstance(field, str) else field[0] for field in fields]
    assert not set(names) & set(dir(np.void)), "NumPy's own attributes would hide these fields"
    rows = [(field, "f8") if isinstance(field, str) else (field[0], "f8", field[1]) for field in fields]
    return np.dtype((np.record, rows))


def place(record: np.dtype[Any], name: str) -> int:
    """Return the index of a field's first number."""
    assert record.fields is not None
    return int(record.fields[name][1]) // 8


def size_of(record: np.dtype[Any]) -> int:
    """Return the number of values in a record."""
    return record.itemsize // 8
