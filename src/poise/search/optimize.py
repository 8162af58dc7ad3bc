"""`optimize`: run the search of a problem on all cores. Every generation is kept, so a search can be resumed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np

from poise.batches.batch import Batch, open_batch
from poise.errors import FileFormatError, InputError, unknown_name
from poise.files import load_bytes, save_bytes
from poise.optim.space import FloatArray
from poise.optim.stopping import StopRules
from poise.search.algorithms import ALGORITHMS, check_algorithm
from poise.search.batch_carry import Evaluator
from poise.search.drive import Judged, Told, drive, ending_with_best
from poise.search.evaluate import Evaluation
from poise.search.history import Course, Generation, save_history
from poise.search.outcome import Result, Search
from poise.search.problem import GROUND_MARK, Problem
from poise.search.read_problem import read_problem
from poise.search.session import Session, load_notes, name_journal, open_session
from poise.world.settings import check_ground

KIND: Final = "optimize"
PROBLEM, HISTORY = "problem.toml", "history.csv"
#: Written by older versions instead of a journal.
CHECKPOINT: Final = "checkpoint.npz"
Progress = Callable[[Generation, int], None]


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
    """Search for the controller that a problem describes, by name or file.

    All files go into the folder `out`, by default `out/optimize/NAME`. `resume` is the folder of a search that was
    interrupted: it continues after its last generation and ends as if it had never stopped. `algorithm`, `seed`,
    `ground` and `stop` override those of the file.

    `progress` is called after each new generation with its row of the history and the largest possible number of
    candidates. Ctrl-C, or a KeyboardInterrupt that `progress` raises, ends the search; the best so far is returned and
    the search can be resumed. Candidates run in `workers` threads, by default one for each core, in as many processes,
    or on the Dask cluster at an address (`open_batch` describes how its keys are found). `say` is called with messages
    for the user. None of this changes the result.
    """
    if ground is not None:
        check_ground("ground", ground)
    folder = None if resume is None else Path(resume)
    notes = {} if folder is None else _load_notes(folder)
    problem = read_problem(problem_path, notes.get(GROUND_MARK) if ground is None else ground)
    if folder is None:
        folder = Path(out) if out is not None else Path("out") / "optimize" / problem.name
        _check_free(folder)
    else:
        algorithm, seed = _check_notes(folder, notes, problem, algorithm, seed)
    run = _make_run(problem, folder, algorithm, seed, stop, progress)
    kind = "processes" if processes else "threads"
    with (
        open_session(
            folder, KIND, run.notes(), folder=True, resume=resume is not None, resume_with=f"--resume {folder}", say=say
        ) as session,
        open_batch(kind, workers=workers, cluster=cluster, cluster_keys=cluster_keys, say=say) as batch,
    ):
        if resume is None:
            save_bytes(folder / PROBLEM, load_bytes(problem.path))
            session.begin()
        return run.search(session, batch)


def _load_notes(folder: Path) -> dict[str, str]:
    """Notes of the search in a folder."""
    path = name_journal(folder, KIND, folder=True)
    if not path.exists() and (folder / CHECKPOINT).exists():
        raise FileFormatError("was written by an older Poise. Start a new search", path=folder / CHECKPOINT)
    return load_notes(path)


def _check_free(folder: Path) -> None:
    if (folder / CHECKPOINT).exists():
        raise InputError(f"{folder}: already holds a search of an older Poise. Give another folder with --out.")


def _check_notes(
    folder: Path, notes: dict[str, str], problem: Problem, algorithm: str | None, seed: int | None
) -> tuple[str | None, int | None]:
    """Algorithm and seed of the search in a folder, if it is a search of this problem."""
    path = name_journal(folder, KIND, folder=True)
    for name, text in problem.fingerprint().items():
        if notes and notes.get(name) != text:
            raise FileFormatError(
                f"{name} has changed since that search began. Start a new one, or restore the original", path=path
            )
    kept = notes.get("seed")
    return (
        notes.get("algorithm") if algorithm is None else algorithm,
        int(kept) if seed is None and kept is not None else seed,
    )


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


class _Run:
    """A search in progress."""

    def __init__(self, problem: Problem, folder: Path, algorithm: str, seed: int, progress: Progress | None) -> None:
        self._problem, self._folder, self._progress = problem, folder, progress
        self._name, self._seed = algorithm, seed
        self._algorithm = ALGORITHMS[algorithm]
        self._optimizer = self._algorithm.make(problem, seed)
        self._evaluate = Evaluator(problem)
        self._course = Course()

    def notes(self) -> dict[str, object]:
        """Notes that must match when the search is resumed."""
        return {**self._problem.fingerprint(), "algorithm": self._name, "seed": self._seed}

    def search(self, session: Session, batch: Batch) -> Result:
        """Search to the end, or to Ctrl-C."""
        began, recalled, stopped_by = time.monotonic(), 0, "interrupted"

        def take(told: Told) -> None:
            nonlocal recalled
            self._course.take(told.points, told.costs, told.failures, self._optimizer)
            if not told.is_new:
                recalled = self._count()
                return
            save_history(self._folder / HISTORY, self._course.rows)
            if self._progress is not None:
                self._progress(self._course.rows[-1], self._problem.stop.evaluations)

        with ending_with_best(lambda: bool(self._course.rows)):
            stopped_by = drive(
                self._optimizer,
                lambda _, points: self._judge(batch, points),
                done=lambda _: self._find_stop() or "",
                session=session,
                follow=take,
                learns_failures=self._algorithm.learns_failures,
            )
        seconds = time.monotonic() - began
        # A resumed search may find a history that is older than its journal.
        save_history(self._folder / HISTORY, self._course.rows)
        search = Search(self._problem, self._folder, self._name, self._seed, self._course, stopped_by)
        rate = (self._count() - recalled) / seconds if seconds > 0.0 else 0.0
        return replace(search.finish(self._optimizer), seconds=seconds, evaluations_per_s=rate)

    def _count(self) -> int:
        return self._course.rows[-1].evaluations if self._course.rows else 0

    def _find_stop(self) -> str | None:
        if getattr(self._optimizer, "done", False):
            return "exhausted"
        return self._problem.stop.find(self._course.rows)

    def _judge(self, batch: Batch, points: FloatArray) -> Judged:
        found: list[Evaluation] = batch.run(self._evaluate, [self._problem.decode(point) for point in points])
        tasked = self._algorithm.takes_tasks
        costs = np.array([e.task_costs if tasked else e.cost for e in found], dtype=float)
        return Judged(costs, tuple(e.failures for e in found))
