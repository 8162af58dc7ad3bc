"""`Windows`: the windows in which the fragments of a motion are retouched, each searched by CMA-ES.

Fragments are retouched one after the other. A window changes two fragments and is tried over four, from the beginning
of the first. Its initial states come from many starts that survived all earlier fragments. To prevent overfitting,
every generation draws some of these states and adds noise to their velocities. At the end, the result and the initial
rows are both tried from all states, and the better is kept. The first of the two fragments is then done, and the next
window begins with the second.

The cycle of an endless motion is one window, tried over four cycles and searched three times. In the later
searches, half of the states come from after the preceding cycles: a walk that begins well may still slow down and fall
much later. A candidate costs the mean over its states, plus half the mean of their worst quarter (`retouch_trial`),
plus a little for its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np

from poise.batches.threads import count_cores, run_trials
from poise.controllers.tracker import layout
from poise.controllers.tracker.reference import RATE_HZ
from poise.controllers.tracker.retouch import limits
from poise.errors import InputError
from poise.motion.rotations import FloatArray
from poise.optim.cma_es import CmaEs
from poise.optim.space import Space, Variable
from poise.search.drive import Judged, drive
from poise.search.retouch_trial import Bench, Case
from poise.search.session import Session
from poise.search.tame_trial import Subject

POPULATION: Final = 14
#: Number of fragments changed together, and number over which they are tried.
CHANGED, TRIED = 2, 4
#: Cycles over which a cycle is tried, and factor on the spread from one search of it to the next.
CYCLES, NEARER = 4, 0.5
#: Spread of the first candidates: rotations of pelvis, swing thigh and feet (rad), heights (m), shares of gains.
SPREADS: Final = np.array([0.05] * 3 + [0.06] * 3 + [0.05] * 3 + [0.02] * 2 + [0.3] * 3)
#: Cost of a fragment whose numbers all equal their spreads.
SIZE_COST: Final = 0.02
DECIMALS: Final = 4
#: Starts of the search use other seeds than those of trials.
START_SEED: Final = 5000


@dataclass(frozen=True)
class Plan:
    """Settings of a retouch."""

    generations: int = 30
    #: Number of states at the beginning of a window, and how many of them each generation draws.
    starts: int = 32
    draw: int = 8
    seed: int = 0
    #: Spread of the first candidates around the initial rows, in SPREADS.
    spread: float = 1.0
    #: Standard deviation of the noise on velocities at the beginning of a window (m/s, rad/s).
    noise: float = 0.04
    #: First and last fragment to change; None: to the end.
    first: int = 0
    last: int | None = None
    #: Number of searches of a cycle.
    rounds: int = 3
    check_starts: int = 8
    check_s: float = 60.0


@dataclass(frozen=True)
class News:
    """Result of one fragment, or of a cycle."""

    #: Number of the fragment, or of the cycle's last one, and number of all fragments.
    fragment: int
    fragments: int
    #: States that survived it, number of all states, and their mean and highest cost.
    through: int
    states: int
    cost: float
    worst: float
    #: Mean cost of its window without and with the result; None if it was not searched.
    searched: tuple[float, float] | None
    rows: FloatArray = field(repr=False)


def weigh_states(costs: FloatArray) -> float:
    """Cost of a candidate from the costs of its states: their mean plus half the mean of the worst quarter."""
    worst = np.sort(costs)[-max(1, len(costs) // 4) :]
    return float(np.mean(costs) + 0.5 * np.mean(worst))


def count_simulated_s(subject: Subject, plan: Plan) -> float:
    """Simulated time of `retouch_cycle` if nothing falls."""
    fragments = subject.track.fragments[subject.lead_in :]
    cycle_s = (fragments[-1].last - fragments[0].first) / RATE_HZ
    runs = POPULATION * plan.generations * plan.draw + 3 * plan.starts
    return plan.rounds * runs * CYCLES * cycle_s


class Windows:
    """A search in progress."""

    def __init__(
        self,
        subject: Subject,
        gains: Mapping[str, float],
        plan: Plan,
        session: Session,
        workers: int | None,
        key: str = "",
    ) -> None:
        self._track, self._plan, self._session, self._key = subject.track, plan, session, key
        self._searches = 0
        self.count = len(subject.track.fragments)
        given = subject.track.retouch
        self.rows: FloatArray = np.zeros((self.count, layout.RETOUCH)) if given is None else given.copy()
        self._random = np.random.default_rng(plan.seed)
        self._workers = workers or count_cores()
        self._bench = Bench(subject, gains)

    def check_plan(self) -> None:
        """Raise if the plan names fragments that the motion does not have."""
        first, last = self._plan.first, self.count - 1 if self._plan.last is None else self._plan.last
        for fragment, least in ((first, 0), (last, first)):
            if not least <= fragment < self.count:
                allowed = f"Allowed: {least} to {self.count - 1}"
                raise InputError("no such fragment", where="retouch", got=fragment, allowed=allowed)

    def windows(self) -> Iterator[News]:
        """Retouch window by window and yield the result of each."""
        cases = [Case(self._bench.begin(START_SEED + k)) for k in range(self._plan.starts)]
        last = self._track.back_to if self._track.is_endless else self.count
        goal = self.count if self._plan.last is None else self._plan.last + 1
        for k in range(min(last, goal)):
            searched = None
            if k >= self._plan.first:
                searched = self._search(k, min(k + CHANGED, last, goal), TRIED, cases)
            through, news = self._pass(cases, k, 1, searched)
            yield news
            if k + 1 == goal:
                return
            if not through:
                raise InputError(
                    f"no start survives fragment {k} of 0 to {self.count - 1}. Tame the clip first, or use more "
                    "generations",
                    where="retouch",
                )
            cases = [through[j % len(through)] for j in range(self._plan.starts)]
        if self._track.is_endless and goal > last:
            yield from self._go_round(cases, CYCLES * (self.count - last))

    def _go_round(self, cases: Sequence[Case], fragments: int) -> Iterator[News]:
        """Retouch the cycle repeatedly, each time from later states."""
        pool = list(cases)
        for round_ in range(self._plan.rounds):
            searched = self._search(self._track.back_to, self.count, fragments, pool, NEARER**round_)
            later, news = self._pass(pool, self.count - 1, fragments, searched)
            yield news
            if later:
                pool = [cases[k] if k % 2 else later[k % len(later)] for k in range(len(cases))]

    def _pass(
        self, cases: Sequence[Case], k: int, fragments: int, searched: tuple[float, float] | None
    ) -> tuple[list[Case], News]:
        """The states of the cases that survive these fragments, and the result to report."""
        ends = self._run([partial(self._continue_from, case, fragments) for case in cases])
        costs, through = [cost for cost, _ in ends], [Case(state) for _, state in ends if state is not None]
        states = (len(through), len(cases), float(np.mean(costs)), max(costs))
        return through, News(k, self.count, *states, searched, self.rows)

    def _draw(self, cases: Sequence[Case], count: int) -> list[Case]:
        """Draw `count` of the states, each with its own noise on all velocities."""
        chosen = self._random.permutation(len(cases))[:count]
        return self._with_noise([cases[k] for k in np.sort(chosen)])

    def _with_noise(self, cases: Sequence[Case]) -> list[Case]:
        """The same states, each with its own noise on all velocities."""
        size = self._bench.count_velocities()
        return [replace(case, noise=self._random.normal(0.0, self._plan.noise, size)) for case in cases]

    def _run(self, jobs):  # type: ignore[no-untyped-def]
        return run_trials(jobs, workers=self._workers)

    def _continue_from(self, case: Case, fragments: int):  # type: ignore[no-untyped-def]
        return self._bench.continue_from(case, self.rows, fragments)

    def _try(self, case: Case, rows: FloatArray, fragments: int) -> float:
        return self._bench.try_rows(case, rows, fragments)

    def _search(
        self, first: int, end: int, fragments: int, cases: Sequence[Case], part: float = 1.0
    ) -> tuple[float, float]:
        """Search the rows from `first` to `end`, with a share `part` of the plan's spread.

        Returns the mean cost of all states without and with the result.
        """
        space = self._make_space(first, end, part * self._plan.spread)
        optimizer = CmaEs(space, population=POPULATION, seed=self._plan.seed + 1)
        self._searches += 1
        # Drawn even if the costs are known: later random numbers must be the same.
        drawn = [self._draw(cases, self._plan.draw) for _ in range(self._plan.generations)]

        def evaluate(generation: int, points: FloatArray) -> Judged:
            return Judged(self._weigh_points(space, points, first, end, fragments, drawn[generation - 1]))

        name = f"{self._key}window {self._searches}"
        last_one = self._plan.generations
        drive(optimizer, evaluate, done=lambda told: told >= last_one, session=self._session, key=f"{name}, generation")
        tables = [self.rows, self._with_point(space, optimizer.mean, first, end)]
        last = partial(self._try_all, tables, fragments, self._with_noise(cases))
        found = self._session.recall(f"{name}, choice", last, read=_read_costs)
        if weigh_states(found[1]) < weigh_states(found[0]):
            self.rows = tables[1]
        return float(found[0].mean()), float(min(found, key=weigh_states).mean())

    def _weigh_points(
        self, space: Space, points: FloatArray, first: int, end: int, fragments: int, cases: Sequence[Case]
    ) -> FloatArray:
        """Cost of each candidate from the given states."""
        tables = [self._with_point(space, point, first, end) for point in points]
        found = self._try_all(tables, fragments, cases)
        sizes = [self._size(rows[first:end]) for rows in tables]
        return np.array([weigh_states(row) for row in found]) + sizes

    def _try_all(self, tables: Sequence[FloatArray], fragments: int, cases: Sequence[Case]) -> FloatArray:
        """Costs (T, N) of T tables of rows from each of N states."""
        jobs = [partial(self._try, case, rows, fragments) for rows in tables for case in cases]
        return np.array(self._run(jobs)).reshape(len(tables), len(cases))

    def _make_space(self, first: int, end: int, spread: float) -> Space:
        """Search space of the rows from `first` to `end`, centred on their current values."""
        low, high = limits()
        return Space(tuple(
            Variable(f"{k}.{j}", low[j], high[j], float(self.rows[k, j]), spread * SPREADS[j])
            for k in range(first, end) for j in range(layout.RETOUCH)
        ))  # fmt: skip

    def _with_point(self, space: Space, point: FloatArray, first: int, end: int) -> FloatArray:
        """All rows, those from `first` to `end` taken from a point and rounded as in files."""
        rows = self.rows.copy()
        rows[first:end] = np.round(np.array(list(space.decode(point).values())), DECIMALS).reshape(end - first, -1)
        return rows

    def _size(self, rows: FloatArray) -> float:
        return SIZE_COST * float(np.mean((rows / SPREADS) ** 2))


def _read_costs(kept: object) -> FloatArray:
    """Costs (2, N) without and with the result of a window's search."""
    costs = np.array(kept, dtype=float)
    if costs.ndim != 2 or len(costs) != 2 or not costs.size:
        raise ValueError
    return costs
