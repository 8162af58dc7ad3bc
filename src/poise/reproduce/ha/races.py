"""Races of CMA-C and CMA-ES on the toy problems: evaluations to meet a target [Ha15 §6.1.2].

The source does not say when its searches end. Here a search ends at the first candidate without failures that costs no
more than a target. The cost excludes random noise: with it, a search at the minimum would have to wait for a lucky
draw. The targets are those with which CMA-ES takes about as long as in the source. A search that converges without
meeting the target restarts with other random numbers; CMA-C keeps its classifiers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.optim.cma_c import CmaC
from poise.optim.cma_es import CmaEs
from poise.optim.constraints import Experience
from poise.optim.space import FloatArray
from poise.reproduce.ha.toys import TOY_SPACE, Toy

#: Candidates per generation [Ha15 Table 7]; `cma` uses four parents for eight of them, as in the table.
POPULATION: Final = 8
#: With these, CMA-ES takes 690, 1053 and 1170 evaluations for the seeds 0 to 59; in the source 663, 1026 and 1027.
TARGETS: Final[Mapping[str, float]] = {"random": 0.00015, "undulation": 0.05}
#: Spread at which a search has converged, as a fraction of its first.
REST: Final = 1e-3
MAX_EVALUATIONS: Final = 20_000
#: Targets and the penalty of CMA-C were chosen with seeds below this one, its smoothing with seeds from 1000; reported
#: seeds lie between.
FIRST_SEED: Final = 100


@dataclass(frozen=True)
class Race:
    """Result of a search."""

    evaluations: int
    searches: int
    #: Candidates that failed.
    failed: int
    learned: tuple[Experience, ...] = ()


def make_search(seed: int, **options: Any) -> CmaC:
    """CMA-C with its option for noisy costs, since all toys are noisy."""
    return CmaC(TOY_SPACE, population=POPULATION, seed=seed, noisy=True, **options)


def judge(toy: Toy, points: FloatArray, random: np.random.Generator) -> tuple[FloatArray, list[tuple[str, ...]]]:
    """Costs and failures of normalised points."""
    values = TOY_SPACE.decode_many(points)
    costs = np.array([toy.compute_cost(float(x), float(y), random) for x, y in values])
    return costs, [toy.find_failures(float(x), float(y)) for x, y in values]


def has_met(toy: Toy, points: FloatArray, failures: Sequence[tuple[str, ...]]) -> bool:
    """Whether any of the normalised points has no failures and costs no more than the target."""
    values = TOY_SPACE.decode_many(points)
    return any(
        not names and toy.compute_true_cost(float(x), float(y)) <= TARGETS[toy.noise]
        for (x, y), names in zip(values, failures, strict=True)
    )


def race(toy: Toy, seed: int, *, learning: bool, carried: Sequence[Experience] = (), **options: Any) -> Race:
    """One search with the noise of its seed, by CMA-C if `learning`, else by CMA-ES."""
    random = np.random.default_rng([seed, 7])
    known: tuple[Experience, ...] = tuple(carried)
    count, searches, failed = 0, 0, 0
    while count < MAX_EVALUATIONS:
        own_seed = 1000 * seed + searches
        search: CmaC | CmaEs
        if learning:
            search = make_search(own_seed, carried=known, **options)
        else:
            search = CmaEs(TOY_SPACE, population=POPULATION, seed=own_seed)
        searches += 1
        while search.spread > REST and count < MAX_EVALUATIONS:
            points = search.ask()
            costs, failures = judge(toy, points, random)
            count += len(points)
            failed += sum(bool(names) for names in failures)
            if isinstance(search, CmaC):
                search.tell(points, costs, failures)
                known = search.experiences()
            else:
                search.tell(points, costs)
            if has_met(toy, points, failures):
                return Race(count, searches, failed, known)
    return Race(count, searches, failed, known)


def wake_up(toy: Toy, seed: int, *, merged: bool, most: int = 2000) -> int:
    """Evaluations until the first classifier is active, or `most`."""
    random = np.random.default_rng([seed, 7])
    search = make_search(1000 * seed, merged=merged)
    for _ in range(most // POPULATION):
        points = search.ask()
        search.tell(points, *judge(toy, points, random))
        if search.first_active is not None:
            return search.first_active
    return most


def learn(toy: Toy, seed: int, evaluations: int) -> CmaC:
    """CMA-C after some evaluations; as in the races, a finished search restarts with its classifiers."""
    random = np.random.default_rng([seed, 7])
    search, searches = make_search(1000 * seed), 1
    for _ in range(evaluations // POPULATION):
        points = search.ask()
        costs, failures = judge(toy, points, random)
        search.tell(points, costs, failures)
        if has_met(toy, points, failures) or search.spread <= REST:
            search = make_search(1000 * seed + searches, carried=search.experiences())
            searches += 1
    return search


def compute_overlap(toy: Toy, search: CmaC, low: float = -5.0, high: float = 5.0, cells: int = 250) -> float:
    """Intersection over union of the learned and the true feasible region in the square from `low` to `high`."""
    values, true = _find_region(toy, low, high, cells)
    learned = search.predict(values / TOY_SPACE.spreads)
    return float(np.sum(learned & true) / max(1, np.sum(learned | true)))


@lru_cache(maxsize=4)
def _find_region(toy: Toy, low: float, high: float, cells: int) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Points of a grid over a square, and whether they are feasible."""
    spots = low + (np.arange(cells) + 0.5) * (high - low) / cells
    x, y = np.meshgrid(spots, spots)
    values = np.stack([x.ravel(), y.ravel()], axis=1)
    return values, np.array([not toy.find_failures(float(a), float(b)) for a, b in values])
