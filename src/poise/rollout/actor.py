"""`Actor`: one of the characters of a scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from poise.brief import spell_fields
from poise.characters.model import Character
from poise.characters.proportions import scaled
from poise.characters.random_bodies import random_body as make_random_body
from poise.controllers.catalog import default_character, load_controller
from poise.world.adopt import load_any_character
from poise.world.cast import Cast
from poise.world.controller import Controller, Start
from poise.world.disturbances import Spawn
from poise.world.pilot import Pilot

#: The character for a controller given as an object instead of by name.
DEFAULT_CHARACTER = "biped7"
#: Creates a pilot for the character with a number: worlds do not share pilots.
PilotMaker = Callable[[int], Pilot]
#: What drives a character: one controller, or several with one active at a time.
Driver = str | Controller | Cast | Sequence[str | Controller]


@dataclass(frozen=True)
class Actor:
    """One of the characters of a scene: its body, its controllers and where it starts."""

    #: A controller, a cast, or a list of controllers; None leaves the body limp.
    controller: Driver | None = None
    #: None for the character for which the (first) controller was made.
    character: str | Character | None = None
    #: Parameters of the initial controller.
    values: Mapping[str, float | str] = field(default_factory=dict)
    scale: Mapping[str, float] = field(default_factory=dict)
    #: Seed of random proportions, applied before `scale`; None for the original proportions.
    random_body: int | None = None
    #: None puts character k at y = k m, facing forward.
    spawn: Spawn | None = None
    #: The initial state; None for the controller's.
    start: Start | None = None
    #: Pilots above the controller's own, the last one on top.
    pilots: Sequence[PilotMaker] = ()

    def __repr__(self) -> str:
        return spell_fields(self)

    def load_character(self) -> Character:
        """The body, with its proportions edited."""
        body = self.character
        if body is None:
            body = self._find_default()
        if isinstance(body, str):
            body = load_any_character(body)
        if self.random_body is not None:
            body = make_random_body(body, self.random_body)
        return scaled(body, **self.scale) if self.scale else body

    def _find_default(self) -> str:
        driver = self.controller
        if isinstance(driver, Sequence) and not isinstance(driver, str):
            driver = driver[0] if driver else None
        return default_character(driver) if isinstance(driver, str) else DEFAULT_CHARACTER

    def load_controllers(self, body: Character) -> Controller | Cast | None:
        """The controller or cast for a body, with this actor's values and start."""
        driver = self.controller
        if driver is None:
            return None
        if isinstance(driver, str | Controller):
            return self._prepare(driver, body)
        if not isinstance(driver, Cast):
            driver = Cast.of(*(load_controller(one, body) if isinstance(one, str) else one for one in driver))
        name = driver.names[driver.first]
        return replace(driver, controllers={**driver.controllers, name: self._prepare(driver.controllers[name], body)})

    def _prepare(self, controller: str | Controller, body: Character) -> Controller:
        if isinstance(controller, str):
            controller = load_controller(controller, body)
        if self.values:
            controller = controller.with_values(self.values)
        return controller if self.start is None else replace(controller, start=self.start)
