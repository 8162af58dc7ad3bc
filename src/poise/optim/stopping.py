"""When a search ends: rules that look at its history alone, so that a resumed search ends where it would have."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from poise.errors import InputError


class Row(Protocol):
    """What is known after a generation."""

    @property
    def evaluations(self) -> int:
        """Candidates that were evaluated until then."""

    @property
    def best_cost(self) -> float:
        """Of the best until then."""

    @property
    def spread(self) -> float:
        """How far the next candidates will scatter, as a part of the first spread."""


@dataclass(frozen=True)
class StopRules:
    """The first of these that holds after a generation ends a search."""

    #: Candidates at most; the generation that reaches the number is the last.
    evaluations: int
    #: A best cost that is good enough.
    target_cost: float | None = None
    #: Candidates in a row without a better one.
    stagnation: int | None = None
    #: A spread from which on nothing new is looked at.
    min_spread: float | None = None

    def __post_init__(self) -> None:
        for name in ("evaluations", "stagnation"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"stop rules: {name} must be at least 1", got=value)

    def find(self, history: Sequence[Row]) -> str | None:
        """The name of the rule that ends a search with this history; None if it goes on."""
        if not history:
            return None
        last = history[-1]
        if self.target_cost is not None and last.best_cost <= self.target_cost:
            return "target cost"
        if self.min_spread is not None and last.spread < self.min_spread:
            return "spread"
        if self.stagnation is not None:
            before = bisect_right(history, last.evaluations - self.stagnation, key=lambda row: row.evaluations)
            if before and history[before - 1].best_cost <= last.best_cost:
                return "stagnation"
        return "evaluations" if last.evaluations >= self.evaluations else None
