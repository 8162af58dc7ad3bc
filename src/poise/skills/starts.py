"""Where a skill is left for another: the moments from which transitions are searched for and compared.

Usually that is where its loop begins anew. `Leaving` says otherwise: in the midst of it, with more noise, or only from
moments at which switching at once fails, as the source repairs what failed on its random walks [Firmin15 §5.4].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.errors import InputError
from poise.skills.course import Stage
from poise.skills.goal import SETTLE_S
from poise.skills.manner import LONGEST_S
from poise.skills.moment import ANGLE_NOISE_RAD, RATE_NOISE_RADPS, Moment, disturb, find_places, take_moment
from poise.skills.skill import Skill

#: So many moments are drawn for one at which switching at once fails.
MOST_DRAWS: Final = 30


@dataclass(frozen=True)
class Leaving:
    """How a source is left."""

    #: When its main script comes to this phase; None is where it may be left.
    phase: int | None = None
    #: The first time after so many seconds, where it has such a phase.
    after_s: float = 0.0
    #: The pose in which its own run begins, by name; empty is its own.
    pose: str = ""
    #: Times the usual noise on joints and their speeds.
    noise: float = 1.0
    #: Only moments at which switching at once fails.
    failing: bool = False


AS_USUAL: Final = Leaving()
Fails = Callable[[Moment], bool]


def go_to_leave(stage: Stage, source: Skill, leaving: Leaving, settle_s: float = SETTLE_S) -> None:
    """Runs a skill from its own start until it is left."""
    stage.begin(source.controller)
    if leaving.phase is None:
        stage.perform(source, settle_s)
        return
    while stage.world.time_s < LONGEST_S and stage.advance(LONGEST_S - stage.world.time_s, to_phase=True):
        if stage.world.time_s >= leaving.after_s and source.begins(find_places(stage.world), leaving.phase):
            return
    raise InputError(f"skill {source.name}: its own run does not come to phase {leaving.phase}.")


def record_moments(
    stage: Stage,
    source: Skill,
    count: int,
    seed: int,
    *,
    settle_s: float = SETTLE_S,
    leaving: Leaving = AS_USUAL,
) -> list[Moment]:
    """Moments at which a skill may be left; all but the first with noise on their joints."""
    go_to_leave(stage, source, leaving, settle_s)
    moment = take_moment(stage.world)
    random = np.random.default_rng([seed, 97])
    return [moment, *(_disturb(stage, moment, random, leaving) for _ in range(count - 1))]


def record_failing(
    stage: Stage, source: Skill, count: int, seed: int, leaving: Leaving, fails: Fails
) -> tuple[list[Moment], int]:
    """Disturbed moments at which a source is left and something fails, and how many were drawn to find them."""
    go_to_leave(stage, source, leaving)
    moment = take_moment(stage.world)
    random = np.random.default_rng([seed, 97])
    found: list[Moment] = []
    drawn = 0
    while len(found) < count:
        if drawn >= MOST_DRAWS * count:
            raise InputError(
                f"transition: switching at once fails from {len(found)} of {drawn} starts of {source.name}, and "
                f"{count} are asked for. Ask for more noise."
            )
        drawn += 1
        drawn_moment = _disturb(stage, moment, random, leaving)
        if fails(drawn_moment):
            found.append(drawn_moment)
    return found, drawn


def _disturb(stage: Stage, moment: Moment, random: np.random.Generator, leaving: Leaving) -> Moment:
    return disturb(stage.world, moment, random, leaving.noise * ANGLE_NOISE_RAD, leaving.noise * RATE_NOISE_RADPS)
