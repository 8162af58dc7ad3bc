"""TOML and JSON documents: parsing with limits and errors that point at the line, and writing.

What a document means is decided by its reader; `poise.tables` checks the fields of TOML tables.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

import tomli_w

from poise.errors import FileFormatError
from poise.files import MAX_TEXT_BYTES, load_text, save_text

MAX_TOML_BYTES: Final = 4_000_000
"""Ten times the largest TOML file that Poise writes. Python's parser takes about a second for each megabyte."""

MAX_DEPTH: Final = 64
"""Deeper than any table a person writes; much deeper nesting would overflow the stack of recursive functions."""

MAX_INT: Final = 2**63 - 1
"""TOML integers have 64 bits. Larger ones fit into no array."""

# The parser takes a time that grows with the square of the number of parts of a dotted key.
_KEY_PART: Final = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY: Final = re.compile(rf"(?<![\w.-]){_KEY_PART}(?:[ \t]*+\.[ \t]*+{_KEY_PART}){{{MAX_DEPTH}}}")
_TOML_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def save_json(path: str | os.PathLike[str], data: object) -> None:
    """Write `format_json(data)`, completely or not at all."""
    save_text(path, format_json(data))


def save_toml(path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
    """Write TOML, completely or not at all. NumPy values, paths and dataclasses are converted to plain data."""
    save_text(path, tomli_w.dumps(make_plain(data)))


def format_json(data: object) -> str:
    """JSON text with an indent of two; infinities and NaN become null."""
    plain = make_plain(data, finite=True)
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def make_plain(value: Any, *, finite: bool = False) -> Any:
    """Convert to dicts, lists, strings and Python numbers; `finite` replaces non-finite floats by None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    elif hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): make_plain(item, finite=finite) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [make_plain(item, finite=finite) for item in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if finite and isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def parse_toml(text: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """The values of a TOML document, which `poise.tables` checks; `path` stands for the file in errors."""
    if _LONG_KEY.search(text):
        raise _too_deep(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _explain_toml(path, text, str(error)) from error
    except RecursionError as error:
        raise _too_deep(path) from error
    except ValueError as error:
        # Python refuses numbers of more than a few thousand digits.
        raise FileFormatError(f"malformed TOML, {error}", path=path) from error
    _check_values(data, path, text)
    return data


def load_json(path: str | os.PathLike[str], max_bytes: int = MAX_TEXT_BYTES) -> Any:
    """The values of a JSON file; a malformed one raises a FileFormatError with line and column."""
    return parse_json(load_text(path, max_bytes), path)


def parse_json(text: str, path: str | os.PathLike[str]) -> Any:
    """The values of a JSON document; `path` stands for the file in errors."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"{error.msg[:1].lower()}{error.msg[1:]}"
        line = text.split("\n")[error.lineno - 1] if text else None
        raise FileFormatError(
            f"malformed JSON, {message}", path=path, line=error.lineno, column=error.colno, source_line=line
        ) from error
    except RecursionError as error:
        raise _too_deep(path) from error
    except ValueError as error:
        # Python refuses numbers of more than a few thousand digits.
        raise FileFormatError(f"malformed JSON, {error}", path=path) from error
    _check_values(data, path, text)
    return data


def _explain_toml(path: str | os.PathLike[str], text: str, message: str) -> FileFormatError:
    lines = text.split("\n")
    line, column = len(lines), len(lines[-1]) + 1
    if match := _TOML_PLACE.search(message):
        message = message[: match.start()]
        if match[1]:
            line, column = int(match[1]), int(match[2])
        message = message[:1].lower() + message[1:]
    source_line = lines[line - 1] if line <= len(lines) else None
    return FileFormatError(f"malformed TOML, {message}", path=path, line=line, column=column, source_line=source_line)


def _too_deep(path: str | os.PathLike[str]) -> FileFormatError:
    return FileFormatError(f"nested too deeply. Allowed: at most {MAX_DEPTH} levels", path=path)


def _check_values(data: object, path: str | os.PathLike[str], text: str) -> None:
    """Refuse deep nesting and integers that fit into no array."""
    level, depth = [data], 0
    while level:
        inner: list[object] = []
        for value in level:
            if isinstance(value, dict):
                inner.extend(value.values())
            elif isinstance(value, list):
                inner.extend(value)
            elif type(value) is int and not -MAX_INT - 1 <= value <= MAX_INT:
                raise _too_large(path, text, value)
        level = inner
        depth += bool(level)
        if depth > MAX_DEPTH:
            raise _too_deep(path)


def _too_large(path: str | os.PathLike[str], text: str, number: int) -> FileFormatError:
    what, allowed = f"a whole number is too large, got {_shorten(number)}", "Allowed: up to 2^63 - 1"
    at = text.find(str(number))
    if at < 0:
        # Written with underscores, or not as a decimal.
        return FileFormatError(what, path=path, allowed=allowed)
    start, line = text.rfind("\n", 0, at) + 1, text.count("\n", 0, at) + 1
    source = text[start:].split("\n", 1)[0]
    return FileFormatError(what, path=path, line=line, column=at - start + 1, source_line=source, allowed=allowed)


def _shorten(number: int) -> str:
    """The digits of an integer, abbreviated if there are many."""
    digits = str(number)
    return digits if len(digits) <= 24 else f"{digits[:20]}… with {len(digits)} digits"
