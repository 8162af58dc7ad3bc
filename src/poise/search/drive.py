"""`drive`: the loop of every search. It asks for candidates, evaluates them, keeps their costs and tells the optimiser.

A method provides an optimiser, which holds the space and the initial point, and a function that evaluates a generation.
The session keeps every generation. A resumed search replays them and ends with bit-identical results:

    with ending_with_best(lambda: optimizer.best is not None) as end:
        drive(optimizer, evaluate, done=lambda generations: generations >= 20, session=session)
    print(optimizer.best, end.interrupted)

`evaluate` is not called for kept generations. It must therefore derive its random numbers from a seed and the number of
the generation, or draw them before the search begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from poise.documents import make_plain
from poise.errors import FileFormatError
from poise.optim.space import FloatArray
from poise.search.session import Session

R = TypeVar("R")
#: Names of the failures of each candidate.
Names = tuple[tuple[str, ...], ...]

#: Candidates that differ by less count as equal: the last bits depend on the machine's libraries.
ALIKE: Final = 1e-6


@dataclass(frozen=True)
class Judged:
    """Costs of the candidates of a generation."""

    #: (N,), or (N, tasks) in a search for a function of a task.
    costs: FloatArray
    #: Names of the failures of each candidate; empty in a search without failures.
    failures: Names = ()
    #: Plain data that the search needs later; kept with the generation.
    notes: Any = None


@dataclass(frozen=True)
class Told:
    """A generation whose costs the optimiser has received."""

    #: Counted from 1.
    number: int
    points: FloatArray
    costs: FloatArray
    failures: Names
    notes: Any
    #: Whether it was evaluated now rather than recalled from the session.
    is_new: bool


@dataclass
class End:
    """How a search ended."""

    interrupted: bool = False


def drive(
    optimizer: Any,
    evaluate: Callable[[int, FloatArray], Judged],
    *,
    done: Callable[[int], R],
    session: Session | None = None,
    key: str = "generation",
    follow: Callable[[Told], None] | None = None,
    learns_failures: bool = False,
) -> R:
    """Search until `done`, called with the number of generations so far, returns a true value, and return that value.

    `evaluate` is called with the number of the generation, counted from 1, and its candidates (N, n). `key` names the
    generations in the session. `follow` is called after each generation, recalled or new. With `learns_failures` the
    optimiser also receives the names of the failures.
    """
    session, number = session or Session(), 0
    while not (reason := done(number)):
        number += 1
        asked, name = optimizer.ask(), f"{key} {number}"
        is_new = not session.knows(name)
        points, judged = recall_generation(session, name, asked, partial(evaluate, number, asked))
        if learns_failures:
            optimizer.tell(points, judged.costs, judged.failures)
        else:
            optimizer.tell(points, judged.costs)
        if follow is not None:
            follow(Told(number, points, judged.costs, judged.failures, judged.notes, is_new))
    return reason


@contextmanager
def ending_with_best(has_found: Callable[[], bool]) -> Iterator[End]:
    """Let Ctrl-C end the enclosed search with the best so far; raise it if nothing was found yet."""
    end = End()
    try:
        yield end
    except KeyboardInterrupt:
        if not has_found():
            raise
        end.interrupted = True


def recall_generation(
    session: Session, key: str, points: FloatArray, evaluate: Callable[[], Judged]
) -> tuple[FloatArray, Judged]:
    """Candidates (N, n) and their costs; raise if the kept candidates differ from `points`."""
    old, judged = session.recall(key, lambda: (points, evaluate()), read=_read, write=_write)
    if judged.costs.shape[:1] != points.shape[:1] or (judged.failures and len(judged.failures) != len(points)):
        raise session.refuse(key)
    if old.shape != points.shape or not np.allclose(old, points, rtol=ALIKE, atol=ALIKE):
        raise FileFormatError("another version started that search. Start a new one", path=session.path or "session")
    return old, judged


def _write(generation: tuple[FloatArray, Judged]) -> Any:
    points, judged = generation
    failures = {"failures": judged.failures} if judged.failures else {}
    notes = {} if judged.notes is None else {"notes": judged.notes}
    return make_plain({"points": points, "costs": judged.costs, **failures, **notes})


def _read(kept: Any) -> tuple[FloatArray, Judged]:
    failures = tuple(tuple(map(str, names)) for names in kept.get("failures", ()))
    costs = np.array(kept["costs"], dtype=float)
    return np.array(kept["points"], dtype=float), Judged(costs, failures, kept.get("notes"))
