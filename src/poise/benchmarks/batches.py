"""What it costs to run a batch elsewhere: one generation of a search in threads, in processes and on a cluster.

All three have the same number of workers and take turns; each counts with the fastest of its repetitions. Their results
must be the same to the last bit. What is left of the time when an item does nothing is the cost of sending it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, Final

from poise.errors import PoiseError
from poise.optim.cma_es import CmaEs
from poise.search import read_problem
from poise.search.batch import Batch, open_batch
from poise.search.batch_carry import Evaluator
from poise.search.batch_host import host_cluster

PROBLEM: Final = "planar-walk-2state"
#: Items that do nothing, for the cost of one.
EMPTY_ITEMS: Final = 200


def measure_batches(*, workers: int = 2, repetitions: int = 7, seconds: float = 3.0) -> dict[str, Any]:
    """Seconds and ratios of each kind of workers, with trials of `seconds`; a cluster only where Dask is installed."""
    whole = read_problem(PROBLEM)
    problem = replace(whole, seconds=seconds, settle_s=0.5 * seconds)
    optimizer = CmaEs(problem.space, population=problem.population, seed=problem.seed)
    candidates = [problem.decode(point) for point in optimizer.ask()]
    with ExitStack() as stack:
        batches = {"threads": stack.enter_context(open_batch(workers=workers))}
        batches["processes"] = stack.enter_context(open_batch("processes", workers=workers))
        if find_spec("distributed") is not None:
            address = stack.enter_context(host_cluster(workers, port=0))
            batches["cluster"] = stack.enter_context(open_batch(cluster=address))
        generation = _time_in_turns(batches, Evaluator(problem), candidates, repetitions)
        empty = _time_in_turns(batches, _do_nothing, range(EMPTY_ITEMS), repetitions)
    return {
        "problem": PROBLEM,
        "candidates": len(candidates),
        "trials": len(problem.trials),
        "seconds": seconds,
        "workers": workers,
        "repetitions": repetitions,
        "same_bits": True,
        "kinds": {
            kind: {
                "generation_s": generation[kind],
                "ratio": generation[kind] / generation["threads"],
                "item_ms": 1e3 * empty[kind] / EMPTY_ITEMS,
            }
            for kind in batches
        },
    }


def _time_in_turns(
    batches: dict[str, Batch], function: Callable[[Any], Any], items: Sequence[Any], repetitions: int
) -> dict[str, float]:
    """The fastest run of each, after one that counts for nothing: it starts processes and unpacks what was sent."""
    wanted = repr(batches["threads"].run(function, items))
    best = dict.fromkeys(batches, float("inf"))
    for repetition in range(repetitions + 1):
        for kind, batch in batches.items():
            began = time.perf_counter()
            results = batch.run(function, items)
            spent = time.perf_counter() - began
            if repr(results) != wanted:
                raise PoiseError(f"bench: {kind} found something else than threads.")
            if repetition > 0:
                best[kind] = min(best[kind], spent)
    return best


def _do_nothing(item: int) -> int:
    return item
