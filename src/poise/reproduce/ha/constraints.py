"""Constraint learning of CMA-C: warm-up, accuracy, settings and reuse for other goals [Ha15 §6.1.1, §6.2]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np

from poise.optim import cma_c, constraints
from poise.optim.constraints import Experience
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.ha.cma_c import SETTINGS, show_races
from poise.reproduce.ha.counts import compute_gain
from poise.reproduce.ha.races import FIRST_SEED, POPULATION, compute_overlap, learn, race, wake_up
from poise.reproduce.ha.toys import TOYS
from poise.reproduce.pictures import Plot

Progress = Callable[[float], None]
SEEDS, QUICK_SEEDS = 20, 4
#: Largest ratio of the warm-up with a classifier per constraint to that with one for all.
WARM_UP_RATIO: Final = 0.25
#: Smallest overlap that counts as a match, and the evaluations after which it is measured, as in the source.
LEAST_OVERLAP, LEARNED_AFTER = 0.8, 205
#: The square shown in the source's figure.
WINDOW: Final = (3.0, 5.0)
#: Settings around the source's, and how many times the evaluations of the best the source's settings may take.
WIDTHS, HARDNESSES, SETTINGS_FACTOR = (0.05, 0.1, 0.2), (2.0, 4.0, 8.0), 1.25
#: A family of problems with the same constraints.
FAMILY: Final = ((3.9, 3.9), (3.8, 3.7), (3.7, 3.9), (3.5, 3.9), (3.9, 3.4))


def _warm_up_row(seeds: int) -> Row:
    jobs = list(product(TOYS.values(), range(FIRST_SEED, FIRST_SEED + seeds)))
    apart = [wake_up(toy, seed, merged=False) for toy, seed in jobs]
    merged = [wake_up(toy, seed, merged=True) for toy, seed in jobs]
    ratio = float(np.mean(apart) / np.mean(merged))
    holds = ratio <= WARM_UP_RATIO
    return make_row(
        "ha-6-warmup",
        f"{np.mean(apart):.1f} evaluations on average against {np.mean(merged):.1f}, medians {np.median(apart):.0f} "
        f"and {np.median(merged):.0f}: ratio {ratio:.2f}, at most {WARM_UP_RATIO:g} required; {len(jobs)} searches",
        holds,
        exceeded=holds and ratio < 17.2 / 101.7,
        note=f"A classifier becomes active with {constraints.ENOUGH} samples of either kind, a number chosen to match "
        "the source's 17.2; the ratio was not."
        if holds
        else "The feasible region is found too early to tell.",
    )


def _fit_row(seeds: int) -> Row:
    """Row about the window of the source's figure; outside it, some spots may be misclassified as feasible."""
    toy = TOYS[3]
    searches = [learn(toy, seed, LEARNED_AFTER) for seed in range(FIRST_SEED, FIRST_SEED + seeds)]
    everywhere = [compute_overlap(toy, search) for search in searches]
    seen = [compute_overlap(toy, search, *WINDOW) for search in searches]
    low, middle, high = np.percentile(seen, [25.0, 50.0, 75.0])
    holds = bool(middle >= LEAST_OVERLAP)
    return make_row(
        "ha-6-svm-fit",
        f"intersection over union {middle:.2f} (quartiles {low:.2f} to {high:.2f}, best {max(seen):.2f}) in the "
        f"source's window after {LEARNED_AFTER // POPULATION * POPULATION} evaluations, at least {LEAST_OVERLAP:g} "
        f"required; {np.median(everywhere):.2f} in the whole domain; {seeds} seeds",
        holds,
        note="A search that has met its target restarts with its classifiers while evaluations remain: a single search "
        "concentrates its samples around the minimum. The source shows one picture and no number.",
    )


def _settings_row(seeds: int) -> Row:
    found: dict[tuple[float, float], float] = {}
    for width, hardness in product(WIDTHS, HARDNESSES):
        means = [
            np.mean(
                [
                    race(toy, FIRST_SEED + s, learning=True, width=width, hardness=hardness).evaluations
                    for s in range(seeds)
                ]
            )
            for toy in (TOYS[2], TOYS[3])
        ]
        found[width, hardness] = float(np.mean(means))
    own, best = found[cma_c.WIDTH, cma_c.HARDNESS], min(found, key=lambda key: found[key])
    holds = own <= SETTINGS_FACTOR * found[best]
    return make_row(
        "ha-6-settings",
        "mean evaluations of toys 2 and 3 by k and alpha: "
        + ", ".join(f"{k:g}/{a:g}: {n:.0f}" for (k, a), n in found.items())
        + f"; the source's settings take {own / found[best]:.2f} times those of the best; {seeds} seeds",
        holds,
        note="" if holds else f"k = {best[0]:g} and alpha = {best[1]:g} are better here by more than "
        f"{SETTINGS_FACTOR:g} times.",
        plot=Plot(
            "line", list(HARDNESSES), {f"k = {k:g}": [round(found[k, a], 1) for a in HARDNESSES] for k in WIDTHS},
            x_label="alpha", y_label="evaluations", title="CMA-C by its settings",
        ),
    )  # fmt: skip


def _reuse_row(seeds: int) -> Row:
    alone, family = [], []
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        known: tuple[Experience, ...] = ()
        for k, goal in enumerate(FAMILY):
            toy = replace(TOYS[2], goal=goal)
            fresh, after = (race(toy, 1000 * k + seed, learning=True, carried=c) for c in ((), known))
            known = after.learned
            if k > 0:
                alone.append(fresh)
                family.append(after)
    gain = compute_gain(alone, family)
    return make_row(
        "ha-6-reuse",
        f"{show_races(alone)} evaluations alone, {show_races(family)} with classifiers carried through a family of "
        f"{len(FAMILY)} goals: gain {gain:.2f}; {seeds} seeds",
        gain > 1.0,
        note="On the triangle of the second toy with other goals, not on motions."
        if gain > 1.0
        else "The classifiers of one goal do not help with the next.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Rows about learning on toy problems; both forms use the same fixed seeds."""
    makers = (_warm_up_row,) if quick else (_warm_up_row, _fit_row, _settings_row, _reuse_row)
    rows = []
    for k, make in enumerate(makers):
        rows.append(make(QUICK_SEEDS if quick else SEEDS))
        if progress is not None:
            progress((k + 1) / len(makers))
    return rows


EXPERIMENT = Experiment(
    "ha/constraints",
    "how well and how early CMA-C learns constraints",
    measure,
    {"seeds": SEEDS, **SETTINGS, "learned_after": LEARNED_AFTER, "family": [list(goal) for goal in FAMILY]},
    claims=("ha-6-warmup", "ha-6-svm-fit", "ha-6-settings", "ha-6-reuse"),
)
