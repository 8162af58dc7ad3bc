"""The benchmarked scenes: one planar and one three-dimensional body, each with its default controller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from poise.rollout.scene import Scene
from poise.world.compile import PhysicsSettings
from poise.world.world import World

#: character -> controller. Bodies of 7 and of 16 segments: the cost of control is relatively highest for the small one.
SUBJECTS: Final[Mapping[str, str]] = {"biped7": "simbicon/planar-walk", "humanoid": "walker/walk"}
#: character -> commanded values.
VALUES: Final[Mapping[str, Mapping[str, float]]] = {"humanoid": {"speed": 0.8}}


def open_subject(character: str, timestep_s: float | None = None) -> World:
    """A world with one of the subjects at time zero."""
    physics = PhysicsSettings() if timestep_s is None else PhysicsSettings(timestep_s=timestep_s)
    return Scene(SUBJECTS[character], character, values=VALUES.get(character, {}), physics=physics).open()
