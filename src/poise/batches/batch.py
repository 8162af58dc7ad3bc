"""`open_batch`: maps a function over items in threads, in processes or on a cluster, with the same results.

    with open_batch("processes", workers=4) as batch:
        costs = batch.run(Evaluator(problem), candidates)

Results are in the order of the items. The first item that fails ends the others and its error is raised. If a worker
dies, its items are run again. Ctrl-C raises `TrialsInterrupted`, a `KeyboardInterrupt` with the results so far. For
processes and clusters the function and the items must be picklable, and the function must be defined in a module that
the workers can import.
"""

from __future__ import annotations

import logging
import reprlib
from collections.abc import Callable, Sequence
from functools import partial
from os import PathLike
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from poise.batches.threads import Progress, count_cores, run_trials
from poise.errors import InputError, PoiseError, unknown_name

T = TypeVar("T")
Item = TypeVar("Item")
Say = Callable[[str], None]

KINDS: Final = ("threads", "processes")
#: Number of workers that may die running an item before the item is blamed.
MAX_DEATHS: Final = 3
#: How long to wait for workers of a cluster.
PATIENCE_S: Final = 60.0

#: Warning about an unencrypted cluster.
NO_KEYS: Final = (
    "this connection is not protected by keys. Anyone who can reach the scheduler can run programs on its workers "
    "and on this machine. `poise cluster start` starts a protected cluster."
)

_log = logging.getLogger(__name__)


class BatchError(PoiseError, RuntimeError):
    """A failure of workers: lost, unreachable, of another version, or killed by an item."""


class Batch(Protocol):
    """Workers that process items until the batch is closed."""

    def run(self, function: Callable[[Item], T], items: Sequence[Item], progress: Progress | None = None) -> list[T]:
        """The function's result for each item, in order; `progress` is called with the fraction completed."""
        ...

    def close(self) -> None:
        """Releases the workers."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_batch(
    kind: str = "threads",
    *,
    workers: int | None = None,
    cluster: str | None = None,
    cluster_keys: str | PathLike[str] | None = None,
    say: Say | None = None,
    patience_s: float = PATIENCE_S,
) -> Batch:
    """Workers on this machine, by default one per core, or those of a Dask cluster.

    `cluster` is the address of its scheduler, such as `tls://127.0.0.1:8786`, and brings its own workers.
    `cluster_keys` is the folder of its keys; the keys of a cluster that the same user started on this machine are found
    automatically. `say` is called with messages for the user, such as that a worker died.
    """
    if kind not in KINDS:
        raise unknown_name("kind", "kind of workers", kind, KINDS)
    if workers is not None and workers < 1:
        raise InputError("the number of workers is out of range", where="workers", got=workers, allowed="At least 1")
    if cluster is not None:
        if workers is not None or kind != "threads":
            raise InputError("cluster: a cluster brings its own workers. Omit their kind and number.")
        from poise.batches.cluster import ClusterBatch

        if cluster.startswith("tcp://"):
            (say or _log.warning)(f"cluster {cluster}: {NO_KEYS}")
        return ClusterBatch(cluster, say or _keep_quiet, patience_s, cluster_keys)
    if cluster_keys is not None:
        raise InputError("cluster_keys: keys without a cluster. Give the cluster's address, too.")
    if kind == "processes":
        from poise.batches.processes import ProcessBatch

        return ProcessBatch(workers or count_cores(), say or _keep_quiet)
    return ThreadBatch(workers or count_cores())


class ThreadBatch:
    """Runs items in threads of this process, in parallel, since the compiled loop releases the GIL."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def run(self, function: Callable[[Item], T], items: Sequence[Item], progress: Progress | None = None) -> list[T]:
        """The function's result for each item, in order."""
        return run_trials([partial(function, item) for item in items], progress, workers=self._workers)

    def close(self) -> None:
        """Does nothing: the threads of a run end with it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def describe_item(number: int, items: Sequence[Any]) -> str:
    """An item's number, counted from 1, and text, for errors."""
    return f"item {number + 1} of {len(items)}, {reprlib.repr(items[number])}"


def _keep_quiet(_text: str) -> None:
    """Ignores messages; the default `say`."""
