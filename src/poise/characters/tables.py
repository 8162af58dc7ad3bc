"""TOML tables read key by key, with errors that name file, line and field.

A reader begins with `only`, which refuses keys it does not know. Lines are looked up in the text only when
an error needs them, by a search for headers and keys that understands what people write, not all of TOML.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, Final, NoReturn

from poise.errors import FileFormatError, InputError, describe_unknown_name
from poise.files import load_text, load_toml

Key = str | int

# Possessive: a line of spaces would take a time that grows with its cube.
_HEADER: Final = re.compile(r"\s*+(\[\[?+)\s*+([^\[\]]++)\]\]?+\s*+(?:#.*)?$")
_KEY: Final = re.compile(r"\s*+([A-Za-z0-9_.\-\"' ]++)\s*+=")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]{0,63}\Z")
_NAME_RULE: Final = "Names start with a letter and hold letters, digits, '_', '-' and '.', 64 at most"


@dataclass
class Table:
    """One table of a TOML file, with the way that leads to it."""

    path: str
    data: Mapping[str, Any]
    way: tuple[Key, ...] = ()

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def fail(self, what: str, key: str | None = None, cause: BaseException | None = None, **more: Any) -> NoReturn:
        """Raises a FileFormatError at this table, or at one of its keys."""
        way = self.way if key is None else (*self.way, key)
        line, column, source = locate(self.path, way)
        label = format_way(way)
        raise FileFormatError(
            f"{label}: {what}" if label else what, path=self.path, line=line, column=column, source_line=source, **more
        ) from cause

    def refuse(self, error: InputError) -> NoReturn:
        """Raises an error of the data model again, with file and line."""
        self.fail(str(error), cause=error)

    def _get(self, key: str, kind: type | tuple[type, ...], article: str, default: Any) -> Any:
        if key not in self.data:
            if default is _REQUIRED:
                self.fail(f"{key} is missing. It must be {article}")
            return default
        value = self.data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.fail(f"must be {article}", key, got=value)
        return value

    def string(self, key: str, default: Any = None, *, required: bool = False) -> Any:
        return self._get(key, str, "a text", _REQUIRED if required else default)

    def name(self, key: str, default: Any = None, *, required: bool = False) -> Any:
        value = self.string(key, default, required=required)
        if value is not default:
            self.check_name(value, key)
        return value

    def check_name(self, value: str, key: str | None = None) -> str:
        if not _NAME.match(value):
            self.fail("not a name", key, got=value, allowed=_NAME_RULE)
        return value

    def choice(self, key: str, kind: str, known: Iterable[str], default: Any = None, *, required: bool = False) -> Any:
        value = self.string(key, default, required=required)
        if value is not default and value not in known:
            self.fail(describe_unknown_name(kind, value, known), key)
        return value

    def flag(self, key: str, default: bool) -> bool:
        return bool(self._get(key, bool, "true or false", default))

    def number(self, key: str, low: float, high: float, default: Any = None, *, required: bool = False) -> Any:
        """A float between `low` and `high`, both included; infinite only where that is a limit."""
        value = self._get(key, (int, float), "a number", _REQUIRED if required else default)
        return value if value is default else self._check_number(value, key, low, high)

    def vector(
        self, key: str, lengths: tuple[int, ...], limit: float, default: Any = None, *, required: bool = False
    ) -> Any:
        """A tuple of floats between -limit and limit; `lengths` are the lengths it may have."""
        count = " or ".join(str(n) for n in lengths)
        value = self._get(key, list, f"a list of {count} numbers", _REQUIRED if required else default)
        if value is default:
            return value
        if len(value) not in lengths or not all(_is_number(v) for v in value):
            self.fail(f"must be a list of {count} numbers", key, got=value)
        return tuple(self._check_number(v, key, -limit, limit) for v in value)

    def points(self, key: str, limit: float) -> list[tuple[float, ...]]:
        """The points of a list of points in space, none where it is absent."""
        value = self._get(key, list, "a list of points", [])
        if not all(isinstance(v, list) and len(v) == 3 and all(_is_number(c) for c in v) for v in value):
            self.fail("must be a list of points, each a list of 3 numbers", key, got=value)
        return [tuple(self._check_number(c, key, -limit, limit) for c in v) for v in value]

    def _check_number(self, value: float, key: str, low: float, high: float) -> float:
        # TOML has whole numbers that no float can hold.
        number = float(value) if abs(value) < 1e300 or isinstance(value, float) else math.nan
        if math.isnan(number) or not low <= number <= high:
            self.fail("out of range", key, got=value, allowed=f"Allowed: {low:g} to {high:g}")
        return number + 0.0

    def table(self, key: str, *, required: bool = False) -> Table:
        """The table under a key, empty where it is absent."""
        value = self._get(key, dict, "a table", _REQUIRED if required else {})
        return Table(self.path, value, (*self.way, key))

    def tables(self, key: str) -> list[Table]:
        """The tables of a list of tables, none where it is absent."""
        value = self._get(key, list, "a list of tables", [])
        if not all(isinstance(v, dict) for v in value):
            self.fail("must be a list of tables", key, got=value)
        return [Table(self.path, v, (*self.way, key, i)) for i, v in enumerate(value)]

    def children(self) -> list[tuple[str, Table]]:
        """Every entry of this table, each of which must be a table."""
        return [(key, self.table(key)) for key in self.data]

    def only(self, *keys: str) -> None:
        """Raises if the table has other keys than these."""
        for key in self.data:
            if key not in keys:
                self.fail(describe_unknown_name("key", key, keys), key)


class _Required:
    """The default of a key that has none."""


_REQUIRED: Final = _Required()


def load_table(path: str | PathLike[str]) -> Table:
    """The whole of a TOML file as a table."""
    return Table(str(path), load_toml(path))


def format_way(way: tuple[Key, ...]) -> str:
    """`segments.thigh.shapes[1].size_m` for ("segments", "thigh", "shapes", 1, "size_m")."""
    text = ""
    for key in way:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def locate(path: str, way: tuple[Key, ...]) -> tuple[int | None, int | None, str | None]:
    """Line, column and text of the key, or of the nearest table around it; Nones where nothing is found."""
    if not way or not path:
        return None, None, None
    best: tuple[int | None, int | None, str | None] = (None, None, None)
    best_depth = 0
    for number, (column, here, line) in enumerate(_walk(load_text(path)), start=1):
        depth = len(here)
        # An array's own name stands for all of its tables, so a longer way may end inside this line.
        if best_depth < depth <= len(way) and way[:depth] == here:
            best, best_depth = (number, column, line), depth
    return best


def _walk(text: str) -> Iterable[tuple[int, tuple[Key, ...], str]]:
    """Column, way and text of every line; the way is empty where a line names nothing."""
    counts: dict[tuple[Key, ...], int] = {}
    current: tuple[Key, ...] = ()
    for line in text.split("\n"):
        if header := _HEADER.match(line):
            current = _resolve(_split(header[2]), counts, starts_item=header[1] == "[[")
            yield header.start(2) + 1, current, line
        elif key := _KEY.match(line):
            yield key.start(1) + 1, (*current, *_split(key[1])), line
        else:
            yield 1, (), line


def _split(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _resolve(names: tuple[str, ...], counts: dict[tuple[Key, ...], int], *, starts_item: bool) -> tuple[Key, ...]:
    """A header's way with the numbers of the list items it lies in."""
    way: tuple[Key, ...] = ()
    for i, name in enumerate(names):
        way = (*way, name)
        if starts_item and i == len(names) - 1:
            counts[way] = counts.get(way, -1) + 1
        if way in counts:
            way = (*way, counts[way])
    return way


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
