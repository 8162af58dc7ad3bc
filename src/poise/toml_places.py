"""Positions of keys in a TOML document.

`tomllib` parses the values but keeps no positions. This scanner reads only the structure that positions need, and only
when an error is reported. It expects a document that `tomllib` has accepted.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from typing import Final, NamedTuple

Key = str | int

# Possessive throughout: backtracking over a long line would take quadratic time.
_BLANK: Final = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_SEPARATOR: Final = re.compile(r"(?:[ \t\r\n,]++|#[^\n]*+)*+")
_KEY_PART: Final = re.compile(r"""[ \t]*+([A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+(\.?)""")
_STRING: Final = re.compile(
    r'"""(?:\\[\s\S]|[^"\\]|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'"
)
_SCALAR: Final = re.compile(r"[^,\]}\n#]*+")
# Strings and comments come first: brackets inside them do not count.
_NESTED: Final = re.compile(rf"{_STRING.pattern}|#[^\n]*+|[\[\]{{}}]|[^\[\]{{}}\"'#]++")


class Place(NamedTuple):
    """A position in a document: line and column count from 1."""

    line: int
    column: int
    source_line: str


def find_place(text: str, keys: tuple[Key, ...]) -> Place | None:
    """The place of a key, given the names and indices that lead to it, or of the nearest enclosing table.

    None if not even the first name occurs in the document.
    """
    finder = _Finder(text, keys)
    # In a document that tomllib refuses, use the best place found so far.
    with suppress(_LostError):
        finder.scan()
    if finder.depth == 0:
        return None
    start = text.rfind("\n", 0, finder.offset) + 1
    line = text.count("\n", 0, finder.offset) + 1
    return Place(line, finder.offset - start + 1, text[start:].split("\n", 1)[0])


class _LostError(Exception):
    """The text is not TOML."""


class _Finder:
    """One search: `depth` counts the keys found so far, `offset` is the position of the last one."""

    def __init__(self, text: str, target: tuple[Key, ...]) -> None:
        self._text, self._target = text, target
        self._counts: dict[tuple[Key, ...], int] = {}
        self._explicit = False
        self.depth = self.offset = 0

    def scan(self) -> None:
        """Read headers and pairs to the end or until the key is found."""
        table: tuple[Key, ...] = ()
        at = self._skip(_BLANK, 0)
        while at < len(self._text) and not (self.depth == len(self._target) and self._explicit):
            if self._text[at] == "[":
                at, table = self._read_header(at)
            else:
                at = self._read_pair(at, table)
            at = self._skip(_BLANK, at)

    def _read_header(self, at: int) -> tuple[int, tuple[Key, ...]]:
        """The end of `[a.b]` or `[[a.b]]`, and its keys with the indices of their array items."""
        brackets = 2 if self._text.startswith("[[", at) else 1
        start = self._skip(_BLANK, at + brackets)
        names, at = self._read_names(start)
        keys: tuple[Key, ...] = ()
        for k, name in enumerate(names):
            keys = (*keys, name)
            if brackets == 2 and k == len(names) - 1:
                self._counts[keys] = self._counts.get(keys, -1) + 1
            if keys in self._counts:
                keys = (*keys, self._counts[keys])
        self._note(keys, 0, start)
        return at + brackets, keys

    def _read_pair(self, at: int, table: tuple[Key, ...]) -> int:
        """The end of `key = value`."""
        names, end = self._read_names(at)
        keys = (*table, *names)
        self._note(keys, len(table), at)
        if self._text[end : end + 1] != "=":
            raise _LostError
        return self._read_value(self._skip(_BLANK, end + 1), keys)

    def _read_value(self, at: int, keys: tuple[Key, ...]) -> int:
        """The end of a value; searches values that contain the target."""
        opening = self._text[at : at + 1]
        if opening in ('"', "'"):
            return self._skip(_STRING, at)
        if opening not in ("[", "{"):
            return self._skip(_SCALAR, at)
        if len(keys) >= len(self._target) or self._target[: len(keys)] != keys:
            return self._skip_nested(at)
        at, index = self._skip(_SEPARATOR, at + 1), 0
        while self._text[at : at + 1] not in ("]", "}"):
            before = at
            if opening == "{":
                at = self._read_pair(at, keys)
            else:
                self._note((*keys, index), len(keys), at)
                at = self._read_value(at, (*keys, index))
            at, index = self._skip(_SEPARATOR, at), index + 1
            if at == before:
                raise _LostError
        return at + 1

    def _skip_nested(self, at: int) -> int:
        """The end of an array or inline table that does not contain the target."""
        depth = 0
        while True:
            end = self._skip(_NESTED, at)
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(self._text[at:end], 0)
            at = end
            if depth == 0:
                return at

    def _read_names(self, at: int) -> tuple[list[str], int]:
        """The parts of a dotted key, and its end."""
        names: list[str] = []
        while part := _KEY_PART.match(self._text, at):
            names.append(_decode(part[1]))
            at = part.end()
            if not part[2]:
                return names, at
        raise _LostError

    def _note(self, keys: tuple[Key, ...], outer: int, offset: int) -> None:
        """Record the place of `keys`, or of the part beyond `outer` that leads to the target.

        A table's own header is preferred to that of a table inside it.
        """
        depth = 0
        for ours, theirs in zip(keys, self._target):
            if ours != theirs:
                break
            depth += 1
        explicit = depth == len(keys)
        if depth > max(self.depth, outer) or (depth == self.depth > outer and explicit and not self._explicit):
            self.depth, self.offset, self._explicit = depth, offset, explicit

    def _skip(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self._text, at)
        if found is None:
            raise _LostError
        return found.end()


def _decode(part: str) -> str:
    """A part of a key without its quotes."""
    if part[0] == '"' and "\\" in part:
        return str(tomllib.loads(f"key = {part}")["key"])
    return part.strip(part[0]) if part[0] in "\"'" else part
