"""The source's test problems for searches: three with constraints, four with a task parameter.

Definitions: [Ha15 Table 7, Eq. 26, 27] and [Ha15 §7.4.2], the latter as in the author's program.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.errors import unknown_name
from poise.optim.space import FloatArray, Space, Variable

#: [-5, 5]², the start in the middle, sigma 5 [Ha15 Table 7].
TOY_SPACE: Final = Space(tuple(Variable(name, -5.0, 5.0, 0.0, 5.0) for name in "xy"))
#: Noise of the first toy inside and outside its feasible region [Ha15 Eq. 26].
FEASIBLE_NOISE, INFEASIBLE_NOISE = 0.05, 2.0


@dataclass(frozen=True)
class Toy:
    """One of the three problems with constraints; `shape` is the shape of its feasible region."""

    shape: str = "triangle"
    #: `random`: noise that is larger in infeasible regions. `undulation`: an undulation everywhere.
    noise: str = "undulation"
    #: The triangle lies beyond x + y = this. 6, 7 and 7.5 leave 1/50, 1/200 and 1/800 of the square, which are the
    #: ratios of [Ha15 Table 8]; by its evaluations, the run of Table 7 used 7 although 7.5 is printed.
    threshold: float = 7.0
    magnitude: float = 2.0
    frequency: float = 10.0
    goal: tuple[float, float] = (3.9, 3.9)

    def find_failures(self, x: float, y: float) -> tuple[str, ...]:
        """Return the violated constraints. [Ha15 Table 7] lists the conditions of failure, not of success."""
        names = ["beyond"] if x > 4.0 or y > 4.0 else []
        short = x + y < self.threshold if self.shape == "triangle" else not self._is_in_corner(x, y)
        return tuple([*names, "short"] if short else names)

    @staticmethod
    def _is_in_corner(x: float, y: float) -> bool:
        return not (x < 3.0 or y < 3.0 or (x < 3.5 and y < 3.5))

    def compute_true_cost(self, x: float, y: float) -> float:
        """The cost without random noise."""
        cost = 0.1 * ((x - self.goal[0]) ** 2 + (y - self.goal[1]) ** 2)
        if self.noise == "random":
            return cost
        w = self.frequency
        return cost + self.magnitude * abs(math.sin(w * (x + y)) + math.sin(w * (x - y)))

    def compute_cost(self, x: float, y: float, random: np.random.Generator) -> float:
        """The cost with random noise."""
        cost = self.compute_true_cost(x, y)
        if self.noise == "random":
            cost += (INFEASIBLE_NOISE if self.find_failures(x, y) else FEASIBLE_NOISE) * random.random()
        return cost


TOYS: Final = {1: Toy(noise="random"), 2: Toy(), 3: Toy(shape="L", goal=(3.1, 3.6))}

#: Half the side of the box within which points are not penalised.
BOX: Final = 1.0
_SCHWEFEL_GOAL, _SCHWEFEL_LEVEL = 420.9687462275036, 418.9828872724338


@dataclass(frozen=True)
class TaskProblem:
    """A function whose minimum moves on a straight line with the task w from 0 to 1."""

    name: str
    start: FloatArray  # of the minimum, (n,)
    end: FloatArray

    @property
    def space(self) -> Space:
        """Wide bounds: the penalty outside the box keeps points in."""
        return Space(tuple(Variable(f"x{k}", -20.0, 20.0, 0.0, 1.0) for k in range(len(self.start))))

    def compute_costs(self, points: FloatArray, tasks: FloatArray) -> FloatArray:
        """Costs (N, M) of points (N, n) for tasks (M,)."""
        values: FloatArray = _FUNCTIONS[self.name](points[:, np.newaxis] - self._find_goals(tasks), tasks)
        return values + _punish(points)[:, np.newaxis]

    def compute_own_costs(self, points: FloatArray, tasks: FloatArray) -> FloatArray:
        """Cost (N,) of each point (N, n) for its own task (N,)."""
        values: FloatArray = _FUNCTIONS[self.name]((points - self._find_goals(tasks))[np.newaxis], tasks)[0]
        return values + _punish(points)

    def _find_goals(self, tasks: FloatArray) -> FloatArray:
        """Positions of the minimum, (M, n)."""
        return self.start + tasks[:, np.newaxis] * (self.end - self.start)


def _punish(points: FloatArray) -> FloatArray:
    """Penalty of points (N, n) outside the box, (N,)."""
    result: FloatArray = 0.1 * np.sum(np.maximum(np.abs(points) - BOX, 0.0) ** 2, axis=1)
    return result


def make_task_problem(name: str, size: int, seed: int) -> TaskProblem:
    """A problem with a minimum on a random short line."""
    if name not in _FUNCTIONS:
        raise unknown_name("problem", "function", name, _FUNCTIONS)
    random = np.random.default_rng([seed, size])
    start = random.uniform(-0.5, 0.5, size)
    return TaskProblem(name, start, start + 0.2 * random.uniform(-0.5, 0.5, size))


def _sphere(away: FloatArray, tasks: FloatArray) -> FloatArray:
    """The distance, not its square."""
    result: FloatArray = np.linalg.norm(away, axis=2)
    return result


def _bent_cigar(away: FloatArray, tasks: FloatArray) -> FloatArray:
    z = (100.0 * away) ** 2
    result: FloatArray = (z[..., 0] + 1e6 * np.sum(z[..., 1:], axis=2)) / 5e10
    return result


def _weierstrass(away: FloatArray, tasks: FloatArray) -> FloatArray:
    """Scaled with the task, from 0.2 to 2."""
    z = 0.5 * (0.2 + 1.8 * tasks)[np.newaxis, :, np.newaxis] * away
    # e^(i 3^k t) by cubing: as accurate as cosines of large angles, and many times faster.
    wave, waves, base = np.exp(2.0j * np.pi * (z + 0.5)), np.zeros(z.shape), 0.0
    for k in range(21):
        waves += 0.5**k * wave.real
        # cos(3^k pi) is -1 for all k.
        base -= 0.5**k
        wave = wave * wave * wave
    result: FloatArray = (np.sum(waves, axis=2) - away.shape[2] * base) / 10.0
    return result


def _schwefel(away: FloatArray, tasks: FloatArray) -> FloatArray:
    """Deviation: zero at its minimum; the author's program adds a constant of 0.002 to 0.003."""
    z = 200.0 * away + _SCHWEFEL_GOAL
    n, size = z.shape[2], np.abs(z)
    inner = 500.0 - np.mod(size, 500.0)
    outside = np.sign(z) * inner * np.sin(np.sqrt(inner)) - ((size - 500.0) / 100.0) ** 2 / n
    terms = np.where(size <= 500.0, z * np.sin(np.sqrt(size)), outside)
    result: FloatArray = np.maximum(_SCHWEFEL_LEVEL * n - np.sum(terms, axis=2), 0.0) / 1000.0
    return result


_FUNCTIONS: Final[dict[str, Callable[[FloatArray, FloatArray], FloatArray]]] = {
    "sphere": _sphere,
    "bent cigar": _bent_cigar,
    "weierstrass": _weierstrass,
    "schwefel": _schwefel,
}
