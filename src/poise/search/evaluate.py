"""The cost of a candidate: every trial simulated until its end or a fall, mean plus half the worst."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from poise.api import Scene
from poise.errors import DivergedError
from poise.rollout.recording import Recording
from poise.rollout.simulate import simulate
from poise.search.measures import MEASURES, Window
from poise.search.problem import Problem, Trial
from poise.world.compile import PhysicsSettings
from poise.world.controller import Start

#: How much the worst trial adds to the mean over trials: a gait that passes one and fails another is worth little.
WORST_SHARE = 0.5


@dataclass(frozen=True)
class TrialCost:
    """What one trial cost, and why."""

    cost: float
    fell_at_s: float | None
    measured: Mapping[str, float]


@dataclass(frozen=True)
class Evaluation:
    """What a candidate cost over all trials."""

    cost: float
    trials: Mapping[str, TrialCost]

    @property
    def falls(self) -> int:
        return sum(t.fell_at_s is not None for t in self.trials.values())


def evaluate(problem: Problem, found: Mapping[str, float]) -> Evaluation:
    """The cost of values of the variables."""
    costs = {trial.name: evaluate_trial(problem, trial, found) for trial in problem.trials}
    every = [c.cost for c in costs.values()]
    return Evaluation(float(np.mean(every)) + WORST_SHARE * max(every), costs)


def evaluate_trial(problem: Problem, trial: Trial, found: Mapping[str, float]) -> TrialCost:
    """The cost of one trial. A fall costs the more the earlier it comes, and always more than the fall's weight."""
    recording, fell_at = run_trial(problem, trial, found)
    if fell_at is not None:
        return TrialCost(problem.fall_weight * (2.0 - fell_at / problem.seconds), fell_at, {})
    window = Window(recording, problem.settle_s)
    measured = {term.measure: MEASURES[term.measure](window) for term in problem.terms}
    cost = sum(term.cost(measured[term.measure]) for term in problem.terms)
    # Without this a gait that is far from every wish could look worse than a fall.
    return TrialCost(min(cost, problem.fall_weight), None, measured)


def run_trial(problem: Problem, trial: Trial, found: Mapping[str, float]) -> tuple[Recording, float | None]:
    """The recording of a trial and when it fell; a state that stops being finite counts as a fall."""
    world = open_trial(problem, trial, found).open()
    try:
        recording = simulate(world, problem.seconds, stop_on_fall=True)
    except DivergedError as error:
        return error.recording, world.time_s
    return recording, world.fell_at_s()


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
