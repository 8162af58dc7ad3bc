"""Stride rate of a speed-controlled walk, changed while it walks [Laszlo96 §5.4]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Row
from poise.reproduce.laszlo.pictures import plot_steps
from poise.reproduce.laszlo.runs import STROLL, Progress, Values, Walk, find_balancer, open_walk
from poise.reproduce.laszlo.watch import Look, watch
from poise.trials import run_trials

#: Setting `slow` of each region of one walk, and the region's last step; 1 leaves the walk unchanged.
REGIONS: Final = ((1.0, 14), (2.0, 28), (0.0, 46), (1.0, 60))
#: Number of regions in the quick form.
QUICK_REGIONS: Final = 2
#: Steps at the end of a region that count: before them the rate still changes.
COUNTED: Final = 8
#: Close to the source's nominal 0.4 m per step.
BASE: Final[Values] = {"target": 0.4}
#: The source's rates with holds 0.05 s longer and shorter, and the allowed error.
SLOW_RATE, FAST_RATE, RATE_ERROR = 0.83, 1.25, 0.05
#: Speeds are about the same if each region is within this fraction of their mean.
SAME_SPEED: Final = 0.15
STRIDE_SETTINGS: Final = {"stride_regions": [list(r) for r in REGIONS], "stride_values": dict(BASE)}


@dataclass(frozen=True)
class Region:
    """Result of one region of the walk."""

    slow: float
    rate_hz: float
    speed_mps: float
    knee_m: float


def walk_regions(regions: Sequence[tuple[float, int]]) -> tuple[Walk, list[Region]]:
    """One walk through all regions; regions it did not complete are missing."""
    world = open_walk(BASE, controller=STROLL)
    balancer, found, upright = find_balancer(world), [], True
    for slow, end in regions:
        world.set_parameter("slow", slow)
        upright, looks = watch(world, end)
        if not upright:
            break
        found.append(_describe(slow, balancer.steps, looks))
    return Walk(tuple(balancer.steps), not upright, world.time_s), found


def _describe(slow: float, steps: Sequence, looks: Sequence[Look]) -> Region:  # type: ignore[type-arg]
    late = steps[-COUNTED - 1 :]
    seconds = late[-1].time_s - late[0].time_s
    way = float(np.hypot(*np.subtract(late[-1].at, late[0].at)))
    # The highest knee of each step, averaged: one odd step should not decide.
    numbers = {s.number for s in late[1:]}
    peaks = [max(k.knee_m for k in looks if k.step == n - 1) for n in numbers if any(k.step == n - 1 for k in looks)]
    return Region(slow, 0.5 * COUNTED / seconds, way / seconds, float(np.mean(peaks)))


def stride_rows(quick: bool, progress: Progress | None) -> list[Row]:
    """Rows about the rates, speeds and knee heights of one walk."""
    regions = REGIONS[:QUICK_REGIONS] if quick else REGIONS
    ((made, found),) = run_trials([partial(walk_regions, regions)], progress)
    whole = len(found) == len(regions)
    rates = ", ".join(f"{r.rate_hz:.2f}" for r in found)
    slowest, fastest = (f([r.rate_hz for r in found]) for f in (min, max)) if found else (np.nan, np.nan)
    reached = abs(slowest - SLOW_RATE) <= RATE_ERROR and (quick or abs(fastest - FAST_RATE) <= RATE_ERROR)
    speeds = np.array([r.speed_mps for r in found])
    spread = float(np.abs(speeds / speeds.mean() - 1.0).max())
    knees = [r.knee_m for r in sorted(found, key=lambda r: r.slow)]
    fell = "" if whole else f"It falls after {made.done} steps."
    lengths = made.lengths_m
    return [
        make_row(
            "laszlo-5-stride",
            f"one walk of {made.done} steps, holds of {_show_holds(found)} s: {rates} strides per second, "
            f"{'no fall' if whole else 'falls'}",
            whole and reached,
            note=fell,
            plot=plot_steps({"step": np.diff([s.time_s for s in made.steps])}, "s", "step duration"),
        ),
        make_row(
            "laszlo-5-stride-speed",
            f"{', '.join(f'{v:.2f}' for v in speeds)} m/s in these regions, within {spread:.0%} of their mean",
            whole and spread <= SAME_SPEED,
            note=fell
            or (
                ""
                if spread <= SAME_SPEED
                else "Speed is controlled per step, not per second: steps that take longer are slower."
            ),
            plot=plot_steps({"step": lengths}, "m", "step length"),
        ),
        make_row(
            "laszlo-5-stride-knee",
            f"the swing leg's knee rises to {', '.join(f'{v:.3f}' for v in knees)} m, from short to long holds",
            whole and bool(np.all(np.diff(knees) > -0.005)) and knees[-1] > knees[0],
            note=fell,
        ),
    ]


def _show_holds(found: Sequence[Region]) -> str:
    return ", ".join(f"{0.2 + 0.05 * r.slow:g}" for r in found)
