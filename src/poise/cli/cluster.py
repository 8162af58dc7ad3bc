"""`poise cluster`: workers for searches that outgrow a process or a machine."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from poise.cli.group import HouseGroup
from poise.cli.values import parse_whole

app = typer.Typer(cls=HouseGroup, help="Start workers on which a search can run.")

MAX_WORKERS = 1024
DEFAULT_PORT, DEFAULT_HOST = "8786", "127.0.0.1"

Option = typer.Option


@app.callback()
def start() -> None:
    """Start workers on which a search can run."""


@app.command("start")
def start_cluster(
    workers: Annotated[str | None, Option(metavar="N", help="Worker processes; as many as cores by default.")] = None,
    port: Annotated[str, Option(metavar="P", help="Port of the scheduler; 0 takes any that is free.")] = DEFAULT_PORT,
    host: Annotated[
        str, Option(metavar="HOST", help="Address of this machine to open it on; nobody else can reach the default.")
    ] = DEFAULT_HOST,
) -> None:
    """Start a scheduler and workers on this machine, and print their address. Ctrl-C ends them."""
    count = None if workers is None else parse_whole("--workers", workers, 1, MAX_WORKERS)
    number = parse_whole("--port", port, 0, 65535)
    from poise.search.batch_host import host_cluster
    from poise.trials.jobs import count_cores

    # Ctrl-C is how it ends, so it is no failure.
    try:
        with host_cluster(count, host, number) as address:
            # In a pipe, too, the address must appear when it is there.
            print(f"cluster at {address}, workers: {count or count_cores()}. Ctrl-C ends it.", flush=True)
            print(f"use it with: poise optimize PROBLEM --cluster {address}", flush=True)
            while True:
                time.sleep(1.0)
    except KeyboardInterrupt:
        print("the cluster has ended.", flush=True)
