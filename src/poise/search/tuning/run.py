"""`tune`: run the search of a method generation by generation and write the best table with its provenance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise import __version__
from poise.documents import save_toml
from poise.errors import InputError
from poise.optim.cma_es import CmaEs
from poise.optim.space import FloatArray
from poise.search.drive import End, Judged, Told, drive, ending_with_best
from poise.search.session import Say, Session, open_session

KIND: Final = "tune"
Table = Mapping[str, Any]
#: Called after each new generation: candidates so far, size of the generation, most candidates, best cost so far.
Progress = Callable[[int, int, int, float], None]


@dataclass(frozen=True)
class Order:
    """The search to run, its command, and where to write the result."""

    command: str
    out: Path
    objective: str
    seed: int
    #: Must match when the search is resumed.
    notes: Mapping[str, Any]
    resume: bool = False
    say: Say | None = None
    progress: Progress | None = None

    def open(self) -> Any:
        """The session of the search, which keeps its generations."""
        if self.out.suffix != ".toml":
            raise InputError("the result is written to a .toml file", where="poise tune", got=str(self.out))
        if not self.resume and self.out.exists():
            raise InputError(f"{self.out}: already exists. Give another file.")
        return open_session(self.out, KIND, self.notes, resume=self.resume, option="OUT", say=self.say)


@dataclass
class Tuned:
    """Result of a search: the table that was written, its cost, and how the search ended."""

    table: Table
    cost: float
    evaluations: int
    interrupted: bool


@dataclass(frozen=True)
class Method:
    """A method's parts of a search."""

    optimizer: CmaEs
    evaluate: Callable[[int, FloatArray], Judged]
    #: The table of a candidate.
    make_table: Callable[[FloatArray], Table]
    generations: int
    #: Whether to keep the mean of the last distribution instead of the best candidate.
    keeps_mean: bool = field(default=False)


def tune(order: Order, method: Method) -> Tuned:
    """Search to the last generation, or to Ctrl-C, and write the result."""
    optimizer = method.optimizer

    def take(told: Told) -> None:
        if order.progress is not None and told.is_new and optimizer.best is not None:
            size = len(told.points)
            order.progress(told.number * size, size, method.generations * size, optimizer.best.cost)

    with order.open() as session:
        with ending_with_best(lambda: optimizer.best is not None) as end:
            drive(
                optimizer,
                method.evaluate,
                done=lambda generations: generations >= method.generations,
                session=session,
                follow=take,
            )
        best = optimizer.best
        assert best is not None
        point = optimizer.mean if method.keeps_mean else best.point
        return finish(order, session, end, method.make_table(point), best.cost, optimizer.trace().evaluations)


def finish(order: Order, session: Session, end: End, table: Table, cost: float, evaluations: int) -> Tuned:
    """Write a table with its provenance; remove the journal unless the search was interrupted."""
    provenance = {
        "source": "found by search",
        "command": order.command,
        "objective": order.objective,
        "seed": order.seed,
        "evaluations": evaluations,
        "stopped_by": "interrupted" if end.interrupted else "generations",
        "cost": float(f"{cost:.4g}"),
        "poise": __version__,
        "mujoco": version("mujoco"),
        "cma": version("cma"),
    }
    save_toml(order.out, {**table, "provenance": provenance})
    if not end.interrupted:
        session.finish()
    return Tuned(table, cost, evaluations, end.interrupted)


def judge(costs: list[float]) -> Judged:
    """The costs of a generation."""
    return Judged(np.array(costs, dtype=float))
