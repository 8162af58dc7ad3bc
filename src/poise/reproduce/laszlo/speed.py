"""Limit cycles with speed control, from rest and while walking [Laszlo96 §5.1]."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import split_progress
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.laszlo.pictures import plot_steps
from poise.reproduce.laszlo.runs import (
    SETTINGS,
    STROLL,
    TRIAL_STEPS,
    WALK,
    Progress,
    Values,
    Walk,
    find_balancer,
    open_walk,
    run_to_step,
    variation,
    walk_all,
)
from poise.reproduce.laszlo.steady import bend_degpm
from poise.reproduce.laszlo.stride import STRIDE_SETTINGS, stride_rows
from poise.reproduce.laszlo.watch import watch
from poise.reproduce.pictures import Plot
from poise.trials import run_trials

#: Biases of Table 5.2, and the one that the source considers too slow for its straight line.
BIASES: Final = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
QUICK_BIASES: Final = (0.2, 0.3, 0.5)
SLOW_BIAS: Final = 0.1
NOMINAL_MPSTEP: Final = 0.4
#: Steps at the end of a walk that count as steady, and steps of a walk in the quick form.
STEADY, QUICK_STEPS = 20, 24
#: Relative distance from the final speed that counts as settled, and most steps that count as about 8.
NEAR, SETTLE_MOST = 0.05, 10
#: Steps almost in place are shorter than this, much less than a foot; and the walks that try it.
SPOT_MPSTEP: Final = 0.15
SLOW: Final[Sequence[Values]] = (
    *({"target": 0.1, "strategy": s, "slow": 1.0} for s in ("FL", "LF", "SP")),
    *({"target": 0.1, "strategy": s, "slow": 0.0} for s in ("FL", "SP")),
)
#: A straight line has at least this R², over at least this many neighbouring biases.
LINE_R2, LINE_COUNT = 0.95, 4
#: Limits of a straight path and of even steps.
MOST_BEND_DEGPM, MOST_UNEVEN = 2.0, 0.05
#: Margins that do not count as worse: degrees per metre, fraction of a step length, metres between feet.
BEND_MARGIN_DEGPM, UNEVEN_MARGIN, FEET_MARGIN_M = 0.5, 0.01, 0.01
#: Biases of one walk, and the step at which each ends.
CHANGES: Final = ((0.1, 20), (0.4, 40), (0.1, 60))
#: The mixed variable with speed control, and walks with one variable for both components and no speed control.
MIXED = "mixed"
COMPARED: Final[Mapping[str, tuple[str, Values]]] = {
    MIXED: (STROLL, {"target": 0.3}),
    "lean alone": (WALK, {"target": 0.3, "strategy": "SP"}),
    "swing foot alone": (WALK, {"target": 0.0, "strategy": "SP", "forward_by": "swing", "side_by": "swing"}),
}
SPEED_SETTINGS: Final = {
    **SETTINGS, "controller": STROLL, "biases": list(BIASES), "changes": [list(c) for c in CHANGES], **STRIDE_SETTINGS,
}  # fmt: skip


def find_speed(made: Walk, steps: int = STEADY) -> float:
    """Metres per step over the last steps."""
    return float(made.lengths_m[-steps:].mean())


def find_settled(made: Walk) -> int:
    """Steps until the mean length of two consecutive ones is first near the final speed."""
    pairs = 0.5 * (made.lengths_m[1:] + made.lengths_m[:-1])
    near = np.abs(pairs - find_speed(made)) <= NEAR * find_speed(made)
    # The first pair ends with the third step.
    return int(np.argmax(near)) + 3 if near.any() else made.done


def find_stayed(made: Walk) -> int:
    """Steps after which that mean stays near the final speed."""
    pairs = 0.5 * (made.lengths_m[1:] + made.lengths_m[:-1])
    off = np.flatnonzero(np.abs(pairs - find_speed(made)) > NEAR * find_speed(made))
    return int(off[-1]) + 4 if len(off) else 3


def fit_line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Slope of the line fitted to points, and its R²."""
    slope, middle = np.polyfit(x, y, 1)
    left = np.asarray(y) - slope * np.asarray(x) - middle
    return float(slope), 1.0 - float(np.var(left) / np.var(y))


def change_speed(changes: Sequence[tuple[float, int]]) -> Walk:
    """One walk whose bias changes along the way."""
    world = open_walk({"target": changes[0][0]}, controller=STROLL)
    upright = True
    for bias, until in changes:
        world.set_parameter("target", bias)
        upright = upright and run_to_step(world, until)
    return Walk(tuple(find_balancer(world).steps), not upright, world.time_s)


def find_spacing_m(controller: str, values: Values) -> tuple[Walk, np.ndarray]:
    """A walk, and the lateral distance of its feet at the end of each step of the second half; negative if crossed."""
    world = open_walk(values, controller=controller)
    upright, looks = watch(world, TRIAL_STEPS)
    made = Walk(tuple(find_balancer(world).steps), not upright, world.time_s)
    ends = {look.step: look.apart_m for look in looks}
    return made, np.array([apart for step, apart in ends.items() if made.done // 2 < step < made.done])


def _sweep_rows(biases: Sequence[float], found: Sequence[Walk], quick: bool) -> list[Row]:
    """Rows about walks from rest."""
    upright = [b for b, made in zip(biases, found, strict=True) if not made.fell]
    shown = ", ".join(f"{b:g}: {find_speed(made):.3f}" for b, made in zip(biases, found, strict=True))
    rows = [
        make_row(
            "laszlo-5-speed-params",
            f"{len(upright)} of {len(biases)} biases from {biases[0]:g} to {biases[-1]:g} walk {found[0].done} "
            f"steps, in metres per step: {shown}",
            len(upright) == len(biases),
            note="We add a bound on the wanted lean, `target_most`. Without it, walks at biases of 0.3 and more fall "
            "from rest.",
        ),
    ]
    if not quick:
        rows += [_line_row(biases, found), _settle_row([made for made in found if not made.fell])]
    return rows


def _slow_row(found: Sequence[Walk]) -> Row:
    """Walks at the smallest bias, by sampling strategy and hold time."""
    words, lasting = [], []
    for case, made in zip(SLOW, found, strict=True):
        speed = find_speed(made)
        hold_s = 0.2 + 0.05 * float(case["slow"])
        words.append(f"{case['strategy']} with holds of {hold_s:g} s: {speed:.3f} ({made.done} steps)")
        if not made.fell and case["slow"] == 1.0:
            lasting.append(speed)
    slowest = min(lasting, default=math.inf)
    holds = slowest < SPOT_MPSTEP
    return make_row(
        "laszlo-5-speed-slow",
        f"metres per step at a bias of {SLOW_BIAS:g}: {', '.join(words)}; slowest that lasts with holds of "
        f"0.25 s: {slowest:.3f}",
        holds,
        note=f"Required: {TRIAL_STEPS} steps of less than {SPOT_MPSTEP:g} m with holds of 0.25 s, as in the source.",
    )


def find_line(biases: Sequence[float], speeds: Sequence[float]) -> tuple[int, int]:
    """Indices of the longest run of neighbours whose speeds lie on a rising line; (0, -1) if there is none."""
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
            f"straight from bias {biases[a]:g} to {biases[b]:g}, {speeds[a]:.3f} to {speeds[b]:.3f} m per step: slope "
            f"{slope:.2f}, R² {r2:.3f}; over all biases R² {fit_line(biases, speeds)[1]:.3f}"
        )
        holds = speeds[a] < NOMINAL_MPSTEP < speeds[b]
    return make_row(
        "laszlo-5-speed-linear",
        words,
        holds,
        note="This is the longest straight range: beyond it the wanted lean is at its bound, and speeds are not in "
        "order."
        if holds
        else f"No line through the nominal {NOMINAL_MPSTEP:g} m per step.",
        plot=Plot(
            "line", list(biases), {"steady": [round(v, 4) for v in speeds]}, x_label="bias", y_label="m per step",
            title="steady speed",
        ),
    )  # fmt: skip


def _settle_row(found: Sequence[Walk]) -> Row:
    """When the speed first reaches its final value, and when it stays there; the claim is about the former."""
    first, stayed = [find_settled(made) for made in found], [find_stayed(made) for made in found]
    middle = float(np.median(first))
    return make_row(
        "laszlo-5-speed-settle",
        f"{min(first)} to {max(first)} steps from rest until two steps are within {NEAR:.0%} of the final speed, "
        f"median {middle:g}; they stay there after {min(stayed)} to {max(stayed)}, median {np.median(stayed):g}",
        middle <= SETTLE_MOST,
        note=f"Required: a median of at most {SETTLE_MOST} steps until it is first near. Steps keep varying by more "
        "than that at most biases.",
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
        f"one walk of {made.done} steps, metres per step: {shown}; {'falls' if made.fell else 'no fall'}",
        holds,
        note="" if holds else "Required: no fall, and first faster, then slower by a factor of 1.2.",
        plot=plot_steps({"step": made.lengths_m}, "m", "step length while the bias changes"),
    )


def _artifacts_row(progress: Progress | None) -> Row:
    """The walk with the mixed variable, against walks with one variable for both components."""
    jobs = [partial(find_spacing_m, *case) for case in COMPARED.values()]
    found = dict(zip(COMPARED, run_trials(jobs, progress), strict=True))
    shown, bend, uneven, least = [], {}, {}, {}
    for name, (made, apart) in found.items():
        bend[name], uneven[name] = bend_degpm(made), variation(made.lengths_m[-STEADY:])
        least[name] = float(apart.min())
        shown.append(
            f"{name}: {made.done} steps, path bends {bend[name]:.1f}° per metre, steps vary by {uneven[name]:.1%}, "
            f"feet {100 * apart.mean():.1f} cm apart laterally at step ends, {100 * least[name]:.1f} cm at least"
        )
    good = bend[MIXED] < MOST_BEND_DEGPM and uneven[MIXED] < MOST_UNEVEN and least[MIXED] > 0.0
    better = all(
        bend[MIXED] <= bend[k] + BEND_MARGIN_DEGPM
        and uneven[MIXED] <= uneven[k] + UNEVEN_MARGIN
        and least[MIXED] >= least[k] - FEET_MARGIN_M
        for k in COMPARED
    )
    holds = not found[MIXED][0].fell and good and better
    return make_row(
        "laszlo-5-speed-artifacts",
        "; ".join(shown),
        holds,
        note=f"Required of the mixed variable: a path that bends by less than {MOST_BEND_DEGPM:g}° per metre, steps "
        f"that vary by less than {MOST_UNEVEN:.0%}, feet that do not cross, and no worse than either alone by more "
        f"than {BEND_MARGIN_DEGPM:g}° per metre, {UNEVEN_MARGIN:.0%} or {100 * FEET_MARGIN_M:g} cm. It cures the "
        "faults of the swing foot alone; lean alone has none of them here.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about speed and stride rate; the seed changes nothing."""
    parts = split_progress(progress, 4)
    biases = QUICK_BIASES if quick else BIASES
    cases = [{"target": b, "speed_mpstep": NOMINAL_MPSTEP} for b in biases]
    found = walk_all(cases, QUICK_STEPS if quick else TRIAL_STEPS, parts[0], controller=STROLL)
    rows = _sweep_rows(biases, found, quick)
    rows.append(_accel_row(quick, parts[1]))
    if not quick:
        rows.append(_slow_row(walk_all(SLOW, TRIAL_STEPS, None, controller=STROLL)))
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
