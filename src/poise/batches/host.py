"""A Dask cluster on this machine: a scheduler, and worker processes that are restarted when they die.

Scheduler, workers and clients authenticate each other with keys made for the cluster. Dask's status pages, which have
no authentication, are all disabled.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from os import PathLike
from tempfile import TemporaryDirectory
from typing import Any, Final

from poise.batches.batch import MAX_DEATHS, BatchError, Say
from poise.batches.cluster import find_cluster_keys, quiet, reach_scheduler
from poise.batches.keys import Keys, keep_keys, needs_package, note_address
from poise.batches.signals import born_deaf_to_ctrl_c
from poise.batches.threads import count_cores

#: The default of Dask's own tools.
DEFAULT_PORT: Final = 8786
#: Not reachable from other machines.
LOCALHOST: Final = "127.0.0.1"
_CLOSE_S: Final = 5.0
#: Interval for checking for Ctrl-C.
_PULSE_S: Final = 0.2


#: Dask opens a port for status pages in every process. Without routes, it serves nothing and can run nothing.
_SETTINGS: Final = {
    "distributed.scheduler.allowed-failures": MAX_DEATHS - 1,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # A worker would print a message when it is closed.
    "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",
}


@dataclass(frozen=True)
class Hosted:
    """A running cluster: its address, and the keys that a client needs."""

    address: str
    keys: Keys


@contextmanager
def host_cluster(
    workers: int | None = None,
    host: str = LOCALHOST,
    port: int = DEFAULT_PORT,
    keys_folder: str | PathLike[str] | None = None,
) -> Iterator[Hosted]:
    """A cluster that runs until the end of the block; port 0 selects any free port.

    Each worker is a process with one thread: one core per compiled loop. By default there is one worker per core. The
    keys go into `keys_folder`, which is kept and reused, or into a temporary folder of this user, where clients of the
    same user find them by the address.
    """
    _check_port(host, port)
    with needs_package("cluster"):
        import dask
        from distributed import LocalCluster
    with ExitStack() as stack:
        keys = stack.enter_context(keep_keys(keys_folder))
        stack.enter_context(dask.config.set(_SETTINGS))
        with born_deaf_to_ctrl_c():
            cluster = LocalCluster(
                n_workers=workers or count_cores(),
                threads_per_worker=1,
                processes=True,
                host=host,
                scheduler_port=port,
                protocol="tls://",
                security=keys.make_security(),
                # The port for status pages cannot be disabled; any free one on this machine avoids conflicts.
                dashboard_address=f"{LOCALHOST}:0",
                scheduler_kwargs={"dashboard": False},
                # Workers read back what they write to disk, by default in a folder that all users share.
                local_directory=stack.enter_context(TemporaryDirectory(prefix="poise-cluster-")),
                silence_logs=logging.CRITICAL,
            )
            stack.enter_context(cluster)
        address = str(cluster.scheduler_address)
        note_address(keys, address)
        yield Hosted(address, keys)


def join_cluster(
    address: str, workers: int | None = None, keys_folder: str | PathLike[str] | None = None, ready: Say | None = None
) -> None:
    """Adds worker processes of this machine to a cluster until its scheduler stops or Ctrl-C is pressed.

    `ready` is called with a message once all have joined.
    """
    keys = find_cluster_keys(address, keys_folder)
    with needs_package("cluster"):
        import dask
        import distributed  # noqa: F401 - sets the levels of its loggers as it is imported
    security = None if keys is None else keys.make_security()
    host = reach_scheduler(address, keys)
    with dask.config.set(_SETTINGS), TemporaryDirectory(prefix="poise-cluster-") as folder, quiet():
        options = {"nthreads": 1, "host": host, "security": security, "local_directory": folder}
        # The workers, including replacements of dead ones, are started by a thread that ignores Ctrl-C.
        crew = _Crew(address, workers or count_cores(), options, ready)
        with born_deaf_to_ctrl_c():
            crew.start()
        crew.wait()


class _Crew(threading.Thread):
    """Worker processes that serve a scheduler until it or the crew is stopped."""

    def __init__(self, address: str, workers: int, options: dict[str, Any], ready: Say | None) -> None:
        super().__init__(name="poise-crew", daemon=True)
        self._address, self._workers, self._options, self._ready = address, workers, options, ready
        self._loop, self._enough = asyncio.new_event_loop(), asyncio.Event()
        self._ended = threading.Event()
        self._error: BaseException | None = None

    def wait(self) -> None:
        """Waits for the end; Ctrl-C ends the workers."""
        try:
            # Not `join`: if Ctrl-C interrupts it, Python considers the thread ended.
            while not self._ended.wait(_PULSE_S):
                pass
        except KeyboardInterrupt:
            self._loop.call_soon_threadsafe(self._enough.set)
            self._ended.wait()
            raise
        if self._error is not None:
            raise BatchError(f"cluster {self._address}: no worker could join it, {self._error}.") from self._error

    def run(self) -> None:
        """Runs the workers."""
        try:
            self._loop.run_until_complete(self._serve())
        except Exception as error:
            self._error = error
        finally:
            self._loop.close()
            self._ended.set()

    async def _serve(self) -> None:
        from distributed import Nanny

        options = {**self._options, "silence_logs": logging.CRITICAL, "dashboard": False}
        nannies = [Nanny(self._address, **options) for _ in range(self._workers)]
        enough = asyncio.ensure_future(self._enough.wait())
        try:
            joined = asyncio.gather(*nannies)
            await asyncio.wait((joined, enough), return_when=asyncio.FIRST_COMPLETED)
            if enough.done():
                joined.cancel()
                return
            await joined
            if self._ready is not None:
                self._ready(f"joined {self._address}, workers: {self._workers}. Ctrl-C ends them.")
            ended = asyncio.gather(*(nanny.finished() for nanny in nannies))
            await asyncio.wait((ended, enough), return_when=asyncio.FIRST_COMPLETED)
        finally:
            enough.cancel()
            await asyncio.gather(*(nanny.close(timeout=_CLOSE_S) for nanny in nannies), return_exceptions=True)


def _check_port(host: str, port: int) -> None:
    """Raises if a port is taken. Dask would only warn and use another, where no client would find the cluster."""
    where = f"cluster {host}:{port}"
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            # A port that was just released counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except socket.gaierror as error:
        raise BatchError(f"{where}: unknown host name, {error.strerror}.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BatchError(f"{where}: the port is taken. Choose another, or 0 for any free port.") from error
        raise BatchError(f"{where}: it cannot be opened, {error.strerror}.") from error
