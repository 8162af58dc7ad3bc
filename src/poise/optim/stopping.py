"""Rules that end a search. They depend only on its history, so a resumed search ends where it would have."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from poise.errors import InputError


class Row(Protocol):
    """State after a generation."""

    @property
    def evaluations(self) -> int:
        """Number of candidates evaluated so far."""

    @property
    def best_cost(self) -> float:
        """Cost of the best candidate so far."""

    @property
    def spread(self) -> float:
        """Spread of the next candidates, as a fraction of the initial spread."""


@dataclass(frozen=True)
class StopRules:
    """Rules that end a search: the first that holds after a generation."""

    #: Largest number of candidates; the generation that reaches it is the last.
    evaluations: int
    #: Best cost that is good enough.
    target_cost: float | None = None
    #: Number of consecutive candidates without an improvement.
    stagnation: int | None = None
    #: Spread below which candidates are no longer new.
    min_spread: float | None = None

    def __post_init__(self) -> None:
        for name in ("evaluations", "stagnation"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"stop rules: {name} must be at least 1", got=value)

    def find(self, history: Sequence[Row]) -> str | None:
        """Name of the rule that ends a search with this history; None if it continues."""
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
