"""`retouch`: small changes of a motion's fragments with which a body that fell comes through, found by CMA-ES.

Fragments are retouched one after the other. A window is two of them, tried over four, from where the first begins:
states there are those of many starts that came through all fragments before. Every generation draws some of them anew
and puts noise on their speeds, so that nothing is learned by heart. Where the search ends is then tried from all of
them beside what it began with, and the better is kept; the first of the two fragments is done, and the second is where
the next window begins. The cycle of a motion without an end is one window, tried over four cycles and searched three
times: the second and third time half of the states are those after these and the next cycles, for a walk that sets out
well may still slow down and fall much later. A candidate costs the mean over its states, half of that over their worst
quarter (`retouch_trial`), and a little for its size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np

from poise.batches.threads import count_cores, run_trials
from poise.controllers.tracker import layout
from poise.controllers.tracker.retouch import limits
from poise.errors import InputError
from poise.files import digest
from poise.motion.rotations import FloatArray
from poise.optim.cma_es import CmaEs
from poise.optim.space import Space, Variable
from poise.search.drive import Judged, drive, ending_with_best
from poise.search.retouch_trial import Bench, Case
from poise.search.session import Session
from poise.search.tame import CHECK_SEED, Closing, compute_cost, recall_trial, weigh
from poise.search.tame_trial import Subject

POPULATION: Final = 14
#: Fragments that are changed together, and over which they are tried.
CHANGED, TRIED = 2, 4
#: Cycles over which a cycle is tried, how often it is searched, and how much nearer each time.
CYCLES, ROUNDS, NEARER = 4, 3, 0.5
#: Spread of the first candidates: turns of pelvis, swing thigh and feet (rad), heights (m), parts of gains.
SPREADS: Final = np.array([0.05] * 3 + [0.06] * 3 + [0.05] * 3 + [0.02] * 2 + [0.3] * 3)
#: What a fragment costs whose numbers are all of the size of their spreads.
SIZE_COST: Final = 0.02
DECIMALS: Final = 4
#: Starts of the search have other seeds than those of trials.
START_SEED: Final = 5000


@dataclass(frozen=True)
class Plan:
    """How a motion is to be retouched."""

    generations: int = 30
    #: Starts whose states are known where a window begins, and how many of these a generation is tried from.
    starts: int = 32
    draw: int = 8
    seed: int = 0
    #: How far the first candidates lie from what they begin with, in SPREADS.
    spread: float = 1.0
    #: On speeds, where a window begins (m/s, rad/s).
    noise: float = 0.04
    #: The first and the last fragment that are changed; None: to the end.
    first: int = 0
    last: int | None = None
    check_starts: int = 8
    check_s: float = 60.0


@dataclass(frozen=True)
class News:
    """What came of a fragment, or of a cycle, whose last one it is; how many there are."""

    fragment: int
    fragments: int
    #: States that came through it, of all; what it cost them on average, and the dearest of them.
    through: int
    states: int
    cost: float
    worst: float
    #: Mean cost of its window without and with what was found; None where it was not searched.
    searched: tuple[float, float] | None
    rows: FloatArray = field(repr=False)


@dataclass(frozen=True)
class Retouched:
    """What came of it: rows that are kept, those that were found, and closing runs without and with what was found."""

    rows: FloatArray
    found: FloatArray
    interrupted: bool
    before: Closing | None = None
    after: Closing | None = None

    @property
    def is_better(self) -> bool:
        """Whether what was found is what is kept."""
        return self.rows is self.found

    @property
    def closing(self) -> Closing | None:
        """The runs of what is kept."""
        return self.after if self.is_better else self.before


Follow = Callable[[News], None]


def retouch(
    subject: Subject,
    gains: Mapping[str, float],
    plan: Plan,
    *,
    session: Session | None = None,
    workers: int | None = None,
    follow: Follow | None = None,
) -> Retouched:
    """Searches for retouches of all fragments, from those that the subject has.

    A session keeps what was tried and resumes the search as if it had never stopped; `follow` is told of new windows
    only. Ctrl-C ends it with what was found so far. Where the motion is worse with it in the end, what it began with
    is kept. The number of workers does not change the result.
    """
    session = session or Session()
    run = _Run(subject, gains, plan, session, workers)
    last = run.count - 1 if plan.last is None else plan.last
    for fragment, least in ((plan.first, 0), (last, plan.first)):
        if not least <= fragment < run.count:
            allowed = f"Allowed: {least} to {run.count - 1}"
            raise InputError("no such fragment", where="retouch", got=fragment, allowed=allowed)
    began = run.rows.copy()
    with ending_with_best(lambda: True) as end:
        for news in run.windows():
            if follow is not None and not session.replays:
                follow(news)
        before, after = (_close(subject, gains, plan, rows, session, workers) for rows in (began, run.rows))
    if end.interrupted:
        return Retouched(run.rows, run.rows, True)
    if before.cost < after.cost:
        return Retouched(began, run.rows, False, before, after)
    return Retouched(run.rows, run.rows, False, before, after)


def weigh_states(costs: FloatArray) -> float:
    """The cost of a candidate from those of its states: their mean, and half of the mean of the worst quarter."""
    worst = np.sort(costs)[-max(1, len(costs) // 4) :]
    return float(np.mean(costs) + 0.5 * np.mean(worst))


def with_rows(subject: Subject, rows: FloatArray) -> Subject:
    """A subject whose motion is retouched."""
    from poise.controllers.tracker.spec import Gains, build_from_track

    track = replace(subject.track, retouch=rows)
    return replace(subject, track=track, controller=build_from_track(track, subject.controller.name, Gains()))


def _close(
    subject: Subject,
    gains: Mapping[str, float],
    plan: Plan,
    rows: FloatArray,
    session: Session,
    workers: int | None,
) -> Closing:
    """Runs from other starts, to the end or for long."""
    own = with_rows(subject, rows)
    seeds = range(CHECK_SEED, CHECK_SEED + plan.check_starts)
    key = f"closing {digest(rows.tobytes())[:16]}"
    jobs = [recall_trial(session, key, own, gains, seed, plan.check_s) for seed in seeds]
    trials = tuple(run_trials(jobs, workers=workers))
    return Closing(weigh([compute_cost(own, t, plan.check_s) for t in trials]), trials)


class _Run:
    """A search under way."""

    def __init__(
        self, subject: Subject, gains: Mapping[str, float], plan: Plan, session: Session, workers: int | None
    ) -> None:
        self._track, self._plan, self._session = subject.track, plan, session
        self._searches = 0
        self.count = len(subject.track.fragments)
        given = subject.track.retouch
        self.rows: FloatArray = np.zeros((self.count, layout.RETOUCH)) if given is None else given.copy()
        self._random = np.random.default_rng(plan.seed)
        self._workers = workers or count_cores()
        self._bench = Bench(subject, gains)

    def windows(self) -> Iterator[News]:
        """Retouches window by window, and tells of each."""
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
                    f"no start comes through fragment {k} of 0 to {self.count - 1}. Tame the clip first, or take more "
                    "generations",
                    where="retouch",
                )
            cases = [through[j % len(through)] for j in range(self._plan.starts)]
        if self._track.is_endless and goal > last:
            yield from self._go_round(cases, CYCLES * (self.count - last))

    def _go_round(self, cases: Sequence[Case], fragments: int) -> Iterator[News]:
        """Retouches the cycle, again and again from ever later states."""
        pool = list(cases)
        for round_ in range(ROUNDS):
            searched = self._search(self._track.back_to, self.count, fragments, pool, NEARER**round_)
            later, news = self._pass(pool, self.count - 1, fragments, searched)
            yield news
            if later:
                pool = [cases[k] if k % 2 else later[k % len(later)] for k in range(len(cases))]

    def _pass(
        self, cases: Sequence[Case], k: int, fragments: int, searched: tuple[float, float] | None
    ) -> tuple[list[Case], News]:
        """The states in which those that come through some fragments are then, and what to tell of it."""
        ends = self._run([partial(self._go_on, case, fragments) for case in cases])
        costs, through = [cost for cost, _ in ends], [Case(state) for _, state in ends if state is not None]
        states = (len(through), len(cases), float(np.mean(costs)), max(costs))
        return through, News(k, self.count, *states, searched, self.rows)

    def _draw(self, cases: Sequence[Case], count: int) -> list[Case]:
        """So many of the states, each with noise of its own on all speeds."""
        chosen = self._random.permutation(len(cases))[:count]
        return self._with_noise([cases[k] for k in np.sort(chosen)])

    def _with_noise(self, cases: Sequence[Case]) -> list[Case]:
        """The same states, each with noise of its own on all speeds."""
        size = self._bench.count_velocities()
        return [replace(case, noise=self._random.normal(0.0, self._plan.noise, size)) for case in cases]

    def _run(self, jobs):  # type: ignore[no-untyped-def]
        return run_trials(jobs, workers=self._workers)

    def _go_on(self, case: Case, fragments: int):  # type: ignore[no-untyped-def]
        return self._bench.go_on(case, self.rows, fragments)

    def _try(self, case: Case, rows: FloatArray, fragments: int) -> float:
        return self._bench.try_rows(case, rows, fragments)

    def _search(
        self, first: int, end: int, fragments: int, cases: Sequence[Case], part: float = 1.0
    ) -> tuple[float, float]:
        """Finds the rows from first to end, within a part of the plan's spread; mean costs without and with them."""
        space = self._make_space(first, end, part * self._plan.spread)
        optimizer = CmaEs(space, population=POPULATION, seed=self._plan.seed + 1)
        self._searches += 1
        # Drawn whether or not the costs are known: the random numbers that follow must be the same.
        drawn = [self._draw(cases, self._plan.draw) for _ in range(self._plan.generations)]

        def evaluate(generation: int, points: FloatArray) -> Judged:
            return Judged(self._weigh_points(space, points, first, end, fragments, drawn[generation - 1]))

        key = f"window {self._searches}, generation"
        drive(optimizer, evaluate, done=lambda told: told >= self._plan.generations, session=self._session, key=key)
        tables = [self.rows, self._with_point(space, optimizer.mean, first, end)]
        last = partial(self._try_all, tables, fragments, self._with_noise(cases))
        found = self._session.recall(f"window {self._searches}, choice", last, read=_read_costs)
        if weigh_states(found[1]) < weigh_states(found[0]):
            self.rows = tables[1]
        return float(found[0].mean()), float(min(found, key=weigh_states).mean())

    def _weigh_points(
        self, space: Space, points: FloatArray, first: int, end: int, fragments: int, cases: Sequence[Case]
    ) -> FloatArray:
        """What each of some candidates costs from some states."""
        tables = [self._with_point(space, point, first, end) for point in points]
        found = self._try_all(tables, fragments, cases)
        sizes = [self._size(rows[first:end]) for rows in tables]
        return np.array([weigh_states(row) for row in found]) + sizes

    def _try_all(self, tables: Sequence[FloatArray], fragments: int, cases: Sequence[Case]) -> FloatArray:
        """Costs (T, N) of tables of rows from all of some states."""
        jobs = [partial(self._try, case, rows, fragments) for rows in tables for case in cases]
        return np.array(self._run(jobs)).reshape(len(tables), len(cases))

    def _make_space(self, first: int, end: int, spread: float) -> Space:
        """The numbers of some rows, from where they are."""
        low, high = limits()
        return Space(tuple(
            Variable(f"{k}.{j}", low[j], high[j], float(self.rows[k, j]), spread * SPREADS[j])
            for k in range(first, end) for j in range(layout.RETOUCH)
        ))  # fmt: skip

    def _with_point(self, space: Space, point: FloatArray, first: int, end: int) -> FloatArray:
        """All rows, some of them from a point; as they would be written."""
        rows = self.rows.copy()
        rows[first:end] = np.round(np.array(list(space.decode(point).values())), DECIMALS).reshape(end - first, -1)
        return rows

    def _size(self, rows: FloatArray) -> float:
        return SIZE_COST * float(np.mean((rows / SPREADS) ** 2))


def _read_costs(kept: object) -> FloatArray:
    """Costs (2, N) without and with what a window's search has found."""
    costs = np.array(kept, dtype=float)
    if costs.ndim != 2 or len(costs) != 2 or not costs.size:
        raise ValueError
    return costs


def describe(plan: Plan) -> str:
    """The options that are not as usual."""
    usual = Plan()
    words = [f"--generations {plan.generations}"] if plan.generations != usual.generations else []
    words += [f"--starts {plan.starts}"] if plan.starts != usual.starts else []
    words += [f"--draw {plan.draw}"] if plan.draw != usual.draw else []
    words += [f"--spread {plan.spread:g}"] if plan.spread != usual.spread else []
    words += [f"--first {plan.first}"] if plan.first else []
    words += [f"--last {plan.last}"] if plan.last is not None else []
    return " ".join([*words, f"--seed {plan.seed}"])
