"""Centre of mass relative to the stance foot as the regulated variable: no walk, but models that extrapolate far.

[Laszlo96 §4.3, Table 4.1]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.laszlo.runs import STRATEGIES, TRIAL_STEPS, Progress, Values, Walk, show_grid, walk
from poise.reproduce.laszlo.samples import Start
from poise.trials import run_trials

STANCE: Final[Values] = {"forward_by": "stance", "side_by": "stance"}
#: Table 4.1: forward target, and value reached.
TABLE: Final = (
    (0.10, (0.072, 0.007)),
    (0.15, (0.154, 0.030)),
    (0.20, (0.208, -0.001)),
    (0.25, (0.254, -0.015)),
    (0.30, (0.335, -0.003)),
)
#: Largest error of either component with which a first step is near its target.
NEAR: Final = 0.04
SAMPLE_DEG, TIMES = 5.0, 13.0
STANCE_CLAIMS: Final = (
    "laszlo-4-stance-fail",
    *(f"laszlo-4-t41-q{round(100 * target)}" for target, _ in TABLE),
    "laszlo-4-extrapolate",
)


def measure_stance(quick: bool, progress: Progress | None = None) -> list[Row]:
    """Measure that it does not walk, Table 4.1, and how far its models extrapolate."""
    targets = [target for target, _ in TABLE]
    plan = [(s, t) for s in (("FL", "SP") if quick else STRATEGIES) for t in targets]
    alone_deg = (45.0, 70.0) if quick else tuple(SAMPLE_DEG * k for k in range(-6, 18) if k)
    further = () if quick else tuple(round(0.32 + 0.02 * k, 2) for k in range(8))
    jobs: list[Callable[[], Any]] = [
        *(partial(walk, {**STANCE, "strategy": s, "target": t}, TRIAL_STEPS) for s, t in plan),
        *(partial(walk, {**STANCE, "strategy": "FL", "target": t}, 1) for t in further),
        partial(extrapolate, alone_deg),
    ]
    *walks, reached = run_trials(jobs, progress)
    trials, more = walks[: len(plan)], walks[len(plan) :]
    tabled = trials[: len(TABLE)]
    return [
        _fail_row(plan, trials),
        *(_table_row(entry, made) for entry, made in zip(TABLE, tabled, strict=True)),
        _reach_row(reached, [*zip(targets, tabled, strict=True), *zip(further, more, strict=True)]),
    ]


def extrapolate(scalings_deg: Sequence[float]) -> dict[float, tuple[float, float]]:
    """Forward value that the first step reaches with each scaling of hip pitch alone, and its model's prediction."""
    start = Start(1)
    plus, minus = (start.walk("pitch", k)["stance"][0] for k in (SAMPLE_DEG, -SAMPLE_DEG))
    slope, nominal = 0.5 * (plus - minus) / SAMPLE_DEG, 0.5 * (plus + minus)
    return {k: (start.walk("pitch", k)["stance"][0], nominal + slope * k) for k in scalings_deg}


def _fail_row(plan: Sequence[tuple[str, float]], trials: Sequence[Walk]) -> Row:
    second, most = sum(w.done == 1 for w in trials), max(w.done for w in trials)
    holds = all(w.fell for w in trials) and second > len(trials) // 2
    shown = "; ".join(
        f"{s} {show_grid(targets, [w for (of, _), w in zip(plan, trials, strict=True) if of == s])}"
        for s, targets in _by_strategy(plan).items()
    )
    return make_row(
        "laszlo-4-stance-fail",
        f"{second} of {len(trials)} trials fall during the second step, none lasts more than {most}; "
        f"steps by target: {shown}",
        holds,
        note="" if holds else "Required: every trial falls, and more than half of them in the second step.",
    )


def _by_strategy(plan: Sequence[tuple[str, float]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for strategy, target in plan:
        found.setdefault(strategy, []).append(target)
    return found


def _errors(target: float, reached: Sequence[float]) -> tuple[float, float]:
    """Errors of both components; the lateral target is 0."""
    return abs(reached[0] - target), abs(reached[1])


def _table_row(entry: tuple[float, tuple[float, float]], made: Walk) -> Row:
    target, theirs = entry
    claim = f"laszlo-4-t41-q{round(100 * target)}"
    if not made.steps:
        return make_row(claim, "it falls in the first step", False, note="It does not complete the step.")
    first = made.steps[0]
    errors = _errors(target, first.reached)
    holds = max(errors) <= NEAR
    return make_row(
        claim,
        f"K* {first.scaling[0]:+.2f}, {first.scaling[1]:+.2f}; Q* {first.reached[0]:.3f}, {first.reached[1]:+.3f}; "
        f"errors {errors[0]:.3f}, {errors[1]:.3f}",
        holds,
        exceeded=holds and max(errors) < max(_errors(target, theirs)),
        note=f"Near is an error of at most {NEAR:g}. The scalings differ from the source's: a degree of hip pitch does "
        "about twice as much here.",
    )


def _reach_row(alone: dict[float, tuple[float, float]], sampled: Sequence[tuple[float, Walk]]) -> Row:
    """Extrapolation by hip pitch alone, and with the hip roll that the source's sampling adds."""
    misses = {k: abs(reached - predicted) for k, (reached, predicted) in alone.items()}
    ahead, back = (_stays([(k, m) for k, m in misses.items() if k * side > 0.0]) for side in (1.0, -1.0))
    times = ahead / SAMPLE_DEG
    text = f"hip pitch alone: the forward error stays within {NEAR:g} up to {ahead:g}°, {times:.3g} times the samples"
    if back:
        text += f", and down to {-back:g}°"
    scaled = [(w.steps[0].scaling[0], abs(w.steps[0].reached[0] - t)) if w.steps else (math.inf, math.inf)
              for t, w in sampled]  # fmt: skip
    along = _stays([(k, m) for k, m in scaled if k > 0.0]) / SAMPLE_DEG
    good = max((k for k, m in scaled if m <= NEAR), default=0.0) / SAMPLE_DEG
    return make_row(
        "laszlo-4-extrapolate",
        f"{text}; with F-L's hip roll added: up to {along:.3g} times, and again at {good:.3g} times"
        if good > along
        else f"{text}; with F-L's hip roll added: up to {along:.3g} times",
        times >= TIMES,
        exceeded=times >= TIMES + 1.0,
        note="The source's figure is for hip pitch, which is what counts here. In between, large scalings of hip roll "
        "spoil single steps of F-L."
        if times >= TIMES
        else f"Beyond that, the error exceeds {NEAR:g}.",
    )


def _stays(found: Sequence[tuple[float, float]]) -> float:
    """Size of the last scaling before the first whose error is too large."""
    last = 0.0
    for scaling, error in sorted(found, key=lambda pair: abs(pair[0])):
        if error > NEAR:
            break
        last = abs(scaling)
    return last
