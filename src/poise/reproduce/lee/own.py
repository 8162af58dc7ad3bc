"""Our own clips, tracked from ten starts each: those made by the walker, and two drawn as key poses.

Some stand in for motions of the source of which we have no recording; their rows say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from poise.characters.catalog import load_character
from poise.controllers.catalog import load_controller, read_controller_file
from poise.motion.shipped import find_clip
from poise.reproduce.claims import make_row
from poise.reproduce.coros.walker_runs import Progress, make_own_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.lee.recorded import NEEDED, QUICK_STARTS, SECONDS, SETTINGS, STARTS, describe, try_each
from poise.search.tame_file import SPEED_PART
from poise.search.tame_trial import Subject, Trial, make_subject

BODY: Final = "lee13"
QUICK_S: Final = 45.0


@dataclass(frozen=True)
class Own:
    """One of our clips with the controller of its name, the claim it measures, and the reason if that does not hold."""

    name: str
    claim: str
    why: str = "Too few starts stay up, or the speed differs from the clip's."

    @property
    def is_ours(self) -> bool:
        return self.claim.startswith("poise-")


OWN: Final = (
    Own("fast", "lee-5-walk-fast"),
    Own("happy", "lee-5-walk-wide"),
    Own("march", "lee-5-walk-brisk"),
    Own("left-90", "lee-5-turn-90"),
    Own("normal", "poise-tracker-own-normal"),
    Own("slow", "poise-tracker-own-slow"),
    Own("backward", "poise-tracker-own-backward"),
    Own("sneak", "poise-tracker-own-sneak"),
    Own("stroll", "poise-tracker-own-stroll"),
    Own("left-45", "poise-tracker-own-left-45"),
    Own("right-45", "poise-tracker-own-right-45"),
    Own("right-90", "poise-tracker-own-right-90"),
    Own("u-turn", "poise-tracker-own-u-turn"),
    Own("spin", "poise-tracker-own-spin"),
)


def load_own(own: Own) -> tuple[Subject, dict[str, float]]:
    """A shipped controller as a subject of trials, and its gains."""
    body, name = load_character(BODY), f"tracker/{own.name}"
    file = read_controller_file(name)
    subject = make_subject(
        find_clip(str(file.table["clip"])),
        body,
        once=not file.table.get("endless", True),
        cycle=file.table.get("cycle"),
        friction=file.friction or 1.0,
    )
    return subject, load_controller(name, body).values()


def _make_row(own: Own, subject: Subject, trials: Sequence[Trial]) -> Row:
    measured, holds = describe(subject, trials)
    text, reason = f"our clip {own.name}: {measured}", "" if holds else own.why
    if not own.is_ours:
        note = "We have no recording of it; this is our own clip of that kind. " + reason
        return make_row(own.claim, text, holds, note=note.strip())
    figure = f"{NEEDED:.0%} of starts for {SECONDS:g} s, speed within {SPEED_PART:.0%}; to the end if played once"
    return make_own_row(own.claim, f"Our own clip {own.name} is tracked.", figure, text, holds, reason)


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every clip from several starts; the quick form takes few and short ones."""
    subjects = [load_own(own) for own in OWN]
    starts, seconds = (QUICK_STARTS, QUICK_S) if quick else (STARTS, SECONDS)
    found = try_each(subjects, starts, seconds, seed, progress)
    return [_make_row(own, subject, trials) for own, (subject, _), trials in zip(OWN, subjects, found, strict=True)]


EXPERIMENT: Final = Experiment(
    "lee/own",
    "our own clips are tracked under physics",
    measure,
    SETTINGS,
    tuple(own.claim for own in OWN),
)
