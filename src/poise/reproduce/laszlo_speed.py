"""Limit cycles whose speed is controlled, from a standstill and while they walk [Laszlo96 §5.1]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.laszlo_pictures import plot_steps
from poise.reproduce.laszlo_runs import (
    SERVO,
    SETTINGS,
    STROLL,
    TRIAL_STEPS,
    Progress,
    Values,
    Walk,
    find_balancer,
    go_on,
    open_walk,
    variation,
    walk_all,
)
from poise.reproduce.laszlo_steady import bend_degpm
from poise.reproduce.laszlo_stride import STRIDE_SETTINGS, stride_rows
from poise.reproduce.laszlo_watch import watch
from poise.reproduce.pictures import Plot
from poise.reproduce.walker_runs import split_progress
from poise.trials import run_trials

#: Biases of Table 5.2, and the one that the source counts as too slow for its straight line.
BIASES: Final = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
QUICK_BIASES: Final = (0.1, 0.2, 0.3)
SLOW_BIAS: Final = 0.1
NOMINAL_MPSTEP: Final = 0.4
#: Steps at the end of a walk that count as steady, and in the quick form.
STEADY, QUICK_STEPS = 20, 24
#: A speed is reached when it stays this near to the last one; about 8 steps are no more than this.
NEAR, SETTLE_MOST = 0.05, 10
#: Almost on the spot: steps shorter than a foot.
SPOT_MPSTEP: Final = 0.15
#: A straight line: this part of the variation of the speed is the bias', over this many neighbours or more.
LINE_R2, LINE_COUNT = 0.95, 4
#: Biases of one walk, and the steps until which each of them stands.
CHANGES: Final = ((0.15, 20), (0.3, 40), (0.15, 60))
#: One variable for both components, with neither speed control: lean of the pelvis, and the place of the swing foot.
SINGLE: Final[Mapping[str, Values]] = {
    "lean alone": {**SERVO, "target": 0.3, "outward": 0.0, "speed_gain": 0.0, "side_gain": 0.0},
    "swing foot alone": {
        "forward_by": "swing", "side_by": "swing", "target": 0.0, "outward": 0.0, "speed_gain": 0.0, "side_gain": 0.0,
    },
}  # fmt: skip
SPEED_SETTINGS: Final = {
    **SETTINGS, "controller": STROLL, "biases": list(BIASES), "changes": [list(c) for c in CHANGES], **STRIDE_SETTINGS,
}  # fmt: skip


def find_speed(made: Walk, steps: int = STEADY) -> float:
    """Metres a step over its last steps."""
    return float(made.lengths_m[-steps:].mean())


def find_settled(made: Walk) -> int:
    """Steps after which the mean of two neighbouring ones stays near the last speed."""
    pairs = 0.5 * (made.lengths_m[1:] + made.lengths_m[:-1])
    last = find_speed(made)
    off = [k for k, v in enumerate(pairs) if abs(v - last) > NEAR * last]
    return off[-1] + 3 if off else 1


def fit_line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Slope of the straight line through points, and the part of their variation that it tells."""
    slope, middle = np.polyfit(x, y, 1)
    left = np.asarray(y) - slope * np.asarray(x) - middle
    return float(slope), 1.0 - float(np.var(left) / np.var(y))


def change_speed(changes: Sequence[tuple[float, int]]) -> Walk:
    """One walk whose bias is changed on the way."""
    world = open_walk({"target": changes[0][0]}, controller=STROLL)
    upright = True
    for bias, until in changes:
        world.set_parameter("target", bias)
        upright = upright and go_on(world, until)
    return Walk(tuple(find_balancer(world).steps), not upright, world.time_s)


def find_spacing_m(values: Values, steps: int) -> tuple[float, float]:
    """Mean and least distance of the feet across, over the second half of a walk; negative where they cross."""
    world = open_walk(values, controller=STROLL)
    _, looks = watch(world, steps)
    apart = [look.apart_m for look in looks if look.step > len(find_balancer(world).steps) // 2]
    return float(np.mean(apart)), float(np.min(apart))


def _sweep_rows(biases: Sequence[float], found: Sequence[Walk], quick: bool) -> list[Row]:
    """What is said about walks from rest."""
    upright = [b for b, made in zip(biases, found, strict=True) if not made.fell]
    shown = ", ".join(f"{b:g}: {find_speed(made):.3f}" for b, made in zip(biases, found, strict=True))
    slow = find_speed(found[biases.index(SLOW_BIAS)])
    on_spot = not found[biases.index(SLOW_BIAS)].fell and slow < SPOT_MPSTEP
    rows = [
        make_row(
            "laszlo-5-speed-params",
            f"{len(upright)} of {len(biases)} biases from {biases[0]:g} to {biases[-1]:g} walk {found[0].done} "
            f"steps, in metres a step: {shown}",
            len(upright) == len(biases),
            note="Ours besides: a bound on the wanted lean, `target_most`. Without it, biases of 0.3 and more fall "
            "from rest.",
        ),
        make_row(
            "laszlo-5-speed-slow",
            f"bias {SLOW_BIAS:g}: {slow:.3f} m a step, {2.0 * slow:.2f} m/s",
            on_spot,
            note=f"Asked: less than {SPOT_MPSTEP:g} m a step, shorter than a foot.",
        ),
    ]
    if not quick:
        settled = [find_settled(made) for b, made in zip(biases, found, strict=True) if b > SLOW_BIAS and not made.fell]
        rows += [_line_row(biases, found), _settle_row(settled)]
    return rows


def find_line(biases: Sequence[float], speeds: Sequence[float]) -> tuple[int, int]:
    """First and last of the most neighbours whose speeds lie on a rising straight line; nothing if they are few."""
    best = (0, -1)
    for a in range(len(biases)):
        for b in range(a + LINE_COUNT - 1, len(biases)):
            slope, r2 = fit_line(biases[a : b + 1], speeds[a : b + 1])
            if r2 >= LINE_R2 and slope > 0.0 and b - a > best[1] - best[0]:
                best = (a, b)
    return best


def _line_row(biases: Sequence[float], found: Sequence[Walk]) -> Row:
    speeds = [find_speed(made) for made in found]
    a, b = find_line(biases, speeds)
    words, holds = f"no straight line over {LINE_COUNT} neighbouring biases", False
    if b > a:
        slope, r2 = fit_line(biases[a : b + 1], speeds[a : b + 1])
        words = (
            f"straight from bias {biases[a]:g} to {biases[b]:g}, {speeds[a]:.3f} to {speeds[b]:.3f} m a step: slope "
            f"{slope:.2f}, R² {r2:.3f}; fastest of all {max(speeds):.3f} m a step"
        )
        holds = speeds[a] < NOMINAL_MPSTEP < speeds[b]
    return make_row(
        "laszlo-5-speed-linear",
        words,
        holds,
        note=""
        if holds
        else f"The line ends before the nominal {NOMINAL_MPSTEP:g} m a step: at larger biases the wanted lean is at "
        "its bound, and with a larger bound the walk falls.",
        plot=Plot(
            "line", list(biases), {"steady": [round(v, 4) for v in speeds]}, x_label="bias", y_label="m a step",
            title="steady speed",
        ),
    )  # fmt: skip


def _settle_row(settled: Sequence[int]) -> Row:
    middle = float(np.median(settled))
    return make_row(
        "laszlo-5-speed-settle",
        f"{min(settled)} to {max(settled)} steps from rest until the speed stays within {NEAR:.0%}, median {middle:g}",
        middle <= SETTLE_MOST,
        note="" if middle <= SETTLE_MOST else "The last few hundredths of a metre take longer.",
    )


def _accel_row(quick: bool, progress: Progress | None) -> Row:
    changes = CHANGES[:2] if quick else CHANGES
    ((made),) = run_trials([partial(change_speed, changes)], progress)
    ends = [until for _, until in changes if until <= made.done]
    speeds = [float(made.lengths_m[end - 1 - 6 : end - 1].mean()) for end in ends]
    holds = not made.fell and speeds[1] > 1.2 * speeds[0] and (quick or speeds[2] < speeds[1] / 1.2)
    shown = ", ".join(f"bias {b:g}: {v:.3f}" for (b, _), v in zip(changes, speeds, strict=False))
    return make_row(
        "laszlo-5-speed-accel",
        f"one walk of {made.done} steps, metres a step: {shown}; {'falls' if made.fell else 'no fall'}",
        holds,
        note="" if holds else "Asked: no fall, and a fifth faster and slower again.",
        plot=plot_steps({"step": made.lengths_m}, "m", "length of steps while the bias is changed"),
    )


def _artifacts_row(progress: Progress | None) -> Row:
    """The walk with mixed variables beside walks with one variable for both components."""
    cases: dict[str, Values] = {"mixed": {"target": 0.3}, **SINGLE}
    walks = dict(zip(cases, walk_all(list(cases.values()), TRIAL_STEPS, progress, controller=STROLL), strict=True))
    spacing = dict(
        zip(cases, run_trials([partial(find_spacing_m, v, TRIAL_STEPS) for v in cases.values()]), strict=True)
    )
    shown, bad = [], []
    for name, made in walks.items():
        uneven, bend, (mean, least) = variation(made.lengths_m[-STEADY:]), bend_degpm(made), spacing[name]
        shown.append(
            f"{name}: {made.done} steps, path bends {bend:.1f}° a metre, steps vary by {uneven:.1%}, feet "
            f"{100 * mean:.0f} cm apart across, {100 * least:.0f} cm at least"
        )
        bad.append((made.fell, bend, uneven, -mean))
    mixed, others = bad[0], bad[1:]
    better = [all(mixed[k] <= other[k] for other in others) for k in range(1, 4)]
    holds = not mixed[0] and mixed[1] < 2.0 and mixed[2] < 0.05 and better[2] and spacing["mixed"][1] > 0.0
    return make_row(
        "laszlo-5-speed-artifacts",
        "; ".join(shown),
        holds,
        note="Asked of the mixed variable: a path that bends less than 2° a metre, steps that vary by less than 5%, "
        "feet that never cross and stand wider than with either variable alone.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Every claim about speed and stride rate; all of it is the same for every seed."""
    parts = split_progress(progress, 4)
    biases = QUICK_BIASES if quick else BIASES
    cases = [{"target": b, "speed_mpstep": NOMINAL_MPSTEP} for b in biases]
    found = walk_all(cases, QUICK_STEPS if quick else TRIAL_STEPS, parts[0], controller=STROLL)
    rows = _sweep_rows(biases, found, quick)
    rows.append(_accel_row(quick, parts[1]))
    if not quick:
        rows.append(_artifacts_row(parts[2]))
    return [*rows, *stride_rows(quick, parts[3])]


EXPERIMENT = Experiment(
    "laszlo/speed",
    "limit cycles at controlled speeds and stride rates",
    measure,
    SPEED_SETTINGS,
    (
        "laszlo-5-speed-params",
        "laszlo-5-speed-linear",
        "laszlo-5-speed-settle",
        "laszlo-5-speed-slow",
        "laszlo-5-speed-accel",
        "laszlo-5-speed-artifacts",
        "laszlo-5-stride",
        "laszlo-5-stride-speed",
        "laszlo-5-stride-knee",
    ),
)
