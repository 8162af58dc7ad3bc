"""`open_batch`: one function over many items in threads, in processes or on a cluster; the results do not tell which.

    with open_batch("processes", workers=4) as batch:
        costs = batch.run(Evaluator(problem), candidates)

Results come in the order of the items. The first item that fails ends the others and its error is raised. A worker
that dies costs the items that it held, which are run again. Ctrl-C raises `TrialsInterrupted`, a `KeyboardInterrupt`
with what was finished by then. For processes and clusters the function and the items must be picklable, and the
function must stand in a module that the workers can import.
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
#: How often an item may take its worker with it before it is held to be the cause.
MAX_DEATHS: Final = 3
#: How long a cluster without workers is waited for.
PATIENCE_S: Final = 60.0

#: What a person must know of a cluster that is not encrypted.
NO_KEYS: Final = (
    "no keys protect this connection. Anyone who can reach the scheduler can run programs on its workers "
    "and on this machine. `poise cluster start` makes clusters that are protected."
)

_log = logging.getLogger(__name__)


class BatchError(PoiseError, RuntimeError):
    """Workers that cannot do what they are asked to: gone, unreachable, of another version, or killed by an item."""


class Batch(Protocol):
    """Workers that take items until it is closed."""

    def run(self, function: Callable[[Item], T], items: Sequence[Item], progress: Progress | None = None) -> list[T]:
        """What the function gives for each item, in order; `progress` is called with the part that is done."""
        ...

    def close(self) -> None:
        """Lets the workers go."""
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
    """Workers of this machine, as many as there are cores unless told otherwise, or those of a Dask cluster.

    `cluster` is the address of its scheduler, such as `tls://127.0.0.1:8786`, and brings its own workers.
    `cluster_keys` is the folder of its keys; those of a cluster that the same user started on this machine are found by
    themselves. `say` is called with what a person may want to know, such as that a worker died.
    """
    if kind not in KINDS:
        raise unknown_name("open_batch", "kind of workers", kind, KINDS)
    if workers is not None and workers < 1:
        raise InputError("the number of workers is out of range", where="open_batch", got=workers, allowed="At least 1")
    if cluster is not None:
        if workers is not None or kind != "threads":
            raise InputError("open_batch: a cluster brings its own workers. Leave out their kind and number.")
        from poise.batches.cluster import ClusterBatch

        if cluster.startswith("tcp://"):
            (say or _log.warning)(f"cluster {cluster}: {NO_KEYS}")
        return ClusterBatch(cluster, say or _keep_quiet, patience_s, cluster_keys)
    if cluster_keys is not None:
        raise InputError("open_batch: keys without a cluster. Give its address too.")
    if kind == "processes":
        from poise.batches.processes import ProcessBatch

        return ProcessBatch(workers or count_cores(), say or _keep_quiet)
    return ThreadBatch(workers or count_cores())


class ThreadBatch:
    """Items in threads of this process: the compiled loop lets all of them run at once."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def run(self, function: Callable[[Item], T], items: Sequence[Item], progress: Progress | None = None) -> list[T]:
        """What the function gives for each item, in order."""
        return run_trials([partial(function, item) for item in items], progress, workers=self._workers)

    def close(self) -> None:
        """Nothing is left behind: the threads of a run end with it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def describe_item(number: int, items: Sequence[Any]) -> str:
    """An item as errors name it, counted from 1."""
    return f"item {number + 1} of {len(items)}, {reprlib.repr(items[number])}"


def _keep_quiet(_text: str) -> None:
    """Whoever gave no `say` wants to hear nothing."""
