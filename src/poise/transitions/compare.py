"""A transition that was learned beside the naive one, which switches at once: success, dip of speed, smoothness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.controllers.script.tree import Script
from poise.search.batch import open_batch
from poise.transitions.course import RECORD_HZ, FloatArray, Track, open_stage
from poise.transitions.learn import record_moments
from poise.transitions.manner import Manner, learn_manner
from poise.transitions.moment import Moment
from poise.transitions.skill import Skill
from poise.transitions.trial import make_controller, pass_over
from poise.trials.jobs import heartbeat
from poise.world.controller import Controller

STARTS: Final = 20
#: Seeds of these starts are none with which a search was made.
FIRST_SEED: Final = 5000
TIMESTEP_S: Final = 0.0005
#: A step is uneven in itself: speeds are means over so long.
SMOOTH_S: Final = 0.5
#: Dip and smoothness are looked for until so long after the transition has begun, or after the target has.
NEAR_S: Final = 3.0
_MOST_S: Final = 9.0


@dataclass(frozen=True)
class Trial:
    """What became of one start."""

    arrived: bool
    #: How far the speed falls below that of both skills; 0 where it never does.
    dip_mps: float
    #: Mean absolute acceleration of the joints.
    roughness_radps2: float
    #: Until the target begins.
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """What became of all starts; dip and smoothness are medians over those that arrived, None if none did."""

    arrived: int
    starts: int
    dip_mps: float | None
    roughness_radps2: float | None
    seconds: float | None


@dataclass(frozen=True)
class Comparison:
    """Both ways from one skill to another, from the same starts."""

    naive: Outcome
    learned: Outcome | None
    source_speed_mps: float
    target_speed_mps: float
    #: Those of the source itself and of the target itself, to compare with.
    source_roughness_radps2: float
    target_roughness_radps2: float


def smooth(values: FloatArray, seconds: float = SMOOTH_S) -> FloatArray:
    """Means over a window; shorter tracks become one mean."""
    count = min(max(1, round(seconds * RECORD_HZ)), len(values))
    return np.convolve(values, np.full(count, 1.0 / count), mode="valid")


def compute_roughness(track: Track) -> float:
    """Mean absolute acceleration of the joints."""
    if len(track) < 2:
        return 0.0
    return float(np.abs(np.diff(track.joint_radps, axis=0)).mean()) * RECORD_HZ


def compare(
    source: Skill,
    target: Skill,
    script: Script | None,
    *,
    at_phase_script: Script | None = None,
    starts: int = STARTS,
    seed: int = FIRST_SEED,
    timestep_s: float = TIMESTEP_S,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Comparison:
    """Tries the naive transition, and a script that begins where the source is left, from the same disturbed starts.

    `at_phase_script` takes the place of the target for the naive one, where the target is not entered at its beginning.
    """
    stage = open_stage(source.character, source.controller, timestep_s)
    manner = learn_manner(stage, target)
    own = stage.track()
    moments = record_moments(stage, source, starts + 1, seed)[1:]
    at_home = stage.track()
    speed = float(np.mean(at_home.since(at_home.time_s[-1] - 1.5).speed_mps))
    naive = target.controller if at_phase_script is None else make_controller(at_phase_script, target)
    ways: list[tuple[Controller, int]] = [(naive, 0)]
    if script is not None:
        ways.append((make_controller(script, target), len(script.phases) - 1))
    items = [(controller, phase, moment) for controller, phase in ways for moment in moments]
    with open_batch("threads", workers=workers) as batch:
        trials = batch.run(partial(_try, source, target, manner, speed, timestep_s), items, progress)
    outcomes = [_count(trials[k : k + starts]) for k in range(0, len(trials), starts)]
    return Comparison(
        outcomes[0],
        outcomes[1] if script is not None else None,
        speed,
        manner.speed_mps if manner else 0.0,
        compute_roughness(at_home.since(at_home.time_s[-1] - NEAR_S)),
        compute_roughness(own.since(own.time_s[-1] - NEAR_S)),
    )


def _try(
    source: Skill,
    target: Skill,
    manner: Manner | None,
    speed_mps: float,
    timestep_s: float,
    item: tuple[Controller, int, Moment],
) -> Trial:
    heartbeat()
    controller, switch_phase, moment = item
    stage = open_stage(source.character, source.controller, timestep_s)
    watch_s = manner.watch_s if manner else NEAR_S
    passage = pass_over(stage, controller, moment, switch_phase, watch_s, _MOST_S)
    after = passage.after
    if after is None or manner is None:
        return Trial(False, 0.0, 0.0, 0.0)
    whole = stage.track()
    near = whole.since(0.0, max(float(after.time_s[0]), 0.0) + NEAR_S)
    lowest = float(np.min(smooth(near.speed_mps)))
    dip = max(0.0, min(speed_mps, manner.speed_mps) - lowest)
    return Trial(manner.matches(after), dip, compute_roughness(near), float(after.time_s[0]))


def _count(trials: Sequence[Trial]) -> Outcome:
    arrived = [t for t in trials if t.arrived]
    if not arrived:
        return Outcome(0, len(trials), None, None, None)
    dip, roughness, seconds = (
        float(np.median([getattr(t, name) for t in arrived])) for name in ("dip_mps", "roughness_radps2", "seconds")
    )
    return Outcome(len(arrived), len(trials), dip, roughness, seconds)
