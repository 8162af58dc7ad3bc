"""What readers say of files that they refuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from poise.errors import FileFormatError

#: Values of any kind, for tables that readers must refuse or understand.
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def refusal(read: Callable[..., object], source: Any, **options: Any) -> str:
    """The error with which a reader refuses a source."""
    with pytest.raises(FileFormatError) as caught:
        read(source, **options)
    return str(caught.value)


def refusal_of_change(read: Callable[[str], object], text: str, old: str, new: str) -> str:
    """The error with which a reader refuses a sound text after one change."""
    assert old in text
    return refusal(read, text.replace(old, new, 1))


def point_at(text: str, name: str, line: int, column: int, reason: str) -> str:
    """A whole error that points at a place: file and reason, the line, and a caret below the column."""
    source = text.split("\n")[line - 1]
    return f"{name}:{line}:{column}: {reason}\n    {source}".rstrip() + f"\n    {' ' * (column - 1)}^"


def find_line(text: str, part: str) -> int:
    """Number of the first line that holds a part."""
    return next(k for k, row in enumerate(text.splitlines(), 1) if part in row)


def replace_inside(table: Any, path: Sequence[Any], value: Any) -> None:
    """Put a value at a path of keys and indices of a nested table."""
    for key in path[:-1]:
        table = table[key]
    table[path[-1]] = value


def write_in(folder: Path, name: str, text: str) -> Path:
    """A file with this text in the folder."""
    path = folder / name
    path.write_text(text)
    return path
