"""Small checks of TOML tables that the readers of phases share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from poise.errors import InputError, out_of_range, unknown_name

#: No angle, force, gain or time in SI units is larger; sums and products of such numbers stay finite.
LARGEST = 1e6


def require_table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError("it must be a table", where=where, got=value)
    return value


def require_list(value: Any, where: str) -> Sequence[Mapping[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError("it must be a list of tables", where=where, got=value)
    return value


def check_keys(table: Mapping[str, Any], known: Sequence[str], where: str, *, needed: int = 0) -> None:
    """An error for a key that is not known, or for one of the first `needed` that is missing."""
    for key in table:
        if key not in known:
            raise unknown_name(where, "key", key, known)
    for key in known[:needed]:
        if key not in table:
            raise InputError(f"{key} is missing", where=where)


def read_number(value: Any, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InputError("it must be a number", where=where, got=value)
    if not abs(value) <= LARGEST:
        raise out_of_range(where, "it", value, -LARGEST, LARGEST)
    return float(value)
