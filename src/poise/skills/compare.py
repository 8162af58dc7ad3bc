"""Comparison of a learned transition with the naive one, an immediate switch: success, speed dip, smoothness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.batches.batch import open_batch
from poise.batches.threads import heartbeat
from poise.language.tree import Script
from poise.search.session import Session
from poise.skills.course import RECORD_HZ, FloatArray, Track, open_stage
from poise.skills.learn import fails
from poise.skills.manner import Manner, learn_manner
from poise.skills.moment import Moment
from poise.skills.skill import Skill
from poise.skills.starts import AS_USUAL, Leaving, go_to_leave, record_failing, record_moments
from poise.skills.way import Way, go, make_way

STARTS: Final = 20
#: First seed of these starts, which no search uses.
FIRST_SEED: Final = 5000
TIMESTEP_S: Final = 0.0005
#: Averaging window for speeds, since the speed varies within a step.
SMOOTH_S: Final = 0.5
#: Dip and smoothness are measured until this long after the target has begun.
NEAR_S: Final = 3.0


@dataclass(frozen=True)
class Trial:
    """Result from one start."""

    arrived: bool
    #: How far the speed falls below that of both skills; 0 if it never does.
    dip_mps: float
    #: Mean absolute acceleration of the joints.
    roughness_radps2: float
    #: Time until the target begins.
    seconds: float
    #: Total backward travel of the centre of mass after the target has begun.
    backward_m: float = 0.0
    #: ∫Σ τ² dt divided by the duration.
    effort_nm2: float = 0.0
    #: Total backward travel of the centre of mass before the target begins.
    sway_m: float = 0.0
    #: How long the head or trunk touches the ground.
    knocked_s: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """Results from all starts; figures are medians over those that arrived, None if none did."""

    arrived: int
    starts: int
    dip_mps: float | None = None
    roughness_radps2: float | None = None
    seconds: float | None = None
    backward_m: float | None = None
    effort_nm2: float | None = None
    sway_m: float | None = None
    #: How many arrived without the head or trunk touching the ground.
    clean: int = 0


@dataclass(frozen=True)
class Comparison:
    """The naive and the learned transition between two skills, from the same starts."""

    naive: Outcome
    learned: Outcome | None
    source_speed_mps: float
    target_speed_mps: float
    #: Roughness of the source's and the target's own runs, for reference.
    source_roughness_radps2: float
    target_roughness_radps2: float
    #: How many starts were drawn to find those where an immediate switch fails; None unless it has to fail.
    drawn: int | None = None


def smooth(values: FloatArray, seconds: float = SMOOTH_S) -> FloatArray:
    """Moving average; a track shorter than the window becomes one mean."""
    count = min(max(1, round(seconds * RECORD_HZ)), len(values))
    return np.convolve(values, np.full(count, 1.0 / count), mode="valid")


def compute_roughness(track: Track) -> float:
    """Mean absolute acceleration of the joints."""
    if len(track) < 2:
        return 0.0
    return float(np.abs(np.diff(track.joint_radps, axis=0)).mean()) * RECORD_HZ


def compute_backward(track: Track) -> float:
    """Total backward travel of the centre of mass."""
    return float(np.sum(np.maximum(0.0, -np.diff(track.com_m[:, 0]))))


def compare(
    source: Skill,
    target: Skill,
    script: Script | None,
    *,
    naive: Script | None = None,
    at_phase: int = 0,
    leaving: Leaving = AS_USUAL,
    starts: int = STARTS,
    seed: int = FIRST_SEED,
    timestep_s: float = TIMESTEP_S,
    session: Session | None = None,
    key: str = "",
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Comparison:
    """Try the naive transition, and a script that begins where the source is left, from the same disturbed starts.

    `naive` is the script of the naive transition if that is not simply the target from its beginning. A session stores
    the trials under a key, which must identify this comparison.
    """
    stage = open_stage(source.character, source.controller, timestep_s)
    manner = learn_manner(stage, target, at_phase)
    own = stage.track()
    ways = [make_way(naive, target)]
    if script is not None:
        ways.append(make_way(script, target))
    drawn = None
    if leaving.failing:
        moments, drawn = record_failing(stage, source, starts, seed, leaving, partial(fails, stage, ways[0], manner))
    else:
        moments = record_moments(stage, source, starts + 1, seed, leaving=leaving)[1:]
    go_to_leave(stage, source, leaving)
    at_home = stage.track()
    speed = float(np.mean(at_home.since(at_home.time_s[-1] - 1.5).speed_mps))
    items = list(enumerate((way, moment) for way in ways for moment in moments))
    job = partial(_recall, session or Session(), key, partial(_try, source, manner, speed, timestep_s))
    with open_batch("threads", workers=workers) as batch:
        trials = batch.run(job, items, progress)
    outcomes = [_count(trials[k : k + starts]) for k in range(0, len(trials), starts)]
    return Comparison(
        outcomes[0],
        outcomes[1] if script is not None else None,
        speed,
        manner.speed_mps if manner else 0.0,
        compute_roughness(at_home.since(at_home.time_s[-1] - NEAR_S)),
        compute_roughness(own.since(own.time_s[-1] - NEAR_S)),
        drawn,
    )


def _recall(
    session: Session, key: str, job: Callable[[tuple[Way, Moment]], Trial], item: tuple[int, tuple[Way, Moment]]
) -> Trial:
    number, case = item
    return session.recall(f"{key}, trial {number}", partial(job, case), read=lambda row: Trial(**row))


def _try(source: Skill, manner: Manner | None, speed_mps: float, timestep_s: float, item: tuple[Way, Moment]) -> Trial:
    heartbeat()
    stage = open_stage(source.character, source.controller, timestep_s)
    if manner is None:
        return Trial(False, 0.0, 0.0, 0.0)
    passage, arrived = go(stage, *item, manner)
    if passage.after is None:
        return Trial(False, 0.0, 0.0, 0.0)
    switched_s = float(passage.after.time_s[0])
    near = stage.track().since(0.0, switched_s + NEAR_S)
    lowest = float(np.min(smooth(near.speed_mps)))
    dip = max(0.0, min(speed_mps, manner.speed_mps) - lowest)
    effort = float(np.mean(np.sum(near.torque_nm**2, axis=1)))
    ways = compute_backward(near.since(switched_s)), compute_backward(passage.before)
    knocked_s = float(np.sum(near.knocked)) / RECORD_HZ
    return Trial(arrived, dip, compute_roughness(near), switched_s, ways[0], effort, ways[1], knocked_s)


def _count(trials: Sequence[Trial]) -> Outcome:
    arrived = [t for t in trials if t.arrived]
    if not arrived:
        return Outcome(0, len(trials))
    figures = {
        name: float(np.median([getattr(t, name) for t in arrived]))
        for name in ("dip_mps", "roughness_radps2", "seconds", "backward_m", "effort_nm2", "sway_m")
    }
    return Outcome(len(arrived), len(trials), **figures, clean=sum(t.knocked_s == 0.0 for t in arrived))
