"""Settings of `poise clip tame`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from poise.errors import InputError

#: Candidates of a generation of the search for gains.
POPULATION: Final = 12


@dataclass(frozen=True)
class Plan:
    """Settings of a search."""

    #: Number of candidates of the first search for gains; None: as long as the cost falls.
    evaluations: int | None = None
    #: Number of starts of each candidate.
    seeds: int = 3
    #: Seed of the search itself.
    seed: int = 0
    #: Length of a start of an endless motion.
    seconds: float = 16.0
    #: Largest force of the small pushes.
    push_n: float = 30.0
    #: Number and length of the closing runs.
    check_seeds: int = 8
    check_s: float = 60.0
    #: Whether a walk that falls, or whose speed is off, is retouched.
    retouch: bool = True
    #: No other round begins if it could exceed this simulated time. Wall time would make results depend on the machine.
    budget_s: float = 30_000.0

    def notes(self) -> dict[str, Any]:
        """Notes that must match for a search to be resumed."""
        return {"seeds": self.seeds, "seed": self.seed, "seconds": self.seconds, "push_n": self.push_n}


def check_plan(plan: Plan) -> None:
    """Raise if a plan cannot be carried out."""
    if plan.evaluations is not None and plan.evaluations < POPULATION:
        raise InputError(
            "too few for one generation",
            where="evaluations",
            got=plan.evaluations,
            allowed=f"At least {POPULATION}",
        )
