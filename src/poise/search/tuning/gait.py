"""`poise tune gait`: find the pose graph of a gait from its states, sensors and symmetry alone [Laszlo96 §6.1.5].

Every joint target in the sagittal plane starts from one slightly bent stance. Random tables come first. From the best
of them, CMA-ES searches all targets, hold times, the lean at the start and the parameters of the balance. The balance
is active from the first trial on. There is no other help such as the guiding forces of [vL95], which the paper cites.

Trials begin with five steps. When a quarter of a generation completes them well, trials become twice as long. The best
candidate of a generation is also tried at full length with two time steps, and the worse counts: a gait that works with
both does not depend on rounding. The first candidate that completes all steps well ends the search.

A completed step scores 0.3, plus up to 0.7 for how well it matches the gait (`gait_trial`). A skip is grown from a
previously found walk, since no search from the neutral stance found one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise.batches.threads import run_trials
from poise.optim.cma_es import RawCmaEs
from poise.optim.draws import Draws
from poise.optim.space import FloatArray
from poise.search.drive import Judged, Told, drive, ending_with_best
from poise.search.tuning.gait_tables import Numbers, find_gait, grow, make_table
from poise.search.tuning.gait_trial import FIRST_STEPS, GOOD, JUDGES, GaitTrial, run, run_worst
from poise.search.tuning.run import Order, Tuned, finish
from poise.tables import load_table

OBJECTIVE: Final = "steps completed, and how well each matches the gait: poise.search.tuning.gait_trial"


@dataclass(frozen=True)
class Plan:
    """Settings of a search for a gait."""

    gait: str
    body: str = "laszlo_human12"
    steps: int = 60
    #: Time steps of the longest trials, and of all shorter ones.
    timesteps_s: tuple[float, ...] = (0.0005, 0.00025)
    quick_timestep_s: float = 0.001
    #: Random points before CMA-ES, and their spread as a share of the distance between the bounds.
    samples: int = 200
    spread: float = 0.15
    #: Least mean worth of a step at which trials become longer.
    longer_at: float = GOOD
    generations: int = 60
    population: int = 16
    #: First spread of CMA-ES.
    sigma: float = 0.05
    seed: int = 1

    def __post_init__(self) -> None:
        find_gait(self.gait)


class _Hunt:
    """Length of the trials, and the best table so far. Both depend only on the generations taken."""

    def __init__(self, order: Order, plan: Plan, start: Mapping[str, Any], workers: int | None) -> None:
        self._order, self._plan, self._workers, self._judge = order, plan, workers, JUDGES[plan.gait]
        self._numbers = Numbers(plan.gait, dict(start))
        self.begin = self._numbers.encode()
        self.steps, self.found, self.generations = min(FIRST_STEPS, plan.steps), False, 0
        #: Best score of trials of the current length, and of trials of the full length.
        self._best = self._longest = -math.inf
        self.kept: FloatArray | None = None

    def evaluate(self, _generation: int, points: FloatArray) -> Judged:
        """The negative score of each point; the best is also tried at full length if it completed its steps well."""
        plan = self._plan
        timesteps = plan.timesteps_s if self.steps == plan.steps else (plan.quick_timestep_s,)
        trials = run_trials([partial(self._run, x, self.steps, timesteps) for x in points], workers=self._workers)
        scores = [t.score for t in trials]
        top = int(np.argmax(scores))
        notes: dict[str, Any] = {
            "text": f"{trials[top].describe()} of {self.steps}",
            "good": trials[top].good,
            "longer": sum(t.whole and t.mean_worth >= plan.longer_at for t in trials),
        }
        if scores[top] > self._best and trials[top].good:
            whole = self._run(points[top], plan.steps, plan.timesteps_s)
            notes |= {"whole": {"score": whole.score, "good": whole.good}}
        return Judged(np.array([-s for s in scores]), notes=notes)

    def _run(self, point: FloatArray, steps: int, timesteps_s: Sequence[float]) -> GaitTrial:
        return run_worst(self._numbers.decode(point), self._judge, steps, timesteps_s)

    def take(self, told: Told) -> None:
        """Keep the best table, and lengthen the trials when enough candidates complete them well."""
        scores, notes = -told.costs, told.notes
        top = int(np.argmax(scores))
        if scores[top] > self._best:
            self._best = float(scores[top])
            if notes["good"]:
                self._take_whole(told.points[top], notes["whole"])
            elif self._longest == -math.inf:
                self.kept = told.points[top]
        if self.steps < self._plan.steps and notes["longer"] >= len(told.points) / 4:
            self._best, self.steps = -math.inf, min(2 * self.steps, self._plan.steps)
        self.generations += 1
        if told.is_new:
            if self._order.say is not None:
                self._order.say(notes["text"])
            if self._order.progress is not None:
                size = len(told.points)
                self._order.progress(self.generations * size, size, count_generations(self._plan) * size, self.cost)

    def _take_whole(self, point: FloatArray, whole: Mapping[str, Any]) -> None:
        self.found = bool(whole["good"])
        if whole["score"] > self._longest:
            self._longest = float(whole["score"])
            self.kept = point

    def table(self) -> dict[str, Any]:
        """The table that is kept."""
        assert self.kept is not None
        return self._numbers.decode(self.kept)

    @property
    def cost(self) -> float:
        return -max(self._best, self._longest)


def count_generations(plan: Plan) -> int:
    """Generations of random points and of CMA-ES together."""
    return -(-plan.samples // plan.population) + plan.generations


def tune_gait(
    order: Order, plan: Plan, *, like: Path | None = None, walk: Path | None = None, workers: int | None = None
) -> Tuned:
    """Search for a gait and write the best table, starting from the table `like` or growing a skip from a `walk`."""
    start = make_table(plan.gait, plan.body)
    if walk is not None:
        start = grow(plan.gait, dict(load_table(walk).data), plan.body)
    if like is not None:
        start = {key: value for key, value in dict(load_table(like).data).items() if key != "provenance"}
    hunt = _Hunt(order, plan, start, workers)
    with order.open() as session:
        with ending_with_best(lambda: hunt.kept is not None) as end:
            _search(hunt, plan, session)
        evaluations = hunt.generations * plan.population
        return finish(order, session, end, hunt.table(), hunt.cost, evaluations)


def _search(hunt: _Hunt, plan: Plan, session: Any) -> None:
    samples = -(-plan.samples // plan.population)

    def draw(random: np.random.Generator) -> FloatArray:
        return np.clip(random.normal(hunt.begin, plan.spread), 0.0, 1.0)

    draws = Draws(draw, population=plan.population, seed=plan.seed)

    def done(count: int, generations: int) -> bool:
        return hunt.found or generations >= count

    drive(draws, hunt.evaluate, done=partial(done, samples), session=session, key="sample", follow=hunt.take)
    begin = hunt.begin if draws.best is None else draws.best.point
    search = RawCmaEs(begin, plan.sigma, population=plan.population, seed=plan.seed, bounds=(0.0, 1.0))
    drive(search, hunt.evaluate, done=partial(done, plan.generations), session=session, follow=hunt.take)


def check_gait(plan: Plan, path: Path) -> list[tuple[float, GaitTrial]]:
    """Results of a table with each time step."""
    table = dict(load_table(path).data)
    return [(step, run(table, JUDGES[plan.gait], plan.steps, step)) for step in plan.timesteps_s]
