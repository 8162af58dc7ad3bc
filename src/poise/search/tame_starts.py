"""Gains to begin with: those of all shipped trackers, each tried on the subject for a few seconds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from poise.batches.threads import Progress, run_trials
from poise.characters.catalog import load_character
from poise.controllers.catalog import LIBRARY as CONTROLLERS
from poise.controllers.catalog import controller_names, load_controller, read_controller_file
from poise.controllers.tracker.spec import METHOD, read_gains
from poise.motion.shipped import FOLDER as CLIPS
from poise.search.session import Session
from poise.search.tame_cost import Closing, conclude, recall_trial
from poise.search.tame_gains import default_gains, round_gains
from poise.search.tame_plan import Plan
from poise.search.tame_trial import Subject
from poise.tables import load_table

#: Gains found by taming recordings that are not part of Poise.
TAMED: Final = CLIPS.parent / "tamed"
#: Name of the values from which a search begins if no gains are given.
PLAIN: Final = "defaults"
#: A lead-in of this part of a trial is too long.
LONG_PART: Final = 0.5


@dataclass(frozen=True)
class Tried:
    """Gains that were tried on a subject, and their runs."""

    name: str
    gains: Mapping[str, float]
    subject: Subject
    closing: Closing

    @property
    def falls_in_lead_in(self) -> bool:
        """Whether a start fell in the lead-in or in the first cycle after it."""
        first_cycle = len(self.subject.track.fragments)
        return any(not t.holds and t.fragments < first_cycle for t in self.closing.trials)


def load_shipped_gains() -> dict[str, dict[str, float]]:
    """Gains of all shipped trackers by name, and those from which a search begins by default; none of them twice."""
    found: dict[str, dict[str, float]] = {PLAIN: default_gains()}
    for name, gains in _read_all():
        if gains not in found.values():
            found[name] = gains
    return found


def _read_all() -> Iterator[tuple[str, dict[str, float]]]:
    for path in sorted(TAMED.glob("*.toml")):
        table = load_table(path)
        read_gains(table.table("gains"), str(path))
        yield f"tamed/{path.stem}", {name: float(value) for name, value in table.table("gains").items()}
    for name in controller_names():
        if (CONTROLLERS / f"{name}.toml").exists() and (file := read_controller_file(name)).method == METHOD:
            # Loaded: its gains may be those of another file.
            yield name, round_gains(load_controller(name, load_character(file.character)).values())


def try_starts(
    subject: Subject,
    starts: Mapping[str, Mapping[str, float]],
    plan: Plan,
    *,
    session: Session,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Tried]:
    """All gains on the subject and, if it has a lead-in, on the subject without it, in this order.

    A lead-in that takes half of a run is left out: trials would say little about the cycle.
    """
    bare = subject.without_lead_in()
    subjects = [subject, bare] if 0.0 < subject.lead_in_s < LONG_PART * plan.seconds else [bare]
    asked = [(s, name, gains) for s in subjects for name, gains in starts.items()]
    jobs = [
        recall_trial(session, f"start {name}, lead-in {s.lead_in}", s, gains, seed, plan.seconds, plan.push_n)
        for s, name, gains in asked
        for seed in range(plan.seeds)
    ]
    trials, count = run_trials(jobs, progress, workers=workers), plan.seeds
    return [
        Tried(name, gains, s, conclude(s, trials[k * count : (k + 1) * count], plan.seconds))
        for k, (s, name, gains) in enumerate(asked)
    ]


def choose_start(tried: Sequence[Tried]) -> Tried:
    """The start with the lowest cost; without the lead-in only if that stays up and the other does not, or falls in it.

    A walk that begins standing is worth more than a slightly lower cost.
    """
    with_lead_in = [t for t in tried if t.subject.lead_in]
    without = min((t for t in tried if not t.subject.lead_in), key=lambda t: t.closing.cost)
    if not with_lead_in:
        return without
    best = min(with_lead_in, key=lambda t: t.closing.cost)
    keeps = best.closing.holds or not (without.closing.holds or best.falls_in_lead_in)
    return best if keeps else without
