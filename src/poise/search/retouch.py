"""`retouch`: small changes to a motion's fragments that keep a falling body up, found by CMA-ES.

The search is that of `poise.search.retouch_windows`. Closing runs decide whether its result is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from poise.batches.threads import run_trials
from poise.files import digest
from poise.motion.rotations import FloatArray
from poise.search.drive import ending_with_best
from poise.search.retouch_windows import News, Plan, Windows
from poise.search.session import Session
from poise.search.tame_cost import CHECK_SEED, Closing, conclude, recall_trial
from poise.search.tame_trial import Subject


@dataclass(frozen=True)
class Retouched:
    """Result of `retouch`: the rows kept, the rows found, and closing runs without and with the rows found."""

    rows: FloatArray
    found: FloatArray
    interrupted: bool
    before: Closing | None = None
    after: Closing | None = None

    @property
    def is_better(self) -> bool:
        """Whether the rows found were kept."""
        return self.rows is self.found

    @property
    def closing(self) -> Closing | None:
        """Closing runs with the rows kept."""
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
    """Search for retouches of all fragments, beginning with the subject's own.

    A session keeps all trials and resumes the search as if it had never stopped. `follow` is called for new windows
    only. Ctrl-C ends the search with the result so far. The initial rows are kept if the closing runs are worse with
    the rows found. The number of workers does not change the result.
    """
    session = session or Session()
    run = Windows(subject, gains, plan, session, workers)
    run.check_plan()
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


def retouch_cycle(
    subject: Subject,
    gains: Mapping[str, float],
    plan: Plan,
    *,
    session: Session,
    key: str,
    workers: int | None = None,
    follow: Follow | None = None,
) -> FloatArray:
    """The rows that a search for retouches of the cycle finds, without closing runs.

    `key` names its answers in the session. `follow` is called after every search of the cycle.
    """
    plan = replace(plan, first=subject.lead_in, last=None)
    run = Windows(subject, gains, plan, session, workers, key)
    for news in run.windows():
        if follow is not None and news.searched is not None:
            follow(news)
    return run.rows


def with_rows(subject: Subject, rows: FloatArray) -> Subject:
    """The subject with its motion retouched by `rows`."""
    return subject.with_track(replace(subject.track, retouch=rows))


def _close(
    subject: Subject,
    gains: Mapping[str, float],
    plan: Plan,
    rows: FloatArray,
    session: Session,
    workers: int | None,
) -> Closing:
    """Closing runs from other starts: to the end of the motion, or for `plan.check_s`."""
    own = with_rows(subject, rows)
    seeds = range(CHECK_SEED, CHECK_SEED + plan.check_starts)
    key = f"closing {digest(rows.tobytes())[:16]}"
    jobs = [recall_trial(session, key, own, gains, seed, plan.check_s) for seed in seeds]
    return conclude(own, run_trials(jobs, workers=workers), plan.check_s)


def describe(plan: Plan) -> str:
    """The options that differ from their defaults, and the seed."""
    usual = Plan()
    words = [f"--generations {plan.generations}"] if plan.generations != usual.generations else []
    words += [f"--starts {plan.starts}"] if plan.starts != usual.starts else []
    words += [f"--draw {plan.draw}"] if plan.draw != usual.draw else []
    words += [f"--spread {plan.spread:g}"] if plan.spread != usual.spread else []
    words += [f"--first {plan.first}"] if plan.first else []
    words += [f"--last {plan.last}"] if plan.last is not None else []
    return " ".join([*words, f"--seed {plan.seed}"])
