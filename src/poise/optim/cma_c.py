"""CMA-C: covariance matrix adaptation that learns from failures which regions to avoid [Ha15 §6.1, Alg. 3 and 4].

Every kind of failure is a constraint with its own classifier. A sample that the classifiers predict to fail is
discarded without being evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, out_of_range
from poise.optim import constraints
from poise.optim.ask_tell import Best, Trace
from poise.optim.cma_es import CmaEs
from poise.optim.constraints import Constraint, Experience
from poise.optim.smoothing import smooth_costs
from poise.optim.space import FloatArray, Space

#: Width of the kernel as a fraction of the spread of the samples, and hardness of acceptance [Ha15 §6.1.1].
WIDTH: Final = 0.1
HARDNESS: Final = 4.0
#: Largest number of samples drawn for one candidate. The source mentions a limit without its value.
MAX_TRIALS: Final = 100
#: Name of the single constraint if all failures are merged.
ANY: Final = "any failure"


class CmaC:
    """CMA-ES that filters its samples by learned constraints.

    The kernel's width is gamma = 1 / (2 (k sigma)²), the usual width of a radial basis function; Eq. 25 as printed,
    1/2 (k sigma)², would shrink as sigma grows. It is set for each constraint once it has enough samples of both kinds.
    Deviation: it is halved when sigma has halved, whereas Alg. 3 sets it only once: the text asks it to cover a portion
    of the current distribution. Acceptance is soft, by the sigmoid that §6.1.1 describes, not by the sign as in
    Alg. 4. The distance to the border is the machine's, in units of its margin.

    Beyond the source: failed candidates rank behind all others. If costs are `noisy`, the costs of the others are
    smoothed over nearby samples: rejected samples no longer keep a search away from bad regions by their costs, and
    without them noise would decide. `literal` ranks by the raw costs, as Alg. 3 does.

    `merged` treats all failures as one constraint, for comparison. `carried` is the experience of an earlier search.
    """

    def __init__(
        self,
        space: Space,
        *,
        population: int,
        seed: int,
        carried: Iterable[Experience] = (),
        width: float = WIDTH,
        hardness: float = HARDNESS,
        merged: bool = False,
        noisy: bool = False,
        literal: bool = False,
    ) -> None:
        for name, value in {"width": width, "hardness": hardness}.items():
            if not 0.0 < value < np.inf:
                raise out_of_range("CMA-C", name, value, 0.0, np.inf)
        self._space, self._population = space, population
        self._width, self._hardness, self._merged = width, hardness, merged
        self._noisy, self._literal = noisy, literal
        self._cma = CmaEs(space, population=population, seed=seed)
        # The choice of samples has its own random numbers: CMA draws the same whatever is discarded.
        self._random = np.random.Generator(np.random.PCG64([seed, 1]))
        self._constraints: dict[str, Constraint] = {}
        for experience in carried:
            if experience.constraint in self._constraints:
                raise InputError(f"CMA-C: the constraint {experience.constraint} is carried twice.")
            self._constraints[experience.constraint] = constraints.carry(experience, space)
        # The full history: all earlier candidates have kept a constraint that appears late.
        self._candidates: list[FloatArray] = []
        self._costs: list[FloatArray] = []
        self._failures: list[tuple[tuple[str, ...], ...]] = []
        self._rejected = 0
        self._first_active: int | None = None
        self._best: Best | None = None

    def ask(self) -> FloatArray:
        """The next candidates, (population, n): samples accepted by the constraints [Ha15 Alg. 4]."""
        active = [c for c in self._constraints.values() if c.active]
        chosen = [] if active else list(self._cma.ask())
        drawn = 0
        while len(chosen) < self._population:
            batch = self._cma.ask()
            drawn += len(batch)
            accept = np.ones(len(batch))
            values = self._space.decode_many(batch)
            for constraint in active:
                accept *= constraints.compute_acceptance(constraint.judge(values), self._hardness)
            passed = self._random.random(len(batch)) < accept
            chosen.extend(batch[passed])
            self._rejected += int(np.sum(~passed))
            if drawn >= MAX_TRIALS * self._population:
                # The classifiers may be wrong everywhere: draw the rest without them.
                chosen.extend(self._cma.ask())
        return np.array(chosen[: self._population])

    def tell(self, candidates: FloatArray, costs: FloatArray, failures: Sequence[Sequence[str]] | None = None) -> None:
        """Take the cost of each candidate, the names of its failures, or both.

        The cost of a failed candidate may be NaN: it then ranks behind all candidates that have a cost. A candidate
        keeps every constraint that its failures do not name.
        """
        points = np.array(candidates, dtype=float)
        named = self._check_failures(failures)
        checked = self._check_costs(costs, named)
        self._note_best(points, checked, named)
        self._candidates.append(points)
        self._costs.append(checked)
        self._failures.append(named)
        self._cma.tell(points, _fill(checked) if self._literal else self._rank())
        self._learn()

    def _rank(self) -> FloatArray:
        """Costs used to rank the last generation."""
        points, costs = self._candidates[-1], _fill(self._costs[-1])
        failed = _have_failed(self._failures[-1:])
        if failed.all():
            return costs
        if self._noisy:
            all_failed = _have_failed(self._failures)
            known, known_costs = np.vstack(self._candidates)[~all_failed], np.concatenate(self._costs)[~all_failed]
            costs[~failed] = smooth_costs(self._cma.whiten(points[~failed]), self._cma.whiten(known), known_costs)
        if failed.any():
            costs[failed] += max(0.0, float(np.max(costs[~failed]) - np.min(costs[failed]))) + 1.0
        return costs

    def _check_failures(self, failures: Sequence[Sequence[str]] | None) -> tuple[tuple[str, ...], ...]:
        if failures is None:
            return ((),) * self._population
        if len(failures) != self._population:
            raise InputError(
                f"optimiser: it needs the failures of {self._population} candidates, one list each, "
                f"got {len(failures)}."
            )
        if any(isinstance(names, str) for names in failures):
            raise InputError("optimiser: the failures of a candidate must be a list of names, got a string.")
        return tuple(tuple(sorted(set(names))) for names in failures)

    def _check_costs(self, costs: FloatArray, named: tuple[tuple[str, ...], ...]) -> FloatArray:
        checked = np.array(costs, dtype=float)
        if checked.shape != (self._population,):
            raise InputError(f"optimiser: it needs {self._population} costs, one per candidate, got {checked.size}.")
        for cost, names in zip(checked, named, strict=True):
            if np.isinf(cost) or (np.isnan(cost) and not names):
                raise InputError("optimiser: a cost must be finite, or NaN with the name of a failure", got=float(cost))
        return checked

    def _note_best(self, points: FloatArray, costs: FloatArray, named: tuple[tuple[str, ...], ...]) -> None:
        for point, cost, names in zip(points, costs, named, strict=True):
            if not names and (self._best is None or cost < self._best.cost):
                self._best = Best(point.copy(), float(cost), len(self._costs))

    def _learn(self) -> None:
        """Pass the last generation to every constraint, and all generations to a new one."""
        spread = self._cma.sigma
        widths = self._width * spread * self._space.spreads
        seen = [{ANY} if self._merged and names else set(names) for names in self._failures[-1]]
        for name in sorted(set().union(*seen) - set(self._constraints)):
            self._constraints[name] = constraints.begin(name, self._space)
            if past := self._candidates[:-1]:
                values = self._space.decode_many(np.vstack(past))
                self._constraints[name].learn(values, np.ones(len(values), dtype=bool), widths)
        values = self._space.decode_many(self._candidates[-1])
        for name, constraint in self._constraints.items():
            constraint.learn(values, np.array([name not in names for names in seen]), widths)
        if self._first_active is None and any(c.active for c in self._constraints.values()):
            self._first_active = len(self._costs) * self._population

    def experiences(self) -> tuple[Experience, ...]:
        """Experience with each constraint; pass it to the next search as `carried`."""
        return tuple(c.experience for c in self._constraints.values())

    def predict(self, points: FloatArray) -> Any:
        """Whether points are predicted to keep all constraints, (N,) booleans; points are normalised."""
        values = self._space.decode_many(np.asarray(points, dtype=float))
        kept = np.ones(len(values), dtype=bool)
        for constraint in self._constraints.values():
            if constraint.active:
                kept &= constraint.judge(values) >= 0.0
        return kept

    @property
    def rejected(self) -> int:
        """Number of samples discarded without being evaluated."""
        return self._rejected

    @property
    def first_active(self) -> int | None:
        """Number of evaluations before the first constraint became active."""
        return self._first_active

    @property
    def best(self) -> Best | None:
        """The cheapest candidate that did not fail."""
        return self._best

    @property
    def spread(self) -> float:
        return self._cma.spread

    def trace(self) -> Trace:
        return Trace(tuple(self._candidates), tuple(self._costs), tuple(self._failures))


def _have_failed(generations: Sequence[Sequence[tuple[str, ...]]]) -> NDArray[np.bool_]:
    """Whether each candidate of several generations has failed, (N,)."""
    return np.array([bool(names) for generation in generations for names in generation])


def _fill(costs: FloatArray) -> FloatArray:
    """Costs with each NaN replaced by more than all others."""
    unknown = np.isnan(costs)
    if not unknown.any():
        return costs.copy()
    worst = float(np.max(costs[~unknown])) if not unknown.all() else 0.0
    return np.where(unknown, worst + abs(worst) + 1.0, costs)
