"""`optimize`: runs a problem's search over all cores, with a checkpoint each generation and a way to go on later."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np

from poise import __version__
from poise.batches.batch import Batch, open_batch
from poise.errors import FileFormatError, InputError, unknown_name
from poise.files import load_bytes, save_bytes
from poise.locks import hold_folder
from poise.optim.ask_tell import Trace
from poise.optim.checkpoint import Checkpoint, has_checkpoint, load_last_checkpoint, save_checkpoint
from poise.optim.space import FloatArray
from poise.optim.stopping import StopRules
from poise.search.algorithms import ALGORITHMS, check_algorithm
from poise.search.batch_carry import Evaluator
from poise.search.evaluate import Evaluation
from poise.search.history import Course, Generation, Names, save_history
from poise.search.outcome import Result, Search
from poise.search.problem import GROUND_MARK, Problem
from poise.search.read_problem import read_problem
from poise.world.settings import check_ground

CHECKPOINT, PROBLEM, HISTORY = "checkpoint.npz", "problem.toml", "history.csv"
Progress = Callable[[Generation, int], None]
#: What candidates may differ by that are the same: the last bits belong to the machine's libraries.
_ALIKE: Final = 1e-6


def optimize(
    problem_path: str | PathLike[str],
    *,
    out: str | PathLike[str] | None = None,
    resume: str | PathLike[str] | None = None,
    algorithm: str | None = None,
    seed: int | None = None,
    ground: str | None = None,
    stop: StopRules | None = None,
    workers: int | None = None,
    processes: bool = False,
    cluster: str | None = None,
    cluster_keys: str | PathLike[str] | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] | None = None,
) -> Result:
    """Searches for the controller that a problem describes, by name or file.

    Everything goes into the folder `out` (`out/optimize/NAME` unless told otherwise). `resume` is the folder of a
    search that did not come to its end: it goes on from its last generation and ends as if it had never stopped.
    `algorithm`, `seed`, `ground` and `stop` take the place of what the file says.

    `progress` is called after each generation with its row of the history and the largest number of candidates that
    there will be. Ctrl-C, or a KeyboardInterrupt that `progress` raises, ends the search; what was found until then
    is returned and can be resumed. Candidates run in `workers` threads, as many as there are cores by default, in
    as many processes, or on the Dask cluster at an address, whose keys are looked for as `open_batch` says; `say` is
    called with what a person may want to know of them. None of this changes the result.
    """
    if ground is not None:
        check_ground("search", ground)
    elif resume is not None:
        ground = load_last_checkpoint(Path(resume) / CHECKPOINT).notes.get(GROUND_MARK)
    problem = read_problem(problem_path, ground)
    folder = Path(resume) if resume is not None else Path(out) if out is not None else _default_folder(problem)
    with hold_folder(folder):
        past = Trace((), ())
        if resume is not None:
            past, algorithm, seed = _load_past(folder, problem, algorithm, seed, say)
        elif has_checkpoint(folder / CHECKPOINT):
            raise InputError(
                f"{folder}: a search is there already. Go on with --resume {folder}, or give another folder with --out."
            )
        run = _make_run(problem, folder, algorithm, seed, stop, progress)
        kind = "processes" if processes else "threads"
        with open_batch(kind, workers=workers, cluster=cluster, cluster_keys=cluster_keys, say=say) as batch:
            run.begin(past)
            return run.go_on(batch)


def _make_run(
    problem: Problem,
    folder: Path,
    algorithm: str | None,
    seed: int | None,
    stop: StopRules | None,
    progress: Progress | None,
) -> _Run:
    algorithm = problem.algorithm if algorithm is None else algorithm
    if algorithm not in ALGORITHMS:
        raise unknown_name("search", "algorithm", algorithm, ALGORITHMS)
    check_algorithm(algorithm, problem.task)
    if stop is not None:
        problem = replace(problem, stop=stop)
    return _Run(problem, folder, algorithm, problem.seed if seed is None else seed, progress)


def _default_folder(problem: Problem) -> Path:
    return Path("out") / "optimize" / problem.name


def _load_past(
    folder: Path, problem: Problem, algorithm: str | None, seed: int | None, say: Callable[[str], None] | None
) -> tuple[Trace, str, int]:
    """What a search in a folder was told, its algorithm and its seed, if it is the search of this problem."""
    path = folder / CHECKPOINT
    checkpoint = load_last_checkpoint(path, say, repair=True)
    notes, kept = checkpoint.notes, problem.fingerprint()
    for name, text in kept.items():
        if notes.get(name) != text:
            raise FileFormatError(
                f"{name} has changed since that search began. Start a new one, or bring back what it was", path=path
            )
    for what, given in {"algorithm": algorithm, "seed": seed}.items():
        if given is not None and given != notes.get(what):
            raise FileFormatError(
                f"that search has the {what} {notes.get(what)}, it cannot go on with {given}", path=path
            )
    used, number = notes.get("algorithm"), notes.get("seed")
    if used not in ALGORITHMS or not isinstance(number, int) or not _fits(checkpoint.trace, problem):
        raise FileFormatError("the checkpoint does not fit the problem", path=path)
    return checkpoint.trace, str(used), number


def _fits(trace: Trace, problem: Problem) -> bool:
    width, tasks = len(problem.space), () if problem.task is None else (problem.task.count,)
    return len(trace.failures) == trace.generations and all(
        points.shape[1:] == (width,) and costs.shape[1:] == tasks and len(points) == len(costs)
        for points, costs in zip(trace.candidates, trace.costs, strict=True)
    )


class _Run:
    """One search under way."""

    def __init__(self, problem: Problem, folder: Path, algorithm: str, seed: int, progress: Progress | None) -> None:
        self._problem, self._folder, self._progress = problem, folder, progress
        self._name, self._seed = algorithm, seed
        self._algorithm = ALGORITHMS[algorithm]
        self._optimizer = self._algorithm.make(problem, seed)
        self._evaluate = Evaluator(problem)
        self._course = Course()

    def begin(self, past: Trace) -> None:
        """Goes through the past once more, and leaves a folder from which the search can go on at any moment."""
        for points, costs, failures in zip(past.candidates, past.costs, past.failures, strict=True):
            asked = self._optimizer.ask()
            if asked.shape != points.shape or not np.allclose(asked, points, rtol=_ALIKE, atol=_ALIKE):
                raise FileFormatError(
                    f"{self._name} no longer asks for the candidates of that search, which another version of it "
                    "began. Start a new search",
                    path=self._folder / CHECKPOINT,
                )
            self._tell(points, costs, failures)
        if not past.generations:
            save_bytes(self._folder / PROBLEM, load_bytes(self._problem.path))
        if not past.generations or not (self._folder / CHECKPOINT).exists():
            self._save_checkpoint()
        save_history(self._folder / HISTORY, self._course.rows)

    def go_on(self, batch: Batch) -> Result:
        """Generation by generation to the end, or to Ctrl-C."""
        began, before = time.monotonic(), self._count()
        stopped_by = self._find_stop()
        try:
            while stopped_by is None:
                self._advance(batch)
                stopped_by = self._find_stop()
        except KeyboardInterrupt:
            if not self._course.rows:
                raise
            stopped_by = "interrupted"
        seconds = time.monotonic() - began
        search = Search(self._problem, self._folder, self._name, self._seed, self._course, stopped_by)
        rate = (self._count() - before) / seconds if seconds > 0.0 else 0.0
        return replace(search.finish(self._optimizer), seconds=seconds, evaluations_per_s=rate)

    def _count(self) -> int:
        return self._course.rows[-1].evaluations if self._course.rows else 0

    def _find_stop(self) -> str | None:
        if getattr(self._optimizer, "done", False):
            return "exhausted"
        return self._problem.stop.find(self._course.rows)

    def _advance(self, batch: Batch) -> None:
        points = self._optimizer.ask()
        found: list[Evaluation] = batch.run(self._evaluate, [self._problem.decode(point) for point in points])
        tasked = self._algorithm.takes_tasks
        costs = np.array([e.task_costs if tasked else e.cost for e in found], dtype=float)
        self._tell(points, costs, tuple(e.failures for e in found))
        self._save()
        if self._progress is not None:
            self._progress(self._course.rows[-1], self._problem.stop.evaluations)

    def _tell(self, points: FloatArray, costs: FloatArray, failures: Names) -> None:
        if self._algorithm.learns_failures:
            self._optimizer.tell(points, costs, failures)
        else:
            self._optimizer.tell(points, costs)
        self._course.take(points, costs, failures, self._optimizer)

    def _save(self) -> None:
        """Writes the checkpoint, then the history, which can be made from it."""
        self._save_checkpoint()
        save_history(self._folder / HISTORY, self._course.rows)

    def _save_checkpoint(self) -> None:
        marks = {**self._problem.fingerprint(), "algorithm": self._name, "seed": self._seed, "poise": __version__}
        save_checkpoint(self._folder / CHECKPOINT, Checkpoint(self._course.trace(), marks))
