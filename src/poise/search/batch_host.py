"""A Dask cluster on this machine: a scheduler, and worker processes that are started again when they die."""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from poise.search.batch import MAX_DEATHS, BatchError
from poise.search.batch_signals import born_deaf_to_ctrl_c
from poise.trials.jobs import count_cores

#: Where Dask's own tools look for a scheduler too.
DEFAULT_PORT: Final = 8786
#: Nobody on another machine can reach it.
LOCALHOST: Final = "127.0.0.1"


@contextmanager
def host_cluster(workers: int | None = None, host: str = LOCALHOST, port: int = DEFAULT_PORT) -> Iterator[str]:
    """The address of a cluster that lasts as long as the block; port 0 takes any that is free.

    Each worker is a process with one thread, so that compiled loops get a core each; there are as many as cores unless
    told otherwise.
    """
    _check_port(host, port)
    try:
        import dask
        from distributed import LocalCluster
    except ModuleNotFoundError as error:
        raise BatchError(
            f'cluster: this needs the package {error.name}. Install it with: pip install "poise[cluster]".'
        ) from error
    with ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": MAX_DEATHS - 1}))
        with born_deaf_to_ctrl_c():
            cluster = LocalCluster(
                n_workers=workers or count_cores(),
                threads_per_worker=1,
                processes=True,
                host=host,
                scheduler_port=port,
                # Dask's page about itself cannot be left out, but nobody need find it, or find its port taken.
                dashboard_address=f"{LOCALHOST}:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs=logging.CRITICAL,
            )
            stack.enter_context(cluster)
        yield str(cluster.scheduler_address)


def _check_port(host: str, port: int) -> None:
    """Dask would take another port and only warn, and nobody would find the cluster."""
    where = f"cluster {host}:{port}"
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            # A port that was just left counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except socket.gaierror as error:
        raise BatchError(f"{where}: no machine has this name, {error.strerror}.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BatchError(f"{where}: the port is taken. Choose another, or 0 for any that is free.") from error
        raise BatchError(f"{where}: it cannot be opened, {error.strerror}.") from error
