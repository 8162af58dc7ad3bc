"""Objective of a transition search: to follow a known good run of the target skill [Firmin15 §4.2]."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from poise.errors import InputError
from poise.kernels.fixed import add_up
from poise.skills.course import RECORD_HZ, Stage, Track
from poise.skills.skill import Skill

#: At this mean speed and above, the target is a gait, and the goal is its steady part, not its start from standing.
GAIT_MPS: Final = 0.3
#: Time for a skill to settle: the run needs this long to approach its speed.
SETTLE_S: Final = 8.0
GOAL_S: Final = 3.0
#: A trunk lean that differs more than this from the goal's counts as fallen; the source's figure for upright goals.
FALLEN_RAD: Final = 0.6
#: Cost of a trial that does not reach the target in time [Firmin15, released code].
FAILURE: Final = 1e6


@dataclass(frozen=True)
class Weights:
    """Weights of the objective's terms. The first three are the paper's; `fallen` comes from its released code."""

    com: float = 100.0
    trunk: float = 1.0
    joints: float = 1.0
    #: Per second before the target begins.
    time: float = 0.0
    #: Per (N·m)²·s of ∫Σ τ² dt over the whole trial. [Firmin15 §4.2] prints no sum over time; an integral does not
    #: depend on the sampling rate.
    energy: float = 0.0
    #: Per second in which the trunk's lean differs from the goal's by more than 0.6 rad.
    fallen: float = 200.0
    #: Per second in which the head or trunk touches anything, over the whole trial.
    knocked: float = 0.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0.0 <= value < np.inf:
                raise InputError(f"weight {name} must be a number of at least 0", where="transition", got=value)


def record_goal(stage: Stage, skill: Skill, part: tuple[float, float] | None = None) -> Track:
    """The goal: a part of the skill's own run, by default its first seconds, or for a gait its settled part."""
    if part is not None:
        stage.begin(skill.controller)
        stage.advance(part[1])
        return _restart(stage.track().since(*part))
    stage.begin(skill.controller)
    stage.perform(skill, SETTLE_S)
    settled_s = stage.world.time_s
    stage.advance(GOAL_S)
    track = stage.track()
    steady = track.since(settled_s)
    if abs(float(np.mean(steady.speed_mps))) < GAIT_MPS:
        steady = track.since(0.0, GOAL_S)
    return _restart(steady)


def _restart(track: Track) -> Track:
    """The same motion with time and distance counted from its first frame."""
    if len(track) < 2:
        raise InputError("transition: the goal has no frames. Give a longer part of the target's run.")
    start = np.array([track.com_m[0, 0], 0.0])
    return Track(
        track.time_s - track.time_s[0],
        track.com_m - start,
        track.speed_mps,
        track.trunk_rad,
        track.joint_rad,
        track.joint_radps,
        track.torque_nm,
        track.knocked,
    )


def compute_terms(before: Track, after: Track, goal: Track) -> dict[str, float]:
    """Unweighted terms of a trial, from its tracks `before` and `after` the target began.

    F1 = Σ|c − c'|², F2 = Σ(φ − φ')², F3 = ΣΣ(θ − θ')² [Firmin15 Eqs. 6–8], sampled 100 times a second, over the centre
    of mass relative to where the target began, the trunk's lean in the world, and the joints.
    """
    n = min(len(after), len(goal))
    shift = np.array([after.com_m[0, 0], 0.0])
    trunk = after.trunk_rad[:n] - goal.trunk_rad[:n]
    trunk = trunk - 2.0 * np.pi * np.round(trunk[0] / (2.0 * np.pi))
    return {
        "com": float(np.sum((after.com_m[:n] - shift - goal.com_m[:n]) ** 2)),
        "trunk": float(np.sum(trunk**2)),
        "joints": float(np.sum((after.joint_rad[:n] - goal.joint_rad[:n]) ** 2)),
        "time": len(before) / RECORD_HZ,
        "energy": float(np.sum(before.torque_nm**2) + np.sum(after.torque_nm**2)) / RECORD_HZ,
        "fallen": float(np.count_nonzero(np.abs(trunk) > FALLEN_RAD)) / RECORD_HZ,
        "knocked": float(np.sum(before.knocked) + np.sum(after.knocked)) / RECORD_HZ,
    }


def weigh(terms: dict[str, float], weights: Weights) -> float:
    """Weighted sum of the terms [Firmin15 Eq. 5]."""
    return add_up(getattr(weights, name) * value for name, value in terms.items())
