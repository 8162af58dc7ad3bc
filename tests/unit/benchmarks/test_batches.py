"""The benchmark of batches compares what finds the same, and notices what does not."""

import json

import pytest

from poise.batches.batch import open_batch
from poise.benchmarks.report import _make_batch_rows
from poise.errors import PoiseError

pytest.importorskip("distributed")


@pytest.mark.slow
def test_threads_processes_and_a_cluster_take_turns():
    from poise.benchmarks.batches import measure_batches

    results = measure_batches(repetitions=1, seconds=0.5)
    assert json.loads(json.dumps(results)) == results
    assert list(results["kinds"]) == ["threads", "processes", "cluster"]
    assert results["candidates"] == 16 and results["same_bits"]
    assert all(value > 0.0 for times in results["kinds"].values() for value in times.values())
    rows = [figure for figure, _, _ in _make_batch_rows(results)]
    assert rows == [
        "16 candidates of planar-walk-2state, processes over threads, 2 workers",
        "16 candidates of planar-walk-2state, cluster over threads, 2 workers",
        "an item that does nothing, threads",
        "an item that does nothing, processes",
        "an item that does nothing, cluster",
    ]


def test_workers_that_find_something_else_are_noticed():
    from poise.benchmarks.batches import _time_in_turns

    class Wrong:
        def run(self, function, items, progress=None):
            return [function(item) + 1e-15 for item in items]

    with open_batch(workers=1) as threads, pytest.raises(PoiseError, match=r"^bench: processes and threads gave diff"):
        _time_in_turns({"threads": threads, "processes": Wrong()}, abs, [1.0, 2.0], 1)
