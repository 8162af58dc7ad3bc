"""Searches for a single task: compared with all tasks together [Ha15 §7.4.3], and for top speed [Ha15 §7.4.4]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from poise.batches.threads import heartbeat, run_trials
from poise.optim.skill_function import SkillFunction
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.ha.skills_motions import FloatArray, Motion, try_out
from poise.reproduce.ha.skills_races import RACE_MOTIONS, judge, judge_skill, search_alone, search_together
from poise.reproduce.pictures import Plot

Progress = Callable[[float], None]
#: Numbers of tasks learned alone, evaluations for each, the cost at which a search ends (as in the author's program),
#: number of searches for all tasks together, of which the median counts, and number of tasks for the comparison.
FEW_ALONE, MANY_ALONE, ALONE_BUDGET, ENOUGH, TOGETHER_SEEDS, FINE = 6, 51, 48, 0.001, 3, 101
#: Bounds of the walk for the real robot, and number of searches for its top speed.
TIGHT_RAD, TIGHT_SWING_S, TOP_SEEDS = 0.4, 0.1, 2


def _learn_alone(motion: Motion, count: int, progress: Progress | None) -> tuple[FloatArray, int]:
    """Points for evenly spaced tasks, each learned alone, and the total number of evaluations."""
    tasks = enumerate(np.linspace(0.0, 1.0, count))
    jobs = [partial(search_alone, motion, k, float(w), budget=ALONE_BUDGET, enough=ENOUGH) for k, w in tasks]
    found = run_trials(jobs, progress)
    return np.array([point for point, _ in found]), sum(spent for _, spent in found)


def _learn_together(motion: Motion, budget: int) -> tuple[SkillFunction, int]:
    """The median of a few searches for all tasks, and its evaluations."""
    jobs = [
        partial(search_together, motion, seed, tasks=FEW_ALONE, degree=3, budget=budget)
        for seed in range(TOGETHER_SEEDS)
    ]
    middle = sorted(run_trials(jobs), key=lambda c: c.costs[-1])[TOGETHER_SEEDS // 2]
    return middle.skill, middle.evaluations[-1]


def _judge_interpolated(motion: Motion, points: FloatArray, tasks: FloatArray) -> FloatArray:
    """Costs of tasks with parameters interpolated between those that were learned alone."""
    at = np.linspace(0.0, 1.0, len(points))
    between = np.stack([np.interp(tasks, at, column) for column in points.T], axis=1)
    return np.diagonal(judge(motion, motion.make_space(), between, tasks)).copy()


def make_alone_row(progress: Progress | None) -> Row:
    motion, fine = RACE_MOTIONS["jump"], np.linspace(0.0, 1.0, FINE)
    few, few_spent = _learn_alone(motion, FEW_ALONE, None)
    many, many_spent = _learn_alone(motion, MANY_ALONE, progress)
    skill, spent = _learn_together(motion, many_spent)
    together = judge_skill(motion, motion.make_space(), skill, fine[:, np.newaxis])
    costs = {
        f"{FEW_ALONE} together": together,
        f"{FEW_ALONE} alone": _judge_interpolated(motion, few, fine),
        f"{MANY_ALONE} alone": _judge_interpolated(motion, many, fine),
    }
    means = {label: float(np.mean(values)) for label, values in costs.items()}
    ours, low, high = means.values()
    holds = ours <= 1.2 * high and ours < low
    return make_row(
        "ha-7-individual",
        f"mean cost over {FINE} tasks: " + ", ".join(f"{label} {mean:.2g}" for label, mean in means.items())
        + f"; evaluations {spent}, {few_spent} and {many_spent}; together: the median of {TOGETHER_SEEDS} searches",
        holds,
        note="" if holds else f"No better than {FEW_ALONE} alone." if ours >= low
        else f"Better than {FEW_ALONE} alone, but more than 1.2 times the cost of {MANY_ALONE} alone.",
        plot=Plot(
            "line",
            [float(f"{w:.2f}") for w in fine],
            {label: [float(f"{c:.4g}") for c in values] for label, values in costs.items()},
            x_label="task",
            y_label="cost",
            title="vertical jump, learned together and alone",
        ),
    )  # fmt: skip


def _tighten(motion: Motion) -> Motion:
    """The walk with the narrower bounds that the author's program has for the real robot."""
    bounds = {p.name: (-TIGHT_RAD, TIGHT_RAD) for p in motion.load_plain().parameters if p.name.endswith("_rad")}
    return replace(motion, bounds={**bounds, "swing_s": (0.0, TIGHT_SWING_S)})


def find_top_speed(motion: Motion, seed: int) -> float:
    """Speed (m/s) of a walk searched for a speed beyond the range, at the thesis's time step; 0 if it falls."""
    point, _ = search_alone(motion, seed, 2.0, budget=2 * ALONE_BUDGET)
    outcome = try_out(motion, motion.make_space().decode(point), timestep_s=0.0005)
    heartbeat()
    return 0.0 if outcome.fell else outcome.reached


def make_hardware_row(progress: Progress | None) -> Row:
    whole = RACE_MOTIONS["walk"]
    jobs = [partial(find_top_speed, motion, seed) for motion in (whole, _tighten(whole)) for seed in range(TOP_SEEDS)]
    speeds = 100.0 * np.array(run_trials(jobs, progress)).reshape(2, TOP_SEEDS).max(axis=1)
    holds = bool(speeds[1] <= 0.9 * speeds[0] and speeds[1] >= 10.0)
    return make_row(
        "ha-7-hardware",
        f"fastest walk found: {speeds[0]:.1f} cm/s with angles within 1.2 rad, {speeds[1]:.1f} cm/s within "
        f"{TIGHT_RAD:g} rad; best of {TOP_SEEDS} searches for {100 * float(whole.wish(2.0)):.1f} cm/s, "
        f"{2 * ALONE_BUDGET} evaluations each",
        holds,
        note="Tighter bounds in simulation; no real robot."
        + ("" if holds else " Required: at least 10 cm/s, and a tenth less than with the wide bounds."),
    )
