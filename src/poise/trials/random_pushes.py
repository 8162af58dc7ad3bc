"""Random pushes against a gait: uniform directions, and uniform moments of a stride.

A grid of directions and phases repeats a few cases; a law that was tuned on them may do worse between them. Draws are
made from the scene's seed alone: forces, laws and settings are compared on the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from poise.batches.threads import Progress, run_what_can
from poise.errors import out_of_range
from poise.rollout.pool import lend_world
from poise.rollout.scene import Scene
from poise.trials.outcomes import PushTest, RandomPush, RandomPushes
from poise.trials.pushes import check_forces, prepare, try_push
from poise.trials.steady import Steady

MAX_DRAWS: Final = 100_000
#: Digits of directions (degrees) and moments (seconds): few enough to type them in again.
DIRECTION_DIGITS, MOMENT_DIGITS = 1, 4


def push_at_random(
    scene: Scene,
    forces_n: Sequence[float],
    count: int,
    test: PushTest | None = None,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RandomPushes:
    """Test every force at the same `count` random directions and moments of a stride, all from the same steady gait.

    The directions and phases of `test` are not used. A planar body is pushed forward or backward.
    """
    test = test or PushTest()
    forces = check_forces(forces_n)
    if not 1 <= count <= MAX_DRAWS:
        raise out_of_range("random pushes", "count", count, 1, MAX_DRAWS)
    loaded, steady, settings = prepare(scene, test)
    planar = scene.load_character().root == "planar"
    draws = draw_pushes(steady, count, scene.seed, planar=planar)

    def attempt(force_n: float, direction_deg: float, start_s: float) -> RandomPush:
        with lend_world(loaded) as world:
            fell = try_push(world, scene, steady, test, force_n, direction_deg, start_s)
        phase, foot = _find_phase(steady, start_s)
        return RandomPush(force_n, direction_deg, start_s, phase, foot, fell)

    jobs = [partial(attempt, force, *draw) for force in forces for draw in draws]
    outcomes, interrupted = run_what_can(jobs, progress, workers)
    kept = {key: value for key, value in settings.items() if key not in ("directions", "phases")}
    settings = {"forces_n": forces, "count": count, **kept}
    return RandomPushes(forces, count, _step_times(steady), tuple(outcomes), settings, interrupted)


def draw_pushes(steady: Steady, count: int, seed: int, *, planar: bool = False) -> list[tuple[float, float]]:
    """Direction in degrees and start of each push; the first draws of a longer list are those of a shorter one."""
    random, stride_s = np.random.default_rng(seed), sum(_step_times(steady))
    draws = []
    for _ in range(count):
        around, moment = random.uniform(size=2)
        direction_deg = 180.0 * int(2.0 * around) if planar else round(360.0 * around, DIRECTION_DIGITS) % 360.0
        start_s = round(steady.strike_s + moment * stride_s, MOMENT_DIGITS)
        # Rounded down, the first moment would be before the snapshot.
        draws.append((direction_deg, max(start_s, steady.strike_s)))
    return draws


def _step_times(steady: Steady) -> tuple[float, ...]:
    """Durations of the steps of a stride; none when standing."""
    return tuple(t for t in (steady.step_s, steady.next_step_s) if t is not None)


def _find_phase(steady: Steady, start_s: float) -> tuple[float, str]:
    """Phase of the step at a moment of the stride, and the foot that began the step."""
    if steady.step_s is None or steady.next_step_s is None:
        return 0.0, ""
    elapsed_s = start_s - steady.strike_s
    if elapsed_s < steady.step_s:
        return elapsed_s / steady.step_s, steady.foot
    # A rounded moment may lie just after the stride.
    return min((elapsed_s - steady.step_s) / steady.next_step_s, 1.0), steady.next_foot
