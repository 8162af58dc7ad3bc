"""Result of a search with a task: the parameters of a controller as polynomials of the task's value.

The file NAME.skill.toml holds the function itself:

    [skill]
    parameter = "speed_mps"  # the task
    low = 0.4
    high = 0.9
    degree = 3
    [skill.weights]          # of 1, w, w², w³ with w = (value - low) / (high - low)
    lift_duration_s = [0.31, 0.02, -0.01, 0.005]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from poise.documents import save_toml
from poise.errors import out_of_range
from poise.kernels.fixed import add_up
from poise.optim.skill_function import MAX_DEGREE, SkillFunction
from poise.search.problem import DIGITS, Problem
from poise.tables import Table, load_table


@dataclass(frozen=True)
class Skill:
    """Controller parameters as functions of a task's value."""

    parameter: str
    low: float
    high: float
    #: Parameter -> its coefficients, lowest degree first.
    weights: Mapping[str, tuple[float, ...]]

    @property
    def degree(self) -> int:
        return max((len(row) for row in self.weights.values()), default=1) - 1

    def __call__(self, value: float) -> dict[str, float]:
        """The parameters for a value of the task."""
        if not self.low <= value <= self.high:
            raise out_of_range("skill", self.parameter, value, self.low, self.high)
        w = (value - self.low) / (self.high - self.low)
        return {name: add_up(c * w**k for k, c in enumerate(row)) for name, row in self.weights.items()}

    def as_table(self) -> dict[str, Any]:
        """The [skill] table of a file."""
        return {
            "parameter": self.parameter,
            "low": self.low,
            "high": self.high,
            "degree": self.degree,
            "weights": {name: list(row) for name, row in self.weights.items()},
        }


def make_skill(problem: Problem, function: SkillFunction) -> Skill:
    """The function found by a search, in the parameters' units, rounded as in files."""
    assert problem.task is not None
    # Fixed values are included, so that the skill applies to the controller that the search began with.
    weights = {name: (value, *(0.0,) * function.degree) for name, value in problem.values.items()}
    for column, variable in zip(function.weights.T, problem.space.variables, strict=True):
        # The fit leaves tiny residues of zero.
        own = np.where(np.abs(column) < 1e-9, 0.0, column) * variable.spread
        own[0] += variable.start
        row = tuple(float(f"{c:.{DIGITS}g}") for c in own)
        weights.update(dict.fromkeys(problem.ties[variable.name], row))
    return Skill(problem.task.name, problem.task.low, problem.task.high, weights)


def find_values(problem: Problem, skill: Skill, value: float) -> dict[str, float]:
    """Values of the problem's variables for a value of the task, within their ranges."""
    parameters = skill(value)
    found = {v.name: parameters[v.name] for v in problem.space.variables}
    return problem.decode(problem.space.encode(found))


def save_skill(path: str | PathLike[str], skill: Skill, head: Mapping[str, Any], provenance: Mapping[str, Any]) -> None:
    """Write a skill file."""
    save_toml(path, {**head, "skill": skill.as_table(), "provenance": provenance})


def load_skill(path: str | PathLike[str]) -> Skill:
    """The skill in a file."""
    table = load_table(path).table("skill", required=True)
    table.only("parameter", "low", "high", "degree", "weights")
    low, high = (table.number(key, -1e9, 1e9) for key in ("low", "high"))
    if low >= high:
        table.fail(f"low must be below high, got {low:g} and {high:g}")
    degree = table.integer("degree", 0, MAX_DEGREE)
    parameter, weights = table.name("parameter"), table.table("weights", required=True)
    return Skill(parameter, low, high, {name: _read_row(weights, name, degree) for name in weights.data})


def _read_row(weights: Table, name: str, degree: int) -> tuple[float, ...]:
    return weights.vector(name, (degree + 1,), -1e12, 1e12)
