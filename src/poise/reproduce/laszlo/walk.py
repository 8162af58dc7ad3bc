"""The human's balanced walk: open loop, targets that walk by sampling strategy, and the torso servo.

[Laszlo96 §3.4, §3.7, §3.8, §4.1, §4.4]
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.controllers.catalog import read_controller_file
from poise.controllers.limit_cycle import layout
from poise.controllers.limit_cycle.graph import State
from poise.controllers.limit_cycle.layout import VARIABLES
from poise.controllers.limit_cycle.regulation import Regulation
from poise.controllers.limit_cycle.spec import read_spec
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import make_own_row, split_progress
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.laszlo.runs import (
    SERVO,
    SETTINGS,
    STRATEGIES,
    TRIAL_STEPS,
    WALK,
    Progress,
    Values,
    find_balancer,
    longest_run,
    open_walk,
    run_to_step,
    walk,
    walk_all,
)
from poise.reproduce.laszlo.steady import Found, bend_degpm, steady_rows
from poise.reproduce.laszlo.watch import watch
from poise.reproduce.pictures import Plot
from poise.trials import run_trials

#: The grid of Appendix C has twice this spacing.
GRID: Final = tuple(round(0.1 + 0.025 * k, 3) for k in range(17))
QUICK_GRID: Final = (0.1, 0.3, 0.45)
#: Hip pitch that perturbs the servo.
SAMPLE_DEG: Final = 5.0
#: Neighbouring targets of the fine grid that must walk.
NEIGHBOURS: Final = 3


def _graph_rows() -> list[Row]:
    base = read_spec(read_controller_file(WALK).table, WALK).base
    poses = {_legs_only(s) for s in base.states}
    sensors = [s.name for s in base.states if s.sensor]
    holds = sorted({s.hold_s for s in base.states if not s.sensor})
    fine = (len(base.states), len(poses), len(sensors), holds) == (6, 4, 2, [0.2])
    return [
        make_row(
            "laszlo-3-pcg",
            f"{len(base.states)} states, {len(poses)} different leg poses, {len(sensors)} of the transitions on "
            f"contact, holds of {', '.join(f'{h:g}' for h in holds)} s",
            fine,
            note="Arms are left out of the count: with them S1 and S2 differ.",
        )
    ]


def _legs_only(state: State) -> tuple[tuple[str, float], ...]:
    arms = ("shoulder", "elbow")
    return tuple(sorted((k, v) for k, v in state.pose_rad.items() if not any(a in k for a in arms)))


def _open_rows() -> list[Row]:
    bare = walk({"strategy": "open"})
    held = walk({"strategy": "open", **SERVO})
    return [
        make_row(
            "laszlo-4-openloop",
            f"{bare.done} steps",
            3 <= bare.done <= 9,
            note="Counted until the fall; 3 to 9 count as a few.",
        ),
        make_row("laszlo-3-servo-fall", f"falls after {held.done} steps", held.fell and held.done < TRIAL_STEPS),
    ]


def _range_rows(grid: Sequence[float], found: Found, servoed: Found) -> list[Row]:
    rows = []
    best = {s: longest_run(grid, [w.done >= TRIAL_STEPS for w in found[s]]) for s in STRATEGIES}
    shown = "; ".join(f"{s} {_show_range(best[s])}" for s in STRATEGIES)
    for claim, strategy in (("laszlo-3-sp", "SP"), ("laszlo-3-fl", "FL"), ("laszlo-3-lf", "LF")):
        count = sum(w.done >= TRIAL_STEPS for w in found[strategy])
        rows.append(make_row(claim, f"{count} of {len(grid)} targets walk {TRIAL_STEPS} steps", count > 0))
    middle = max(best.values(), key=lambda b: b[2])
    rows.append(
        make_row(
            "laszlo-4-range",
            f"{TRIAL_STEPS} steps: {shown}",
            all(b[2] > 0 for b in best.values()) and middle[0] > grid[0] and middle[1] < grid[-1],
            plot=Plot(
                "line",
                list(grid),
                {s: [w.done for w in found[s]] for s in STRATEGIES},
                "target",
                "steps",
                "steps by target, up vector",
            ),
        )
    )
    if len(grid) == len(GRID):
        fine = all(b[2] >= NEIGHBOURS for b in best.values())
        rows.append(
            make_own_row(
                "poise-limit-cycle-range",
                "With each sampling strategy, neighbouring targets on a grid of 0.025 give a walk.",
                f"{NEIGHBOURS} or more for each",
                f"most neighbours: {', '.join(f'{s} {best[s][2]}' for s in STRATEGIES)}",
                fine,
                note="" if fine else "The start from rest decides: next to a target that walks, one may stumble.",
            )
        )
        rows.append(_strategies_row(grid, found))
        rows.append(_servo_range_row(grid, best, found, servoed))
    return rows


def _show_range(run: tuple[float, float, int]) -> str:
    return "none" if not run[2] else f"{run[0]:g}" if run[2] == 1 else f"{run[0]:g} to {run[1]:g}"


def _strategies_row(grid: Sequence[float], found: Found) -> Row:
    counts = {s: sum(w.done >= TRIAL_STEPS for w in found[s]) for s in STRATEGIES}
    means = {s: float(np.mean([w.done for w in found[s]])) for s in STRATEGIES}
    alike = max(counts.values()) <= 2 * max(min(counts.values()), 1)
    better = counts["SP"] >= max(counts.values())
    return make_row(
        "laszlo-3-strategies",
        "; ".join(f"{s} {counts[s]} of {len(grid)} targets, {means[s]:.0f} steps on average" for s in STRATEGIES),
        alike and better,
        note="A factor of two counts as about equal." + ("" if better else " Superposition is not ahead."),
    )


def _servo_range_row(
    grid: Sequence[float], best: Mapping[str, tuple[float, float, int]], found: Found, servoed: Found
) -> Row:
    wide = {s: longest_run(grid, [w.done >= TRIAL_STEPS for w in servoed[s]]) for s in STRATEGIES}
    count, before = (sum(w.done >= TRIAL_STEPS for s in STRATEGIES for w in f[s]) for f in (servoed, found))
    bends = [
        float(np.mean([bend_degpm(w) for s in STRATEGIES for w in f[s] if w.done >= TRIAL_STEPS] or [math.nan]))
        for f in (servoed, found)
    ]
    return make_row(
        "laszlo-4-servo-range",
        f"{count} of {len(STRATEGIES) * len(grid)} trials walk with the servo, {before} without; "
        + "; ".join(f"{s} {_show_range(wide[s])} instead of {_show_range(best[s])}" for s in STRATEGIES)
        + f"; paths bend by {bends[0]:.1f} and {bends[1]:.1f} degrees per metre",
        count > before and bends[0] < bends[1],
        note="" if count > before and bends[0] < bends[1] else "More targets walk, but not straighter.",
    )


def _measure_nod_deg(values: Values, steps: int) -> float:
    """Range of the torso's lean over the second half of a walk."""
    _, looks = watch(open_walk({"strategy": "FL", **values}), steps)
    late = [look.lean_deg for look in looks if look.step > steps // 2]
    return float(np.ptp(late)) if late else math.nan


def _servo_rows(quick: bool) -> list[Row]:
    steps = 24 if quick else TRIAL_STEPS
    swing = run_trials([partial(_measure_nod_deg, values, steps) for values in ({}, SERVO)])
    slopes = _measure_servo_slopes()
    return [
        make_row(
            "laszlo-4-servo-pitch",
            f"the torso nods by {swing[0]:.1f} degrees without and {swing[1]:.1f} with the servo",
            swing[1] <= swing[0] / 3.0,
            exceeded=swing[1] < 3.0,
            note="" if swing[1] <= swing[0] / 3.0 else "More than a third remains.",
        ),
        make_row(
            "laszlo-3-servo-rv",
            f"a degree of hip pitch changes the torso's lean by {slopes[0]:.4f} and the pelvis' by {slopes[1]:.4f}",
            abs(slopes[0]) < 0.25 * abs(slopes[1]),
            note="With the servo on, at the end of a step of a steady walk.",
        ),
    ]


def _measure_servo_slopes() -> tuple[float, float]:
    """Change of torso and pelvis lean per degree of hip pitch at the end of a step, with the servo on."""
    world = open_walk({"strategy": "FL", **SERVO})
    run_to_step(world, 10)
    twin, start = world.twin(), world.snapshot()
    regulation = Regulation(world.characters[0])
    forward = layout.applied_at(int(layout.read_params(world.params[0]).forward))
    stance = SIDES.index(find_balancer(world).steps[-2].stance)
    leans = []
    for sample in (SAMPLE_DEG, -SAMPLE_DEG):
        twin.restore(start)
        twin.params[0][forward] += sample
        twin.run_until("phase", timeout_s=3.0)
        leans.append([regulation.read(twin.percepts[0], VARIABLES.index(v), stance)[0] for v in ("up", "pelvis")])
    torso, pelvis = ((leans[0][k] - leans[1][k]) / (2.0 * SAMPLE_DEG) for k in range(2))
    return torso, pelvis


def _walk60_row(quick: bool) -> Row:
    steps = 20 if quick else TRIAL_STEPS
    made = walk({"strategy": "FL", "target": 0.25}, steps)
    drift = float(abs(made.places[-1, 1])) if made.done else math.nan
    way = float(made.places[-1, 0]) if made.done else math.nan
    return make_row(
        "laszlo-4-walk60",
        f"{made.done} of {steps} steps, {way:.1f} m forward and {drift:.1f} m sideways",
        made.done >= steps and drift < 0.35 * way,
        plot=Plot(
            "line", [float(v) for v in np.round(made.places[:, 0], 3)],
            {"pelvis": [float(v) for v in np.round(made.places[:, 1], 3)]}, "m forward", "m sideways",
            "path, F-L at 0.25",
        ),
        note="Straight: sideways by less than about a third of the distance.",
    )  # fmt: skip


def _speed_row() -> Row:
    world = open_walk({"strategy": "open"})
    world.warm_up()
    began = time.perf_counter()
    run_to_step(world, 4)
    spent = (time.perf_counter() - began) / world.time_s
    return make_row(
        "laszlo-2-speed",
        f"{spent:.2g} s of wall time for a second in open loop, on one modern core",
        True,
        exceeded=True,
        note="The source's machine dates from 1995; ours needs a few hundredths of real time.",
    )


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every claim about the walk itself."""
    grid = QUICK_GRID if quick else GRID
    parts = split_progress(progress, 2)
    cases = [{"strategy": s, "target": t} for s in STRATEGIES for t in grid]
    walks = walk_all(cases, TRIAL_STEPS, parts[0])
    found = {s: walks[k * len(grid) : (k + 1) * len(grid)] for k, s in enumerate(STRATEGIES)}
    servoed: Found = {}
    if not quick:
        held = walk_all([{**c, **SERVO} for c in cases], TRIAL_STEPS, parts[1])
        servoed = {s: held[k * len(grid) : (k + 1) * len(grid)] for k, s in enumerate(STRATEGIES)}
    return [
        *_graph_rows(),
        *_open_rows(),
        _walk60_row(quick),
        *_range_rows(grid, found, servoed),
        *steady_rows(grid, found, quick),
        *_servo_rows(quick),
        _speed_row(),
    ]


EXPERIMENT = Experiment(
    "laszlo/walk",
    "limit cycles: the balanced walk, its targets by sampling strategy, and the torso servo",
    measure,
    SETTINGS,
    ("laszlo-4-walk60", "laszlo-4-range", "laszlo-4-openloop", "laszlo-3-strategies"),
)
