"""Problem of a search: variables, trials and objective."""

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

#: Significant digits of found values: finer than any gait can resolve, few enough to read.
DIGITS = 5
#: Key of the ground in the notes of a search.
GROUND_MARK = "the ground"


@dataclass(frozen=True)
class Term:
    """One part of the cost: a measure's distance from its goal, times a weight."""

    measure: Measure
    weight: float
    #: `near`, `at_least` or `at_most` a value; `low` if smaller is better.
    wish: str = "low"
    #: None if each task has its own.
    value: float | None = 0.0

    def cost(self, measured: float, task: float = 0.0) -> float:
        gap = measured - (task if self.value is None else self.value)
        if self.wish == "near":
            return self.weight * abs(gap)
        return self.weight * max(-gap if self.wish == "at_least" else gap, 0.0)


@dataclass(frozen=True)
class Task:
    """A parameter of the problem itself. The search finds a polynomial of this parameter."""

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
    #: Standard deviation of the noise added to joint speeds at the start, drawn with `seed`.
    noise_radps: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class Check:
    """The closing run, which checks the best candidate after the search."""

    seconds: float = 60.0
    timestep_s: float = 0.0005


@dataclass(frozen=True)
class Problem:
    """What to search, from which start, and what counts."""

    name: str
    #: Its name on the command line: the name of a shipped problem, or the path as given.
    label: str
    path: Path
    sha256: str
    #: Hash of the file's contents without the rules that end a search, which may change.
    content_sha256: str
    description: str
    #: The controller that the search starts from: a name, or a file, possibly beside the problem's file.
    base: str
    base_path: Path
    base_sha256: str
    #: Its method and its table, without its skill if the search is for one.
    method: str
    base_table: Mapping[str, Any]
    #: Hash of the files whose motions are tracked.
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
    #: The ground that the user chose; overrides that of the file or the controller.
    ground: str | None = None
    check: Check = field(default_factory=Check)

    def fingerprint(self) -> dict[str, str]:
        """Notes that must match for a search to be resumed."""
        marks = {"the problem": self.content_sha256, "the controller": self.base_sha256}
        tracked = {"what is tracked": self.references_sha256} if self.references_sha256 else {}
        return {**marks, **tracked, **({GROUND_MARK: self.ground} if self.ground else {})}

    def parameters(self, found: Mapping[str, float]) -> dict[str, float]:
        """Values of the controller's parameters for values of the variables."""
        tied = {p: found[name] for name, names in self.ties.items() for p in names}
        return {**self.values, **tied}

    def decode(self, point: FloatArray) -> dict[str, float]:
        """Values of the variables at a point, rounded as in files, so that the written gait is the simulated one."""
        values = round_values(self.space.decode(point))
        # Rounding may move a value out of its range.
        return {v.name: min(max(values[v.name], v.low), v.high) for v in self.space.variables}


def round_values(values: Mapping[str, float]) -> dict[str, float]:
    """The values with the digits that files keep."""
    return {name: float(f"{value:.{DIGITS}g}") for name, value in values.items()}
