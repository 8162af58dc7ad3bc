"""How a skill looks once it is what it will be, and whether a run has come to look like it.

This is how success is judged for all skills alike, whatever their pose: height and lean of the body and its speed must
be those of the skill's own undisturbed run, and a skill that turns over must have done so. Nothing is said of falls:
who lies where others stand is not there.
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

#: The means of a skill are taken over its last moments: of one that goes on, over this; of one that ends, over that.
WINDOW_S, LAST_S = 1.5, 0.1
#: What may differ: centre of mass, lean, and speed or a part of it.
HEIGHT_M, LEAN_RAD, SPEED_MPS, SPEED_PART = 0.08, 0.35, 0.25, 0.3
#: A skill that does not end is watched for so long after it has come to where it stays.
WATCH_S: Final = 6.0
#: A skill that takes longer than that to come to its loop or its end does not come to it.
LONGEST_S: Final = 40.0
#: No mean in SI units is larger.
LARGEST: Final = 1e6


@dataclass(frozen=True)
class Manner:
    """Means over the last moments of a skill's own run, and how long it takes."""

    height_m: float
    lean_rad: float
    speed_mps: float
    #: To its end, or to where it stays.
    seconds: float
    ends: bool
    #: Turns of the trunk from its beginning to then, forward positive: a somersault must have turned over. Full ones,
    #: but for a skill that is entered in its midst.
    turns: float = 0

    def matches(self, track: Track, tolerance: float = 1.0) -> bool:
        """Whether a track, from the beginning of the skill on, comes to look like this.

        Less than all of the usual tolerance is stricter.
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
        """How long a trial of it takes."""
        return self.seconds + (0.0 if self.ends else WATCH_S)


def measure_turns(track: Track) -> float:
    """Turns of the trunk, forward positive."""
    return float(track.trunk_rad[-1] - track.trunk_rad[0]) / (2.0 * np.pi)


def learn_manner(stage: Stage, skill: Skill, at_phase: int = 0) -> Manner | None:
    """The manner of a skill from its own start; None if it comes neither to an end nor to where it stays.

    Turns and time are counted from where its main script comes to the phase `at_phase`.
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
    """Goes on until the main script is in one of some phases; whether it came there."""
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
    # Values keep their type, so that a graph that is saved again has the same bytes.
    return Manner(ends=table.flag("ends"), **{key: table[key] for key in numbers})
