"""The problem of a search: what varies, over which trials, and what a good motion is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from poise.characters.model import Character
from poise.optim.space import Space
from poise.world.controller import Controller
from poise.world.world import Push


@dataclass(frozen=True)
class Term:
    """One part of the cost: a measure's distance from what is wanted, times a weight."""

    measure: str
    weight: float
    #: `near`, `at_least` or `at_most` a value; `low` for the smaller the better.
    wish: str = "low"
    value: float = 0.0

    def cost(self, measured: float) -> float:
        gap = measured - self.value
        if self.wish == "near":
            return self.weight * abs(gap)
        return self.weight * max(-gap if self.wish == "at_least" else gap, 0.0)


@dataclass(frozen=True)
class Trial:
    """One run that a candidate must pass."""

    name: str
    pushes: tuple[Push, ...] = ()
    terrain: str = "flat"
    friction: float | None = None
    #: Speed at the start; None leaves it to the controller.
    speed_mps: float | None = None
    #: Standard deviation of what is added to the joints' speeds at the start, drawn with `seed`.
    noise_radps: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class Check:
    """The run with which the best is looked at once more when the search is over."""

    seconds: float = 60.0
    timestep_s: float = 0.0005


@dataclass(frozen=True)
class Problem:
    """What to search, from where, and what counts."""

    name: str
    #: What the command line calls it: its name if it is shipped, or its path as it was given.
    label: str
    path: Path
    sha256: str
    #: Of everything in the file but the number of generations, which may grow.
    content_sha256: str
    description: str
    #: The controller that the search starts from: a name, or a file, if need be beside the problem's own.
    base: str
    base_path: Path
    base_sha256: str
    character: str
    body: Character
    controller: Controller
    seconds: float
    settle_s: float
    timestep_s: float
    space: Space
    #: variable -> the parameters that take its value.
    ties: Mapping[str, tuple[str, ...]]
    #: Parameters that differ from the base and are not searched.
    values: Mapping[str, float]
    terms: tuple[Term, ...]
    fall_weight: float
    trials: tuple[Trial, ...]
    generations: int
    population: int
    seed: int
    check: Check = field(default_factory=Check)

    def fingerprint(self) -> dict[str, str]:
        """What must be the same for a search to go on."""
        return {"the problem": self.content_sha256, "the controller": self.base_sha256}

    def parameters(self, found: Mapping[str, float]) -> dict[str, float]:
        """Values of the controller's parameters for values of the variables."""
        tied = {p: found[name] for name, names in self.ties.items() for p in names}
        return {**self.values, **tied}
