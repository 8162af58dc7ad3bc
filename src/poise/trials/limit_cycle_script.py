"""Runs the trials of a limit-cycle script; results are the steps completed and how each trial ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

from poise.characters.model import Character
from poise.controllers.limit_cycle.balance import Step, find_balancer
from poise.controllers.limit_cycle.scripts.script import Script, Trial
from poise.rollout.run import TIME, Until, Watch, run
from poise.rollout.scene import Scene
from poise.world.compile import PhysicsSettings
from poise.world.world import World

#: A trial that takes longer than this per step stands still and will not fall either.
LONGEST_S_PER_STEP: Final = 10.0


@dataclass(frozen=True)
class TrialResult:
    """Result of a trial."""

    name: str
    strategy: str
    #: Q_d: ahead, across.
    target: tuple[float, float]
    steps_wanted: int
    steps_done: int
    seconds: float
    fell_at_s: float | None
    #: Why it ended early, if it neither fell nor completed its steps.
    problem: str
    steps: tuple[Step, ...]

    @property
    def fell(self) -> bool:
        return self.fell_at_s is not None

    def summarize(self) -> dict[str, Any]:
        """The result as plain data."""
        return {**asdict(self), "steps": [step._asdict() for step in self.steps], "fell": self.fell}


def open_trial(trial: Trial, character: Character) -> World:
    """The world of a trial at time zero."""
    controller = trial.spec.build(character, trial.name or "script")
    physics = PhysicsSettings(timestep_s=trial.timestep_s)
    return Scene(controller, character, physics=physics, ground=trial.ground).open()


def run_trial(trial: Trial, character: Character, progress: Callable[[float], None] | None = None) -> TrialResult:
    """Runs a trial until all steps are done or it falls; `progress` is called with the fraction of steps done."""
    world = open_trial(trial, character)
    balancer = find_balancer(world)

    def is_done(_: World) -> bool:
        return len(balancer.steps) >= trial.steps

    def tell(_: float) -> None:
        if progress is not None:
            progress(len(balancer.steps) / trial.steps)

    until: list[Until] = [LONGEST_S_PER_STEP * trial.steps, "down", "diverged"]
    ending = run(world, until, watch=Watch(is_done, events=("phase",)), progress=tell)
    problem = str(ending.error or "")
    if ending.reason == TIME:
        problem = f"stands still: {len(balancer.steps)} steps in {world.time_s:.4g} s"
    return TrialResult(
        name=trial.name,
        strategy=trial.strategy,
        target=trial.target,
        steps_wanted=trial.steps,
        steps_done=len(balancer.steps),
        seconds=world.time_s,
        fell_at_s=world.fell_at_s(),
        problem=problem,
        steps=tuple(balancer.steps),
    )


def run_script(script: Script, progress: Callable[[float], None] | None = None) -> list[TrialResult]:
    """The results of all trials of a script, run in order."""
    results = []
    count = len(script.trials)
    for k, trial in enumerate(script.trials):
        part = None if progress is None else (lambda done, k=k: progress((k + done) / count))  # type: ignore[misc]
        results.append(run_trial(trial, script.character, part))
    return results
