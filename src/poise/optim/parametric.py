"""Evolution strategy for parameterised problems: one search for a whole family of tasks [Ha15 §7.3.2].

Samples are points, not functions: one simulation of a point is judged for every task. The search evolves a function
from tasks to points, with a covariance for each task.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.errors import InputError, out_of_range
from poise.optim.ask_tell import Trace
from poise.optim.one_plus_one import SUCCESS_RATE, TARGET_SUCCESS, Shape
from poise.optim.sample_groups import Elites, IntArray
from poise.optim.skill_function import SkillFunction, choose_apart, compute_terms, fit, make_tasks
from poise.optim.space import FloatArray, Space

#: New samples of a generation, elite samples, groups to try, and the weight of the misfit to the function
#: [Ha15 §7.3.2.3, §7.4].
SAMPLES, ELITES, GROUPS, FIT_WEIGHT = 16, 48, 100, 10.0
#: Number of best groups that make the new function, with equal weights. A single group, as in the text, ends more often
#: in a local minimum.
BEST_GROUPS: Final = 24
#: If the best samples cost less than this fraction of the current function's cost, the new function goes through a
#: single group. A motion with more parameters than goals solves a task at points far apart and misses it between them:
#: functions through means of such points remained many times worse than the points.
TRUST: Final = 0.25
#: Number of recent functions whose points, also judged for all tasks, then serve as samples too. If samples are hardly
#: better than the function, its own points would be the best of all, and the search would not move.
RECENT: Final = 3
#: The step size shrinks by the text's factor [Ha15 Eq. 44] and grows by the square root of the text's. They balance at
#: a success rate of one in three, not one in five: a mean of groups succeeds more often than one group.
GROWTH: Final = float(np.exp(1.0 / 6.0))
SHRINKAGE: Final = float(np.exp(-1.0 / 12.0))
#: Number of tasks at which a new function is judged, or twice its number of terms, if there are more tasks. The
#: function is smooth between them, so finer tasks cost no more evaluations, as in the text [Ha15 Fig. 35].
JUDGED: Final = 6
#: Spread at which a search has converged and restarts, and the spreads of its starts in turn: first wide, then near the
#: start. With 1e-4 it ends too far from a sharp minimum; with 1 followed by 0.5 it searches near the start too late
#: (seeds 1000 to 1020).
REST: Final = 1e-5
SPREADS: Final = (1.0, 0.25, 0.5)
MAX_SAMPLES: Final = 10_000


@dataclass(frozen=True)
class BestSkill:
    """A function and its mean cost over the tasks at which it was evaluated [Ha15 Eq. 38]."""

    skill: SkillFunction
    cost: float


class ParametricEs:
    """Search for a function of tasks in a space's normalised coordinates, starting from the same point for all tasks.

    `ask` returns alternately samples, (samples, n), and the points of a new function, one for each of `judged`, (J, n).
    `tell` takes the cost of each candidate for each task, (count, M): one simulation is evaluated for M tasks. For the
    points of a function, only the cost for their own task counts.

    Choices that the source leaves open: a sample comes from the Gaussian of one task drawn at random, because Eq. 40 is
    a mixture and not a mean. Of an elite of 48 each task gets 48 / M, rounded, because 48 / 21 is not an integer. A
    covariance is updated with the whole step of the mean, as in the author's appendix, not with the step over sigma as
    in Igel 2006; both were measured and differ little. The first group holds the best sample of each task, as in the
    author's program.

    Deviation: if samples are hardly better than the current function, the new one is fitted to the mean of the best
    groups, and the step size grows more slowly. If they are much better, it is fitted to one group as in
    the text; the group is found by exchanging samples as well as by random trials, with [Ha15 Eq. 42] in units of the
    search: costs relative to those of the current function, distances relative to the spread. A converged search
    restarts near the start with another spread, and `best` is kept. With many tasks, a function is evaluated at some of
    them, spread over the range. The constants were chosen on the test functions and on models of jump and kick, with
    seeds that are not reported.
    """

    def __init__(
        self,
        space: Space,
        *,
        seed: int,
        tasks: FloatArray | None = None,
        degree: int = 1,
        samples: int = SAMPLES,
        elites: int = ELITES,
    ) -> None:
        self._tasks = np.array(make_tasks(6) if tasks is None else tasks, dtype=float)
        if self._tasks.ndim != 2 or not np.all(np.isfinite(self._tasks)):
            raise InputError("parameterised search: tasks must be finite rows of task parameters, (M, d).")
        terms = compute_terms(self._tasks, degree)
        if np.linalg.matrix_rank(terms) < terms.shape[1]:
            raise InputError(
                f"parameterised search: {len(self._tasks)} tasks cannot determine the {terms.shape[1]} terms of degree "
                f"{degree}. Use more tasks or a lower degree."
            )
        if not 2 <= samples <= MAX_SAMPLES:
            raise out_of_range("parameterised search", "samples", samples, 2, MAX_SAMPLES)
        if not 1 <= elites <= MAX_SAMPLES:
            raise out_of_range("parameterised search", "elites", elites, 1, MAX_SAMPLES)
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._low, self._high = space.bounds()
        self._degree, self._samples = degree, samples
        self._per_task = max(1, round(elites / len(self._tasks)))
        self._judged = choose_apart(self._tasks, max(JUDGED, 2 * terms.shape[1]))
        # Projects points, one for each task, onto the residual of a fit.
        self._leftover = np.eye(len(self._tasks)) - terms @ np.linalg.pinv(terms)
        self._searches = 0
        self._best: BestSkill | None = None
        self._candidates: list[FloatArray] = []
        self._costs: list[FloatArray] = []
        self._begin(np.zeros(len(space)))

    def _begin(self, start: FloatArray) -> None:
        """Begin a search from one point for all tasks."""
        size = len(start)
        weights = np.zeros((compute_terms(self._tasks[:1], self._degree).shape[1], size))
        weights[0] = start
        self._mean = SkillFunction(weights, self._degree, self._tasks.shape[1])
        self._mean_cost = np.inf
        self._next: SkillFunction | None = self._mean
        self._shapes = [Shape.unit(size) for _ in self._tasks]
        self._sigma, self._mean_success = SPREADS[self._searches % len(SPREADS)], TARGET_SUCCESS
        self._pool, self._pool_costs = np.zeros((0, size)), np.zeros((0, len(self._tasks)))
        self._recent: list[tuple[FloatArray, FloatArray]] = []
        self._searches += 1

    def ask(self) -> FloatArray:
        """The next candidates: points of a new function to judge, if any, otherwise samples."""
        if self._next is not None:
            return np.clip(self._next(self._tasks[self._judged]), self._low, self._high)
        # A mixture of one Gaussian per task [Ha15 Eq. 40].
        chosen = self._random.integers(len(self._tasks), size=self._samples)
        noise = self._random.standard_normal((self._samples, len(self._low), 1))
        factors = np.array([shape.factor for shape in self._shapes])[chosen]
        points = self._mean(self._tasks)[chosen] + self._sigma * (factors @ noise)[..., 0]
        return np.clip(points, self._low, self._high)

    def tell(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Take the cost of each candidate for each task, (count, M)."""
        count = self._samples if self._next is None else len(self._judged)
        points, checked = np.array(candidates, dtype=float), np.array(costs, dtype=float)
        if checked.shape != (count, len(self._tasks)):
            raise InputError(
                f"optimiser: it needs the costs of {count} candidates for {len(self._tasks)} tasks, "
                f"got an array of {' by '.join(map(str, checked.shape))}."
            )
        if not np.all(np.isfinite(checked)):
            raise InputError("optimiser: every cost must be finite", got=float(checked[~np.isfinite(checked)][0]))
        self._candidates.append(points)
        self._costs.append(checked)
        if self._next is None:
            self._select(points, checked)
            self._next = self._propose()
        else:
            judged, self._next = self._next, None
            self._recent = [*self._recent, (points, checked)][-RECENT:]
            self._judge(judged, float(np.mean(checked[np.arange(count), self._judged])))
            if self.spread < REST:
                self._begin(np.clip(self._random.uniform(-0.5, 0.5, len(self._low)), self._low, self._high))

    def _select(self, points: FloatArray, costs: FloatArray) -> None:
        """Keep the best old and new samples for each task [Ha15 §7.3.2.2], without duplicates."""
        points, costs = np.vstack([self._pool, points]), np.vstack([self._pool_costs, costs])
        best = np.argsort(costs, axis=0, kind="stable")[: self._per_task]
        kept = np.unique(best)
        self._pool, self._pool_costs = points[kept], costs[kept]

    def _propose(self) -> SkillFunction:
        """A function through cheap samples that fit well: one group of them, or the mean of the best groups."""
        elites = Elites.select(self._pool, self._pool_costs, self._per_task, self._leftover)
        picks = self._random.integers(len(elites.best), size=(GROUPS, len(self._tasks)))
        picks[0] = 0
        if self._mean_cost > 0.0 and elites.compute_lowest_cost() < TRUST * self._mean_cost:
            points = self._find_group(picks)
        else:
            groups = elites.make_groups(picks)
            chosen = groups[np.argsort(elites.judge(groups, FIT_WEIGHT), kind="stable")[:BEST_GROUPS]]
            points = elites.points[chosen].mean(axis=0)
        return fit(points, self._tasks, self._degree)

    def _find_group(self, picks: IntArray) -> FloatArray:
        """Points of the best group, (M, n), with the points of recent functions among the samples."""
        points, costs = zip((self._pool, self._pool_costs), *self._recent, strict=True)
        elites = Elites.select(np.vstack(points), np.vstack(costs), self._per_task, self._leftover)
        fit_weight = self._mean_cost / self.spread
        groups = elites.make_groups(picks)
        found: FloatArray = elites.points[
            elites.exchange(groups[np.argmin(elites.judge(groups, fit_weight))], fit_weight)
        ]
        return found

    def _judge(self, skill: SkillFunction, cost: float) -> None:
        """Accept a new function if it is better; update step size and covariances [Ha15 Eq. 44]."""
        if self._best is None or cost < self._best.cost:
            self._best = BestSkill(skill, cost)
        if not np.isfinite(self._mean_cost):
            self._mean_cost = cost
            return
        accepted = cost < self._mean_cost
        self._mean_success += SUCCESS_RATE * (float(accepted) - self._mean_success)
        if accepted:
            steps = skill(self._tasks) - self._mean(self._tasks)
            for shape, step in zip(self._shapes, steps, strict=True):
                shape.update(step, self._mean_success)
            self._mean, self._mean_cost = skill, cost
        self._sigma *= GROWTH if accepted else SHRINKAGE

    @property
    def tasks(self) -> FloatArray:
        return self._tasks

    @property
    def judged(self) -> IntArray:
        """Indices of the tasks at which a new function is judged."""
        return self._judged

    @property
    def best(self) -> BestSkill | None:
        """The best function so far; None before the first was judged."""
        return self._best

    @property
    def spread(self) -> float:
        """Spread of the next samples, as a fraction of the initial spread; a mean over tasks."""
        factors = np.array([shape.factor for shape in self._shapes])
        return float(self._sigma * np.sqrt(np.mean(np.sum(factors**2, axis=2))))

    def trace(self) -> Trace:
        return Trace(tuple(self._candidates), tuple(self._costs))
