"""`poise cluster`: workers for searches that need more than one process or machine."""

from __future__ import annotations

import shlex
import time
from typing import Annotated

import typer

from poise.cli.group import HouseApp
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.values import parse_whole

app = HouseApp(help="Start workers for searches")

MAX_WORKERS = 1024
DEFAULT_PORT, DEFAULT_HOST = "8786", "127.0.0.1"

Option = typer.Option


@app.callback()
def start() -> None:
    """Start workers for searches."""


@app.command("start")
def start_cluster(
    workers: Annotated[str | None, Option(metavar="N", help="Worker processes; one per core by default")] = None,
    port: Annotated[str, Option(metavar="P", help="Port of the scheduler; 0 takes any free port")] = DEFAULT_PORT,
    host: Annotated[
        str, Option(metavar="HOST", help="Address to listen on; the default is reachable from this machine only")
    ] = DEFAULT_HOST,
    keys: Annotated[
        str | None,
        Option(
            metavar="DIR",
            callback=check_folder,
            help="Folder of the keys, reused if it exists; a temporary one by default",
        ),
    ] = None,
    make_folders: MakeFoldersOption = False,
) -> None:
    """Start a scheduler and workers on this machine and print their address

    Ctrl-C ends them.

    Using the cluster requires its keys; your own searches on this machine find them.
    """
    count = None if workers is None else parse_whole("--workers", workers, 1, MAX_WORKERS)
    number = parse_whole("--port", port, 0, 65535)
    from poise.batches.host import host_cluster
    from poise.batches.threads import count_cores

    # Ctrl-C is the normal end, not a failure.
    try:
        with host_cluster(count, host, number, keys) as hosted:
            # Flush: the address must appear at once in a pipe, too.
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
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Scheduler, such as tls://192.168.1.20:8786")],
    workers: Annotated[str | None, Option(metavar="N", help="Worker processes; one per core by default")] = None,
    keys: Annotated[
        str | None,
        Option("--keys", "--cluster-keys", metavar="DIR", help="Keys of the cluster, copied from its first machine"),
    ] = None,
) -> None:
    """Add workers on this machine to a cluster, until it ends or Ctrl-C"""
    count = None if workers is None else parse_whole("--workers", workers, 1, MAX_WORKERS)
    from poise.batches.host import join_cluster as join

    try:
        join(address, count, keys, ready=lambda text: print(text, flush=True))
    except KeyboardInterrupt:
        print("the workers have ended.", flush=True)
        return
    print("the cluster has ended.", flush=True)
