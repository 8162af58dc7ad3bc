"""Success of every skill from perturbed starts [Firmin15 §5.2], and for a minute for those that last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from poise.batches.threads import run_trials
from poise.constants import DEFAULT_TIMESTEP_S
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.firmin.skills import SKILLS, try_skill
from poise.skills.poses import ACROBATIC, STEADY

Progress = Callable[[float], None]
STARTS, QUICK_STARTS = 20, 1
#: Number of controllers of the source.
SOURCE_COUNT: Final = 25
#: Skills that continue indefinitely or hold a pose must do so for a minute, in one run.
LONG_S: Final = 60.0
LASTING: Final = (
    "stand", "squat", "hands-and-knees", "crawl", "walk", "fast-walk", "walk-in-place", "backward-walk", "run", "skip",
    "handstand", "kick-up", "handwalk",
)  # fmt: skip


def _skill_row(name: str, failures: Sequence[str], lasts: str | None) -> Row:
    skill, passed = SKILLS[name], sum(not f for f in failures)
    how = f"{skill.change.angle_rad:g} rad and {skill.change.rate_radps:g} rad/s"
    worst = next((f for f in [*failures, lasts or ""] if f), "")
    minute = "" if lasts is None else f"; lasts {LONG_S:g} s: {'yes' if not lasts else 'no'}"
    return make_row(
        skill.claim,
        f"script/{name}: {passed} of {len(failures)} starts, {skill.start} ± {how}{minute}",
        passed == len(failures) and not lasts,
        note=f"Example of a failure: {worst}." if worst else "",
    )


def _count_row(failures: Mapping[str, Sequence[str]]) -> Row:
    sure = [name for name, found in failures.items() if not any(found)]
    rest = ", ".join(f"{n} ({sum(not f for f in found)})" for n, found in failures.items() if any(found))
    holds = len(sure) > SOURCE_COUNT
    others = f"Skills that fail from some starts: {rest}." if rest else ""
    return make_row(
        "firmin-5-count",
        f"{len(failures)} skills, {len(sure)} of which succeed from every perturbed start",
        holds,
        exceeded=holds,
        note=others if holds else others or "The others are not written yet.",
    )


def measure(quick: bool = False, seed: int = 0, progress: Progress | None = None) -> list[Row]:
    """Success of every skill from perturbed starts; the quick form tries one start of each skill with a claim."""
    starts = range(1 + 1000 * seed, 1 + 1000 * seed + (QUICK_STARTS if quick else STARTS))
    names = [name for name, skill in SKILLS.items() if skill.claim or not quick]
    lasting = [] if quick else [name for name in LASTING if name in SKILLS]
    # Long ones first: no core waits for one at the end.
    jobs = [(name, starts[0], LONG_S) for name in lasting] + [(name, s, None) for name in names for s in starts]
    found = run_trials([partial(try_skill, name, start, seconds=long_s) for name, start, long_s in jobs], progress)
    whys = dict(zip(jobs, found, strict=True))
    failures = {name: [whys[name, s, None] for s in starts] for name in names}
    rows = [
        _skill_row(name, failures[name], whys.get((name, starts[0], LONG_S))) for name in names if SKILLS[name].claim
    ]
    # One start each says little about the number of reliable skills.
    return rows if quick else [*rows, _count_row(failures)]


EXPERIMENT: Final = Experiment(
    "firmin/skills",
    "success of every skill of the controller language from 20 perturbed starts; lasting ones for a minute",
    measure,
    {
        "starts": STARTS,
        "gaits_and_poses": [STEADY.angle_rad, STEADY.rate_radps],
        "acrobatics": [ACROBATIC.angle_rad, ACROBATIC.rate_radps],
        "timestep_s": DEFAULT_TIMESTEP_S,
        "long_s": LONG_S,
    },
    tuple(sorted({s.claim for s in SKILLS.values() if s.claim} | {"firmin-5-count"})),
)
