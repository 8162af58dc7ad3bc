"""A way into a skill, immediate or by a script, and whether it arrives there."""

from __future__ import annotations

from typing import Final, NamedTuple

from poise.errors import DivergedError
from poise.language.tree import Script
from poise.skills.course import Stage
from poise.skills.manner import Manner
from poise.skills.moment import Moment, find_places
from poise.skills.skill import Skill
from poise.skills.trial import Passage, cut, go_to_switch, make_controller
from poise.world.controller import Controller

#: How long to wait for the target to begin.
MOST_S: Final = 9.0


class Way(NamedTuple):
    """A controller that leads into a target, and the phase of its main script that runs the target."""

    controller: Controller
    switch_phase: int
    target: Skill

    @property
    def depth(self) -> int:
        """Stack depth of the target's own script once it has begun."""
        return 0 if self.controller is self.target.controller else 1


def make_way(script: Script | None, target: Skill) -> Way:
    """The way given by a script that ends in the target; None means the target itself, immediately."""
    if script is None:
        return Way(target.controller, 0, target)
    return Way(make_controller(script, target), len(script.phases) - 1, target)


def go(stage: Stage, way: Way, moment: Moment, manner: Manner) -> tuple[Passage, bool]:
    """Run a way from a moment; return the passage and whether it arrived.

    A target that turns over must land on its feet: if the character had to get up, it has not arrived.
    """
    forbidden = way.target.mishaps if manner.turns else frozenset[int]()
    switched_s, well = None, False
    try:
        switched_s = go_to_switch(stage, way.controller, moment, way.switch_phase, MOST_S)
        if switched_s is not None:
            well = _watch(stage, manner.watch_s, way.depth, forbidden)
    except DivergedError:
        well = False
    passage = cut(stage.track(), switched_s)
    return passage, well and passage.after is not None and manner.matches(passage.after)


def _watch(stage: Stage, seconds: float, depth: int, forbidden: frozenset[int]) -> bool:
    """Continue for some seconds; return whether the script at this depth avoided the forbidden phases."""
    until_s, well = stage.world.time_s + seconds, True
    while (left := until_s - stage.world.time_s) > 0.5 * stage.timestep_s:
        if stage.advance(left, to_phase=bool(forbidden)):
            places = find_places(stage.world)
            well &= not (len(places) > depth and places[depth].phase in forbidden)
    return well
