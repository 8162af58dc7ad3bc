"""Centre of mass relative to the swing foot as the regulated variable: which targets walk, and how [Laszlo96 §4.2]."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from poise.characters.model import ROLES, SIDES
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.laszlo.runs import (
    STRATEGIES,
    TRIAL_STEPS,
    Progress,
    Values,
    Walk,
    find_balancer,
    open_walk,
    run_to_step,
    variation,
    walk,
)
from poise.reproduce.pictures import Plot
from poise.trials import run_trials

SWING: Final[Values] = {"forward_by": "swing", "side_by": "swing"}
SWING_TARGETS: Final = tuple(round(0.025 * k, 3) for k in range(-4, 7))
#: Targets of the walks that the source shows, by sampling strategy.
SHOWN: Final = {"FL": -0.05, "LF": 0.0, "SP": 0.0}
#: Step lengths differ widely from this standard deviation over mean, and this multiple of the up-vector's.
WIDE, WIDER = 0.1, 5.0
#: Steps at the start of a walk that are ignored, and least number of steps after them.
SETTLE, LEAST = 6, 6
#: Feet closer together than this land in one line.
APART_M: Final = 0.05
#: Share of steps that may do so by exception.
FEW: Final = 0.1
#: Angle between hips and path above which a walk twists.
TWIST_DEG: Final = 15.0
_FEET: Final = [ROLES.index(f"{side}_foot") for side in SIDES]
SWING_CLAIMS: Final = (
    "laszlo-4-swing",
    "laszlo-4-swing-lat",
    "laszlo-4-swing-steplen",
    "laszlo-4-swing-strategy",
    "laszlo-4-swing-twist",
)
#: Walks by sampling strategy and target.
Grid = Mapping[tuple[str, float], Walk]


def measure_swing(quick: bool, progress: Progress | None = None) -> list[Row]:
    """Measure which targets walk with which strategy, how they walk, and what an outward target does."""
    steps = 16 if quick else TRIAL_STEPS
    apart = [partial(measure_spacing, outward, steps) for outward in (0.0, 0.03)]
    if quick:
        # Only long trials can tell which walks last, and how.
        return [_apart_row(steps, run_trials(apart, progress))]
    plan = [(s, t) for s in STRATEGIES for t in SWING_TARGETS]
    jobs: list[Callable[[], Any]] = [
        *(partial(walk, {**SWING, "strategy": s, "target": t}, steps) for s, t in plan),
        partial(walk, {"strategy": "SP", "target": 0.3}, steps),
        *apart,
    ]
    *walks, upright, free, outward = run_trials(jobs, progress)
    made = dict(zip(plan, walks, strict=True))
    return [
        _swing_row(made),
        _apart_row(steps, (free, outward)),
        _length_row(made, upright),
        _strategy_row(made),
        _twist_row(made),
    ]


@dataclass(frozen=True)
class Spacing:
    """A walk, and the distance of each footprint from the line through the prints of the other foot around it."""

    done: int
    fell: bool
    #: Negative if the legs cross.
    apart_m: tuple[float, ...]


def measure_spacing(outward: float, steps: int) -> Spacing:
    """Walk with independent sampling, target 0 and an outward target for the swing foot."""
    world = open_walk({**SWING, "strategy": "SP", "target": 0.0, "outward": outward})
    balancer, percept = find_balancer(world), world.percepts[0]
    prints: list[tuple[int, np.ndarray]] = []
    while len(balancer.steps) < steps and run_to_step(world, len(balancer.steps) + 1):
        swing = 1 - SIDES.index(balancer.steps[-1].stance)
        prints.append((swing, percept.pos_w[percept.roles[_FEET[swing]], :2].copy()))
    apart = []
    for (_, before), (swing, at), (_, after) in zip(prints, prints[1:], prints[2:], strict=False):
        along, off = after - before, at - before
        left = float(along[0] * off[1] - along[1] * off[0]) / math.hypot(*along)
        apart.append(left if SIDES[swing] == "left" else -left)
    return Spacing(len(balancer.steps), len(balancer.steps) < steps, tuple(apart))


def _apart_row(steps: int, made: Sequence[Spacing]) -> Row:
    free, outward = (np.array(s.apart_m[SETTLE:]) for s in made)
    middle = [float(np.median(v)) if len(v) else math.nan for v in (free, outward)]
    line = [float(np.mean(v < APART_M)) if len(v) else math.nan for v in (free, outward)]
    holds = not made[1].fell and middle[1] > max(middle[0], APART_M) and line[1] <= FEW < line[0]
    return make_row(
        "laszlo-4-swing-lat",
        f"median distance between prints: {middle[0]:.3f} m without outward target, {middle[1]:.3f} m with; steps of "
        f"less than {APART_M:g} m: {line[0]:.0%} without, {line[1]:.0%} with; steps done out of {steps}: "
        f"{made[0].done} without, {made[1].done} with",
        holds,
        note="" if holds else "The feet are not far enough apart, or it falls.",
    )


def _swing_row(made: Grid) -> Row:
    done = {s: made[s, t].done for s, t in SHOWN.items()}
    whole = {s: [t for t in SWING_TARGETS if not made[s, t].fell] for s in STRATEGIES}
    holds = min(done.values()) >= TRIAL_STEPS
    shown = "; ".join(f"{s} at {t:g}: {done[s]}" for s, t in SHOWN.items())
    others = "; ".join(f"{s} {', '.join(f'{t:g}' for t in targets) or 'none'}" for s, targets in whole.items())
    return make_row(
        "laszlo-4-swing",
        f"steps: {shown}; targets that walk {TRIAL_STEPS} steps: {others}",
        holds,
        note=""
        if holds
        else "Every sampling strategy walks, but not each at the target that the source shows."
        if all(whole.values())
        else "Not every sampling strategy walks.",
        plot=Plot(
            "line",
            list(SWING_TARGETS),
            {s: [made[s, t].done for t in SWING_TARGETS] for s in STRATEGIES},
            x_label="forward target",
            y_label="steps",
            title="steps by target, swing foot",
        ),
    )


def _strategy_row(made: Grid) -> Row:
    total = {s: sum(made[s, t].done for t in SWING_TARGETS) for s in STRATEGIES}
    whole = {s: sum(not made[s, t].fell for t in SWING_TARGETS) for s in STRATEGIES}
    holds = total["SP"] > total["LF"] > total["FL"] and whole["SP"] >= whole["LF"] >= whole["FL"]
    shown = "; ".join(f"{s} {total[s]}, {whole[s]} complete" for s in STRATEGIES)
    order = sorted(STRATEGIES, key=lambda s: -total[s])
    return make_row(
        "laszlo-4-swing-strategy",
        f"steps in {len(SWING_TARGETS)} trials, and trials of {TRIAL_STEPS} steps: {shown}",
        holds,
        note="" if holds else f"By total number of steps the order is {', '.join(order)}.",
    )


def find_twist_deg(made: Walk) -> float:
    """Mean angle between the hips' heading and the line of the path; walking backward along it is no twist."""
    if made.done < SETTLE + LEAST:
        return math.nan
    # Over two steps, so that the sway from foot to foot cancels.
    way = (made.places[2:] - made.places[:-2])[SETTLE - 1 :]
    off = np.abs(np.sin(made.headings_rad[1:-1][SETTLE - 1 :] - np.arctan2(way[:, 1], way[:, 0])))
    return float(np.degrees(np.arcsin(off)).mean())


def _twist_row(made: Grid) -> Row:
    found = {s: [find_twist_deg(made[s, t]) for t in SWING_TARGETS] for s in STRATEGIES}
    known = {s: [v for v in values if not math.isnan(v)] for s, values in found.items()}
    part = {s: float(np.mean([v > TWIST_DEG for v in values])) for s, values in known.items()}
    middle = {s: float(np.median(values)) for s, values in known.items()}
    many = np.mean([v > TWIST_DEG for values in known.values() for v in values])
    holds = bool(many >= 0.5 and part["SP"] < part["LF"] <= part["FL"] and middle["SP"] == min(middle.values()))
    shown = "; ".join(
        f"{s} {sum(v > TWIST_DEG for v in known[s])} of {len(known[s])}, {middle[s]:.0f}°" for s in STRATEGIES
    )
    twisted = [f"{t:g}" for t, v in zip(SWING_TARGETS, found["SP"], strict=True) if v > TWIST_DEG]
    return make_row(
        "laszlo-4-swing-twist",
        f"walks of {SETTLE + LEAST} steps or more that face more than {TWIST_DEG:g}° off their path, and the median "
        f"of all: {shown}",
        holds,
        note=f"The source has hardly any with independent sampling; here they are at {' and '.join(twisted)}."
        if holds and twisted
        else "" if holds else "Independent sampling does not twist least.",
    )  # fmt: skip


def _length_row(made: Grid, upright: Walk) -> Row:
    """Judged by the walks that last: those that fall have uneven steps anyway."""
    case, limit = made["SP", 0.05], variation(upright.lengths_m[SETTLE:])
    found = {key: variation(w.lengths_m[SETTLE:]) for key, w in made.items() if not w.fell}
    wide = sum(v >= max(WIDE, WIDER * limit) for v in found.values())
    holds = wide > len(found) // 2
    shown = ", ".join(f"{s} {t:g}: {v:.3f}" for (s, t), v in found.items())
    return make_row(
        "laszlo-4-swing-steplen",
        f"standard deviation over mean: {limit:.3f} with the up-vector (SP at 0.3); with the swing foot, in the walks "
        f"of {TRIAL_STEPS} steps, {shown}; SP at 0.05: {variation(case.lengths_m[SETTLE:]):.3f} in {case.done} steps; "
        f"{wide} of {len(found)} vary widely",
        holds,
        note=f"Widely is {WIDE:g} or more, and {WIDER:g} times the up-vector's."
        + ("" if holds else " The other walks settle into a rhythm, and the one that the source shows falls."),
    )
