"""Search algorithms by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from poise.errors import InputError
from poise.optim.cma_c import CmaC
from poise.optim.cma_es import CmaEs
from poise.optim.direct import MAX_EVALUATIONS as MAX_OF_DIRECT
from poise.optim.direct import Direct
from poise.optim.one_plus_one import OnePlusOne
from poise.optim.parametric import ParametricEs
from poise.optim.skill_function import make_tasks

if TYPE_CHECKING:
    from poise.search.problem import Problem, Task


@dataclass(frozen=True)
class Algorithm:
    """How to make an optimiser for a problem and a seed, and what it learns from each generation."""

    about: str
    make: Callable[[Problem, int], Any]
    #: Whether it receives the names of failures.
    learns_failures: bool = False
    #: Whether it receives a cost for each task and searches for a function of the task.
    takes_tasks: bool = False


def _make_direct(problem: Problem, _seed: int) -> Direct:
    if problem.stop.evaluations > MAX_OF_DIRECT:
        raise InputError(
            f"search: direct takes at most {MAX_OF_DIRECT} candidates, got {problem.stop.evaluations}. Use fewer "
            "generations or evaluations, or another algorithm."
        )
    # Always the same size: otherwise a resumed search would depend on its original limit.
    return Direct(problem.space, evaluations=MAX_OF_DIRECT)


def _make_parametric(problem: Problem, seed: int) -> ParametricEs:
    assert problem.task is not None
    tasks = make_tasks(problem.task.count)
    return ParametricEs(problem.space, seed=seed, tasks=tasks, degree=problem.task.degree, samples=problem.population)


ALGORITHMS: Final[Mapping[str, Algorithm]] = {
    "cma-es": Algorithm("CMA-ES", lambda p, seed: CmaEs(p.space, population=p.population, seed=seed)),
    "cma-c": Algorithm(
        "CMA-ES that learns from named failures which regions to avoid",
        lambda p, seed: CmaC(p.space, population=p.population, seed=seed),
        learns_failures=True,
    ),
    "one-plus-one": Algorithm("(1+1)-CMA-ES, one candidate at a time", lambda p, seed: OnePlusOne(p.space, seed=seed)),
    "direct": Algorithm("DIRECT, one candidate at a time, deterministic, without a start", _make_direct),
    "parametric": Algorithm("a function of the problem's task", _make_parametric, takes_tasks=True),
}


def default_algorithm(task: Task | None) -> str:
    """The algorithm of a problem that names none."""
    return "cma-es" if task is None else "parametric"


def check_algorithm(name: str, task: Task | None) -> None:
    """Raise if an algorithm cannot search a problem with this task, or without one."""
    takers = [other for other, a in ALGORITHMS.items() if a.takes_tasks == (task is not None)]
    if name not in takers:
        having = "no table [task]" if task is None else "a table [task]"
        raise InputError(f"{name} cannot search a problem that has {having}. Allowed here: {', '.join(takers)}.")
