"""Costs of trials of a tamed clip, and the closing runs that decide between candidates.

The cost of a start:

    8·(1 − t/T)  if it stayed on its feet only for the time t of T,
    2·e          for the mean angle e (rad) between joints and recording,
    5·max(0, |v/v_r − 1| − 0.03)    for an endless walk with speed v against the recorded v_r,
    2·w + max(0, |ψ| − 0.1)         for a motion played once: mean position error w (m) of its fragments and final
                                    heading error ψ (rad), and 1 more if it did not stand at the end.

A candidate costs the mean over its starts plus half of the worst.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poise.search.session import Session
from poise.search.tame_trial import STAND_S, Subject, Trial, run_trial

#: Starts of the closing runs use other seeds than those of the search.
CHECK_SEED: Final = 1000
SLACK_SPEED, SLACK_YAW_RAD = 0.03, 0.1
#: Cost of a start whose cost is not finite: more than any other.
LOST: Final = 20.0


@dataclass(frozen=True)
class Closing:
    """Closing runs of one candidate."""

    cost: float
    trials: tuple[Trial, ...]

    @property
    def up(self) -> int:
        return sum(t.holds for t in self.trials)

    @property
    def holds(self) -> bool:
        """Whether no start fell."""
        return self.up == len(self.trials)

    @property
    def simulated_s(self) -> float:
        return sum(t.seconds for t in self.trials)

    def speeds_mps(self) -> list[float]:
        return [t.speed_mps for t in self.trials if t.holds and t.speed_mps is not None]


def compute_cost(subject: Subject, trial: Trial, seconds: float) -> float:
    """Cost of a start; see the module."""
    endless = subject.track.is_endless
    asked = seconds if endless else subject.recorded_s + STAND_S
    cost = 2.0 * trial.joint_error_rad
    if trial.failed_at_s is not None:
        cost += 8.0 * (1.0 - min(trial.failed_at_s / asked, 1.0))
    if endless and trial.speed_mps is not None:
        speed = float(np.linalg.norm(subject.cycle_velocity_mps()))
        cost += 5.0 * max(0.0, abs(trial.speed_mps / speed - 1.0) - SLACK_SPEED)
    if not endless:
        cost += 2.0 * trial.way_error_m + max(0.0, abs(trial.yaw_error_rad) - SLACK_YAW_RAD)
        cost += 0.0 if trial.holds else 1.0
    return cost if math.isfinite(cost) else LOST


def weigh(costs: Sequence[float]) -> float:
    """Cost of a candidate from the costs of its starts."""
    return float(np.mean(costs) + 0.5 * np.max(costs))


def conclude(subject: Subject, trials: Sequence[Trial], seconds: float) -> Closing:
    """The trials of a candidate with their cost."""
    return Closing(weigh([compute_cost(subject, t, seconds) for t in trials]), tuple(trials))


def recall_trial(
    session: Session,
    key: str,
    subject: Subject,
    gains: Mapping[str, float],
    seed: int,
    seconds: float,
    push_n: float = 0.0,
) -> Callable[[], Trial]:
    """A job that runs a trial, or recalls it."""
    job = partial(run_trial, subject, gains, seed, seconds=seconds, push_n=push_n)
    return partial(session.recall, f"{key}, start {seed}, {seconds:g} s", job, read=lambda row: Trial(**row))
