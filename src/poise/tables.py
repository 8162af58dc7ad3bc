"""Reading tables of TOML files key by key, with errors that name file, line and key.

A reader begins with `only`, which refuses unknown keys, and then requests each value by type and range. A value without
a default is required. Lines are looked up in the text only when an error needs them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Any, Final, NoReturn, TypeVar

from poise.documents import MAX_TOML_BYTES, parse_toml
from poise.errors import FileFormatError, InputError, describe_unknown_name
from poise.files import load_text
from poise.toml_places import Key, find_place

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]{0,63}\Z")
_NAME_RULE: Final = "Names start with a letter and contain letters, digits, '_', '-' and '.', 64 at most"


class Required:
    """Type of the default that marks a required key."""


REQUIRED: Final = Required()
D = TypeVar("D")
K = TypeVar("K", bound=str)


class TableError(InputError):
    """An error that names a key in a table made by a program, as a FileFormatError names a line in a file."""


@dataclass(frozen=True)
class Source:
    """Origin of a table: the path and text of a file, or only a name for a table made by a program."""

    name: str
    text: str | None = None


class Table(Mapping[str, Any]):
    """One table, and the keys that lead to it from the top of its file. As a mapping it contains the plain values."""

    def __init__(self, data: Mapping[str, Any], source: Source, keys: tuple[Key, ...] = ()) -> None:
        self.data, self._source, self._keys = data, source, keys

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"Table({self.data!r})"

    @property
    def path(self) -> str:
        """The file's path, or the name of a table without a file."""
        return self._source.name

    def with_data(self, data: Mapping[str, Any]) -> Table:
        """A table with other values at the same place, for readers that fill in or leave out keys."""
        return Table(data, self._source, self._keys)

    def without(self, *keys: str) -> Table:
        """The table without some of its keys."""
        return self.with_data({k: v for k, v in self.data.items() if k not in keys})

    # -- errors --------------------------------------------------------------------------------------------------------

    def fail(self, what: str, *keys: Key, cause: BaseException | None = None, **more: Any) -> NoReturn:
        """Raise an InputError at this table or one of its keys, with a line if the table is from a file."""
        place, label = (*self._keys, *keys), format_keys((*self._keys, *keys))
        if label:
            what = f"{label}: {what}"
        if self._source.text is None:
            raise TableError(what, where=self._source.name, **more) from cause
        found = find_place(self._source.text, place)
        line, column, source_line = (None, None, None) if found is None else found
        raise FileFormatError(
            what, path=self._source.name, line=line, column=column, source_line=source_line, **more
        ) from cause

    def refuse(self, error: InputError, *keys: Key) -> NoReturn:
        """Raise an error of the data model again, at this table or one of its keys."""
        self.fail(str(error), *keys, cause=error)

    @contextmanager
    def errors_at(self, *keys: Key) -> Iterator[None]:
        """Raise every InputError of the block again, at this table or one of its keys.

        Errors that already name a file or key pass unchanged.
        """
        try:
            yield
        except (FileFormatError, TableError):
            raise
        except InputError as error:
            self.refuse(error, *keys)

    def only(self, *keys: str) -> None:
        """Raise if the table has keys other than these."""
        for key in self.data:
            if key not in keys:
                self.fail(describe_unknown_name("key", key, keys), key)

    # -- values --------------------------------------------------------------------------------------------------------

    def _get(self, key: str, kind: type | tuple[type, ...], article: str, default: Any) -> Any:
        if key not in self.data:
            if default is REQUIRED:
                self.fail(f"{key} is missing. It must be {article}")
            return default
        value = self.data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.fail(f"must be {article}", key, got=value)
        return value

    def string(self, key: str, default: D | Required = REQUIRED) -> str | D:
        text: str | D = self._get(key, str, "a string", default)
        return text

    def name(self, key: str, default: D | Required = REQUIRED) -> str | D:
        value = self.string(key, default)
        if isinstance(value, str) and key in self.data:
            self.check_name(value, key)
        return value

    def check_name(self, value: str, *keys: Key) -> str:
        if not _NAME.match(value):
            self.fail("not a name", *keys, got=value, allowed=_NAME_RULE)
        return value

    def choice(self, key: str, kind: str, known: Iterable[K], default: D | Required = REQUIRED) -> K | D:
        """One of the known names of a kind."""
        value: K | D = self._get(key, str, "a string", default)
        if isinstance(value, str) and key in self.data:
            self.check_known(kind, value, known, key)
        return value

    def check_known(self, kind: str, value: str, known: Iterable[str], *keys: Key) -> str:
        """The name itself; raises unless it is among the known ones."""
        names = list(known)
        if value not in names:
            self.fail(describe_unknown_name(kind, value, names), *keys)
        return value

    def flag(self, key: str, default: bool | Required = REQUIRED) -> bool:
        return bool(self._get(key, bool, "true or false", default))

    def number(self, key: str, low: float, high: float, default: D | Required = REQUIRED) -> float | D:
        """A float between `low` and `high`, both included; infinite only if a limit is."""
        value = self._get(key, (int, float), "a number", default)
        return self._check_number(value, low, high, key) if key in self.data else value

    def integer(self, key: str, low: int, high: int, default: D | Required = REQUIRED) -> int | D:
        """A whole number between `low` and `high`, both included."""
        value = self._get(key, (int, float), "a whole number", default)
        if key not in self.data:
            absent: D = value
            return absent
        number = self._check_number(value, low, high, key)
        if number != int(number):
            self.fail("must be a whole number", key, got=value)
        return int(number)

    def vector(
        self, key: str, lengths: tuple[int, ...], low: float, high: float, default: D | Required = REQUIRED
    ) -> tuple[float, ...] | D:
        """A tuple of floats between `low` and `high`; `lengths` are the lengths it may have."""
        article = f"a list of {' or '.join(str(n) for n in lengths)} numbers"
        value = self._get(key, list, article, default)
        if key not in self.data:
            absent: D = value
            return absent
        if len(value) not in lengths or not all(_is_number(v) for v in value):
            self.fail(f"must be {article}", key, got=value)
        return tuple(self._check_number(v, low, high, key) for v in value)

    def series(self, key: str, low: float, high: float, most: int) -> tuple[float, ...]:
        """One number, or a list of one to `most` numbers, as a tuple of floats."""
        value = self._get(key, (int, float, list), "a number or a list of numbers", REQUIRED)
        items = value if isinstance(value, list) else [value]
        if not all(_is_number(v) for v in items):
            self.fail("must be a number or a list of numbers", key, got=value)
        if not 1 <= len(items) <= most:
            self.fail("wrong number of values", key, got=len(items), allowed=f"Allowed: 1 to {most}")
        return tuple(self._check_number(v, low, high, key) for v in items)

    def points(self, key: str, size: int, limit: float) -> list[tuple[float, ...]]:
        """A list of points of `size` coordinates; empty if absent."""
        value = self._get(key, list, "a list of points", [])
        if not all(isinstance(v, list) and len(v) == size and all(_is_number(c) for c in v) for v in value):
            self.fail(f"must be a list of points, each a list of {size} numbers", key, got=value)
        return [tuple(self._check_number(c, -limit, limit, key) for c in v) for v in value]

    def strings(self, key: str, default: Iterable[str] | Required = REQUIRED) -> list[str]:
        """A list of strings."""
        value = self._get(key, list, "a list of strings", default)
        if not all(isinstance(v, str) for v in value):
            self.fail("must be a list of strings", key, got=value)
        return list(value)

    def entries(self, key: str) -> list[Any]:
        """A list of anything."""
        return list(self._get(key, list, "a list", REQUIRED))

    def _check_number(self, value: float, low: float, high: float, *keys: Key) -> float:
        # TOML integers may exceed the range of a float.
        number = float(value) if isinstance(value, float) or abs(value) < 1e300 else math.nan
        if math.isnan(number) or not low <= number <= high:
            self.fail("out of range", *keys, got=value, allowed=_describe_range(low, high))
        # -0.0 becomes 0.0.
        return number + 0.0

    # -- tables --------------------------------------------------------------------------------------------------------

    def table(self, key: str, *, required: bool = False) -> Table:
        """The table under a key; empty if it is absent."""
        value = self._get(key, dict, "a table", REQUIRED if required else {})
        return Table(value, self._source, (*self._keys, key))

    def tables(self, key: str, *, required: bool = False) -> list[Table]:
        """A list of tables; empty if absent."""
        value = self._get(key, list, "a list of tables", REQUIRED if required else [])
        if not all(isinstance(v, dict) for v in value):
            self.fail("must be a list of tables", key, got=value)
        return [Table(v, self._source, (*self._keys, key, i)) for i, v in enumerate(value)]

    def children(self) -> list[tuple[str, Table]]:
        """Every entry of this table, each of which must be a table."""
        return [(key, self.table(key)) for key in self.data]


def load_table(path: str | PathLike[str], max_bytes: int = MAX_TOML_BYTES) -> Table:
    """A whole TOML file as a table."""
    return parse_table(load_text(path, max_bytes), path)


def parse_table(text: str, path: str | PathLike[str]) -> Table:
    """A whole TOML document as a table; `path` names it in errors."""
    return Table(parse_toml(text, path), Source(str(path), text))


def as_table(data: Mapping[str, Any], name: str, *keys: Key) -> Table:
    """A table unchanged, or a program's mapping as a table.

    For a mapping, `name` takes the place of the file in errors, and `keys` are the place of the table in it.
    """
    if isinstance(data, Table):
        return data
    table = Table(data, Source(name), keys)
    if not isinstance(data, Mapping):
        table.fail("must be a table", got=data)
    return table


def format_keys(keys: tuple[Key, ...]) -> str:
    """`segments.thigh.shapes[1].size_m` for ("segments", "thigh", "shapes", 1, "size_m")."""
    text = ""
    for key in keys:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def _describe_range(low: float, high: float) -> str:
    if math.isinf(low):
        return f"Allowed: at most {high:g}"
    return f"Allowed: at least {low:g}" if math.isinf(high) else f"Allowed: {low:g} to {high:g}"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
