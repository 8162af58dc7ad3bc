"""Simulation speed of the walker: alone, without toes, and sixteen at once [Coros10 §5.4, §5.5.4].

Times are processor times of one thread: they equal wall-clock times on an idle machine, and other processes do not
count. Only whether a limit is met is ever compared, not the ratios themselves.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poise.benchmarks.control_cost import ReplayedRun
from poise.benchmarks.crowd import PART_S, TIMESTEP_S, count_contacts_between, open_crowd
from poise.characters.catalog import load_character
from poise.characters.model import Character
from poise.characters.toeless import without_toes
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import (
    BODIES,
    PUSHED_MPS,
    STEP_S,
    WALK,
    Progress,
    make_own_row,
    make_scene,
    split_progress,
)
from poise.reproduce.experiment import Experiment, Row
from poise.world.world import World

CROWD, CROWD_S, CROWD_STYLE = 16, 60.0, "dance"
#: Speed of each walker to and fro, and the range of times (s) between its reversals.
CROWD_MPS, TURN_EVERY_S = 0.2, (2.0, 4.0)
#: How many times slower than real time the source's crowd is.
CROWD_SLOWER = 10.0
SETTINGS = {"timestep_s": STEP_S, "crowd": CROWD, "crowd_s": CROWD_S, "crowd_timestep_s": TIMESTEP_S}


def measure_realtime(character: Character, seconds: float, repetitions: int) -> float:
    """Simulated time over processor time; the fastest of several runs."""
    world = make_scene(False, {"speed_mps": PUSHED_MPS}, character=character).open()
    world.warm_up()
    start, best = world.snapshot(), float("inf")
    for _ in range(repetitions):
        world.restore(start)
        began = time.thread_time()
        world.step(round(seconds / world.settings.timestep_s))
        best = min(best, time.thread_time() - began)
    return seconds / best


def measure_control_cost(ticks: int, repetitions: int) -> float:
    """Time of the closed loop over that of the bare physics of the same motion."""
    run = ReplayedRun(make_scene(False, {"speed_mps": PUSHED_MPS}).open(), ticks)
    closed, bare = [], []
    for _ in range(repetitions):
        closed.append(run.time_closed())
        bare.append(run.time_bare())
    return min(closed) / min(bare)


def _realtime_row(quick: bool, progress: Progress | None) -> Row:
    seconds, repetitions = (2.0, 1) if quick else (10.0, 3)
    bodies = {name: load_character(name) for name in (BODIES[:1] if quick else BODIES)}
    bodies["humanoid without toes"] = without_toes(load_character("humanoid"))
    factors = {}
    for k, (name, body) in enumerate(bodies.items()):
        factors[name] = measure_realtime(body, seconds, repetitions)
        if progress is not None:
            progress((k + 1) / (len(bodies) + 1))
    cost = measure_control_cost(2000 if quick else 8000, repetitions)
    shown = ", ".join(f"{name} {factor:.1f}" for name, factor in factors.items())
    slowest = min(factors.values())
    return make_row(
        "coros-5-realtime",
        f"real-time factor on one thread, at {STEP_S:g} s: {shown}; the closed loop takes {cost:.2f} times as long as "
        "bare physics",
        slowest >= 1.0,
        exceeded=slowest > 1.0,
        note="In processor time of one thread." + ("" if slowest >= 1.0 else " This machine is too slow."),
    )


@dataclass(frozen=True)
class Crowd:
    """Result of a crowd's run."""

    factor: float
    fallen: int
    #: Most contacts between its members in any sample.
    touches: int


def run_crowd(seconds: float, seed: int, progress: Progress | None) -> Crowd:
    """Run sixteen random bodies that dance to and fro among each other, each with its own tempo and direction."""
    world: World = open_crowd(WALK, count=CROWD)
    rng = np.random.default_rng(seed)
    ways, turn_at = np.zeros(CROWD), np.zeros(CROWD)
    for k in range(CROWD):
        world.set_parameter("style", CROWD_STYLE, k)
        world.set_parameter("stand", 0.0, k)
        world.set_parameter("step_time_s", float(rng.uniform(0.4, 0.6)), k)
        world.set_parameter("heading_deg", float(rng.uniform(-30.0, 30.0)), k)
        ways[k] = rng.choice((-1.0, 1.0))
    world.warm_up()
    spent, touches, parts = 0.0, 0, round(seconds / PART_S)
    for part in range(parts):
        for due in np.flatnonzero(turn_at <= part * PART_S):
            ways[due] = -ways[due]
            turn_at[due] += rng.uniform(*TURN_EVERY_S)
            world.set_parameter("speed_mps", float(CROWD_MPS * ways[due]), int(due))
        began = time.thread_time()
        world.step(round(PART_S / TIMESTEP_S))
        spent += time.thread_time() - began
        touches = max(touches, count_contacts_between(world))
        if progress is not None:
            progress((part + 1) / parts)
    fallen = sum(world.fell_at_s(k) is not None for k in range(CROWD))
    return Crowd(parts * PART_S / spent, fallen, touches)


def _crowd_rows(quick: bool, seed: int, progress: Progress | None) -> list[Row]:
    seconds = 4.0 if quick else CROWD_S
    crowd = run_crowd(seconds, seed, progress)
    fast, upright = crowd.factor >= 1.0 / CROWD_SLOWER, crowd.fallen == 0
    what = f"{CROWD} random bodies dancing for {seconds:g} s at {TIMESTEP_S:g} s"
    return [
        make_row(
            "coros-5-crowd",
            f"{what}: {crowd.factor:.2f} times real time, up to {crowd.touches} contacts between them",
            fast,
            exceeded=crowd.factor > 1.5 / CROWD_SLOWER,
            note="Staying upright is a row of our own." if fast else "It is slower than the source's.",
        ),
        make_own_row(
            "poise-walker-crowd",
            "All members of the crowd stay upright.",
            f"{CROWD} of {CROWD} after {CROWD_S:g} s, at real time or faster",
            f"{what}: {CROWD - crowd.fallen} of {CROWD} upright, {crowd.factor:.2f} times real time",
            upright and crowd.factor >= 1.0,
            note="" if upright else "Bodies that are bumped repeatedly fall.",
        ),
    ]


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure both claims about simulation speed."""
    parts = split_progress(progress, 2)
    return [_realtime_row(quick, parts[0]), *_crowd_rows(quick, seed, parts[1])]


EXPERIMENT = Experiment(
    "walker-speed",
    "simulation speed of the walker: alone, and sixteen dancing",
    measure,
    SETTINGS,
    ("coros-5-realtime", "coros-5-crowd"),
)
