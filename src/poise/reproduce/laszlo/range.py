"""Targets at which any limit cycle walks in any scene, by sampling strategy [Laszlo96 Fig. 4.3]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from poise.batches.threads import Progress, run_what_can
from poise.errors import InputError
from poise.reproduce.laszlo.runs import STRATEGIES, find_balancer, run_to_step
from poise.rollout.describe import describe
from poise.rollout.scene import Scene
from poise.trials.step_plots import Picture, RangePlot
from poise.trials.step_run import check_balanced, name_steps
from poise.world.controller import Controller

#: Default targets: from this much below the controller's own to as much above, and their spacing.
AROUND, APART = 0.2, 0.05
_TRIED: Final = ("strategy", "target")


def measure_range(
    scene: Scene,
    targets: Sequence[float] | None,
    most_steps: int,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Picture:
    """Picture of the steps done at each target with each sampling strategy; after Ctrl-C some are missing."""
    for name in _TRIED:
        if name in scene.values:
            raise InputError(f"plot range: {name} is varied by the plot itself. Leave out --set {name}.")
    world = scene.open()
    check_balanced(world)
    controller = world.controllers[0]
    grid = _choose_targets(controller) if targets is None else tuple(targets)
    for target in grid:
        controller.check_value("target", target)
    cases = [(strategy, target) for strategy in STRATEGIES for target in grid]
    counted, interrupted = run_what_can(
        [partial(_count, scene, *case, most_steps) for case in cases], progress, workers
    )
    found = dict(counted)
    steps = {strategy: tuple(found.get((strategy, target)) for target in grid) for strategy in STRATEGIES}
    return Picture(
        RangePlot(grid, most_steps, steps),
        controller.name,
        world.characters[0].name,
        f"{sum(done >= most_steps for done in found.values())} of {len(found)} trials do {name_steps(most_steps)}",
        describe(scene, world),
        interrupted=interrupted,
    )


def _choose_targets(controller: Controller) -> tuple[float, ...]:
    parameter, own = controller.parameter("target"), controller.value("target")
    count = round(AROUND / APART)
    around = [round(own + APART * k, 6) for k in range(-count, count + 1)]
    return tuple(target for target in around if parameter.low <= target <= parameter.high)


def _count(scene: Scene, strategy: str, target: float, most_steps: int) -> tuple[tuple[str, float], int]:
    """Case, and number of steps done."""
    world = replace(scene, values={**scene.values, "strategy": strategy, "target": target}).open()
    balancer = find_balancer(world)
    # Trials already run in parallel.
    balancer.workers = 1
    run_to_step(world, most_steps)
    return (strategy, target), len(balancer.steps)
