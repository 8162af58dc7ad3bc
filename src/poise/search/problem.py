"""The problem of a search: what varies, over which trials, and what a good motion is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from poise.characters.model import Character
from poise.measures.catalog import Measure
from poise.measures.failures import EndRule, WatchRule
from poise.optim.space import FloatArray, Space
from poise.optim.stopping import StopRules
from poise.world.controller import Controller
from poise.world.world import Push

#: Digits that are kept of a found value: more than any gait can tell apart, few enough to read.
DIGITS = 5
#: Under which a checkpoint keeps the ground.
GROUND_MARK = "the ground"


@dataclass(frozen=True)
class Term:
    """One part of the cost: a measure's distance from what is wanted, times a weight."""

    measure: Measure
    weight: float
    #: `near`, `at_least` or `at_most` a value; `low` for the smaller the better.
    wish: str = "low"
    #: None where each task has its own.
    value: float | None = 0.0

    def cost(self, measured: float, task: float = 0.0) -> float:
        gap = measured - (task if self.value is None else self.value)
        if self.wish == "near":
            return self.weight * abs(gap)
        return self.weight * max(-gap if self.wish == "at_least" else gap, 0.0)


@dataclass(frozen=True)
class Task:
    """A parameter of the problem itself: the search is for a function of it, a polynomial of a degree."""

    name: str
    low: float
    high: float
    count: int = 6
    degree: int = 1

    @property
    def values(self) -> FloatArray:
        """Values of the parameter that are searched together, (count,)."""
        return np.linspace(self.low, self.high, self.count)


@dataclass(frozen=True)
class Trial:
    """One run that a candidate must pass."""

    name: str
    pushes: tuple[Push, ...] = ()
    terrain: str | None = None
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
    #: Of everything in the file but the rules that end a search, which may change.
    content_sha256: str
    description: str
    #: The controller that the search starts from: a name, or a file, if need be beside the problem's own.
    base: str
    base_path: Path
    base_sha256: str
    #: Its method and its table, without a skill where the search is for one.
    method: str
    base_table: Mapping[str, Any]
    #: Of the files whose motions are tracked.
    references_sha256: str
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
    end_rules: tuple[EndRule, ...]
    watch_rules: tuple[WatchRule, ...]
    trials: tuple[Trial, ...]
    algorithm: str
    population: int
    seed: int
    stop: StopRules
    task: Task | None = None
    #: The ground that whoever searches has asked for, in the place of the file's or the controller's own.
    ground: str | None = None
    check: Check = field(default_factory=Check)

    def fingerprint(self) -> dict[str, str]:
        """What must be the same for a search to go on."""
        marks = {"the problem": self.content_sha256, "the controller": self.base_sha256}
        tracked = {"what is tracked": self.references_sha256} if self.references_sha256 else {}
        return {**marks, **tracked, **({GROUND_MARK: self.ground} if self.ground else {})}

    def parameters(self, found: Mapping[str, float]) -> dict[str, float]:
        """Values of the controller's parameters for values of the variables."""
        tied = {p: found[name] for name, names in self.ties.items() for p in names}
        return {**self.values, **tied}

    def decode(self, point: FloatArray) -> dict[str, float]:
        """Values of the variables of a point, as they are simulated and written: the file's gait is the one found."""
        values = round_values(self.space.decode(point))
        # Rounding may leave the range.
        return {v.name: min(max(values[v.name], v.low), v.high) for v in self.space.variables}


def round_values(values: Mapping[str, float]) -> dict[str, float]:
    """The values with as many digits as files keep."""
    return {name: float(f"{value:.{DIGITS}g}") for name, value in values.items()}
