"""`poise optimize`: search for parameters."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from poise.cli.failures import INTERRUPTED
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
from poise.cli.trusting import AllowOutsideOption, AllowPythonOption
from poise.cli.values import parse_seed, parse_whole
from poise.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from poise.search import Result
    from poise.search.history import Generation

MAX_WORKERS = 1024
#: Where candidates come one by one, a line for each would be too much.
LINE_EVERY = 10

Option = typer.Option
Follow = Callable[["Generation", int], None]


def optimize(
    problem: Annotated[str, typer.Argument(metavar="PROBLEM.toml", help="A file, or a problem of `poise list`.")],
    algorithm: Annotated[
        str | None,
        Option(metavar="A", help="cma-es, cma-c, one-plus-one, direct, parametric; the file's by default."),
    ] = None,
    resume: Annotated[str | None, Option(metavar="DIR", help="Resume the search in this folder.")] = None,
    workers: Annotated[str | None, Option(metavar="N", help="Runs at a time; as many as cores by default.")] = None,
    processes: Annotated[bool, Option("--processes", help="Run in processes, not in threads.")] = False,
    cluster: Annotated[
        str | None, Option(metavar="ADDRESS", help="Run on a Dask cluster, such as tls://127.0.0.1:8786.")
    ] = None,
    cluster_keys: Annotated[
        str | None, Option(metavar="DIR", help="Keys of the cluster; those of your own on this machine are found.")
    ] = None,
    seed: Annotated[str | None, Option(metavar="N", help="Seed of every random choice.")] = None,
    ground: GroundOption = None,
    out: Annotated[str | None, Option(metavar="DIR", help="Where checkpoints and the result go.")] = None,
    json: Annotated[str | None, Option(metavar="F|-", help="Write the outcome as JSON; - is stdout.")] = None,
    allow_python: AllowPythonOption = False,
    allow_outside: AllowOutsideOption = False,
) -> None:
    """Search for the parameters that a problem file asks for.

    Ctrl-C ends it; what was found is kept, and --resume goes on, also where a search was killed.

    The result is the same with any number of workers, in threads, processes or on a cluster.
    """
    settings: dict[str, Any] = {
        "algorithm": algorithm,
        "resume": resume,
        "workers": None if workers is None else parse_whole("--workers", workers, 1, MAX_WORKERS),
        "processes": processes,
        "cluster": cluster,
        "cluster_keys": cluster_keys,
        "seed": None if seed is None else parse_seed(seed),
        "ground": ground,
        "out": out,
    }
    if cluster is not None and (processes or workers is not None):
        raise InputError("--cluster: a cluster brings its own workers. Leave out --workers and --processes.")
    if cluster is None and cluster_keys is not None:
        raise InputError("--cluster-keys: keys without a cluster. Give its address with --cluster.")
    if resume is not None and out is not None:
        raise InputError("--resume: a search goes on in its own folder. Leave out --out.")
    from poise.search import optimize as search

    with keep_stdout_for_json(json):
        note_if_cold()
        with _show_search() as follow:
            result = search(problem, progress=follow, say=note, **settings)
        if json != "-":
            _print_summary(result)
    if json is not None:
        write_json(json, result)
    if result.interrupted:
        note(f"interrupted. Go on with: {result.resume_hint}")
        raise typer.Exit(INTERRUPTED)


class Pace:
    """Candidates a second since the first generation that was seen, and the time that is left at this pace."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._began = clock, clock()
        self._before: int | None = None

    def describe(self, row: Generation, total: int) -> str:
        """Best value, candidates a second and time left after a generation."""
        now, first = self._clock(), self._before is None
        # What was done before this part of the search does not count.
        before = row.evaluations - self.last_size(row) if self._before is None else self._before
        rate = (row.evaluations - before) / max(now - self._began, 1e-9)
        if first:
            # The first generation has loaded and compiled a lot: the pace is that of the others.
            self._began, self._before = now, row.evaluations
        left = timedelta(seconds=round(max(total - row.evaluations, 0) / rate))
        return f"best cost {row.best_cost:.5g}, {rate:.3g} evaluations/s, at most {left} left"

    @staticmethod
    def last_size(row: Generation) -> int:
        """About how many candidates a generation has."""
        return round(row.evaluations / row.generation)


@contextmanager
def _show_search() -> Iterator[Follow]:
    """What to do after a generation: move a bar, or write a line where nobody would see it."""
    console, pace = make_console(error=True), Pace()
    if not console.is_terminal or console.is_dumb_terminal:
        yield lambda row, total: _write_line(row, total, pace)
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    text = TextColumn("{task.description}")
    columns = (TextColumn("searching"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), text)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("first generation", total=1.0)

        def follow(row: Generation, total: int) -> None:
            bar.update(task, completed=row.evaluations / total, description=pace.describe(row, total))

        yield follow


def _write_line(row: Generation, total: int, pace: Pace) -> None:
    text, size = pace.describe(row, total), pace.last_size(row)
    if size > 1 or row.generation % LINE_EVERY == 0 or row.evaluations >= total:
        generations = row.generation + -(-max(total - row.evaluations, 0) // size)
        note(f"generation {row.generation} of {generations}: {text}")


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
