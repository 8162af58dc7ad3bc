"""Beyond the source: steps without samples, disturbances, terrain, and gaits found from scratch [Laszlo96 §6.1]."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from poise.reproduce.coros.walker_runs import make_own_row, split_progress
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.laszlo.runs import (
    GROUND,
    SETTINGS,
    TRIAL_STEPS,
    Progress,
    Walk,
    find_balancer,
    open_walk,
    run_to_step,
    walk,
)
from poise.reproduce.laszlo.watch import share_in_flight, watch
from poise.trials import run_trials
from poise.world.disturbances import Push

#: Number of steps of the walk that reuses models, and of the walk that looks them up.
LONG_STEPS, LOOKED_UP_STEPS = 400, 200
#: Time step on MuJoCo's own ground, where a walk without samples runs fastest.
FAST_S: Final = 0.0005
LEAST_FACTOR: Final = 30.0
MOST_SAMPLED: Final = 0.1
#: Settings of the walk that is disturbed.
STEADY: Final[Mapping[str, float | str]] = {"strategy": "FL", "target": 0.3}
PUSH_S, PUSH_STEPS = 0.1, 20
#: On uneven ground each model is tried before use, and rebuilt if its error exceeds this.
TOLERANCE: Final[Mapping[str, float]] = {"tolerance": 0.05, "tolerance_side": 0.05}
#: Terrains that start 2 m ahead and are longer than the walk.
BUMPS_M: Final = (0.005, 0.01, 0.015)
TERRAINS: Final[Mapping[str, str]] = {
    **{f"ramp of {a:g}°": f"slope:angle_deg={a:g},start_m=2,length_m=40" for a in (3.0, -3.0, 5.0, -5.0)},
    **{
        f"stairs of {100 * r:g} cm": f"steps:rise_m={r:g},run_m=1,count=30,start_m=2"
        for r in (0.02, -0.02, 0.05, -0.05)
    },
    **{
        f"bumps of {100 * a:g} cm ({seed})": f"rough:amplitude_m={a:g},start_m=2,length_m=40,seed={seed}"
        for a in BUMPS_M
        for seed in (1, 2, 3)
    },
}
QUICK_TERRAINS: Final = 2
#: Found by `poise tune gait`.
GAITS: Final[Mapping[str, str]] = {
    "walk": "limit-cycle/human12-found",
    "hop": "limit-cycle/human12-hop",
    "skip": "limit-cycle/human12-skip",
}
#: Push forces to try, in this order.
LADDER_N: Final = (20.0, 40.0, 60.0, 80.0, 100.0, 125.0, 150.0, 200.0, 250.0, 300.0)


def measure_reuse(steps: int) -> tuple[int, int, float]:
    """Number of steps and of sampled steps, and the largest prediction error of the last ones."""
    world = open_walk({"strategy": "jacobian", "models": "reuse"}, ground=None, timestep_s=FAST_S)
    run_to_step(world, steps)
    balancer = find_balancer(world)
    late = balancer.steps[-50:]
    error = max(abs(a - b) for s in late for a, b in zip(s.reached, s.predicted, strict=True))
    return len(balancer.steps), sum(s.samples > 0 for s in balancer.steps), error


def measure_look_up(steps: int) -> tuple[int, int, float]:
    """Number of steps with looked-up models only, number of samples, and the real-time factor."""
    world = open_walk({"strategy": "jacobian", "models": "look-up"}, ground=None, timestep_s=FAST_S)
    world.warm_up()
    began = time.perf_counter()
    run_to_step(world, steps)
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
                "Once enough steps are known, step models are reused instead of sampled.",
                f"at most {MOST_SAMPLED:.0%} of the steps sampled, and no fall",
                f"{done} of {steps} steps, {sampled} of them sampled ({sampled / max(done, 1):.1%}); last steps "
                f"predicted within {error:.3f}",
                holds,
                note="" if holds else "It needs more samples, or falls.",
            )
        )
    walked, samples, factor = measure_look_up(looked_up)
    holds = walked >= looked_up and samples == 0 and (quick or factor >= LEAST_FACTOR)
    rows.append(
        make_own_row(
            "poise-limit-cycle-look-up",
            "With models looked up by state, a walk needs no samples at all.",
            f"no sample; {LEAST_FACTOR:g} times real time on one core",
            f"{walked} of {looked_up} steps with {samples} samples, {factor:.0f} times real time",
            holds,
            note="" if holds else "The machine was not idle, or the store is too small.",
        )
    )
    return rows


def survive_push(direction_deg: float) -> float:
    """Largest push of the ladder that it survives along with all smaller ones."""
    world = open_walk(STEADY)
    run_to_step(world, PUSH_STEPS)
    start, most = world.snapshot(), 0.0
    for force in LADDER_N:
        world.restore(start)
        world.push(Push(force, direction_deg, world.time_s + 0.1, PUSH_S))
        if not run_to_step(world, 2 * PUSH_STEPS):
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
        "The tolerated changes of mass and ground and the tolerated pushes are measured.",
        "limits measured",
        f"steps out of {steps}: {counts}; {fine} of {len(cases)} complete"
        + (f"; pushes of {PUSH_S:g} s: {pushed}" * bool(pushed)),
        True,
        note="F-L sampling at 0.3; a push counts only if all smaller ones of the ladder are survived too.",
    )


def _terrain_row(quick: bool, progress: Progress | None) -> Row:
    """Ramps, stairs and bumps; the samples of a step see the ground ahead."""
    steps = 16 if quick else TRIAL_STEPS
    terrains = dict(list(TERRAINS.items())[: QUICK_TERRAINS if quick else None])
    values = {**STEADY, **TOLERANCE}
    jobs = [partial(walk, values, steps, ground=None, timestep_s=FAST_S, terrain=t) for t in terrains.values()]
    found = run_trials(jobs, progress)
    counts = ", ".join(f"{name}: {w.done}" for name, w in zip(terrains, found, strict=True))
    return make_own_row(
        "poise-limit-cycle-terrain",
        "The human walks over uneven ground.",
        "limits measured",
        f"steps out of {steps}: {counts}; {sum(w.done >= steps for w in found)} of {len(terrains)} complete",
        True,
        note=f"F-L sampling at {STEADY['target']:g}, tolerance {TOLERANCE['tolerance']:g}, on MuJoCo's ground; "
        "negative is down, and bumps use three seeds.",
    )


def walk_found(gait: str, steps: int) -> tuple[Walk, float]:
    """A gait found by search, and the fraction of time in flight."""
    world = open_walk(controller=gait, ground=None, timestep_s=FAST_S)
    upright, looks = watch(world, steps)
    return Walk(tuple(find_balancer(world).steps), not upright, world.time_s), share_in_flight(looks)


def _gaits_row(quick: bool, progress: Progress | None) -> Row:
    """Gaits without hand-designed poses."""
    steps = 12 if quick else TRIAL_STEPS
    found = run_trials([partial(walk_found, gait, steps) for gait in GAITS.values()], progress)
    shown = ", ".join(
        f"{name} {made.done} steps at {made.lengths_m.sum() / made.seconds:.2f} m/s, {flight:.0%} of the time in flight"
        for name, (made, flight) in zip(GAITS, found, strict=True)
    )
    holds = all(made.done >= steps for made, _ in found)
    return make_own_row(
        "poise-limit-cycle-gaits",
        "Search finds a walk, a hop and a skip without any hand-designed pose.",
        f"{steps} steps each",
        shown,
        holds,
        note="" if holds else "Not all of them get that far.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure our own requirements."""
    parts = split_progress(progress, 3)
    return [
        *_model_rows(quick),
        _disturbed_row(quick, parts[0]),
        _terrain_row(quick, parts[1]),
        _gaits_row(quick, parts[2]),
    ]


EXPERIMENT = Experiment(
    "laszlo/models",
    "limit cycles: no samples, disturbances, terrain, and gaits found from scratch",
    measure,
    {**SETTINGS, "look_up_timestep_s": FAST_S, "terrains": dict(TERRAINS)},
)
