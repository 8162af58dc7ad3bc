"""Changes of phase of a world's controllers, in order: a list whose copies share their entries."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

MOST_PASSAGES: Final = 100_000
"""Limit on the log: a script that changes its phase at every tick fills it within a minute."""


class Passage(NamedTuple):
    """A change of phase at a time: the phases active from then on, the phase left, and the condition that held.

    The stack lists the calling phases first, as `crawl.s:1`, and is empty after the end of the program.
    """

    time_s: float
    character: int
    stack: tuple[str, ...]
    left: str = ""
    after: str = ""


class Passages:
    """All passages up to now. A snapshot copies it at every call of the loop, so copies share one list."""

    def __init__(self, rows: list[Passage] | None = None) -> None:
        self._rows = rows or []
        self._count = len(self._rows)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Passage]:
        return iter(self._rows[: self._count])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Passages) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> Passages:
        """A copy that does not see later entries."""
        same = Passages()
        same._rows, same._count = self._rows, self._count
        return same

    def append(self, passage: Passage) -> None:
        """Add an entry; nothing happens once the log is full."""
        if self._count >= MOST_PASSAGES:
            return
        if self._count < len(self._rows):
            # After a snapshot was restored, the later entries belong to another copy.
            self._rows = self._rows[: self._count]
        self._rows.append(passage)
        self._count += 1

    def to_table(self) -> list[dict[str, Any]]:
        """Plain data for files."""
        return [row._asdict() for row in self]

    @classmethod
    def from_table(cls, table: Any) -> Passages:
        """The log that `to_table` wrote; raises TypeError or ValueError if it is malformed."""
        rows = [Passage(**{**row, "stack": tuple(row["stack"])}) for row in table]
        if len(rows) > MOST_PASSAGES or not all(_is_passage(row) for row in rows):
            raise ValueError("malformed passages")
        return cls(rows)


def _is_passage(row: Passage) -> bool:
    return (
        isinstance(row.time_s, int | float)
        and not isinstance(row.time_s, bool)
        and math.isfinite(row.time_s)
        and isinstance(row.character, int)
        and all(isinstance(text, str) for text in (*row.stack, row.left, row.after))
    )
