"""`poise optimize`: search for parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli.options import JsonOption, WorkersOption, parse_workers
from poise.cli.outputs import MakeFoldersOption, check_folder
from poise.cli.scenes import GroundOption
from poise.cli.screen import (
    keep_stdout_for_json,
    make_console,
    make_facts,
    make_table,
    note,
    note_if_cold,
    write_json,
)
from poise.cli.searching import end_if_interrupted, show_search
from poise.cli.trusting import AllowOutsideOption, AllowPythonOption
from poise.cli.values import parse_seed
from poise.errors import InputError

if TYPE_CHECKING:
    from poise.cli.table import Table
    from poise.search import Result
    from poise.search.history import Generation

Option = typer.Option


def optimize(
    context: typer.Context,
    problem: Annotated[str, typer.Argument(metavar="PROBLEM.toml", help="A file, or a problem of `poise list`")],
    algorithm: Annotated[
        str | None,
        Option(metavar="A", help="cma-es, cma-c, one-plus-one, direct, parametric; the file's by default"),
    ] = None,
    resume: Annotated[str | None, Option(metavar="DIR", help="Resume the search in this folder")] = None,
    workers: WorkersOption = None,
    processes: Annotated[bool, Option("--processes", help="Run in processes, not in threads")] = False,
    cluster: Annotated[
        str | None, Option(metavar="ADDRESS", help="Run on a Dask cluster, such as tls://127.0.0.1:8786")
    ] = None,
    cluster_keys: Annotated[
        str | None, Option(metavar="DIR", help="Keys of the cluster; those of your own on this machine are found")
    ] = None,
    seed: Annotated[str | None, Option(metavar="N", help="Seed of every random choice")] = None,
    ground: GroundOption = None,
    out: Annotated[
        str | None, Option(metavar="DIR", callback=check_folder, help="Folder for the journal and the result")
    ] = None,
    json: JsonOption = None,
    make_folders: MakeFoldersOption = False,
    allow_python: AllowPythonOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Search for the parameters that a problem file asks for

    Ctrl-C ends the search with the best so far; --resume continues it, also after it was killed.

    The result is the same with any number of workers, in threads, processes or on a cluster.
    """
    _check_options(cluster, cluster_keys, processes or workers is not None, resume, out)
    settings: dict[str, Any] = {
        "algorithm": algorithm,
        "resume": resume,
        "workers": parse_workers(workers),
        "processes": processes,
        "cluster": cluster,
        "cluster_keys": cluster_keys,
        "seed": None if seed is None else parse_seed(seed),
        "ground": ground,
        "out": out,
    }
    from poise.search import optimize as search

    with keep_stdout_for_json(json):
        note_if_cold()
        with show_search() as follow:

            def progress(row: Generation, total: int) -> None:
                follow(row.evaluations, round(row.evaluations / row.generation), total, row.best_cost)

            result = search(problem, progress=progress, say=note, **settings)
        if json != "-":
            _print_summary(result)
    if json is not None:
        write_json(json, result)
    end_if_interrupted(context, result.interrupted, resume_with=result.resume_hint)


def _check_options(
    cluster: str | None, cluster_keys: str | None, has_workers: bool, resume: str | None, out: str | None
) -> None:
    if cluster is not None and has_workers:
        raise InputError("--cluster: a cluster brings its own workers. Leave out --workers and --processes.")
    if cluster is None and cluster_keys is not None:
        raise InputError("--cluster-keys: keys without a cluster. Give its address with --cluster.")
    if resume is not None and out is not None:
        raise InputError("--resume: a search continues in its own folder. Leave out --out.")


def _print_summary(result: Result) -> None:
    console = make_console()
    console.print(_make_facts(result))
    if result.tasks:
        name = result.skill.parameter if result.skill else "task"
        rows = [(t.value, t.measured.get(name), t.cost, ", ".join(t.failures), t.controller_path) for t in result.tasks]
        columns = (name, "measured", "cost", "failures", "controller")
        console.print(make_table(columns, rows, right=(name, "measured", "cost")))


def _make_facts(result: Result) -> Table:
    failures = ", ".join(f"{name} {count}" for name, count in result.failures.items())
    searched = f"{result.generations} generations, {result.evaluations} candidates by {result.algorithm}"
    return make_facts(
        f"cost {result.cost:.5g}",
        [
            ("searched", f"{searched}, {result.evaluations_per_s:.3g} a second"),
            ("ended by", result.stopped_by),
            ("failed", failures),
            ("controller" if result.skill is None else "skill", result.controller_path),
            *((name, float(value)) for name, value in result.values.items()),
            *((f"check {name}", value) for name, value in result.check.items()),
        ],
    )
