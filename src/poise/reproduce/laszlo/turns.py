"""Limit cycles that turn: circles by hip yaw, with and without a held torso [Laszlo96 §5.2-5.3]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import split_progress
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.laszlo.paths import PATH_SETTINGS, path_row, point_row
from poise.reproduce.laszlo.pictures import plot_paths
from poise.reproduce.laszlo.runs import (
    SERVO,
    SETTINGS,
    STRATEGIES,
    TRIAL_STEPS,
    WALK,
    Progress,
    Values,
    Walk,
    find_radius,
    walk,
    walk_all,
)
from poise.trials import run_trials

#: Target of our turns, at which all sampling strategies go around; and the middle of the targets that walk straight.
TURN_TARGET, MIDDLE = 0.325, 0.3
#: Targets with a held torso, and of mixtures.
HELD_TARGET, MIX_TARGET = 0.3, 0.3
TURN_DEG, TIGHT_DEG = 8.0, 16.0
#: Radii of the source's tightest circles.
RADIUS_M, SERVO_RADIUS_M = 2.5, 0.75
#: Our tightest turn, with no more than the source's radius.
TIGHTEST: Final[Values] = {"target": 0.325, "strategy": "LF", "turn_deg": 10.0}
#: Targets around the middle; 0.25 is the source's.
TARGETS = (0.25, MIDDLE, TURN_TARGET, 0.35, 0.4)
#: Angles from the walking direction that count as facing the centre and as walking backward.
INWARD_DEG, BACKWARD_DEG = 60.0, 135.0
QUICK_STEPS = 30
TURN_SETTINGS = {
    **SETTINGS,
    "controller": WALK,
    "target": TURN_TARGET,
    "turn_deg": [TURN_DEG, TIGHT_DEG],
    "tightest": dict(TIGHTEST),
    **PATH_SETTINGS,
}


def find_facing_deg(made: Walk, first: float = 2 / 3, last: float = 1.0) -> float:
    """Mean angle of the heading to the left of the walking direction (degrees), over a part of the steps."""
    some = slice(int(first * (made.done - 1)), max(int(last * (made.done - 1)), 1))
    steps = np.diff(made.places, axis=0)[some]
    off = np.exp(1j * (made.headings_rad[1:][some] - np.arctan2(steps[:, 1], steps[:, 0])))
    mean = complex(np.mean(off)) if len(off) else 0j
    return math.degrees(math.atan2(mean.imag, mean.real))


def _show_circle(made: Walk) -> str:
    if made.fell:
        return f"falls after {made.done} steps"
    radius, turn = find_radius(made)
    return f"{radius:.2f} m, {turn:.1f}° per step"


def _is_circle(made: Walk) -> bool:
    """True if it circles to the left and roughly faces its walking direction."""
    return not made.fell and find_radius(made)[1] > 0.0 and abs(find_facing_deg(made)) < 90.0


def _free_rows(quick: bool, progress: Progress | None) -> list[Row]:
    """Circles without a held torso: at the source's yaw, at twice that, and at fractions of it."""
    ways = STRATEGIES[1:2] if quick else STRATEGIES
    parts = () if quick else (0.0, 0.25, 0.5, 0.75, 1.0)
    eight: list[Values] = [{"target": TURN_TARGET, "strategy": s, "turn_deg": TURN_DEG} for s in ways]
    mixed: list[Values] = [{"target": MIX_TARGET, "strategy": "LF", "turn_deg": TURN_DEG * p} for p in parts]
    twice: list[Values] = [] if quick else [{**case, "turn_deg": TIGHT_DEG} for case in eight]
    short = QUICK_STEPS if quick else TRIAL_STEPS
    plan = [(TIGHTEST, TRIAL_STEPS), *((case, short) for case in (*eight, *mixed, *twice))]
    tightest, *found = run_trials([partial(walk, case, steps) for case, steps in plan], progress)
    rows = [_circle_row(dict(zip(ways, found, strict=False)), tightest)]
    if not quick:
        rows.append(_mix_row(parts, found[len(ways) : -len(twice)]))
        rows.append(_inward_row(dict(zip(ways, found[-len(twice) :], strict=True))))
    return rows


def _circle_row(circles: dict[str, Walk], tightest: Walk) -> Row:
    shown = "; ".join(f"{s} {_show_circle(made)}" for s, made in circles.items())
    faced = ", ".join(f"{find_facing_deg(made):.0f}°" for made in circles.values())
    holds = all(map(_is_circle, circles.values())) and _is_circle(tightest) and find_radius(tightest)[0] <= RADIUS_M
    return make_row(
        "laszlo-5-turn-8",
        f"target {TURN_TARGET:g}, {TURN_DEG:g}°: {shown}, facing {faced} into the circle; tightest, "
        f"{TIGHTEST['turn_deg']:g}° with {TIGHTEST['strategy']}: {_show_circle(tightest)}",
        holds,
        note="Not at every target: at 0.3, F-L turns around and walks backward. The tightest is the only one of "
        "twelve settings tried with no more than the source's radius."
        if holds
        else f"Required: every strategy goes around, and the tightest radius is at most {RADIUS_M:g} m.",
        plot=plot_paths({**circles, "tightest": tightest}, "circles without a held torso"),
    )


def _mix_row(parts: Sequence[float], found: Sequence[Walk]) -> Row:
    """Mixtures of the straight and the turning graph, from 0 to 1."""
    turns = [find_radius(made)[1] if made.done > 3 else math.nan for made in found]
    upright = sum(not made.fell for made in found)
    steady = all(b > a for a, b in pairwise(turns))
    shown = ", ".join(f"{p:g}: {t:.1f}°" for p, t in zip(parts, turns, strict=True))
    holds = upright == len(found) and steady
    return make_row(
        "laszlo-5-interp",
        f"target {MIX_TARGET:g}: {upright} of {len(found)} mixtures of the straight and the turning walk stay up "
        f"for {found[0].done} steps; turn per step by fraction of the turn: {shown}",
        holds,
        note="" if holds else "Required: no fall, and a turn that grows with its fraction.",
        plot=plot_paths({f"{p:g}": made for p, made in zip(parts, found, strict=True)}, "mixtures"),
    )


def _inward_row(found: dict[str, Walk]) -> Row:
    """The body leads the turn, faces the centre after some steps, and may turn all the way around."""
    inward = {s: max(find_facing_deg(made, k / 10, (k + 1) / 10) for k in range(10)) for s, made in found.items()}
    last = {s: abs(find_facing_deg(made)) for s, made in found.items()}
    back = [s for s in found if last[s] > BACKWARD_DEG and not found[s].fell]
    shown = ", ".join(f"{s} {last[s]:.0f}°" for s in found)
    holds = all(angle > INWARD_DEG for angle in inward.values()) and {"FL", "LF"} <= set(back)
    return make_row(
        "laszlo-5-turn-16",
        f"target {TURN_TARGET:g}, {TIGHT_DEG:g}°, free torso: turns to face {min(inward.values()):.0f}° or more "
        f"into the circle with each; over the last third it faces away from its walking direction by {shown}; backward "
        f"with {' and '.join(back) if back else 'none of them'}",
        holds,
        note=""
        if holds
        else f"Required: all face inward, and F-L and L-F end more than {BACKWARD_DEG:g}° from their walking "
        "direction, which is backward.",
        plot=plot_paths(found, f"{TIGHT_DEG:g}° without a held torso"),
    )


def _held_row(quick: bool, progress: Progress | None) -> Row:
    ways = STRATEGIES[1:2] if quick else STRATEGIES
    cases = [{**SERVO, "target": HELD_TARGET, "strategy": s, "turn_deg": TIGHT_DEG} for s in ways]
    found = dict(zip(ways, walk_all(cases, TRIAL_STEPS, progress), strict=True))
    shown = "; ".join(f"{s} {_show_circle(made)}" for s, made in found.items())
    faced = ", ".join(f"{find_facing_deg(made):.0f}°" for made in found.values())
    radii = [find_radius(made)[0] for made in found.values() if _is_circle(made)]
    holds = bool(radii) and min(radii) <= SERVO_RADIUS_M
    return make_row(
        "laszlo-5-turn-servo",
        f"target {HELD_TARGET:g}, {TIGHT_DEG:g}°, held torso: {shown}; facing {faced} into the circle",
        holds,
        exceeded=holds and min(radii) < 0.9 * SERVO_RADIUS_M,
        note="" if holds else f"No circle of at most {SERVO_RADIUS_M:g} m.",
        plot=plot_paths(found, "circles with a held torso"),
    )


def _target_row(progress: Progress | None) -> Row:
    """The same turn with targets on both sides of the middle."""
    cases = [{"target": t, "strategy": s, "turn_deg": TURN_DEG} for t in TARGETS for s in STRATEGIES]
    found = walk_all(cases, TRIAL_STEPS, progress)
    fine: dict[float, int] = {}
    words = []
    for k, target in enumerate(TARGETS):
        made = found[len(STRATEGIES) * k : len(STRATEGIES) * (k + 1)]
        fine[target] = sum(map(_is_circle, made))
        radii = [f"{find_radius(m)[0]:.1f}" if not m.fell else f"falls at {m.done}" for m in made]
        words.append(f"{target:g}: {fine[target]} ({', '.join(radii)})")
    best = max(fine.values())
    holds = fine[MIDDLE] == best and fine[TARGETS[0]] < best and fine[TARGETS[-1]] < best
    return make_row(
        "laszlo-5-turn-q",
        f"{TURN_DEG:g}°, sampling strategies that go around, with their radii in m, by target: {'; '.join(words)}",
        holds,
        note=f"The middle of our straight walks is at {MIDDLE:g}."
        + ("" if holds else " Targets a little above it turn better, and those at both ends fall."),
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about turns; only the directions of the points depend on the seed."""
    parts = split_progress(progress, 5)
    rows = [*_free_rows(quick, parts[0]), _held_row(quick, parts[1])]
    if not quick:
        rows.append(_target_row(parts[2]))
    return [*rows, point_row(quick, seed, parts[3]), path_row(quick, parts[4])]


EXPERIMENT = Experiment(
    "laszlo/turns",
    "limit cycles that turn: circles, mixtures, points and paths",
    measure,
    TURN_SETTINGS,
    (
        "laszlo-5-interp",
        "laszlo-5-turn-8",
        "laszlo-5-turn-16",
        "laszlo-5-turn-servo",
        "laszlo-5-turn-q",
        "laszlo-5-point",
        "laszlo-5-path",
    ),
)
