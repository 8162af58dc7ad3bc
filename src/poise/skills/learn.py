"""Learning a transition: a search over the numbers of the phases that lead from one skill into another [Firmin15 §4].

A candidate is tried from several moments of the source. Its cost is their mean plus half the worst, as in all searches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from poise.batches.batch import Batch, open_batch
from poise.batches.threads import heartbeat
from poise.errors import InputError, unknown_name
from poise.language.names import Body
from poise.language.tree import Phase, Script
from poise.optim.ask_tell import Optimizer
from poise.optim.cma_es import CmaEs
from poise.optim.one_plus_one import OnePlusOne
from poise.optim.space import FloatArray, Space
from poise.search.drive import Judged, Told, drive, ending_with_best
from poise.search.evaluate import WORST_SHARE
from poise.search.session import Session
from poise.skills.course import Stage, Track, open_stage
from poise.skills.goal import FAILURE, GOAL_S, Weights, compute_terms, record_goal, weigh
from poise.skills.manner import Manner, learn_manner
from poise.skills.moment import Moment
from poise.skills.skill import Skill
from poise.skills.starts import Leaving, go_to_leave, record_failing, record_moments
from poise.skills.trial import make_controller, make_script, pass_over
from poise.skills.unknowns import make_space, with_values
from poise.skills.unroll import Step, follow, follow_on, unroll
from poise.skills.way import Way, go, make_way

ALGORITHMS: Final = ("one-plus-one", "cma-es")
#: Time step of searches; results are judged at the default time step.
SEARCH_TIMESTEP_S: Final = 0.001
#: Maximum trial duration as a multiple of the goal's [Firmin15, released code].
MOST_GOALS: Final = 3.0


@dataclass(frozen=True)
class Plan:
    """Settings of a transition search."""

    #: Number of phases whose numbers are free.
    phases: int = 4
    algorithm: str = "one-plus-one"
    generations: int = 200
    #: Candidates per generation, for CMA-ES.
    population: int = 8
    seed: int = 1
    #: Moments of the source from which each candidate is tried; the first of several is undisturbed.
    starts: int = 4
    #: Initial step sizes relative to the spreads of `unknowns`.
    spread: float = 1.0
    weights: Weights = field(default_factory=Weights)
    #: Part of the target's run to follow, in seconds; None selects it automatically.
    goal: tuple[float, float] | None = None
    #: Phase at which the target begins.
    at_phase: int = 0
    leaving: Leaving = field(default_factory=Leaving)
    timestep_s: float = SEARCH_TIMESTEP_S

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise unknown_name("algorithm", "algorithm", self.algorithm, ALGORITHMS)
        for name in ("phases", "generations", "starts"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1", where="transition", got=getattr(self, name))


@dataclass(frozen=True, eq=False)
class Task:
    """Everything needed to try a candidate."""

    target: Skill
    phases: tuple[Phase, ...]
    space: Space
    goal: Track
    moments: tuple[Moment, ...]
    plan: Plan
    steps: tuple[Step, ...] = ()
    #: Script of the immediate switch, if that is not simply the target from its beginning.
    naive: Script | None = None

    def make_script(self, values: dict[str, float], name: str = "transition") -> Script:
        """The script of a candidate."""
        phases = with_values(self.phases, values)
        return make_script(name, phases, self.target, self.plan.at_phase, self.moments[0].limit_nm)


@dataclass(frozen=True)
class Found:
    """Result of a search."""

    script: Script
    cost: float
    first_cost: float
    terms: dict[str, float]
    generations: int
    evaluations: int
    unknowns: int
    seconds: float
    #: The best cost after each generation.
    course: tuple[float, ...]
    interrupted: bool = False


def prepare(source: Skill, target: Skill, plan: Plan, via: Skill | None = None) -> Task:
    """Record the goal and the starts, and unroll the phases between: the source's own next ones, or those of `via`."""
    stage = open_stage(source.character, source.controller, plan.timestep_s)
    goal = record_goal(stage, target, plan.goal)
    moments = record_moments(stage, source, plan.starts, plan.seed, leaving=plan.leaving)
    if plan.leaving.phase is not None and via is None:
        go_to_leave(stage, source, plan.leaving)
        steps = follow_on(stage, source, plan.phases)
    else:
        steps = follow(stage, via or source, moments[0], plan.phases)
    phases = unroll(steps, moments[0], Body(source.character))
    naive = make_naive(target, plan, phases, moments[0].limit_nm)
    if plan.leaving.failing:
        manner, way = learn_manner(stage, target, plan.at_phase), make_way(naive, target)
        job = partial(fails, stage, way, manner)
        failing, _ = record_failing(stage, source, max(1, plan.starts - 1), plan.seed, plan.leaving, job)
        moments = [*moments[: plan.starts - 1][:1], *failing]
    return Task(target, phases, make_space(phases, plan.spread), goal, tuple(moments), plan, tuple(steps), naive)


def make_naive(target: Skill, plan: Plan, phases: tuple[Phase, ...], limit_nm: float) -> Script | None:
    """Script of the immediate switch; if the source is left in the middle, its own phases come first, unchanged.

    None if it is simply the target from its beginning.
    """
    if plan.leaving.phase is None:
        phases = ()
    if not phases and plan.at_phase == 0:
        return None
    return make_script("naive", phases, target, plan.at_phase, limit_nm)


def fails(stage: Stage, way: Way, manner: Manner | None, moment: Moment) -> bool:
    """Whether a way fails to arrive from a moment."""
    heartbeat()
    return manner is None or not go(stage, way, moment, manner)[1]


def judge(task: Task, script: Script, moment: Moment) -> tuple[float, dict[str, float]]:
    """Cost and terms of one trial."""
    heartbeat()
    stage = open_stage(task.target.character, task.target.controller, task.plan.timestep_s)
    controller = make_controller(script, task.target)
    goal_s = float(task.goal.time_s[-1])
    switch = len(script.phases) - 1
    passage = pass_over(stage, controller, moment, switch, goal_s, MOST_GOALS * max(goal_s, GOAL_S))
    if passage.after is None:
        return FAILURE, {}
    terms = compute_terms(passage.before, passage.after, task.goal)
    return weigh(terms, task.plan.weights), terms


def _judge_job(task: Task, item: tuple[Script, Moment]) -> tuple[float, dict[str, float]]:
    return judge(task, *item)


def make_optimizer(task: Task) -> Optimizer:
    """The optimiser that a plan asks for."""
    plan = task.plan
    if plan.algorithm == "cma-es":
        return CmaEs(task.space, population=plan.population, seed=plan.seed)
    return OnePlusOne(task.space, seed=plan.seed)


Follow = Callable[[int, int, float], None]


def learn(
    task: Task, *, session: Session | None = None, workers: int | None = None, progress: Follow | None = None
) -> Found:
    """Search generation by generation.

    `progress` is called with the number of the generation, the number of all generations, and the best cost. A session
    keeps the generations; a resumed search ends as if it had never stopped. Ctrl-C ends it with the best so far.
    """
    began, optimizer, course = time.monotonic(), make_optimizer(task), list[float]()
    first = _evaluate(task, [task.space.decode(np.zeros(len(task.space)))], None)[0].item()

    def take(told: Told) -> None:
        assert optimizer.best is not None
        course.append(optimizer.best.cost)
        if progress is not None:
            progress(told.number, task.plan.generations, course[-1])

    with open_batch("threads", workers=workers) as batch, ending_with_best(lambda: optimizer.best is not None) as end:
        drive(
            optimizer,
            lambda _, points: Judged(_evaluate(task, [task.space.decode(p) for p in points], batch)),
            done=lambda generations: generations >= task.plan.generations,
            session=session,
            follow=take,
        )
    best = optimizer.best
    assert best is not None
    script = task.make_script(task.space.decode(best.point))
    return Found(
        script=script,
        cost=best.cost,
        first_cost=first,
        terms=judge(task, script, task.moments[0])[1],
        generations=len(course),
        evaluations=optimizer.trace().evaluations,
        unknowns=len(task.space),
        seconds=time.monotonic() - began,
        course=tuple(course),
        interrupted=end.interrupted,
    )


def _evaluate(task: Task, candidates: Sequence[dict[str, float]], batch: Batch | None) -> FloatArray:
    """The cost of each candidate over all starts."""
    scripts = [task.make_script(values) for values in candidates]
    items = [(script, moment) for script in scripts for moment in task.moments]
    job = partial(_judge_job, task)
    found = [job(item) for item in items] if batch is None else batch.run(job, items)
    costs = np.array([cost for cost, _ in found]).reshape(len(scripts), len(task.moments))
    return np.array([row.mean() + WORST_SHARE * row.max() for row in costs])
