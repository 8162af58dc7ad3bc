"""Batches on a Dask cluster, whose scheduler distributes items and reruns those of a worker that died."""

from __future__ import annotations

import logging
import pickle
import socket
import ssl
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache, partial
from os import PathLike
from queue import Empty, SimpleQueue
from typing import Any, Final, Self, TypeVar
from urllib.parse import urlsplit

from poise.batches.batch import BatchError, Say, describe_item
from poise.batches.keys import VARIABLE, Keys, find_clusters_folder, find_keys, needs_package
from poise.batches.threads import Progress, TrialsInterrupted
from poise.batches.versions import describe_versions, find_difference
from poise.errors import InputError

T = TypeVar("T")
Item = TypeVar("Item")

#: How long a scheduler may take to answer.
_CONNECT_S: Final = 5.0
#: Intervals for checking for Ctrl-C, and for counting the workers while there are no results.
_PULSE_S: Final = 0.1
_COUNT_EVERY_S: Final = 1.0
_LOGGERS: Final = (
    "distributed",
    "distributed.client",
    "distributed.gc",
    "tornado",
    "tornado.application",
    "asyncio",
)
_START_ONE: Final = "Start one with: poise cluster start"


class ClusterBatch:
    """Runs items on the workers of a cluster, which may join and leave at any time."""

    def __init__(
        self, address: str, say: Say, patience_s: float, keys_folder: str | PathLike[str] | None = None
    ) -> None:
        check_address(address)
        self._where, self._say, self._patience_s = f"cluster {address}", say, patience_s
        with needs_package(self._where):
            import distributed
        self._distributed = distributed
        self._keys = find_cluster_keys(address, keys_folder)
        self._resources = ExitStack()
        with self._resources:
            self._resources.enter_context(quiet())
            self._client = self._connect(address)
            self._resources.callback(self._leave)
            self._await_workers()
            self._compare_versions()
            # On success, `close` becomes responsible for the resources.
            self._resources = self._resources.pop_all()

    def _connect(self, address: str) -> Any:
        reach_scheduler(address, self._keys)
        security = None if self._keys is None else self._keys.make_security()
        try:
            with _without_warnings():
                return self._distributed.Client(
                    address, timeout=_CONNECT_S, set_as_default=False, name="poise", security=security
                )
        except Exception as error:
            secured = " A cluster with keys has an address that begins with tls://." if security is None else ""
            raise BatchError(
                f"{self._where}: the server there is not a scheduler that this version of Dask understands, "
                f"{' '.join(str(error).split())}.{secured} {_START_ONE}."
            ) from error

    def _count_workers(self) -> int:
        try:
            return int(self._client.scheduler_info(n_workers=0)["n_workers"])
        except Exception as error:
            raise self._lost() from error

    def _await_workers(self) -> None:
        if self._count_workers():
            return
        self._say(f"no worker at {self._where.removeprefix('cluster ')}; waiting for one …")
        until = time.monotonic() + self._patience_s
        while not self._count_workers():
            if time.monotonic() > until:
                raise self._no_workers()
            time.sleep(_PULSE_S)

    def _compare_versions(self) -> None:
        answers = self._client.run(describe_versions, on_error="return")
        for worker, answer in answers.items():
            if isinstance(answer, OSError):
                # The worker is leaving; workers that take items are checked again.
                continue
            if isinstance(answer, BaseException):
                raise self._differs(worker, f"cannot import this poise, {answer}")
            difference = find_difference(describe_versions(), answer)
            if difference:
                raise self._differs(worker, difference)

    def run(self, function: Callable[[Item], T], items: Sequence[Item], progress: Progress | None = None) -> list[T]:
        """The function's result for each item, in order."""
        if not items:
            return []
        results: dict[int, T] = {}
        futures = self._submit(function, items)
        try:
            self._collect(futures, items, results, progress)
        except BaseException as error:
            self._cancel(futures)
            if isinstance(error, KeyboardInterrupt):
                raise TrialsInterrupted(results) from None
            raise
        return [results[k] for k in range(len(items))]

    def _submit(self, function: Callable[[Item], T], items: Sequence[Item]) -> list[Any]:
        try:
            call = partial(_perform, dict(describe_versions()), pickle.dumps(function, pickle.HIGHEST_PROTOCOL))
            parcels = [pickle.dumps(item, pickle.HIGHEST_PROTOCOL) for item in items]
        except Exception as error:
            raise InputError(f"{self._where}: function or item cannot be sent to another process: {error}") from error
        run = uuid.uuid4().hex
        with _without_warnings():
            futures: list[Any] = self._client.map(call, parcels, key=[f"poise-{run}-{k}" for k in range(len(items))])
        return futures

    def _collect(
        self, futures: list[Any], items: Sequence[Item], results: dict[int, T], progress: Progress | None
    ) -> None:
        """Collects results as they arrive; waits again for one that was lost in transit."""
        bell: SimpleQueue[int] = SimpleQueue()
        for k, future in enumerate(futures):
            future.add_done_callback(lambda _, k=k: bell.put(k))
        watch = _Watch(self._await_workers)
        while len(results) < len(items):
            try:
                k = bell.get(timeout=_PULSE_S)
            except Empty:
                watch.look()
                continue
            try:
                results[k] = futures[k].result(timeout=_COUNT_EVERY_S)
            except TimeoutError:
                if futures[k].status == "error":
                    raise
                # Its worker died before the result was fetched: the scheduler reruns the item.
                bell.put(k)
                watch.look()
                continue
            except Exception as error:
                explained = self._explain(error, futures[k], k, items)
                if explained is None:
                    raise
                raise explained from error
            watch.rest()
            if progress is not None:
                progress(len(results) / len(items))

    def _explain(self, error: Exception, future: Any, k: int, items: Sequence[Any]) -> BatchError | None:
        """The error as a failure of the workers, or None if it is the item's own."""
        if isinstance(error, self._distributed.KilledWorker):
            return BatchError(
                f"{self._where}: {describe_item(k, items)}: {error.allowed_failures + 1} workers died running it. "
                "Run it with threads to see why."
            )
        if isinstance(error, _OtherVersionError):
            return self._differs(*error.args)
        if future.status in ("cancelled", "lost") or isinstance(error, self._distributed.client.FutureCancelledError):
            return self._lost()
        return None

    def _cancel(self, futures: list[Any]) -> None:
        # Running items are completed; waiting items are not started.
        with suppress(Exception, KeyboardInterrupt):
            self._client.cancel(futures, force=True)

    def _lost(self) -> BatchError:
        return BatchError(f"{self._where}: the connection to the scheduler was lost. {_START_ONE}.")

    def _no_workers(self) -> BatchError:
        return BatchError(
            f"{self._where}: no worker for {self._patience_s:g} s. "
            f"Start some with: poise cluster join {self._where.removeprefix('cluster ')}."
        )

    def _differs(self, worker: str, difference: str) -> BatchError:
        return BatchError(
            f"{self._where}: the worker {worker} {difference}. "
            "All machines must have the same versions to compute the same results."
        )

    def close(self) -> None:
        """Disconnects from the cluster, which keeps running."""
        self._resources.close()

    def _leave(self) -> None:
        with suppress(Exception):
            self._client.close(timeout=_CONNECT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Watch:
    """Counts the workers periodically while there are no results; waits for new ones if there are none."""

    def __init__(self, await_workers: Callable[[], None]) -> None:
        self._await_workers = await_workers
        self.rest()

    def rest(self) -> None:
        """Restarts the interval after a result."""
        self._next_s = time.monotonic() + _COUNT_EVERY_S

    def look(self) -> None:
        if time.monotonic() >= self._next_s:
            self._await_workers()
            self.rest()


class _OtherVersionError(Exception):
    """Raised on a worker, with its address and the difference."""


def _perform(versions: Mapping[str, str], work: bytes, item: bytes) -> Any:
    """Runs an item on a worker. Checks versions again, since the worker may have joined after the first check."""
    difference = find_difference(versions, describe_versions())
    if difference:
        from distributed import get_worker

        raise _OtherVersionError(get_worker().address, difference)
    return _load(work)(pickle.loads(item))


@lru_cache(8)
def _load(work: bytes) -> Callable[[Any], Any]:
    function: Callable[[Any], Any] = pickle.loads(work)
    return function


def find_cluster_keys(address: str, keys_folder: str | PathLike[str] | None = None) -> Keys | None:
    """The keys of the cluster at an address; None if it has none, or if Dask's configuration provides them."""
    check_address(address)
    where = f"cluster {address}"
    if urlsplit(address).scheme == "tcp":
        if keys_folder is not None:
            raise BatchError(f"{where}: keys are for encrypted connections. Write tls://{urlsplit(address).netloc}.")
        return None
    keys = find_keys(address, keys_folder)
    if keys is None:
        with needs_package(where):
            import dask
        if not dask.config.get("distributed.comm.tls.ca-file", None):
            raise BatchError(
                f"{where}: no keys for it in {find_clusters_folder()}. Copy the folder of keys that "
                f"`poise cluster start` printed, and pass it with --cluster-keys or {VARIABLE}."
            )
    return keys


def reach_scheduler(address: str, keys: Keys | None) -> str:
    """This machine's address on the route to a scheduler; raises at once where Dask would retry for a long time."""
    parts, where = urlsplit(address), f"cluster {address}"
    try:
        plain = socket.create_connection((parts.hostname, parts.port), timeout=_CONNECT_S)
    except OSError as error:
        raise BatchError(f"{where}: no scheduler answers there, {error.strerror or error}. {_START_ONE}.") from error
    with plain:
        here = str(plain.getsockname()[0])
        if keys is None:
            return here
        context = keys.make_security().get_connection_args("client")["ssl_context"]
        try:
            context.wrap_socket(plain).close()
        except ssl.SSLCertVerificationError as error:
            raise BatchError(
                f"{where}: the keys in {keys.folder} are not those of this cluster. Copy them again: "
                "every start creates new ones, except with --keys."
            ) from error
        except OSError as error:
            raise BatchError(
                f"{where}: the server there does not use encrypted connections. "
                f"If it is your own cluster without keys, write tcp://{parts.netloc}."
            ) from error
    return here


def check_address(address: str) -> None:
    """Raises unless a text is the address of a scheduler."""
    form = "Write tls://HOST:PORT, such as tls://127.0.0.1:8786"
    try:
        parts = urlsplit(address)
        fine = (
            parts.scheme in ("tcp", "tls") and bool(parts.hostname) and bool(parts.port) and not parts.path.strip("/")
        )
    except ValueError:
        fine = False
    if not fine:
        raise InputError("not the address of a scheduler", where="cluster", got=address, allowed=form)


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silences Dask's own version comparison, which prints a page of text, and its warnings about large tasks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def quiet() -> Iterator[None]:
    """Keeps Dask's messages from the terminal: everything important is raised as our errors."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    # Parts of Dask set the levels of their loggers, but its handlers still filter by theirs.
    silenced: list[logging.Logger | logging.Handler] = [*loggers, *logging.getLogger("distributed").handlers]
    levels = [one.level for one in silenced]
    try:
        for one in silenced:
            one.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for one, level in zip(silenced, levels, strict=True):
            one.setLevel(level)
