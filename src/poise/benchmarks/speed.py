"""Times: simulated over wall time, two threads over one, opening a world, and the very first run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from poise.benchmarks.scenes import SUBJECTS, open_subject
from poise.errors import PoiseError
from poise.world.world import World

#: Time steps of reported results, of searches and of previews.
TIMESTEPS_S = (0.0005, 0.001, 0.002)

_FIRST_RUN = """
import sys
from poise.benchmarks.scenes import open_subject
open_subject(sys.argv[1]).step(1)
"""


def measure_threads(ticks: int, repetitions: int) -> dict[str, Any]:
    """Wall time of two worlds one after the other, over that of the same two in two threads."""
    worlds = [open_subject("humanoid") for _ in range(2)]
    for world in worlds:
        world.warm_up()
    starts = [world.snapshot() for world in worlds]

    def rewind() -> None:
        for world, start in zip(worlds, starts, strict=True):
            world.restore(start)

    one, two = [], []
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(World.step, worlds))
        for _ in range(repetitions):
            rewind()
            began = time.perf_counter()
            for world in worlds:
                world.step(ticks)
            one.append(time.perf_counter() - began)
            rewind()
            began = time.perf_counter()
            runs: list[Future[None]] = [pool.submit(world.step, ticks) for world in worlds]
            for run in runs:
                run.result()
            two.append(time.perf_counter() - began)
    return {"ratio": min(one) / min(two), "one_s": min(one), "two_s": min(two), "ticks": ticks}


def measure_realtime(character: str, seconds: float, repetitions: int) -> dict[str, float]:
    """Simulated time over wall time of the loop, at each time step."""
    factors = {}
    for timestep_s in TIMESTEPS_S:
        world = open_subject(character, timestep_s)
        world.warm_up()
        start, best = world.snapshot(), float("inf")
        for _ in range(repetitions):
            world.restore(start)
            before = world.loop_wall_s
            world.step(round(seconds / timestep_s))
            best = min(best, world.loop_wall_s - before)
        factors[f"{timestep_s:g}"] = seconds / best
    return factors


def measure_setup(repetitions: int) -> dict[str, float]:
    """Seconds from names to a world at time zero, with everything compiled."""
    times = {}
    for character in SUBJECTS:
        best = float("inf")
        for _ in range(repetitions):
            began = time.perf_counter()
            open_subject(character)
            best = min(best, time.perf_counter() - began)
        times[f"{character}_s"] = best
    return times


def measure_first_run() -> dict[str, float]:
    """Seconds from starting Python to the first tick: with nothing compiled yet, and with everything."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | {"POISE_CACHE_DIR": folder}
        return {"cold_s": _time_first_run(environment), "warm_s": _time_first_run(environment)}


def _time_first_run(environment: dict[str, str]) -> float:
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_RUN, "biped7"], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise PoiseError(f"bench: the first run failed. {' '.join(done.stderr.split()[-30:])}")
    return time.perf_counter() - began
