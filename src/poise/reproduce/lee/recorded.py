"""Recorded walks, turns and a spin, tracked from ten starts each [Lee10 Fig. 5 and 6].

The recordings are not ours and not part of the project: POISE_MOCAP names the folder that holds them (docs/clips.md).
Gains are in `library/tamed`, each with the command that found them. With a cyclic clip the character must stay on its
feet for 300 s at the recorded speed; with a clip that is played once it must reach the end and stand there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from poise.reproduce.claims import LIBRARY, make_row
from poise.reproduce.coros.walker_runs import Progress, make_own_row
from poise.reproduce.experiment import Experiment, Row
from poise.search.tame_file import SPEED_PART, make_tamed_subject
from poise.search.tame_trial import NOISE, Subject, Trial, run_trial
from poise.tables import load_table
from poise.trials import run_trials

TAMED: Final = LIBRARY / "tamed"
FOLDER: Final = "POISE_MOCAP"
SECONDS, QUICK_S = 300.0, 60.0
STARTS, QUICK_STARTS = 10, 2
#: Share of starts that must succeed; a walk's mean speed must also be near the recorded one.
NEEDED = 0.9
SETTINGS: Final = {"seconds": SECONDS, "starts": STARTS, "noise": NOISE, "timestep_s": 1.0 / 900.0}


@dataclass(frozen=True)
class Motion:
    """A tamed clip and the claim it measures; our own requirements carry their own text."""

    tamed: str
    claim: str
    says: str = ""
    #: Why it does not hold, if known.
    why: str = "Too few starts stay up, or the speed differs from the recorded one."
    #: Remark for readers if it holds.
    how: str = ""

    @property
    def path(self) -> Path:
        return TAMED / f"{self.tamed}.toml"


#: The gains of [Lee10 Fig. 5] for the gentle walk belong to the clip that the release calls WalkForwardNormal00. The
#: source's own normal walk is not available; another person's is comparable.
MOTIONS: Final = (
    Motion("deepmimic-walk", "lee-5-walk-normal"),
    Motion("lee-normal", "lee-5-walk-gentle"),
    Motion("lee-slow", "lee-5-walk-slow"),
    Motion("lee-march", "lee-5-walk-march"),
    Motion("lee-backward", "lee-5-walk-backward"),
    Motion("lee-left-45", "lee-5-turn-45"),
    Motion("lee-u-turn", "lee-5-u-turn"),
    Motion(
        "lee-spin",
        "lee-5-spin",
        how="It turns by 200 to 250° on one foot, three times. Its fragments are retouched (poise clip retouch): with "
        "gains alone, the source's or ours, it falls in the second turn. The source names another, shorter recording, "
        "which is not available.",
    ),
    Motion(
        "cmu-07-01",
        "poise-tracker-cmu-07-01",
        "A walk from the CMU database, retargeted to another body, is tracked.",
        how="Its cycle is retouched (poise clip retouch): with gains alone it walked a quarter slower than recorded.",
    ),
    Motion("cmu-16-17", "poise-tracker-cmu-16-17", "Another CMU walk, with a cycle of its straight part, is tracked."),
)


def find_clip(name: str) -> Path | None:
    """Find a recording by name in or below the folder that POISE_MOCAP names."""
    folder = os.environ.get(FOLDER, "")
    return next(iter(sorted(Path(folder).rglob(name))), None) if folder else None


def find_missing() -> str:
    """Reason why it cannot be measured here; empty if it can."""
    if not os.environ.get(FOLDER, ""):
        return f"it needs recordings that are not part of Poise. {FOLDER} names their folder; see docs/clips.md"
    names = [load_table(m.path).string("clip") for m in MOTIONS]
    lacking = [name for name in names if find_clip(name) is None]
    return f"{os.environ[FOLDER]}: {', '.join(lacking)} not found. docs/clips.md describes them" if lacking else ""


def load_subject(motion: Motion) -> tuple[Subject, dict[str, float]]:
    """A tamed clip, ready for trials, and its gains."""
    table = load_table(motion.path)
    clip = find_clip(table.string("clip"))
    assert clip is not None
    return make_tamed_subject(table, clip)


def describe(subject: Subject, trials: Sequence[Trial]) -> tuple[str, bool]:
    """Describe what was measured, and whether it holds."""
    up = sum(t.holds for t in trials)
    enough = up >= NEEDED * len(trials)
    errors = f"joints off by {np.mean([t.joint_error_rad for t in trials]):.2f} rad, "
    errors += f"fragment displacements by {np.mean([t.way_error_m for t in trials]):.2f} m"
    fell = [t.failed_at_s for t in trials if t.failed_at_s is not None]
    span = "" if not fell else f"{min(fell):.0f} s" if len(fell) == 1 else f"{min(fell):.0f} to {max(fell):.0f} s"
    falls = f" (others fell after {span})" if fell else ""
    if not subject.track.is_endless:
        yaw = np.degrees(np.mean([abs(t.yaw_error_rad) for t in trials]))
        text = (
            f"played once, {up} of {len(trials)} starts reach the end and stand 2 s{falls}; heading off by {yaw:.0f}°"
        )
        return f"{text}, {errors}", enough
    recorded = float(np.linalg.norm(subject.cycle_velocity_mps()))
    speed = float(np.mean([t.speed_mps for t in trials if t.speed_mps is not None] or [0.0]))
    seconds = max(t.seconds for t in trials)
    text = f"{up} of {len(trials)} starts on their feet for {seconds:.0f} s{falls}"
    return f"{text}; {speed:.2f} m/s, recorded {recorded:.2f}, {errors}", enough and abs(
        speed / recorded - 1.0
    ) <= SPEED_PART


def _make_row(motion: Motion, subject: Subject, trials: Sequence[Trial]) -> Row:
    measured, holds = describe(subject, trials)
    text = f"{load_table(motion.path).string('clip')}: {measured}"
    reason = motion.how if holds else motion.why
    if not motion.says:
        return make_row(motion.claim, text, holds, note=reason)
    figure = f"{NEEDED:.0%} of starts for {SECONDS:g} s, speed within {SPEED_PART:.0%}"
    return make_own_row(motion.claim, motion.says, figure, text, holds, reason)


def try_each(
    subjects: Sequence[tuple[Subject, Mapping[str, float]]],
    starts: int,
    seconds: float,
    seed: int,
    progress: Progress | None,
) -> list[Sequence[Trial]]:
    """Run every subject with its gains from `starts` starts each."""
    jobs = [
        partial(run_trial, subject, gains, 100 * seed + k, seconds=seconds)
        for subject, gains in subjects
        for k in range(starts)
    ]
    trials = run_trials(jobs, progress)
    return [trials[k * starts : (k + 1) * starts] for k in range(len(subjects))]


def measure(quick: bool, seed: int, progress: Progress | None = None) -> Sequence[Row]:
    """Measure every motion from several starts."""
    subjects = [load_subject(m) for m in MOTIONS]
    starts, seconds = (QUICK_STARTS, QUICK_S) if quick else (STARTS, SECONDS)
    found = try_each(subjects, starts, seconds, seed, progress)
    return [_make_row(m, subject, trials) for m, (subject, _), trials in zip(MOTIONS, subjects, found, strict=True)]


EXPERIMENT = Experiment(
    "lee/recorded",
    "recorded walks, turns and a spin are tracked under physics",
    measure,
    SETTINGS,
    tuple(m.claim for m in MOTIONS),
    find_missing,
)
