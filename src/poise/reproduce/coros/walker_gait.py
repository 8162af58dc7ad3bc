"""How well the walker follows commanded speeds, step times and step lengths [Coros10 §5.5.1]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller
from poise.controllers.walker import layout
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import (
    BODIES,
    PUSHED_MPS,
    SPEED_ERROR_MPS,
    STEP_S,
    TEXT,
    WALK,
    Progress,
    is_on_speed,
    make_own_row,
    make_scene,
    show_share,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.pictures import Plot, make_plot
from poise.trials import Gait, Sweep, run_trial, run_trials, sweep

#: Published ranges of speed and step time.
SLOWEST_MPS, FASTEST_MPS = -0.6, 1.7
SHORTEST_S, LONGEST_S = 0.2, 1.0
#: Controller parameters that the source publishes, by our names.
PUBLISHED = {"alpha_s": 0.05, "speed_gain_nspm": 100.0, "turn_rate_radps": 2.0, "reach": 0.6}
#: The search for the fastest walk stops here.
GIVE_UP_MPS = 3.0
#: Allowed relative error of a step time.
STEP_TIME_ERROR = 0.15
#: Allowed distance of a step length from speed × step time.
STEP_LENGTH_ERROR_M = 0.06
SETTINGS = {
    "speeds_mps": [SLOWEST_MPS, FASTEST_MPS],
    "speed_s": 30.0,
    "period_s": 60.0,
    "timestep_s": STEP_S,
}


def count_freedoms() -> Row:
    """Degrees of freedom and mass of the humanoid."""
    body = load_character("humanoid")
    dofs = len(body.axes) + body.root_dofs
    return make_row(
        "coros-5-model-humanoid",
        f"{dofs} degrees of freedom including the root's {body.root_dofs}; {body.mass_kg:.1f} kg",
        dofs == 37 and abs(body.mass_kg - 70.4) < 0.05,
    )


def list_deviations() -> Row:
    """Parameters of the walker that differ from the source's; the claim itself is that all motions share one set."""
    body = load_character("humanoid")
    walker, text = load_controller(WALK, body), load_controller(TEXT, body)
    same = [n for n, v in PUBLISHED.items() if math.isclose(walker.value(n), v)]
    other = [f"{n} {walker.value(n):g} instead of {v:g}" for n, v in PUBLISHED.items() if n not in same]
    if walker.value("predict_placement") > 0.0:
        other.append("predictive foot placement, where alpha follows from the step time")
    gains = walker.params.view(layout.PARAMS)[0].gain
    damping = gains[:, 1] / (2.0 * np.sqrt(gains[:, 0]))
    as_printed = all(math.isclose(text.value(n), v) for n, v in PUBLISHED.items())
    world = make_scene(False).open()
    return make_row(
        "coros-5-params",
        f"one set for all bodies, styles and speeds; as published: {', '.join(same)}, friction "
        f"{world.terrain.friction:g}, time step {world.settings.timestep_s:g} s; other: {'; '.join(other) or 'none'}; "
        f"joint k_d {damping.min():.1f} to {damping.max():.1f} times 2·√k_p",
        True,
        note=f"PD gains are not published. `{TEXT}` uses {'all' if as_printed else 'some'} of the published values.",
    )


def walk_speeds(quick: bool, seed: int, progress: Progress | None) -> tuple[Sweep, float, float]:
    """Sweep over the published speeds, and the fastest walks without a fall, forward and backward."""
    tenths = (-6, -3, 0, 6, 12, 17) if quick else tuple(range(-6, 18))
    seconds = 24.0 if quick else 30.0
    report = sweep(
        make_scene(quick, {"stand": 0.0}, seed=seed), "speed_mps", [k / 10.0 for k in tenths], seconds=seconds,
        settle_s=seconds / 3.0, progress=progress,
    )  # fmt: skip
    ends = []
    for sign in (1, -1):
        reached = max((sign * r.value for r in report.rows if not r.gait.fell), default=0.0)
        first = round(10.0 * reached) + 1
        complete = all(not r.gait.fell for r in report.rows if 0.0 <= sign * r.value <= reached)
        if complete and not quick:
            for k in range(first, round(10.0 * GIVE_UP_MPS) + 1):
                scene = make_scene(quick, {"speed_mps": sign * k / 10.0}, seed=seed)
                if run_trial(scene, seconds, record_hz=0.0).fell:
                    break
                reached = k / 10.0
        ends.append(sign * reached)
    return report, ends[0], ends[1]


def _speed_rows(quick: bool, seed: int, progress: Progress | None) -> list[Row]:
    halves = split_progress(progress, 2)
    report, forward, backward = walk_speeds(quick, seed, halves[0])
    met = [is_on_speed(r.gait, r.value) for r in report.rows]
    others = BODIES[1:2] if quick else BODIES[1:]
    speeds = (SLOWEST_MPS, FASTEST_MPS) if quick else (SLOWEST_MPS, -0.3, 0.0, 0.3, 0.6, 1.0, 1.4, FASTEST_MPS)
    plan = [(body, v) for body in others for v in speeds]
    seconds = 12.0 if quick else 30.0
    gaits = run_trials(
        [partial(run_trial, make_scene(quick, {"speed_mps": v}, character=body, seed=seed), seconds, settle_s=5.0)
         for body, v in plan],
        halves[1],
    )  # fmt: skip
    walked = {body: [v for (b, v), g in zip(plan, gaits, strict=True) if b == body and not g.fell] for body in others}
    reached = "; ".join(f"{b} {min(v):g} to {max(v):g} ({len(v)} of {len(speeds)})" if v else f"{b} none"
                        for b, v in walked.items())  # fmt: skip
    worst = report.worst_error
    backs = [r for r in report.rows if r.value < 0.0]
    back_error = max((abs(r.error) for r in backs if r.error is not None and not r.gait.fell), default=math.nan)
    back_met = all(is_on_speed(r.gait, r.value) for r in backs)
    fell = ", ".join(f"{r.value:g}" for r in report.rows if r.gait.fell) or "none"
    all_walk = all(len(v) == len(speeds) for v in walked.values())
    holds = all(met) and all_walk
    return [
        make_row(
            "coros-5-speed",
            f"humanoid: {len(met)} speeds from {SLOWEST_MPS:g} to {FASTEST_MPS:g} m/s, falls at: {fell}, worst error "
            f"{math.nan if worst is None else worst:.2f} m/s, no fall from {backward:g} to {forward:g} m/s; others "
            f"without a fall: {reached}",
            holds,
            exceeded=holds and forward > FASTEST_MPS and backward < SLOWEST_MPS,
            note="" if holds else _why_speed(all(met), all_walk),
            plot=make_plot(report),
        ),
        make_row(
            "coros-5-backward",
            f"{sum(r.gait.fell for r in backs)} falls at {len(backs)} speeds down to {SLOWEST_MPS:g} m/s, worst error "
            f"{back_error:.2f} m/s",
            back_met,
            note="" if back_met else f"An error of {SPEED_ERROR_MPS:g} m/s is allowed.",
        ),
    ]


def _why_speed(humanoid: bool, others: bool) -> str:
    parts = [] if humanoid else [f"The humanoid falls, or its speed is off by more than {SPEED_ERROR_MPS:g} m/s."]
    return " ".join([*parts, *([] if others else ["Not every other body walks at every speed."])])


def _period_rows(quick: bool, seed: int, progress: Progress | None) -> list[Row]:
    halves = split_progress(progress, 2)
    seconds, long_s = 60.0, 6.0 if quick else 30.0
    times = (0.2, 0.6, 1.0) if quick else tuple(k / 10.0 for k in range(2, 11))
    # The quick form uses the time step of reported results as well: a one-second step needs it.
    scene = make_scene(False, {"speed_mps": PUSHED_MPS}, seed=seed)
    report = sweep(scene, "step_time_s", times, seconds=seconds, settle_s=seconds / 3.0, progress=halves[0])
    met = [not r.gait.fell and r.error is not None and abs(r.error) <= STEP_TIME_ERROR * r.value for r in report.rows]
    # "Medium to large steps": the speed at which a one-second step is 0.6 m long, and a faster one.
    slow = (1.2, 1.5) if quick else (1.1, 1.2, 1.3, 1.4, 1.5)
    long = {v: sweep(make_scene(quick, {"speed_mps": v}, seed=seed), "step_time_s", slow, seconds=long_s,
                     settle_s=long_s / 3.0, progress=halves[1])
            for v in (PUSHED_MPS, 1.0)}  # fmt: skip
    trouble = {v: [r.label for r in s.rows if not is_on_speed(r.gait, v)] for v, s in long.items()}
    falls = [r.label for r in report.rows if r.gait.fell]
    holds = all(met)
    return [
        make_row(
            "coros-5-period",
            f"{sum(met)} of {len(met)} step times from {SHORTEST_S:g} to {LONGEST_S:g} s at {PUSHED_MPS:g} m/s for "
            f"{seconds:g} s, falls at: {', '.join(falls) or 'none'}",
            holds,
            note="" if holds else f"An error of {100 * STEP_TIME_ERROR:g} % is allowed.",
            plot=make_plot(report),
        ),
        make_row(
            "coros-5-period-long",
            "; ".join(
                f"at {v:g} m/s, walks fall at {sum(r.gait.fell for r in s.rows)} of {len(s.rows)} step times from "
                f"{slow[0]:g} to {slow[-1]:g} s, and fall or miss their speed at {len(trouble[v])}"
                for v, s in long.items()
            ),
            True,
            exceeded=not any(trouble.values()),
            note="A limit: only reported, and exceeded if the walk keeps its speed at every step time.",
        ),
    ]


def _length_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    speeds = (0.4, 1.0) if quick else (0.3, 0.6, 0.9, 1.2)
    times = (0.4, 0.6) if quick else (0.35, 0.45, 0.55, 0.65)
    grid = [(v, t) for v in speeds for t in times]
    gaits = run_trials(
        [partial(run_trial, make_scene(quick, {"speed_mps": v, "step_time_s": t}, seed=seed), 15.0, settle_s=5.0)
         for v, t in grid],
        progress,
    )  # fmt: skip
    errors = [math.inf if g.fell or g.mean_step_length_m is None else abs(g.mean_step_length_m - v * t)
              for (v, t), g in zip(grid, gaits, strict=True)]  # fmt: skip
    mean = float(np.mean([e for e in errors if math.isfinite(e)] or [math.nan]))
    holds = max(errors) <= STEP_LENGTH_ERROR_M
    return make_row(
        "coros-5-step-length",
        f"{len(grid)} pairs of speed and step time: {sum(g.fell for g in gaits)} falls, mean error {100 * mean:.1f} "
        f"cm, worst {100 * max(e for e in [*errors, 0.0] if math.isfinite(e)):.1f} cm",
        holds,
        note="" if holds else f"An error of {100 * STEP_LENGTH_ERROR_M:g} cm is allowed for every pair.",
        plot=Plot(
            "line", list(times),
            {f"{v:g} m/s": [g.mean_step_length_m for (w, _), g in zip(grid, gaits, strict=True) if w == v]
             for v in speeds},
            x_label="step time (s)", y_label="step length (m)", title="step length by time and speed",
        ),
    )  # fmt: skip


def _friction_row(quick: bool, seed: int, progress: Progress | None) -> Row:
    seconds, speeds = (12.0, (0.6,)) if quick else (30.0, (-0.4, 0.6, 1.0))
    gaits: list[Gait] = run_trials(
        [partial(run_trial, make_scene(quick, {"speed_mps": v}, friction=0.4, seed=seed), seconds, settle_s=5.0)
         for v in speeds],
        progress,
    )  # fmt: skip
    shown = ", ".join(
        f"{v:g} m/s: {'falls' if g.fell else f'{g.speed_mps:.2f}'}" for v, g in zip(speeds, gaits, strict=True)
    )
    good = [is_on_speed(g, v, 0.15) for v, g in zip(speeds, gaits, strict=True)]
    return make_own_row(
        "poise-walker-friction",
        "It walks with half the usual friction.",
        "friction 0.4: no falls, speed within 0.15 m/s",
        f"{show_share(sum(good), len(good))}; {shown}",
        all(good),
        note="" if all(good) else "See the measured figures.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about commanded walks."""
    parts = split_progress(progress, 4)
    return [
        count_freedoms(),
        list_deviations(),
        *_speed_rows(quick, seed, parts[0]),
        *_period_rows(quick, seed, parts[1]),
        _length_row(quick, seed, parts[2]),
        _friction_row(quick, seed, parts[3]),
    ]


EXPERIMENT = Experiment(
    "walker-gait",
    "the walker follows commanded speeds, step times and step lengths",
    measure,
    SETTINGS,
    (
        "coros-5-model-humanoid",
        "coros-5-params",
        "coros-5-speed",
        "coros-5-backward",
        "coros-5-period",
        "coros-5-period-long",
        "coros-5-step-length",
    ),
)
