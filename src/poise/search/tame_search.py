"""`GainSearch`: CMA-ES over the tracker's gains, and the closing runs of its best candidates.

To reduce chance, a candidate is tried from several starts, each with noise on all velocities and with small pushes
(`tame_cost`). At the end, the best few are tried again from other starts, longer and without pushes, and the best of
these is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.batches.threads import Progress, run_trials
from poise.optim.cma_es import CmaEs
from poise.optim.space import FloatArray
from poise.search.drive import Judged, Told, drive
from poise.search.session import Session
from poise.search.tame_cost import CHECK_SEED, Closing, compute_cost, conclude, recall_trial, weigh
from poise.search.tame_gains import NEARER, keep_fixed, make_space, round_gains
from poise.search.tame_plan import POPULATION, Plan
from poise.search.tame_trial import Subject, run_trial

#: Number of best candidates that are tried again.
FINALISTS: Final = 4
#: A search without a fixed length ends when this many generations lowered the cost by less than this fraction or this
#: much, and after at most this many.
PATIENCE, LEAST_PART, LEAST_FALL, MOST_GENERATIONS = 5, 0.03, 0.03, 60


@dataclass(frozen=True)
class Found:
    """Gains that a search kept, and their closing runs."""

    gains: Mapping[str, float]
    subject: Subject
    closing: Closing


class GainSearch:
    """A search for the gains of a subject, from given gains and with a narrow or wide spread; `key` names its answers.

    `simulated_s` counts the simulated time of all its runs.
    """

    def __init__(
        self,
        subject: Subject,
        plan: Plan,
        start: Mapping[str, float],
        session: Session,
        *,
        workers: int | None = None,
        key: str = "",
        narrow: bool = False,
        seed: int = 0,
    ) -> None:
        self.subject, self.simulated_s = subject, 0.0
        self._plan, self._session, self._workers, self._key = plan, session, workers, key
        self._space = make_space(subject, start, NEARER if narrow else 1.0)
        self._fixed = keep_fixed(self._space, start)
        self._optimizer = CmaEs(self._space, population=POPULATION, seed=seed)
        self._lowest: list[float] = []

    @property
    def evaluations(self) -> int:
        return self._optimizer.trace().evaluations

    @property
    def generations(self) -> int:
        return len(self._lowest)

    @property
    def best_cost(self) -> float:
        """Lowest cost so far, with pushes."""
        return self._lowest[-1]

    @property
    def best(self) -> dict[str, float]:
        """The gains with the lowest cost so far."""
        best = self._optimizer.best
        assert best is not None
        return self._decode(best.point)

    def _decode(self, point: FloatArray) -> dict[str, float]:
        return round_gains({**self._fixed, **self._space.decode(point)})

    def search(self, evaluations: int | None, follow: Callable[[GainSearch, bool], None]) -> None:
        """Evaluate this many candidates, or search as long as the cost falls.

        `follow` is called after every generation, with whether it is new.
        """

        def take(told: Told) -> None:
            best = self._optimizer.best
            assert best is not None
            self._lowest.append(best.cost)
            self.simulated_s += float(told.notes["simulated_s"])
            follow(self, told.is_new)

        drive(
            self._optimizer,
            self._evaluate,
            done=lambda generations: self._is_done(generations, evaluations),
            session=self._session,
            key=f"{self._key}generation",
            follow=take,
        )

    def _is_done(self, generations: int, evaluations: int | None) -> bool:
        if evaluations is not None:
            return self.evaluations >= evaluations
        if generations >= MOST_GENERATIONS:
            return True
        if generations <= PATIENCE:
            return False
        before = self._lowest[-1 - PATIENCE]
        return before - self._lowest[-1] < max(LEAST_PART * before, LEAST_FALL)

    def _evaluate(self, _generation: int, points: FloatArray) -> Judged:
        jobs = [partial(_evaluate, self.subject, self._plan, self._decode(p)) for p in points]
        found = run_trials(jobs, workers=self._workers)
        costs, seconds = zip(*found, strict=True)
        return Judged(np.array(costs), notes={"simulated_s": sum(seconds)})

    def _finalists(self) -> list[dict[str, float]]:
        """The initial gains, which may be the best, and the best candidates of all generations without duplicates."""
        trace = self._optimizer.trace()
        points = np.concatenate(trace.candidates)
        order = np.argsort(np.concatenate(trace.costs), kind="stable")
        found = [self._decode(np.zeros(len(self._space)))]
        for k in order:
            gains = self._decode(points[k])
            if gains not in found:
                found.append(gains)
        return found[: FINALISTS + 1]

    def close(self, progress: Progress | None = None) -> Found:
        """The best finalist in the closing runs."""
        finalists, plan = self._finalists(), self._plan
        seeds = [CHECK_SEED + k for k in range(plan.check_seeds)]
        jobs = [
            recall_trial(self._session, f"{self._key}closing {gains}", self.subject, gains, seed, plan.check_s)
            for gains in finalists
            for seed in seeds
        ]
        trials, found = run_trials(jobs, progress, workers=self._workers), []
        for k, gains in enumerate(finalists):
            own = trials[k * len(seeds) : (k + 1) * len(seeds)]
            found.append(Found(gains, self.subject, conclude(self.subject, own, plan.check_s)))
            self.simulated_s += found[-1].closing.simulated_s
        return min(found, key=lambda one: one.closing.cost)


def _evaluate(subject: Subject, plan: Plan, gains: Mapping[str, float]) -> tuple[float, float]:
    """Cost of a candidate, and the simulated time that it took."""
    trials = [run_trial(subject, gains, k, seconds=plan.seconds, push_n=plan.push_n) for k in range(plan.seeds)]
    return weigh([compute_cost(subject, t, plan.seconds) for t in trials]), sum(t.seconds for t in trials)
