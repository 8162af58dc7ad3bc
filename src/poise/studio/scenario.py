"""What a simulation of the studio simulates: names as the catalogs know them, and edited proportions."""

from __future__ import annotations

from dataclasses import dataclass

from poise.characters.model import Character
from poise.characters.proportions import scaled
from poise.characters.random_bodies import random_body
from poise.constants import DEFAULT_TIMESTEP_S
from poise.controllers.catalog import default_character
from poise.studio.actor import Drafts
from poise.world.adopt import load_any_character


@dataclass(frozen=True)
class Scenario:
    """Everything a simulation is built from."""

    controller: str
    character: str
    #: None for the controller's own terrain.
    terrain: str | None = None
    timestep_s: float = DEFAULT_TIMESTEP_S
    #: Segment and factor of every edited proportion.
    scale: tuple[tuple[str, float], ...] = ()
    #: Seed of the random proportions that were drawn before the edits.
    random_body: int | None = None
    #: None for the controller's own ground.
    ground: str | None = None
    #: Unsaved texts of a script's files.
    drafts: Drafts = ()


def make_scenario(
    controller: str,
    character: str | None = None,
    terrain: str | None = None,
    timestep_s: float = DEFAULT_TIMESTEP_S,
    ground: str | None = None,
) -> Scenario:
    """A scenario whose character defaults to the one that the controller was made for."""
    return Scenario(controller, character or default_character(controller), terrain, timestep_s, ground=ground)


def load_body(scenario: Scenario) -> Character:
    """The character of a scenario, with its edited proportions."""
    body = load_any_character(scenario.character)
    if scenario.random_body is not None:
        body = random_body(body, scenario.random_body)
    return scaled(body, **dict(scenario.scale))
