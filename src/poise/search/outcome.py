"""Result of a search, as values and as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise.search import report
from poise.search.evaluate import Evaluation, evaluate
from poise.search.history import Course, save_convergence_plot
from poise.search.problem import Problem
from poise.search.skills import Skill, find_values, make_skill, save_skill

#: Methods whose controller files may contain a [skill] table.
SKILLED_METHODS: Final = ("phases",)


@dataclass(frozen=True)
class TaskResult:
    """Result for one value of the task."""

    value: float
    controller_path: Path
    values: Mapping[str, float]
    cost: float
    #: Means over the trials that ran to their end.
    measured: Mapping[str, float]
    failures: tuple[str, ...]
    check: Mapping[str, Any]


@dataclass(frozen=True)
class Result:
    """Result of a search: the best values, where they were written, and whether the search can continue."""

    #: The problem as the user gave it.
    problem: str
    algorithm: str
    seed: int
    folder: Path
    #: File of the best controller; with a task, of the skill.
    controller_path: Path
    #: Values of the variables; with a task they are in `tasks`.
    values: Mapping[str, float]
    cost: float
    evaluation: Evaluation | None
    generations: int
    evaluations: int
    #: `evaluations`, `target cost`, `stagnation`, `spread`, `exhausted` or `interrupted`.
    stopped_by: str
    #: Number of failed candidates by the name of the failure.
    failures: Mapping[str, int]
    #: Figures of the closing run; empty if the search was interrupted.
    check: Mapping[str, Any]
    skill: Skill | None = None
    tasks: tuple[TaskResult, ...] = ()
    #: Duration of this part of the search, without earlier parts that it resumed.
    seconds: float = 0.0
    evaluations_per_s: float = 0.0
    #: Whether the search can continue.
    interrupted: bool = False

    def __repr__(self) -> str:
        found = f"cost {self.cost:.5g} after {self.evaluations} candidates by {self.algorithm}"
        return f"<Result of {self.problem}: {found}, in {self.controller_path}>"

    @property
    def resume_hint(self) -> str:
        """Command that continues the search."""
        return f"poise optimize {self.problem} --resume {self.folder}"


@dataclass(frozen=True)
class Search:
    """A search that has ended."""

    problem: Problem
    folder: Path
    algorithm: str
    seed: int
    course: Course
    stopped_by: str

    @property
    def _interrupted(self) -> bool:
        return self.stopped_by == "interrupted"

    def finish(self, optimizer: Any) -> Result:
        """Write the files and return the result."""
        save_convergence_plot(self.folder / "convergence.png", self.course.rows, self.problem.name)
        return self._finish_plainly() if self.problem.task is None else self._finish_skill(optimizer)

    def _provenance(self) -> dict[str, Any]:
        return report.make_provenance(self.problem, self.algorithm, self.seed, self.stopped_by, self.course)

    def _make_result(self, **more: Any) -> Result:
        return Result(
            problem=self.problem.label,
            algorithm=self.algorithm,
            seed=self.seed,
            folder=self.folder,
            generations=len(self.course.rows),
            evaluations=self.course.rows[-1].evaluations,
            stopped_by=self.stopped_by,
            failures=self.course.count_failures(),
            interrupted=self._interrupted,
            **more,
        )

    def _finish_plainly(self) -> Result:
        best = self.course.best
        assert best is not None
        found = self.problem.decode(best.point)
        evaluation = evaluate(self.problem, found)
        check = {} if self._interrupted else report.check_best(self.problem, found)
        path = self.folder / f"{self.problem.name}.toml"
        provenance = {**self._provenance(), "cost": evaluation.cost, "trials": report.describe_trials(evaluation)}
        report.save_best(path, self.problem, found, {**provenance, "check": check} if check else provenance)
        return self._make_result(
            controller_path=path, values=found, cost=evaluation.cost, evaluation=evaluation, check=check
        )

    def _finish_skill(self, optimizer: Any) -> Result:
        task = self.problem.task
        assert task is not None
        skill = make_skill(self.problem, optimizer.best.skill)
        tasks = tuple(self._finish_task(skill, k, value) for k, value in enumerate(task.values.tolist()))
        cost = float(np.mean([t.cost for t in tasks]))
        path = self._save_skill(skill, tasks, cost)
        return self._make_result(
            controller_path=path, values={}, cost=cost, evaluation=None, check={}, skill=skill, tasks=tasks
        )

    def _finish_task(self, skill: Skill, k: int, value: float) -> TaskResult:
        """Write an ordinary controller for one value of the task."""
        found = find_values(self.problem, skill, value)
        evaluation = evaluate(self.problem, found)
        check = {} if self._interrupted else report.check_best(self.problem, found)
        path = self.folder / f"{self.problem.name}-{k + 1}.toml"
        provenance = {
            **self._provenance(),
            "task": {skill.parameter: value},
            "cost": evaluation.task_costs[k],
            "trials": report.describe_trials(evaluation),
        }
        report.save_best(path, self.problem, found, {**provenance, "check": check} if check else provenance)
        ended = [t.measured for t in evaluation.trials.values() if t.failed_at_s is None]
        names = ended[0] if ended else ()
        measured = {name: float(np.mean([row[name] for row in ended if name in row])) for name in names}
        return TaskResult(value, path, found, evaluation.task_costs[k], measured, evaluation.failures, check)

    def _save_skill(self, skill: Skill, tasks: tuple[TaskResult, ...], cost: float) -> Path:
        """Write the function, into a controller file if the method supports skills."""
        problem, provenance = self.problem, {**self._provenance(), "cost": cost}
        if problem.method in SKILLED_METHODS:
            path = self.folder / f"{problem.name}.toml"
            report.save_best(path, problem, tasks[0].values, provenance, {"skill": skill.as_table()})
            return path
        path = self.folder / f"{problem.name}.skill.toml"
        head = {"description": problem.description, "controller": problem.base, "character": problem.character}
        save_skill(path, skill, head, provenance)
        return path
