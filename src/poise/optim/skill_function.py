"""Functions from tasks to points: polynomials of any degree in one or more task parameters [Ha15 §7.2]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, out_of_range
from poise.optim.space import FloatArray

MAX_DEGREE = 9


@dataclass(frozen=True)
class SkillFunction:
    """x(w) as a polynomial of total degree `degree`; 1 is [Ha15 Eq. 29], and 3 spans [Ha15 Eq. 30]."""

    weights: FloatArray  # (terms, n)
    degree: int
    #: Number of task parameters.
    dimensions: int = 1

    def __call__(self, task: float | Sequence[float] | FloatArray) -> FloatArray:
        """The point for a task, (n,), or the points for tasks, (K, n)."""
        w = np.asarray(task, dtype=float)
        if w.ndim == 0 or (w.ndim == 1 and self.dimensions > 1):
            return compute_terms(w.reshape(1, self.dimensions), self.degree)[0] @ self.weights
        return compute_terms(w.reshape(-1, self.dimensions), self.degree) @ self.weights


def make_tasks(counts: int | Sequence[int]) -> FloatArray:
    """Evenly spaced tasks over [0, 1] along each task parameter, (M, d); for 6, {0, 0.2, ... 1} [Ha15 §7.2]."""
    numbers = [counts] if isinstance(counts, int) else list(counts)
    if not numbers or min(numbers) < 2:
        raise InputError("tasks: each task parameter needs at least 2 values", got=counts)
    return np.array(list(product(*(np.linspace(0.0, 1.0, c) for c in numbers))))


def choose_apart(tasks: FloatArray, count: int) -> NDArray[np.intp]:
    """Sorted indices of `count` tasks far from each other; of all tasks if there are no more.

    Each choice is the task farthest from those already chosen.
    """
    if count >= len(tasks):
        return np.arange(len(tasks))
    chosen, distances = [0], np.linalg.norm(tasks - tasks[0], axis=1)
    while len(chosen) < count:
        chosen.append(int(np.argmax(np.round(distances, 9))))  # the first of equal ones
        distances = np.minimum(distances, np.linalg.norm(tasks - tasks[chosen[-1]], axis=1))
    return np.sort(chosen)


def compute_terms(tasks: FloatArray, degree: int) -> FloatArray:
    """Terms of the polynomial at tasks (M, d), lowest degree first: (M, terms)."""
    if not 0 <= degree <= MAX_DEGREE:
        raise out_of_range("skill function", "degree", degree, 0, MAX_DEGREE)
    columns = [
        np.prod(tasks[:, list(chosen)], axis=1)
        for total in range(degree + 1)
        for chosen in combinations_with_replacement(range(tasks.shape[1]), total)
    ]
    return np.stack(columns, axis=1)


def fit(points: FloatArray, tasks: FloatArray, degree: int) -> SkillFunction:
    """Least-squares fit to one point (n,) for each task [Ha15 Eq. 43]."""
    weights = np.linalg.pinv(compute_terms(tasks, degree)) @ points
    return SkillFunction(weights, degree, tasks.shape[1])
