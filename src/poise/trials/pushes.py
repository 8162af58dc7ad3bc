"""Pushes against a gait: from every direction at every phase of a step, the largest survived, and trains of pushes.

All trials of a gait start from one snapshot at a foot strike. After Ctrl-C the completed trials are returned.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from poise.batches.threads import Progress, heartbeat, run_trials, run_what_can
from poise.errors import InputError, out_of_range
from poise.rollout.describe import describe
from poise.rollout.pool import lend_world
from poise.rollout.scene import LoadedScene, Scene
from poise.trials.outcomes import (
    PushLimit,
    PushLimits,
    PushMatrix,
    PushOutcome,
    PushTest,
    PushTrains,
    TrainOutcome,
)
from poise.trials.steady import Steady, find_steady, run_until_fall
from poise.world.world import Push, World

MAX_FORCE_N: Final = 1e5
#: Force at which the search for a limit gives up: no biped of human size survives a tenth of it.
MAX_LIMIT_N: Final = 20_000.0


def push_matrix(
    scene: Scene,
    forces_n: Sequence[float],
    test: PushTest | None = None,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PushMatrix:
    """Tests every force from every direction at every phase, each from the same steady gait."""
    test = test or PushTest()
    forces = check_forces(forces_n)
    loaded, steady, settings = prepare(scene, test)
    phases = test.phase_parts if steady.step_s is not None else (0.0,)
    plan = [(f, d, p) for f in forces for d in test.directions_deg for p in phases]

    def attempt(force_n: float, direction_deg: float, phase: float) -> PushOutcome:
        with lend_world(loaded) as world:
            fell = _try_phase(world, scene, steady, test, force_n, direction_deg, phase)
        return PushOutcome(force_n, direction_deg, phase, fell)

    outcomes, interrupted = run_what_can([partial(attempt, *case) for case in plan], progress, workers)
    settings = {"forces_n": forces, **settings}
    return PushMatrix(forces, test.directions_deg, phases, steady.step_s, tuple(outcomes), settings, interrupted)


def push_limits(
    scene: Scene,
    test: PushTest | None = None,
    *,
    guess_n: float = 400.0,
    tolerance_n: float = 10.0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PushLimits:
    """The largest force from each direction that is survived at all phases.

    The force doubles from `guess_n` until one phase fails; bisection then narrows the interval to `tolerance_n`. The
    search assumes that a gait that survives a force also survives smaller ones.
    """
    test = test or PushTest()
    (guess_n,) = check_forces([guess_n])
    if not 0.0 < tolerance_n <= 1000.0:
        raise out_of_range("push limits", "tolerance_n", tolerance_n, 0.001, 1000.0, "N")
    loaded, steady, settings = prepare(scene, test)
    phases = test.phase_parts if steady.step_s is not None else (0.0,)
    halvings = max(1, math.ceil(math.log2(max(2.0 * guess_n / tolerance_n, 2.0))))

    def search(direction_deg: float) -> PushLimit:
        order, tried = list(phases), 0

        def beat(_: float) -> None:
            heartbeat(min(tried / (halvings + 2), 0.99))

        def find_failure(force_n: float) -> float | None:
            """The first phase at which a force causes a fall, starting with the last that did."""
            nonlocal tried
            failed = None
            with lend_world(loaded) as world:
                for phase in order:
                    if _try_phase(world, scene, steady, test, force_n, direction_deg, phase, beat) is not None:
                        failed = phase
                        break
            tried += 1
            if failed is not None:
                order.remove(failed)
                order.insert(0, failed)
            return failed

        return _search_limit(find_failure, direction_deg, guess_n, tolerance_n)

    limits, interrupted = run_what_can([partial(search, d) for d in test.directions_deg], progress, workers)
    settings = {"guess_n": guess_n, "tolerance_n": tolerance_n, **settings}
    return PushLimits(tuple(limits), phases, steady.step_s, settings, interrupted)


def push_train(
    scene: Scene,
    forces_n: Sequence[float],
    test: PushTest | None = None,
    *,
    repeat: int = 10,
    every_s: float = 4.0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PushTrains:
    """Tests trains of `repeat` pushes from each direction, one every `every_s`, the first at a foot strike.

    Phases are not used.
    """
    test = test or PushTest()
    forces = check_forces(forces_n)
    if not 1 <= repeat <= 64:
        raise out_of_range("push train", "repeat", repeat, 1, 64)
    if not test.duration_s <= every_s <= 1000.0:
        raise out_of_range("push train", "every_s", every_s, test.duration_s, 1000.0, "s")
    loaded, steady, settings = prepare(scene, test)

    def attempt(force_n: float, direction_deg: float) -> TrainOutcome:
        with lend_world(loaded) as world:
            world.restore(steady.snapshot)
            begin = world.time_s
            for k in range(repeat):
                world.push(Push(force_n, direction_deg, begin + k * every_s, test.duration_s, test.segment))
            seconds = (repeat - 1) * every_s + test.duration_s + test.after_s
            fell_at = run_until_fall(world, scene, seconds)
        after = None if fell_at is None else fell_at - begin
        survived = repeat if after is None else min(repeat - 1, int(after / every_s))
        return TrainOutcome(force_n, direction_deg, survived, after)

    plan = [(f, d) for f in forces for d in test.directions_deg]
    outcomes, interrupted = run_what_can([partial(attempt, *case) for case in plan], progress, workers)
    settings = {"forces_n": forces, **settings, "repeat": repeat, "every_s": every_s}
    return PushTrains(repeat, every_s, tuple(outcomes), settings, interrupted)


def prepare(scene: Scene, test: PushTest) -> tuple[LoadedScene, Steady, dict[str, Any]]:
    """The loaded scene, its steady gait, and all settings as plain data."""
    loaded = scene.load()
    with lend_world(loaded) as world:
        character, controller = world.characters[0], world.controllers[0].name
        if test.segment and test.segment not in character.roles:
            world.body(test.segment)
        about = {"controller": controller, "character": character.name, **describe(scene, world)}
    # Run as a job, so that Ctrl-C ends it like any other.
    (steady,) = run_trials([partial(find_steady, loaded, test.settle_s)])
    return loaded, steady, {**asdict(test), "phases": test.phase_parts, "directions": test.directions_deg, **about}


def _try_phase(
    world: World,
    scene: Scene,
    steady: Steady,
    test: PushTest,
    force_n: float,
    direction_deg: float,
    phase: float,
    beat: Progress = heartbeat,
) -> float | None:
    """Time of the fall after the start of one push at a phase of the step, or None."""
    start_s = steady.strike_s + phase * (steady.step_s or 0.0)
    return try_push(world, scene, steady, test, force_n, direction_deg, start_s, beat)


def try_push(
    world: World,
    scene: Scene,
    steady: Steady,
    test: PushTest,
    force_n: float,
    direction_deg: float,
    start_s: float,
    beat: Progress = heartbeat,
) -> float | None:
    """Time of the fall after the start of one push at a time of the run, or None."""
    world.restore(steady.snapshot)
    world.push(Push(force_n, direction_deg, start_s, test.duration_s, test.segment))
    fell_at = run_until_fall(world, scene, start_s - world.time_s + test.duration_s + test.after_s, beat)
    return None if fell_at is None else fell_at - start_s


def _search_limit(
    find_failure: Callable[[float], float | None], direction_deg: float, guess_n: float, tolerance_n: float
) -> PushLimit:
    low, force = 0.0, guess_n
    high: float | None = None
    weakest: float | None = None
    while high is None or high - low > tolerance_n:
        failed = find_failure(force)
        if failed is None:
            low = force
        else:
            high, weakest = force, failed
        if high is None and low >= MAX_LIMIT_N:
            break
        force = min(2.0 * low, MAX_LIMIT_N) if high is None else 0.5 * (low + high)
    return PushLimit(direction_deg, low, high, weakest)


def check_forces(forces_n: Sequence[float]) -> tuple[float, ...]:
    if not forces_n:
        raise InputError("push test: at least one force is needed.")
    for force in forces_n:
        if not 0.0 < force <= MAX_FORCE_N:
            raise out_of_range("push test", "force_n", force, 0.001, MAX_FORCE_N, "N")
    return tuple(float(f) for f in forces_n)
