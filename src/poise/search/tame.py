"""`tame`: search by CMA-ES for gains that track a clip for a long time.

To reduce chance, a candidate is tried from several starts, each with noise on all velocities and with small pushes. The
cost of a start:

    8·(1 − t/T)  if it stayed on its feet only for the time t of T,
    2·e          for the mean angle e (rad) between joints and recording,
    5·max(0, |v/v_r − 1| − 0.03)    for an endless walk with speed v against the recorded v_r,
    2·w + max(0, |ψ| − 0.1)         for a motion played once: mean position error w (m) of its fragments and final
                                    heading error ψ (rad), and 1 more if it did not stand at the end.

A candidate costs the mean over its starts plus half of the worst. At the end, the best few are tried again from other
starts, longer and without pushes, and the best of these is kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

from poise.batches.threads import run_trials
from poise.errors import InputError
from poise.optim.cma_es import CmaEs
from poise.optim.space import FloatArray
from poise.search.drive import Judged, Told, drive, ending_with_best
from poise.search.session import Session
from poise.search.tame_gains import keep_fixed, make_space, round_gains
from poise.search.tame_trial import STAND_S, Subject, Trial, run_trial

POPULATION: Final = 12
#: Starts of the closing runs use other seeds than those of the search.
CHECK_SEED: Final = 1000
#: Number of best candidates that are tried again.
FINALISTS: Final = 4
SLACK_SPEED, SLACK_YAW_RAD = 0.03, 0.1
#: Cost of a start whose cost is not finite: more than any other.
LOST: Final = 20.0


@dataclass(frozen=True)
class Plan:
    """Settings of a search."""

    evaluations: int = 240
    #: Number of starts of each candidate.
    seeds: int = 3
    #: Seed of the search itself.
    seed: int = 0
    #: Length of a start of an endless motion.
    seconds: float = 16.0
    #: Largest force of the small pushes.
    push_n: float = 30.0
    #: Number and length of the closing runs.
    check_seeds: int = 8
    check_s: float = 60.0

    def notes(self) -> dict[str, Any]:
        """Notes that must match for a search to be resumed."""
        return {"seeds": self.seeds, "seed": self.seed, "seconds": self.seconds, "push_n": self.push_n}


@dataclass(frozen=True)
class Closing:
    """Closing runs of the gains that were kept."""

    cost: float
    trials: tuple[Trial, ...]

    @property
    def up(self) -> int:
        return sum(t.holds for t in self.trials)

    def speeds_mps(self) -> list[float]:
        return [t.speed_mps for t in self.trials if t.holds and t.speed_mps is not None]


@dataclass(frozen=True)
class Tamed:
    """Result of `tame`."""

    gains: Mapping[str, float]
    #: Lowest cost in the search, with pushes.
    cost: float
    evaluations: int
    seconds: float
    interrupted: bool
    #: None if the search was interrupted.
    closing: Closing | None = None


@dataclass(frozen=True)
class News:
    """State of a search after a generation."""

    evaluations: int
    best_cost: float
    best: Mapping[str, float] = field(repr=False)


Follow = Callable[[News], None]


def compute_cost(subject: Subject, trial: Trial, seconds: float) -> float:
    """Cost of a start; see the module."""
    endless = subject.track.is_endless
    asked = seconds if endless else subject.recorded_s + STAND_S
    cost = 2.0 * trial.joint_error_rad
    if trial.failed_at_s is not None:
        cost += 8.0 * (1.0 - min(trial.failed_at_s / asked, 1.0))
    if endless and trial.speed_mps is not None:
        speed = float(np.linalg.norm(subject.cycle_velocity_mps()))
        cost += 5.0 * max(0.0, abs(trial.speed_mps / speed - 1.0) - SLACK_SPEED)
    if not endless:
        cost += 2.0 * trial.way_error_m + max(0.0, abs(trial.yaw_error_rad) - SLACK_YAW_RAD)
        cost += 0.0 if trial.holds else 1.0
    return cost if math.isfinite(cost) else LOST


def weigh(costs: Sequence[float]) -> float:
    """Cost of a candidate from the costs of its starts."""
    return float(np.mean(costs) + 0.5 * np.max(costs))


def _evaluate(subject: Subject, plan: Plan, gains: Mapping[str, float]) -> float:
    trials = [run_trial(subject, gains, k, seconds=plan.seconds, push_n=plan.push_n) for k in range(plan.seeds)]
    return weigh([compute_cost(subject, t, plan.seconds) for t in trials])


def recall_trial(
    session: Session, key: str, subject: Subject, gains: Mapping[str, float], seed: int, seconds: float
) -> Callable[[], Trial]:
    """A job that runs a closing trial, or recalls it."""
    job = partial(run_trial, subject, gains, seed, seconds=seconds)
    return partial(session.recall, f"{key}, start {seed}, {seconds:g} s", job, read=lambda row: Trial(**row))


def tame(
    subject: Subject,
    plan: Plan,
    *,
    start: Mapping[str, float] | None = None,
    session: Session | None = None,
    workers: int | None = None,
    follow: Follow | None = None,
) -> Tamed:
    """Search for gains that keep a subject up, beginning with the gains in `start` if given.

    A session keeps all trials and resumes the search as if it had never stopped. `follow` is called for new generations
    only. Ctrl-C ends the search with the best so far; before the end of the first generation it is raised. The number
    of workers does not change the result.
    """
    run = _Run(subject, plan, start or {}, session or Session(), workers)
    began, closing = time.monotonic(), None
    gains: Mapping[str, float] | None = None
    with ending_with_best(lambda: run.evaluations > 0) as end:
        run.search(follow)
        gains, closing = run.close()
    news = run.news()
    spent = time.monotonic() - began
    return Tamed(gains or news.best, news.best_cost, run.evaluations, spent, end.interrupted, closing)


class _Run:
    """A search in progress."""

    def __init__(
        self,
        subject: Subject,
        plan: Plan,
        start: Mapping[str, float],
        session: Session,
        workers: int | None,
    ) -> None:
        self._subject, self._plan, self._session, self._workers = subject, plan, session, workers
        self._space = make_space(subject, start)
        self._fixed = keep_fixed(self._space, start)
        self._has_start = bool(start)
        self._optimizer = CmaEs(self._space, population=POPULATION, seed=plan.seed)

    @property
    def evaluations(self) -> int:
        return self._optimizer.trace().evaluations

    def news(self) -> News:
        best = self._optimizer.best
        assert best is not None
        return News(self.evaluations, best.cost, self._decode(best.point))

    def _decode(self, point: FloatArray) -> dict[str, float]:
        return round_gains({**self._fixed, **self._space.decode(point)})

    def search(self, follow: Follow | None) -> None:
        """Run all generations; `follow` is called after new ones only."""

        def take(told: Told) -> None:
            if follow is not None and told.is_new:
                follow(self.news())

        drive(
            self._optimizer,
            self._evaluate,
            done=lambda _: self.evaluations >= self._plan.evaluations,
            session=self._session,
            follow=take,
        )

    def _evaluate(self, _generation: int, points: FloatArray) -> Judged:
        jobs = [partial(_evaluate, self._subject, self._plan, self._decode(p)) for p in points]
        return Judged(np.array(run_trials(jobs, workers=self._workers)))

    def _finalists(self) -> list[dict[str, float]]:
        """The best candidates of all generations without duplicates, after the initial gains if given."""
        trace = self._optimizer.trace()
        points = np.concatenate(trace.candidates)
        order = np.argsort(np.concatenate(trace.costs), kind="stable")
        # The given initial gains may be the best.
        found = [self._decode(np.zeros(len(self._space)))] if self._has_start else []
        count = FINALISTS + len(found)
        for k in order:
            gains = self._decode(points[k])
            if gains not in found:
                found.append(gains)
        return found[:count]

    def close(self) -> tuple[Mapping[str, float], Closing]:
        """The best finalist in the closing runs, and its runs."""
        finalists, plan = self._finalists(), self._plan
        seeds = [CHECK_SEED + k for k in range(plan.check_seeds)]
        jobs = [
            recall_trial(self._session, f"closing {gains}", self._subject, gains, seed, plan.check_s)
            for gains in finalists
            for seed in seeds
        ]
        trials = run_trials(jobs, workers=self._workers)
        closings = []
        for k in range(len(finalists)):
            own = tuple(trials[k * len(seeds) : (k + 1) * len(seeds)])
            closings.append(Closing(weigh([compute_cost(self._subject, t, plan.check_s) for t in own]), own))
        best = min(range(len(finalists)), key=lambda k: closings[k].cost)
        return finalists[best], closings[best]


def check_plan(plan: Plan) -> None:
    """Raise if a plan cannot be carried out."""
    if plan.evaluations < POPULATION:
        raise InputError(
            "too few for one generation",
            where="evaluations",
            got=plan.evaluations,
            allowed=f"At least {POPULATION}",
        )
