"""`poise cluster`: workers for searches that outgrow a process or a machine."""

from __future__ import annotations

import shlex
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
    keys: Annotated[
        str | None,
        Option(metavar="DIR", help="Folder for the keys, which is kept and used again; a temporary one by default."),
    ] = None,
) -> None:
    """Start a scheduler and workers on this machine, and print their address. Ctrl-C ends them.

    Only who holds the keys of the cluster can use it; your own searches on this machine find them.
    """
    count = None if workers is None else parse_whole("--workers", workers, 1, MAX_WORKERS)
    number = parse_whole("--port", port, 0, 65535)
    from poise.batches.host import host_cluster
    from poise.batches.threads import count_cores

    # Ctrl-C is how it ends, so it is no failure.
    try:
        with host_cluster(count, host, number, keys) as hosted:
            # In a pipe, too, the address must appear when it is there.
            print(f"cluster at {hosted.address}, workers: {count or count_cores()}. Ctrl-C ends it.", flush=True)
            print(f"keys in {hosted.keys.folder}", flush=True)
            option = "" if keys is None else f" --cluster-keys {shlex.quote(keys)}"
            print(f"use it with: poise optimize PROBLEM --cluster {hosted.address}{option}", flush=True)
            while True:
                time.sleep(1.0)
    except KeyboardInterrupt:
        print("the cluster has ended.", flush=True)


@app.command("join")
def join_cluster(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Scheduler, such as tls://192.168.1.20:8786.")],
    workers: Annotated[str | None, Option(metavar="N", help="Worker processes; as many as cores by default.")] = None,
    keys: Annotated[
        str | None,
        Option(
            "--keys", "--cluster-keys", metavar="DIR", help="Keys of the cluster, copied from where it was started."
        ),
    ] = None,
) -> None:
    """Add workers on this machine to a cluster. They end with it, or with Ctrl-C."""
    count = None if workers is None else parse_whole("--workers", workers, 1, MAX_WORKERS)
    from poise.batches.host import join_cluster as join

    try:
        join(address, count, keys, ready=lambda text: print(text, flush=True))
    except KeyboardInterrupt:
        print("the workers have ended.", flush=True)
        return
    print("the cluster has ended.", flush=True)
