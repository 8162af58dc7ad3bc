"""Cost of a candidate: every trial is simulated to its end or a failure; the mean plus half the worst counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from poise.batches.threads import heartbeat
from poise.constants import DEFAULT_RECORD_HZ
from poise.kernels.fixed import add_up
from poise.measures.catalog import TIME_OF_FAILURE
from poise.measures.failures import DIVERGED, Failure, find_first, name_fall
from poise.measures.window import Window
from poise.optim.space import FloatArray
from poise.recordings.recording import Recording
from poise.rollout.run import Until, Watch, run
from poise.rollout.scene import Scene
from poise.rollout.simulate import make_recording
from poise.search.problem import Problem, Trial
from poise.world.compile import PhysicsSettings
from poise.world.controller import Start
from poise.world.tape import TapeLog

#: Weight of the worst trial, added to the mean over trials: a gait that passes one and fails another is worth little.
WORST_SHARE = 0.5
#: Interval between checks for a failure; the time of the failure is still that of its frame.
_WATCH_S = 0.25


@dataclass(frozen=True)
class TrialCost:
    """Cost of one trial, and its reasons."""

    #: Mean over the tasks if the problem has any.
    cost: float
    #: Time of the failure that ended it early; None if it ran to its end.
    failed_at_s: float | None
    measured: Mapping[str, float]
    failures: tuple[str, ...] = ()
    #: For each task.
    task_costs: tuple[float, ...] = ()


@dataclass(frozen=True)
class Evaluation:
    """Cost of a candidate over all trials."""

    cost: float
    trials: Mapping[str, TrialCost]
    #: For each task.
    task_costs: tuple[float, ...] = ()

    @property
    def failures(self) -> tuple[str, ...]:
        """Names of the failures of all trials, each once."""
        return tuple(sorted({name for trial in self.trials.values() for name in trial.failures}))


def evaluate(problem: Problem, found: Mapping[str, float]) -> Evaluation:
    """Cost of the values of the variables."""
    trials = {trial.name: evaluate_trial(problem, trial, found) for trial in problem.trials}
    every = np.array([trial.task_costs or (trial.cost,) for trial in trials.values()])
    costs = every.mean(axis=0) + WORST_SHARE * every.max(axis=0)
    return Evaluation(float(costs.mean()), trials, tuple(costs.tolist()) if problem.task else ())


def evaluate_trial(problem: Problem, trial: Trial, found: Mapping[str, float]) -> TrialCost:
    """Cost of one trial. The earlier a failure, the more it costs, and always at least `fall_weight`."""
    recording, failure = run_trial(problem, trial, found)
    window = Window(recording, problem.settle_s, None if failure is None else failure.at_s)
    tasks = (0.0,) if problem.task is None else tuple(problem.task.values.tolist())
    if failure is None:
        measured, costs, failures = _judge(problem, window, tasks)
    else:
        measured, costs, failures = _judge_failure(problem, failure, tasks)
    cost = float(np.mean(costs))
    return TrialCost(cost, window.failed_at_s, measured, failures, tuple(costs.tolist()) if problem.task else ())


def _judge(
    problem: Problem, window: Window, tasks: Sequence[float]
) -> tuple[dict[str, float], FloatArray, tuple[str, ...]]:
    """Measures of a trial that ran to its end, its cost for each task, and the end rules that it broke."""
    measured = {term.measure.label: term.measure(window) for term in problem.terms}
    costs = np.array([add_up(t.cost(measured[t.measure.label], task) for t in problem.terms) for task in tasks])
    for rule in problem.end_rules:
        if rule.measure.label not in measured:
            measured[rule.measure.label] = rule.measure(window)
    broken = [rule.name for rule in problem.end_rules if rule.limits.are_broken(measured[rule.measure.label])]
    # Two rules may have one name.
    failures = tuple(dict.fromkeys(broken))
    # Without this limit, a gait far from every goal could cost more than a fall.
    costs = np.minimum(costs, problem.fall_weight)
    return measured, costs + problem.fall_weight if failures else costs, failures


def _judge_failure(
    problem: Problem, failure: Failure, tasks: Sequence[float]
) -> tuple[dict[str, float], FloatArray, tuple[str, ...]]:
    """The same for a trial that ended early: only the time of its failure is a meaningful measure."""
    measured = {t.measure.label: failure.at_s for t in problem.terms if t.measure.name == TIME_OF_FAILURE}
    early = problem.fall_weight * (2.0 - failure.at_s / problem.seconds)
    late = [add_up(t.cost(failure.at_s, task) for t in problem.terms if t.measure.label in measured) for task in tasks]
    return measured, early + np.array(late), (failure.name,)


def run_trial(problem: Problem, trial: Trial, found: Mapping[str, float]) -> tuple[Recording, Failure | None]:
    """The recording of a trial, and its failure if it ended early."""
    world = open_trial(problem, trial, found).open()
    world.warm_up()
    log = TapeLog()

    def find_failure() -> Failure | None:
        rules = problem.watch_rules
        return find_first(rules, make_recording(world, log, (), {})) if rules else None

    every_ticks = max(1, round(_WATCH_S / problem.timestep_s))
    watch = Watch(lambda _: find_failure() is not None, every_ticks) if problem.watch_rules else ()
    until: list[Until] = [problem.seconds, "down", "diverged"]
    ending = run(world, until, watch=watch, record_hz=DEFAULT_RECORD_HZ, log=log, progress=heartbeat)
    recording, fell_at_s = make_recording(world, log, (), {}), world.fell_at_s()
    if ending.error is not None:
        return recording, Failure(DIVERGED, world.time_s)
    failure = find_failure()
    if failure is None and fell_at_s is not None:
        failure = Failure(name_fall(recording), fell_at_s)
    return recording, failure


def open_trial(problem: Problem, trial: Trial, found: Mapping[str, float]) -> Scene:
    """The scene of a trial."""
    controller = problem.controller.with_values(problem.parameters(found))
    return Scene(
        controller=replace(controller, start=_make_start(controller.start, trial, problem.body.axis_names)),
        character=problem.body,
        terrain=trial.terrain,
        friction=trial.friction,
        pushes=trial.pushes,
        physics=PhysicsSettings(timestep_s=problem.timestep_s),
        seed=trial.seed,
    )


def _make_start(start: Start, trial: Trial, axes: Sequence[str]) -> Start:
    if trial.speed_mps is not None:
        start = replace(start, root_vel_mps=(trial.speed_mps, *start.root_vel_mps[1:]))
    if trial.noise_radps > 0.0:
        noise = trial.noise_radps * np.random.Generator(np.random.PCG64(trial.seed)).standard_normal(len(axes))
        speeds = {a: start.joint_v_radps.get(a, 0.0) + float(v) for a, v in zip(axes, noise, strict=True)}
        start = replace(start, joint_v_radps=speeds)
    return start
