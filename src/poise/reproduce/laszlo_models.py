"""Beyond the source: steps that need no samples, and walks that are disturbed [after Laszlo96 §6.1]."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.laszlo_runs import (
    GROUND,
    SETTINGS,
    TRIAL_STEPS,
    Progress,
    find_balancer,
    go_on,
    open_walk,
    walk,
)
from poise.reproduce.walker_runs import make_own_row, split_progress
from poise.trials import run_trials
from poise.world.disturbances import Push

#: Steps over which models are used again, and steps that are looked up after that.
LONG_STEPS, LOOKED_UP_STEPS = 400, 200
#: On MuJoCo's own ground, where a walk that samples nothing runs fastest.
FAST_S: Final = 0.0005
LEAST_FACTOR: Final = 30.0
MOST_SAMPLED: Final = 0.1
#: The walk that is disturbed.
STEADY: Final[Mapping[str, float | str]] = {"strategy": "FL", "target": 0.3}
PUSH_S, PUSH_STEPS = 0.1, 20
#: Pushes are tried in steps of this.
LADDER_N: Final = (20.0, 40.0, 60.0, 80.0, 100.0, 125.0, 150.0, 200.0, 250.0, 300.0)


def measure_reuse(steps: int) -> tuple[int, int, float]:
    """Steps done, of which sampled, and the largest error of what was foretold for the last ones."""
    world = open_walk({"strategy": "jacobian", "models": "reuse"}, ground=None, timestep_s=FAST_S)
    go_on(world, steps)
    balancer = find_balancer(world)
    late = balancer.steps[-50:]
    error = max(abs(a - b) for s in late for a, b in zip(s.reached, s.foretold, strict=True))
    return len(balancer.steps), sum(s.samples > 0 for s in balancer.steps), error


def measure_look_up(steps: int) -> tuple[int, int, float]:
    """Steps done with models that are looked up alone, samples taken, and how many times real time it runs."""
    world = open_walk({"strategy": "jacobian", "models": "look-up"}, ground=None, timestep_s=FAST_S)
    world.warm_up()
    began = time.perf_counter()
    go_on(world, steps)
    spent = time.perf_counter() - began
    made = find_balancer(world).steps
    return len(made), sum(s.samples for s in made), world.time_s / spent


def _model_rows(quick: bool) -> list[Row]:
    steps, looked_up = LONG_STEPS, 40 if quick else LOOKED_UP_STEPS
    rows = []
    if not quick:
        done, sampled, error = measure_reuse(steps)
        holds = done >= steps and sampled <= MOST_SAMPLED * done
        rows.append(
            make_own_row(
                "poise-limit-cycle-reuse",
                "Once enough steps are known, models of steps are used again and not sampled.",
                f"at most {MOST_SAMPLED:.0%} of the steps sampled, and the walk stays",
                f"{done} of {steps} steps, {sampled} of them sampled ({sampled / max(done, 1):.1%}); in the end "
                f"foretold within {error:.3f}",
                holds,
                note="" if holds else "It needs more samples, or falls.",
            )
        )
    walked, samples, factor = measure_look_up(looked_up)
    holds = walked >= looked_up and samples == 0 and (quick or factor >= LEAST_FACTOR)
    rows.append(
        make_own_row(
            "poise-limit-cycle-look-up",
            "With models that are looked up by the state, a walk needs no samples at all.",
            f"no sample; {LEAST_FACTOR:g} times real time on one core",
            f"{walked} of {looked_up} steps with {samples} samples, {factor:.0f} times real time",
            holds,
            note="" if holds else "The machine was not idle, or the store is too small.",
        )
    )
    return rows


def survive_push(direction_deg: float) -> float:
    """The largest push of the ladder that it walks on after, together with all smaller ones."""
    world = open_walk(STEADY)
    go_on(world, PUSH_STEPS)
    start, most = world.snapshot(), 0.0
    for force in LADDER_N:
        world.restore(start)
        world.push(Push(force, direction_deg, world.time_s + 0.1, PUSH_S))
        if not go_on(world, 2 * PUSH_STEPS):
            break
        most = force
    return most


def _disturbed_row(quick: bool, progress: Progress | None) -> Row:
    steps = 16 if quick else TRIAL_STEPS
    cases: dict[str, dict[str, Any]] = {
        "mass 0.9": {"scale": {"mass": 0.9}},
        "mass 1.1": {"scale": {"mass": 1.1}},
        "ground 0.7": {"ground": replace(GROUND, stiffness_npm=17500.0, damping_nspm=1050.0)},
        "ground 1.3": {"ground": replace(GROUND, stiffness_npm=32500.0, damping_nspm=1950.0)},
        "3 degrees up": {"ground": replace(GROUND, slope_rad=math.radians(3.0))},
        "3 degrees down": {"ground": replace(GROUND, slope_rad=math.radians(-3.0))},
    }
    found = run_trials([partial(walk, STEADY, steps, **case) for case in cases.values()], progress)
    sides = {"forward": 0.0, "back": 180.0, "left": 90.0, "right": 270.0}
    limits = [] if quick else run_trials([partial(survive_push, d) for d in sides.values()])
    pushed = ", ".join(f"{name} {n:g} N" for name, n in zip(sides, limits, strict=False))
    counts = ", ".join(f"{name}: {w.done}" for name, w in zip(cases, found, strict=True))
    fine = sum(w.done >= steps for w in found)
    return make_own_row(
        "poise-limit-cycle-disturbed",
        "How far bodies, ground and pushes may differ is known.",
        "limits measured",
        f"steps of {steps}: {counts}; {fine} of {len(cases)} walk on"
        + (f"; pushes of {PUSH_S:g} s: {pushed}" * bool(pushed)),
        True,
        note="F-L sampling at 0.3; a push counts if all smaller ones of the ladder are survived too.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """What we ask of ourselves."""
    parts = split_progress(progress, 2)
    return [*_model_rows(quick), _disturbed_row(quick, parts[1])]


EXPERIMENT = Experiment(
    "laszlo/models",
    "limit cycles: models that are used again or looked up, and disturbances",
    measure,
    {**SETTINGS, "look_up_timestep_s": FAST_S},
)
