"""`optimize`: runs a problem's search over all cores, with a checkpoint each generation and a way to go on later."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from poise import __version__
from poise.errors import FileFormatError, InputError
from poise.files import load_bytes, save_bytes
from poise.optim.ask_tell import Trace, replay
from poise.optim.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from poise.optim.cma_es import CmaEs
from poise.search import report
from poise.search.evaluate import Evaluation, evaluate
from poise.search.problem import Problem
from poise.search.read_problem import read_problem
from poise.search.report import Generation

CHECKPOINT, PROBLEM = "checkpoint.npz", "problem.toml"
Progress = Callable[[Generation, int], None]


@dataclass(frozen=True)
class Result:
    """What came of a search: the best values, where they are, and whether there is more to do."""

    #: The problem as it was given.
    problem: str
    folder: Path
    controller_path: Path
    #: The searched parameters' values.
    values: Mapping[str, float]
    cost: float
    evaluation: Evaluation
    generations: int
    evaluations: int
    #: Of the closing run; empty if the search was interrupted.
    check: Mapping[str, Any]
    interrupted: bool = False

    @property
    def resume_hint(self) -> str:
        """What to type to go on."""
        return f"poise optimize {self.problem} --resume {self.folder}"


def optimize(
    problem_path: str | PathLike[str],
    *,
    out: str | PathLike[str] | None = None,
    resume: str | PathLike[str] | None = None,
    workers: int | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Searches for the controller that a problem describes, by name or file.

    Everything goes into the folder `out` (`out/optimize/NAME` unless told otherwise). `resume` is the folder of a
    search that did not come to its end: it goes on from its last generation and ends as if it had never stopped.
    `progress` is called after each generation with its row of the history and how many there will be. Ctrl-C ends
    the search after the candidates that are running; what was found until then is returned and can be resumed.
    """
    problem = read_problem(problem_path)
    folder = Path(resume) if resume is not None else Path(out) if out is not None else _default_folder(problem)
    past = None
    if resume is not None:
        past, seed = _load_past(folder, problem, seed)
    elif (folder / CHECKPOINT).exists():
        raise InputError(
            f"{folder}: a search is there already. Go on with --resume {folder}, or give another folder with --out."
        )
    seed = problem.seed if seed is None else seed
    if resume is None:
        save_bytes(folder / PROBLEM, load_bytes(problem.path))
    return _Search(problem, folder, seed, past, progress).run(workers or os.cpu_count() or 1)


def _default_folder(problem: Problem) -> Path:
    return Path("out") / "optimize" / problem.name


def _load_past(folder: Path, problem: Problem, seed: int | None) -> tuple[Trace, int]:
    """What a search in a folder was told, and its seed, if it is the search of this problem."""
    path = folder / CHECKPOINT
    checkpoint = load_checkpoint(path)
    notes, kept = checkpoint.notes, problem.fingerprint()
    for name, text in kept.items():
        if notes.get(name) != text:
            raise FileFormatError(
                f"{name} has changed since that search began. Start a new one, or bring the old {name} back", path=path
            )
    if seed is not None and seed != notes.get("seed"):
        raise FileFormatError(f"that search has the seed {notes.get('seed')}, it cannot go on with {seed}", path=path)
    shape = (problem.population, len(problem.space))
    if any(c.shape != shape for c in checkpoint.trace.candidates) or not isinstance(notes.get("seed"), int):
        raise FileFormatError("the checkpoint does not fit the problem", path=path)
    return checkpoint.trace, int(notes["seed"])


class _Search:
    """One search under way."""

    def __init__(
        self, problem: Problem, folder: Path, seed: int, past: Trace | None, progress: Progress | None
    ) -> None:
        self._problem, self._folder, self._seed, self._progress = problem, folder, seed, progress
        self._optimizer = CmaEs(problem.space, population=problem.population, seed=seed)
        if past is not None:
            replay(self._optimizer, past)

    def run(self, workers: int) -> Result:
        """Generation by generation to the end, or to Ctrl-C."""
        interrupted = False
        with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="poise-search") as pool:
            try:
                while self._optimizer.trace().generations < self._problem.generations:
                    self._advance(pool)
            except KeyboardInterrupt:
                pool.shutdown(wait=True, cancel_futures=True)
                interrupted = True
        return self._finish(interrupted)

    def _advance(self, pool: Executor) -> None:
        points = self._optimizer.ask()
        futures = [pool.submit(self._evaluate, point) for point in points]
        try:
            costs = np.array([f.result().cost for f in futures])
        except BaseException:
            for future in futures:
                future.cancel()
            raise
        self._optimizer.tell(points, costs)
        trace = self._optimizer.trace()
        notes = {**self._problem.fingerprint(), "seed": self._seed, "poise": __version__}
        save_checkpoint(self._folder / CHECKPOINT, Checkpoint(trace, notes))
        history = report.compute_history(trace)
        report.save_history(self._folder / "history.csv", history)
        if self._progress is not None:
            self._progress(history[-1], self._problem.generations)

    def _values(self, point: Any) -> dict[str, float]:
        return report.round_values(self._problem.space.decode(point))

    def _evaluate(self, point: Any) -> Evaluation:
        return evaluate(self._problem, self._values(point))

    def _finish(self, interrupted: bool) -> Result:
        problem, trace, best = self._problem, self._optimizer.trace(), self._optimizer.best
        if best is None:
            raise KeyboardInterrupt
        found = self._values(best.point)
        evaluation = evaluate(problem, found)
        check = {} if interrupted else report.check_best(problem, found)
        provenance = report.make_provenance(problem, self._seed, trace, evaluation)
        path = self._folder / f"{problem.name}.toml"
        report.save_best(path, problem, found, {**provenance, "check": check} if check else provenance)
        report.save_convergence_plot(self._folder / "convergence.png", report.compute_history(trace), problem.name)
        return Result(
            problem=problem.label,
            folder=self._folder,
            controller_path=path,
            values=found,
            cost=evaluation.cost,
            evaluation=evaluation,
            generations=trace.generations,
            evaluations=trace.evaluations,
            check=check,
            interrupted=interrupted,
        )
