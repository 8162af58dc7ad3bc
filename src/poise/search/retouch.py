"""`retouch`: small changes of a motion's fragments with which a body that fell comes through, found by CMA-ES.

Fragments are retouched one after the other. A window is two of them, tried over three, from where the first begins:
states there are those of several starts that came through all fragments before, each with noise on its speeds. The
first of the two is then kept, and the second is where the next window begins. The cycle of a motion without an end is
one window, tried over six of its cycles. A candidate costs the mean over its states, half of the worst
(`retouch_trial`), and a little for its size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from queue import SimpleQueue
from typing import Final

import numpy as np

from poise.controllers.tracker import layout
from poise.controllers.tracker.retouch import limits
from poise.errors import InputError
from poise.motion.rotations import FloatArray
from poise.optim.cma_es import CmaEs
from poise.optim.space import Space, Variable
from poise.search.retouch_trial import Bench, Case
from poise.search.tame import CHECK_SEED, Closing, compute_cost, weigh
from poise.search.tame_trial import Subject, run_trial
from poise.trials.jobs import count_cores, run_trials

POPULATION: Final = 14
#: Fragments that are changed together, and over which they are tried.
CHANGED, TRIED = 2, 3
CYCLES: Final = 6
#: Spread of the first candidates: turns of pelvis, swing thigh and feet (rad), heights (m), parts of gains.
SPREADS: Final = np.array([0.05] * 3 + [0.06] * 3 + [0.05] * 3 + [0.02] * 2 + [0.3] * 3)
#: Who goes on with a retouched motion looks nearer to it.
NEARER: Final = 0.5
#: What a fragment costs whose numbers are all of the size of their spreads.
SIZE_COST: Final = 0.02
DECIMALS: Final = 4
#: Starts of the search have other seeds than those of trials.
START_SEED: Final = 5000


@dataclass(frozen=True)
class Plan:
    """How a motion is to be retouched."""

    generations: int = 30
    #: States from which every candidate is tried.
    starts: int = 4
    seed: int = 0
    #: On speeds, where a window begins (m/s, rad/s).
    noise: float = 0.04
    #: The first fragment that is changed.
    first: int = 0
    check_starts: int = 8
    check_s: float = 60.0


@dataclass(frozen=True)
class News:
    """What came of a window: the last of its fragments that is kept, how many there are, costs of its states."""

    fragment: int
    fragments: int
    before: float
    after: float
    #: States that came through it.
    through: int
    rows: FloatArray = field(repr=False)


@dataclass(frozen=True)
class Retouched:
    """What came of it: rows, and closing runs without and with them."""

    rows: FloatArray
    interrupted: bool
    before: Closing | None = None
    closing: Closing | None = None


Follow = Callable[[News], None]


def retouch(
    subject: Subject,
    gains: Mapping[str, float],
    plan: Plan,
    *,
    workers: int | None = None,
    follow: Follow | None = None,
) -> Retouched:
    """Searches for retouches of all fragments, from those that the subject has.

    Ctrl-C ends it with what was found so far. Where the motion is worse with it in the end, what it began with is kept.
    The number of workers does not change the result.
    """
    run = _Run(subject, gains, plan, workers)
    if not 0 <= plan.first < run.count:
        raise InputError("no such fragment", where="retouch", got=plan.first, allowed=f"Allowed: 0 to {run.count - 1}")
    began, interrupted = run.rows.copy(), False
    try:
        for news in run.windows():
            if follow is not None:
                follow(news)
        before, after = (_close(subject, gains, plan, rows, workers) for rows in (began, run.rows))
    except KeyboardInterrupt:
        interrupted = True
    if interrupted:
        return Retouched(run.rows, True)
    if before.cost < after.cost:
        return Retouched(began, False, before, before)
    return Retouched(run.rows, False, before, after)


def with_rows(subject: Subject, rows: FloatArray) -> Subject:
    """A subject whose motion is retouched."""
    from poise.controllers.tracker.spec import Gains, build_from_track

    track = replace(subject.track, retouch=rows)
    return replace(subject, track=track, controller=build_from_track(track, subject.controller.name, Gains()))


def _close(subject: Subject, gains: Mapping[str, float], plan: Plan, rows: FloatArray, workers: int | None) -> Closing:
    """Runs from other starts, to the end or for long."""
    own = with_rows(subject, rows)
    seeds = range(CHECK_SEED, CHECK_SEED + plan.check_starts)
    jobs = [partial(run_trial, own, gains, seed, seconds=plan.check_s) for seed in seeds]
    trials = tuple(run_trials(jobs, workers=workers))
    return Closing(weigh([compute_cost(own, t, plan.check_s) for t in trials]), trials)


class _Run:
    """A search under way."""

    def __init__(self, subject: Subject, gains: Mapping[str, float], plan: Plan, workers: int | None) -> None:
        self._track, self._plan = subject.track, plan
        self.count = len(subject.track.fragments)
        given = subject.track.retouch
        self.rows: FloatArray = np.zeros((self.count, layout.RETOUCH)) if given is None else given.copy()
        self._part = NEARER if self.rows.any() else 1.0
        self._random = np.random.default_rng(plan.seed)
        self._workers = workers or count_cores()
        self._benches: SimpleQueue[Bench] = SimpleQueue()
        for _ in range(self._workers):
            self._benches.put(Bench(subject, gains))

    @contextmanager
    def _bench(self) -> Iterator[Bench]:
        bench = self._benches.get()
        try:
            yield bench
        finally:
            self._benches.put(bench)

    def windows(self) -> Iterator[News]:
        """Retouches window by window, and tells of each."""
        with self._bench() as bench:
            cases = [Case(bench.begin(START_SEED + k)) for k in range(self._plan.starts)]
        last = self._track.back_to if self._track.is_endless else self.count
        for k in range(last):
            costs = (0.0, 0.0)
            if k >= self._plan.first:
                end = min(k + CHANGED, last)
                costs = self._search(k, end, TRIED, self._with_noise(cases) if k else cases)
            through = cases
            if k + 1 < self.count:
                states = self._run([partial(self._go_on, case) for case in cases])
                through = [Case(state) for state in states if state is not None]
            yield News(k, self.count, *costs, len(through), self.rows)
            if not through:
                raise InputError(
                    f"no start comes through fragment {k} of 0 to {self.count - 1}. Tame the clip first, or take more "
                    "generations",
                    where="retouch",
                )
            cases = [through[j % len(through)] for j in range(self._plan.starts)]
        if self._track.is_endless:
            size = self.count - last
            costs = self._search(last, self.count, CYCLES * size, self._with_noise(cases))
            yield News(self.count - 1, self.count, *costs, len(cases), self.rows)

    def _with_noise(self, cases: Sequence[Case]) -> list[Case]:
        """The same states, each with noise of its own on all speeds."""
        with self._bench() as bench:
            size = len(bench.world.data.qvel)
        return [replace(case, noise=self._random.normal(0.0, self._plan.noise, size)) for case in cases]

    def _run(self, jobs):  # type: ignore[no-untyped-def]
        return run_trials(jobs, workers=self._workers)

    def _go_on(self, case: Case):  # type: ignore[no-untyped-def]
        with self._bench() as bench:
            return bench.go_on(case, self.rows)

    def _try(self, case: Case, rows: FloatArray, fragments: int) -> float:
        with self._bench() as bench:
            return bench.try_rows(case, rows, fragments)

    def _search(self, first: int, end: int, fragments: int, cases: Sequence[Case]) -> tuple[float, float]:
        """Finds the rows from first to end; returns mean costs without and with them."""
        space = self._make_space(first, end)
        optimizer = CmaEs(space, population=POPULATION, seed=self._plan.seed + 1)
        best: tuple[float, float, FloatArray] | None = None
        begun = 0.0
        for generation in range(self._plan.generations):
            points = optimizer.ask()
            if generation == 0:
                points[0] = 0.0
            tables = [self._with_point(space, point, first, end) for point in points]
            jobs = [partial(self._try, case, rows, fragments) for rows in tables for case in cases]
            found = np.array(self._run(jobs)).reshape(len(points), len(cases))
            costs = np.array([weigh(row.tolist()) + self._size(rows[first:end]) for row, rows in zip(found, tables)])
            optimizer.tell(points, costs)
            k = int(np.argmin(costs))
            begun = float(found[0].mean()) if generation == 0 else begun
            if best is None or costs[k] < best[0]:
                best = (float(costs[k]), float(found[k].mean()), tables[k])
        assert best is not None
        self.rows = best[2]
        return begun, best[1]

    def _make_space(self, first: int, end: int) -> Space:
        """The numbers of some rows, from where they are."""
        low, high = limits()
        return Space(tuple(
            Variable(f"{k}.{j}", low[j], high[j], float(self.rows[k, j]), self._part * SPREADS[j])
            for k in range(first, end) for j in range(layout.RETOUCH)
        ))  # fmt: skip

    def _with_point(self, space: Space, point: FloatArray, first: int, end: int) -> FloatArray:
        """All rows, some of them from a point; as they would be written."""
        rows = self.rows.copy()
        rows[first:end] = np.round(np.array(list(space.decode(point).values())), DECIMALS).reshape(end - first, -1)
        return rows

    def _size(self, rows: FloatArray) -> float:
        return SIZE_COST * float(np.mean((rows / SPREADS) ** 2))


def describe(plan: Plan) -> str:
    """The options that are not as usual."""
    usual = Plan()
    words = [f"--generations {plan.generations}"] if plan.generations != usual.generations else []
    words += [f"--starts {plan.starts}"] if plan.starts != usual.starts else []
    words += [f"--first {plan.first}"] if plan.first else []
    return " ".join([*words, f"--seed {plan.seed}"])
