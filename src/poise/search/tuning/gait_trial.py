"""Trials of a gait: the worth of each step by its foot contacts, and the number of steps completed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import numpy as np

from poise.controllers.limit_cycle.balance import find_balancer
from poise.errors import DivergedError
from poise.search.tuning.graph import FEET, LOOK_S, open_world

#: Feet on the ground in a sample of a step.
AIR, STANCE, OTHER, BOTH = range(4)
#: Length of the first trials in steps, and number of consecutive worthless steps that ends a trial.
FIRST_STEPS, PATIENCE = 5, 3
#: Least mean worth of the steps that counts as the gait.
GOOD: Final = 0.65


def share(looks: Sequence[int], kind: int) -> float:
    """Share of a step with the contacts `kind`."""
    return sum(look == kind for look in looks) / max(len(looks), 1)


def go_ahead(ahead_m: float, wanted_m: float) -> float:
    """1 for a step of the wanted length or more, 1/2 for one on the spot, 0 for as far backward."""
    return 0.5 + 0.5 * min(max(ahead_m / wanted_m, -1.0), 1.0)


def judge_walk(looks: Sequence[int], ahead_m: float) -> float:
    """Worth of a walking step: single stance for half of the step, no flight, 0.3 m ahead."""
    alone = min(share(looks, STANCE) / 0.5, 1.0)
    grounded = max(1.0 - 3.0 * share(looks, AIR), 0.0)
    return alone * grounded * go_ahead(ahead_m, 0.3)


def judge_hop(looks: Sequence[int], ahead_m: float) -> float:
    """Worth of a hop: flight for a third of the step, both feet down for a third, 0.2 m ahead."""
    together = min(share(looks, AIR) / 0.33, 1.0) * min(share(looks, BOTH) / 0.33, 1.0)
    return together * go_ahead(ahead_m, 0.2)


def hop_share(looks: Sequence[int]) -> float:
    """Share of a step taken by its longest flight from the stance foot alone back to it alone."""
    runs = [(kind, len(list(run))) for kind, run in groupby(looks)]
    between = zip(runs, runs[1:], runs[2:], strict=False)
    hops = [n for (a, _), (kind, n), (b, _) in between if kind == AIR and a == b == STANCE]
    return max(hops, default=0) / max(len(looks), 1)


def judge_skip(looks: Sequence[int], ahead_m: float) -> float:
    """Worth of a skipping step: a hop on the stance leg for a fifth, single stance for two fifths, 0.3 m ahead."""
    flight = min(share(looks, AIR) / 0.2, 1.0)
    hop = min(hop_share(looks) / 0.2, 1.0)
    alone = min(share(looks, STANCE) / 0.4, 1.0)
    return (0.1 + 0.2 * flight + 0.7 * hop) * alone * go_ahead(ahead_m, 0.3)


Judge = Callable[[Sequence[int], float], float]
JUDGES: Final[dict[str, Judge]] = {"walk": judge_walk, "hop": judge_hop, "skip": judge_skip}


@dataclass(frozen=True)
class GaitTrial:
    """Result of one run."""

    #: How well each step matched the gait, from 0 to 1.
    worth: tuple[float, ...]
    #: Whether it completed all steps of the trial.
    whole: bool
    time_s: float
    speed_mps: float
    air: float

    @property
    def score(self) -> float:
        """Higher is better. The time of a fall ranks trials with equal steps."""
        return sum(0.3 + 0.7 * w for w in self.worth) + 0.05 * min(self.time_s, 2.0)

    @property
    def good(self) -> bool:
        """Whether it completed all steps, and they match the gait."""
        return self.whole and self.mean_worth >= GOOD

    @property
    def mean_worth(self) -> float:
        return float(np.mean(self.worth)) if self.worth else 0.0

    def describe(self) -> str:
        return (
            f"{len(self.worth)} steps worth {sum(self.worth):.1f}, {self.speed_mps:.2f} m/s, "
            f"{100 * self.air:.0f} % in the air"
        )


def run(table: dict[str, Any], judge: Judge, steps: int, timestep_s: float) -> GaitTrial:
    """One run from the start until all steps are completed, the body falls, or it clearly misses the gait."""
    world = open_world(table, timestep_s)
    pilot, percept = find_balancer(world), world.percepts[0]
    pilot.workers = 1
    looks: list[int] = []
    worth: list[float] = []
    every, airborne, at = round(LOOK_S / timestep_s), 0, 0.0
    left_carries = table["states"][0]["stance"] == "left"
    # The balance may act more than once in one leg's stance.
    parts = sum(s.get("ends_step", False) for s in table["states"])
    try:
        while len(worth) < steps and world.fell_at_s() is None:
            world.advance(every, stop_on=["down"])
            down = [percept.touch_load[percept.roles[foot]] > 0.0 for foot in FEET]
            stance, other = down if left_carries else reversed(down)
            looks.append(BOTH if stance and other else STANCE if stance else OTHER if other else AIR)
            airborne += looks[-1] == AIR
            if len(pilot.steps) >= parts * (len(worth) + 1):
                step = pilot.steps[-1]
                worth.append(judge(looks, step.at[0] - at))
                looks, at = [], step.at[0]
                left_carries = left_carries != table.get("mirrored", False)
                if len(worth) >= PATIENCE and max(worth[-PATIENCE:]) < 0.02:
                    break
    except DivergedError:
        pass  # the steps before it count
    speed = pilot.steps[-1].at[0] / pilot.steps[-1].time_s if pilot.steps else 0.0
    share_of_air = airborne * LOOK_S / max(world.time_s, LOOK_S)
    return GaitTrial(tuple(worth), len(worth) == steps, world.time_s, speed, share_of_air)


def run_worst(table: dict[str, Any], judge: Judge, steps: int, timesteps_s: Sequence[float]) -> GaitTrial:
    """The worst of runs with several time steps; if the first ends early, the others are skipped."""
    worst = run(table, judge, steps, timesteps_s[0])
    for timestep_s in timesteps_s[1:] if worst.whole else ():
        worst = min(worst, run(table, judge, steps, timestep_s), key=lambda t: t.score)
    return worst
