"""The manner of a skill: its settled height, lean and speed, and whether a run has reached them.

Success is judged in the same way for all skills, whatever their pose: the body's height, lean and speed must match the
skill's own undisturbed run, and a skill that turns over must have done so. Falls need no rule of their own: a body that
lies where it should stand does not match.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.skills.course import DIVERGED, Stage, Track
from poise.skills.goal import SETTLE_S
from poise.skills.moment import find_places
from poise.skills.skill import Skill
from poise.tables import Table

#: Averaging window at the end of a run: the first for a skill that continues, the second for one that ends.
WINDOW_S, LAST_S = 1.5, 0.1
#: Tolerances: centre-of-mass height, lean, and speed (absolute or relative, whichever is larger).
HEIGHT_M, LEAN_RAD, SPEED_MPS, SPEED_PART = 0.08, 0.35, 0.25, 0.3
#: How long a skill that does not end is watched after it has reached its loop.
WATCH_S: Final = 6.0
#: A skill that takes longer than this to reach its loop or its end is given up.
LONGEST_S: Final = 40.0
#: Upper limit of all means, in SI units.
LARGEST: Final = 1e6


@dataclass(frozen=True)
class Manner:
    """Means over the last moments of a skill's own run, and its duration."""

    height_m: float
    lean_rad: float
    speed_mps: float
    #: Time to its end or to its loop.
    seconds: float
    ends: bool
    #: Revolutions of the trunk from its beginning until then, forward positive: a somersault must have turned over.
    #: Whole revolutions, except for a skill entered in the middle.
    turns: float = 0

    def matches(self, track: Track, tolerance: float = 1.0) -> bool:
        """Whether a track that starts with the skill ends like this.

        A tolerance below 1 is stricter.
        """
        if len(track) < 2 or (self.turns and abs(measure_turns(track) - self.turns) > 0.5):
            return False
        seen = track.since(track.time_s[-1] - (LAST_S if self.ends else WINDOW_S))
        turn = float(np.mean(seen.trunk_rad)) - self.lean_rad
        turn -= 2.0 * np.pi * round(turn / (2.0 * np.pi))
        speed = abs(float(np.mean(seen.speed_mps)) - self.speed_mps)
        return bool(
            abs(float(np.mean(seen.com_m[:, 1])) - self.height_m) <= tolerance * HEIGHT_M
            and abs(turn) <= tolerance * LEAN_RAD
            and speed <= tolerance * max(SPEED_MPS, SPEED_PART * abs(self.speed_mps))
            and np.ptp(seen.trunk_rad) < 2.0 * LEAN_RAD + (np.pi if self.ends else 0.0)
        )

    @property
    def watch_s(self) -> float:
        """Duration of a trial."""
        return self.seconds + (0.0 if self.ends else WATCH_S)


def measure_turns(track: Track) -> float:
    """Revolutions of the trunk, forward positive."""
    return float(track.trunk_rad[-1] - track.trunk_rad[0]) / (2.0 * np.pi)


def learn_manner(stage: Stage, skill: Skill, at_phase: int = 0) -> Manner | None:
    """The manner of a skill from its own start; None if it reaches neither its end nor its loop.

    Revolutions and time are counted from when the main script enters the phase `at_phase`.
    """
    stage.begin(skill.controller)
    if at_phase:
        advance_to_phase(stage, {at_phase})
    begun_s = stage.world.time_s
    if not skill.ends and 0 not in skill.loop:
        advance_to_phase(stage, skill.loop)
    seconds = stage.world.time_s
    how = stage.perform(skill, 0.0 if skill.ends else SETTLE_S, LONGEST_S)
    if how == DIVERGED or stage.world.time_s >= LONGEST_S:
        return None
    if skill.ends:
        seconds = stage.world.time_s
    track = stage.track()
    last = track.since(track.time_s[-1] - (LAST_S if skill.ends else WINDOW_S))
    lean = float(np.mean(last.trunk_rad))
    return Manner(
        float(np.mean(last.com_m[:, 1])),
        lean - 2.0 * np.pi * round(lean / (2.0 * np.pi)),
        float(np.mean(last.speed_mps)),
        seconds - begun_s,
        skill.ends,
        measure_turns(track.since(begun_s)) if at_phase else round(measure_turns(track)),
    )


def advance_to_phase(stage: Stage, phases: Collection[int]) -> bool:
    """Simulate until the main script is in one of some phases; return whether it got there."""
    while stage.world.time_s < LONGEST_S:
        stage.advance(LONGEST_S - stage.world.time_s, to_phase=True)
        places = find_places(stage.world)
        if not places:
            return False
        if places[0].phase in phases:
            return True
    return False


def read_manner(table: Table) -> Manner:
    """Read a manner from its table in a file."""
    numbers = ("height_m", "lean_rad", "speed_mps", "seconds", "turns")
    for key in numbers:
        table.number(key, -LARGEST, LARGEST)
    # Values keep their type: a graph that is saved again must have the same bytes.
    return Manner(ends=table.flag("ends"), **{key: table[key] for key in numbers})
