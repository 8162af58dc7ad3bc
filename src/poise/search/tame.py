"""`tame`: find gains that track a clip for a long time and, if gains do not suffice, retouches of its cycle.

1. The gains of all shipped trackers are tried on the motion, each from a few starts. The search begins with the best.
   A lead-in in which they fall is dropped: the motion then starts in its cycle.
2. CMA-ES searches the gains as long as the cost falls, and closing runs choose among the best (`tame_search`).
3. If a walk still falls or has another speed than recorded, its cycle is retouched (`retouch`), and the gains are
   searched again for the retouched motion. Up to three such rounds each begin with the best result so far.

Costs are those of `tame_cost`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from poise.search.drive import ending_with_best
from poise.search.retouch import retouch_cycle, with_rows
from poise.search.retouch_windows import Plan as RetouchPlan
from poise.search.retouch_windows import count_simulated_s
from poise.search.session import Session
from poise.search.tame_cost import Closing
from poise.search.tame_plan import Plan
from poise.search.tame_search import Found, GainSearch
from poise.search.tame_starts import PLAIN, Tried, choose_start, try_starts
from poise.search.tame_trial import Subject

INTERRUPTED, BUDGET, DONE = "interrupted", "budget", "done"
#: Largest number of rounds of retouching.
ROUNDS: Final = 3
#: A walk whose speed is off by more than this fraction is retouched; less than what counts as a fault.
WANTED_SPEED_PART: Final = 0.1


@dataclass(frozen=True)
class Tamed:
    """Result of `tame`."""

    gains: Mapping[str, float]
    #: The motion, without its lead-in if that was dropped, and retouched if gains did not suffice.
    subject: Subject
    #: Name of the gains with which the search began, and these gains.
    begun_with: str
    start: Mapping[str, float]
    #: Lowest cost in the search for the gains, with pushes.
    cost: float
    evaluations: int
    #: Rounds of retouching.
    rounds: int
    simulated_s: float
    #: Wall time.
    seconds: float
    #: What ended it: "interrupted", "budget", or "done".
    stopped_by: str
    #: None if the search was interrupted before its first closing runs.
    closing: Closing | None = None

    @property
    def interrupted(self) -> bool:
        return self.stopped_by == INTERRUPTED


@dataclass(frozen=True)
class News:
    """State of a search."""

    #: What it does now.
    stage: str
    #: Completed fraction of this stage; None if its length is unknown.
    part: float | None
    #: Generations of the stage so far, and the lowest cost; None outside a search.
    generations: int | None = None
    best_cost: float | None = field(default=None)


Follow = Callable[[News], None]


def tame(
    subject: Subject,
    plan: Plan,
    *,
    starts: Mapping[str, Mapping[str, float]] | None = None,
    session: Session | None = None,
    workers: int | None = None,
    follow: Follow | None = None,
) -> Tamed:
    """Search for gains, and for retouches if needed, that keep a subject up at its speed.

    `starts` are gains by name; the search begins with the best of them. A session keeps all trials and resumes the
    search as if it had never stopped. Ctrl-C ends the search with the best so far; before the first gains were tried it
    is raised. The number of workers does not change the result.
    """
    run = _Run(subject, plan, starts or {PLAIN: {}}, session or Session(), workers, follow or _ignore)
    began = time.monotonic()
    with ending_with_best(lambda: run.begin is not None) as end:
        run.search()
    return run.conclude(time.monotonic() - began, end.interrupted)


def _ignore(_news: News) -> None:
    pass


def is_good(subject: Subject, closing: Closing) -> bool:
    """Whether no start fell and, for a walk, its speed is near the recorded one."""
    if not closing.holds or not subject.track.is_endless:
        return closing.holds
    speed = float(np.linalg.norm(subject.cycle_velocity_mps()))
    return abs(float(np.mean(closing.speeds_mps())) / speed - 1.0) <= WANTED_SPEED_PART


class _Run:
    """A search in progress."""

    def __init__(
        self,
        subject: Subject,
        plan: Plan,
        starts: Mapping[str, Mapping[str, float]],
        session: Session,
        workers: int | None,
        follow: Follow,
    ) -> None:
        self._subject, self._plan, self._starts = subject, plan, starts
        self._session, self._workers, self._follow = session, workers, follow
        self._retouching = RetouchPlan(generations=12, starts=8, draw=4, rounds=2)
        self._searches: list[GainSearch] = []
        self._simulated_s, self._rounds, self._over_budget = 0.0, 0, False
        #: The initial gains.
        self.begin: Tried | None = None
        #: The best so far, with closing runs.
        self.found: Found | None = None

    def search(self) -> None:
        """Run all stages."""
        self.begin = begin = self._choose_start()
        narrow = begin.closing.holds or (len(self._starts) == 1 and PLAIN not in self._starts)
        self.found = self._search_gains(begin.subject, begin.gains, self._plan.evaluations, narrow)
        while self._can_go_on(self.found):
            self._rounds += 1
            found = self._retouch(self._drop_lead_in(self.found))
            if found.closing.cost < self.found.closing.cost:
                self.found = found

    def _choose_start(self) -> Tried:
        progress = self._tell("trying shipped gains" if len(self._starts) > 1 else "trying the initial gains")
        tried = try_starts(
            self._subject, self._starts, self._plan, session=self._session, workers=self._workers, progress=progress
        )
        self._simulated_s += sum(t.closing.simulated_s for t in tried)
        return choose_start(tried)

    def _tell(self, stage: str) -> Callable[[float], None]:
        """Announce a stage; the result reports its completed fraction."""
        self._follow(News(stage, 0.0))
        return lambda part: self._follow(News(stage, part))

    def _search_gains(
        self, subject: Subject, start: Mapping[str, float], evaluations: int | None, narrow: bool
    ) -> Found:
        again = f" for the retouched motion, round {self._rounds}" if self._rounds else ""
        key = f"round {self._rounds}, " if self._rounds else ""
        seed = self._plan.seed + self._rounds
        own = GainSearch(
            subject, self._plan, start, self._session, workers=self._workers, key=key, narrow=narrow, seed=seed
        )
        self._searches.append(own)
        own.search(evaluations, partial(self._report, f"searching gains{again}", evaluations))
        found = own.close(self._tell("final check"))
        self._simulated_s += own.simulated_s
        return found

    def _report(self, stage: str, evaluations: int | None, search: GainSearch, is_new: bool) -> None:
        if is_new:
            part = None if evaluations is None else search.evaluations / evaluations
            self._follow(News(stage, part, search.generations, search.best_cost))

    def _can_go_on(self, found: Found) -> bool:
        """Whether another round is needed, possible and within the budget."""
        if not self._plan.retouch or not found.subject.track.is_endless or self._rounds >= ROUNDS:
            return False
        if is_good(found.subject, found.closing):
            return False
        needed = count_simulated_s(found.subject, self._retouching) + self._searches[-1].simulated_s
        self._over_budget = self._simulated_s + needed > self._plan.budget_s
        return not self._over_budget

    @staticmethod
    def _drop_lead_in(found: Found) -> Found:
        """The same gains without the lead-in if starts fell in it."""
        tried = Tried("", found.gains, found.subject, found.closing)
        if not found.subject.lead_in or not tried.falls_in_lead_in:
            return found
        return Found(found.gains, found.subject.without_lead_in(), found.closing)

    def _retouch(self, found: Found) -> Found:
        """Retouch the cycle of a walk, and search its gains again."""
        stage = f"retouching the cycle, round {self._rounds}"
        progress, searched = self._tell(stage), 0

        def follow(_news: object) -> None:
            nonlocal searched
            searched += 1
            progress(searched / self._retouching.rounds)

        plan = RetouchPlan(**{**vars(self._retouching), "seed": self._plan.seed + self._rounds})
        rows = retouch_cycle(
            found.subject,
            found.gains,
            plan,
            session=self._session,
            key=f"round {self._rounds}, ",
            workers=self._workers,
            follow=follow,
        )
        self._simulated_s += count_simulated_s(found.subject, plan)
        return self._search_gains(with_rows(found.subject, rows), found.gains, None, narrow=True)

    def conclude(self, seconds: float, interrupted: bool) -> Tamed:
        """The best so far."""
        begin = self.begin
        assert begin is not None
        gains, subject = begin.gains, begin.subject
        cost, closing = begin.closing.cost, None
        first = self._searches[0] if self._searches else None
        if self.found is not None:
            gains, subject, closing = self.found.gains, self.found.subject, self.found.closing
        elif first is not None and first.evaluations and first.best_cost < cost:
            gains = first.best
        if first is not None and first.evaluations:
            cost = min(s.best_cost for s in self._searches if s.evaluations)
        return Tamed(
            gains,
            subject,
            begin.name,
            begin.gains,
            cost,
            sum(s.evaluations for s in self._searches),
            self._rounds,
            self._simulated_s,
            seconds,
            INTERRUPTED if interrupted else BUDGET if self._over_budget else DONE,
            closing,
        )
