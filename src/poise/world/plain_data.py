"""Plain data to JSON and back, including NumPy arrays: the states of pilots in a snapshot's file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError

ARRAY: Final = "array"
TYPE: Final = "type"
_TYPES: Final = ("<f8", "<i8", "|b1")


def pack_plain(value: Any) -> Any:
    """Plain data in a form that JSON stores exactly."""
    if isinstance(value, np.ndarray):
        kind = value.dtype.newbyteorder("<").str if value.dtype.itemsize > 1 else value.dtype.str
        if kind not in _TYPES:
            raise InputError("plain data holds float64, int64 and bool arrays", where="snapshot", got=value.dtype)
        return {ARRAY: value.tolist(), TYPE: kind}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): pack_plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [pack_plain(inner) for inner in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise InputError("a pilot's state must be plain data", where="snapshot", got=type(value).__name__)


def unpack_plain(value: Any) -> Any:
    """The inverse of `pack_plain`, except that tuples come back as lists and keys of mappings as text."""
    if isinstance(value, Mapping):
        if value.keys() == {ARRAY, TYPE}:
            if value[TYPE] not in _TYPES:
                raise InputError("an array has an unknown type", where="snapshot", got=value[TYPE])
            try:
                return np.array(value[ARRAY], dtype=value[TYPE])
            except (ValueError, TypeError, OverflowError) as error:
                raise InputError("an array is damaged", where="snapshot") from error
        return {key: unpack_plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [unpack_plain(inner) for inner in value]
    return value


def read_whole(value: Any, low: int, high: int) -> int:
    """A whole number in a range, from plain data."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError("a number is out of range", where="snapshot", got=value, allowed=f"Allowed: {low} to {high}")
    return value


def read_number(value: Any, *, finite: bool = True) -> float:
    """A number, from plain data."""
    if isinstance(value, bool) or not isinstance(value, int | float) or (finite and not math.isfinite(value)):
        raise InputError("expected a number", where="snapshot", got=value)
    return float(value)


def read_numbers(value: Any, count: int, *, finite: bool = True) -> tuple[float, ...]:
    """A tuple of `count` numbers, from plain data."""
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != count:
        raise InputError(f"expected {count} numbers", where="snapshot", got=value)
    return tuple(read_number(number, finite=finite) for number in value)


def read_array(value: Any, shape: tuple[int | None, ...]) -> NDArray[np.float64]:
    """An array of finite numbers, from plain data; None in `shape` allows any length."""
    fits = isinstance(value, np.ndarray) and value.dtype == np.float64 and value.ndim == len(shape)
    if not fits or any(n not in (None, m) for n, m in zip(shape, value.shape, strict=True)):
        raise InputError("an array has the wrong shape", where="snapshot", allowed=f"Expected: {shape}")
    if not np.isfinite(value).all():
        raise InputError("an array holds numbers that are not finite", where="snapshot")
    return np.asarray(value)
