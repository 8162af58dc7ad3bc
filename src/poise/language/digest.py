"""Long lists of problems in short: a few of each kind, and how many more there are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from poise.language.problems import ERROR, WARNING, Problem

#: Most problems that are printed, of all kinds and of one kind; errors and warnings are counted separately.
MOST: Final = 20
MOST_OF_A_KIND: Final = 3
#: Most lines that are listed for the problems left out.
MOST_LINES: Final = 8
#: Parts of a message that differ between problems of one kind.
_VARYING: Final = re.compile(r"'[^']*'|\b[lr][A-Z]\w*\b|\b\w*(?:Torso|neck)\w*\b|\bwaist\b|-?[\d.]+(?:e[-+]\d+)?")


@dataclass(frozen=True)
class Digest:
    """The texts to print, and the numbers of all errors and warnings."""

    lines: tuple[str, ...]
    errors: int
    warnings: int
    shown: int

    def count(self) -> str:
        """`2 errors, no warnings`, and how many of them are printed."""
        return self._mark(f"{count_things(self.errors, 'error')}, {count_things(self.warnings, 'warning')}")

    def count_warnings(self) -> str:
        """The same for a script without errors."""
        return self._mark(count_things(self.warnings, "warning"))

    def _mark(self, text: str) -> str:
        return text if self.shown == self.errors + self.warnings else f"{text} ({self.shown} of them shown)"


def make_digest(problems: Sequence[Problem], most: int = MOST, most_of_a_kind: int = MOST_OF_A_KIND) -> Digest:
    """The first problems of each kind, in order; a limit of 0 shows all."""
    lines: list[str] = []
    shown = 0
    for severity in (ERROR, WARNING):
        left = most or len(problems)
        kinds: dict[tuple[str, str], list[Problem]] = {}
        for problem in problems:
            if problem.severity == severity:
                kinds.setdefault((problem.error.path, find_kind(problem)), []).append(problem)
        for alike in kinds.values():
            some = alike[: min(most_of_a_kind or len(alike), left)]
            left -= len(some)
            shown += len(some)
            lines += [str(problem) for problem in some]
            if some and len(some) < len(alike):
                lines.append(_describe_rest(alike[len(some) :]))
    errors = sum(p.severity == ERROR for p in problems)
    return Digest(tuple(lines), errors, len(problems) - errors, shown)


def find_kind(problem: Problem) -> str:
    """The message without names and numbers."""
    return _VARYING.sub("…", problem.error.reason.partition(" Known here:")[0])


def _describe_rest(rest: Sequence[Problem]) -> str:
    numbers = list(dict.fromkeys(str(p.error.line) for p in rest if p.error.line is not None))
    listed = ", ".join(numbers[:MOST_LINES]) + (" …" if len(numbers) > MOST_LINES else "")
    where = f" in line{'s' if len(numbers) > 1 else ''} {listed}" if numbers else ""
    return f"    and {len(rest)} more like this{where}"


def count_things(number: int, what: str) -> str:
    """`no errors`, `1 error`, `2 errors`."""
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
