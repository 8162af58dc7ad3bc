"""Findings of the checker: an error prevents a script from running, a warning marks a probable mistake."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from poise.errors import FileFormatError
from poise.language.names import Body
from poise.language.places import fail
from poise.language.tree import NOWHERE, Node, Script, Span

ERROR, WARNING = "error", "warning"


@dataclass(frozen=True)
class Problem:
    severity: str
    error: FileFormatError
    at: Span = NOWHERE

    def __str__(self) -> str:
        return f"{self.severity}: {self.error}"

    def softened(self) -> Problem:
        """The same problem as a warning."""
        return replace(self, severity=WARNING)


@dataclass
class Notes:
    """Collects the problems of one script."""

    script: Script
    body: Body
    found: list[Problem] = field(default_factory=list)
    #: Names of called controllers that are not scripts.
    guests: frozenset[str] = frozenset()

    def error(self, what: str, node: Node) -> None:
        self.found.append(Problem(ERROR, fail(what, node.at, self.script.text, self.script.path), node.at))

    def warn(self, what: str, node: Node) -> None:
        self.found.append(Problem(WARNING, fail(what, node.at, self.script.text, self.script.path), node.at))
