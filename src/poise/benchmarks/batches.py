"""Overhead of running a batch elsewhere: one generation of a search in threads, in processes and on a cluster.

All three have the same number of workers and take turns; the fastest repetition of each counts. Their results must be
bit-identical. The time for items that do nothing is the cost of sending them. On a shared machine, the processor time
of all processes together is more reliable than wall time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Final

import psutil

from poise.batches.batch import Batch, open_batch
from poise.batches.host import host_cluster
from poise.errors import PoiseError
from poise.optim.cma_es import CmaEs
from poise.search import read_problem
from poise.search.batch_carry import Evaluator

PROBLEM: Final = "planar-walk-2state"
#: Number of items that do nothing, which measure the cost per item.
EMPTY_ITEMS: Final = 200


def measure_batches(*, workers: int = 2, repetitions: int = 5, seconds: float | None = None) -> dict[str, Any]:
    """Seconds and ratios for each kind of worker, with trials of the problem's duration or of `seconds`."""
    problem = read_problem(PROBLEM)
    if seconds is not None:
        problem = replace(problem, seconds=seconds, settle_s=0.5 * seconds)
    optimizer = CmaEs(problem.space, population=problem.population, seed=problem.seed)
    candidates = [problem.decode(point) for point in optimizer.ask()]
    with ExitStack() as stack:
        batches = {"threads": stack.enter_context(open_batch(workers=workers))}
        batches["processes"] = stack.enter_context(open_batch("processes", workers=workers))
        hosted = stack.enter_context(host_cluster(workers, port=0))
        batches["cluster"] = stack.enter_context(open_batch(cluster=hosted.address, cluster_keys=hosted.keys.folder))
        generation = _time_in_turns(batches, Evaluator(problem), candidates, repetitions)
        empty = _time_in_turns(batches, _do_nothing, range(EMPTY_ITEMS), repetitions)
    return {
        "problem": PROBLEM,
        "candidates": len(candidates),
        "trials": len(problem.trials),
        "seconds": problem.seconds,
        "workers": workers,
        "repetitions": repetitions,
        "same_bits": True,
        "kinds": {
            kind: {
                "generation_s": generation[kind][0],
                "ratio": generation[kind][0] / generation["threads"][0],
                "processor_ratio": generation[kind][1] / generation["threads"][1],
                "item_ms": 1e3 * empty[kind][0] / EMPTY_ITEMS,
            }
            for kind in batches
        },
    }


def _time_in_turns(
    batches: dict[str, Batch], function: Callable[[Any], Any], items: Sequence[Any], repetitions: int
) -> dict[str, tuple[float, float]]:
    """Wall and processor seconds of each kind's fastest run, after one that does not count.

    That run starts the processes and unpacks what was sent.
    """
    wanted = repr(batches["threads"].run(function, items))
    best = dict.fromkeys(batches, (float("inf"), float("inf")))
    for repetition in range(repetitions + 1):
        for kind, batch in batches.items():
            worked, began = _count_processor_s(), time.perf_counter()
            results = batch.run(function, items)
            wall, busy = time.perf_counter() - began, _count_processor_s() - worked
            if repr(results) != wanted:
                raise PoiseError(f"bench: {kind} and threads gave different results.")
            if repetition > 0:
                best[kind] = min(best[kind][0], wall), min(best[kind][1], busy)
    return best


def _count_processor_s() -> float:
    """Processor seconds of this process and of its living descendants."""
    here = psutil.Process()
    times = [process.cpu_times() for process in (here, *here.children(recursive=True))]
    return float(sum(t.user + t.system for t in times))


def _do_nothing(item: int) -> int:
    return item
