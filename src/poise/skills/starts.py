"""Where a skill is left for another: the moments from which transitions are searched for and compared.

By default a skill is left where its loop restarts. `Leaving` overrides this: in the middle of the skill, with more
noise, or only at moments where an immediate switch fails, as the source repairs failures of its random walks
[Firmin15 §5.4].
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

#: Maximum draws per moment at which an immediate switch fails.
MOST_DRAWS: Final = 30


@dataclass(frozen=True)
class Leaving:
    """How a source is left."""

    #: Leave when the main script reaches this phase; None leaves wherever the skill allows it.
    phase: int | None = None
    #: With `phase`: leave the first time that it begins after this time.
    after_s: float = 0.0
    #: Name of the start pose of the source's own run; empty for the source's own pose.
    pose: str = ""
    #: Multiple of the default noise on joint angles and rates.
    noise: float = 1.0
    #: Use only moments at which an immediate switch fails.
    failing: bool = False


AS_USUAL: Final = Leaving()
Fails = Callable[[Moment], bool]


def go_to_leave(stage: Stage, source: Skill, leaving: Leaving, settle_s: float = SETTLE_S) -> None:
    """Run a skill from its own start until it is left."""
    stage.begin(source.controller)
    if leaving.phase is None:
        stage.perform(source, settle_s)
        return
    while stage.world.time_s < LONGEST_S and stage.advance(LONGEST_S - stage.world.time_s, to_phase=True):
        if stage.world.time_s >= leaving.after_s and source.begins(find_places(stage.world), leaving.phase):
            return
    raise InputError(f"skill {source.name}: its own run does not reach phase {leaving.phase}.")


def record_moments(
    stage: Stage,
    source: Skill,
    count: int,
    seed: int,
    *,
    settle_s: float = SETTLE_S,
    leaving: Leaving = AS_USUAL,
) -> list[Moment]:
    """Moments at which a skill may be left; all but the first have noise on their joints."""
    go_to_leave(stage, source, leaving, settle_s)
    moment = take_moment(stage.world)
    random = np.random.default_rng([seed, 97])
    return [moment, *(_disturb(stage, moment, random, leaving) for _ in range(count - 1))]


def record_failing(
    stage: Stage, source: Skill, count: int, seed: int, leaving: Leaving, fails: Fails
) -> tuple[list[Moment], int]:
    """Disturbed moments of leaving a source for which `fails` is true, and how many were drawn to find them."""
    go_to_leave(stage, source, leaving)
    moment = take_moment(stage.world)
    random = np.random.default_rng([seed, 97])
    found: list[Moment] = []
    drawn = 0
    while len(found) < count:
        if drawn >= MOST_DRAWS * count:
            raise InputError(
                f"transition: an immediate switch fails from {len(found)} of {drawn} starts of {source.name}, but "
                f"{count} are needed. Increase the noise."
            )
        drawn += 1
        drawn_moment = _disturb(stage, moment, random, leaving)
        if fails(drawn_moment):
            found.append(drawn_moment)
    return found, drawn


def _disturb(stage: Stage, moment: Moment, random: np.random.Generator, leaving: Leaving) -> Moment:
    return disturb(stage.world, moment, random, leaving.noise * ANGLE_NOISE_RAD, leaving.noise * RATE_NOISE_RADPS)
