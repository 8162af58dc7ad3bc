"""`Scene`: characters with their controllers, where they start, and what surrounds and disturbs them.

A scene is plain data: names are looked up when it is opened, so that a scene of names can be sent to another process.
All worlds outside `poise.world` are opened from scenes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from poise.characters.model import Character
from poise.characters.proportions import scaled
from poise.characters.random_bodies import random_body as make_random_body
from poise.controllers.catalog import default_character, load_controller
from poise.errors import InputError, out_of_range
from poise.rollout.simulate import Change
from poise.trust import Trust, current_trust, trusting
from poise.world.adopt import load_any_character
from poise.world.body_state import perturb_velocities
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller, Start
from poise.world.disturbances import Push, Spawn
from poise.world.ground import PenaltyGround
from poise.world.pilot import Pilot
from poise.world.props import Prop
from poise.world.terrain import Terrain, flat, parse_terrain
from poise.world.world import World

#: The character of a controller that is not given by name.
DEFAULT_CHARACTER = "biped7"
#: Makes a pilot for a character, whose number it is given: worlds do not share pilots.
PilotMaker = Callable[[int], Pilot]


@dataclass(frozen=True)
class Actor:
    """One of the characters of a scene: its body, its controller and where it starts."""

    #: None lets the body fall limp.
    controller: str | Controller | None = None
    #: None is the character for which the controller was made.
    character: str | Character | None = None
    values: Mapping[str, float | str] = field(default_factory=dict)
    scale: Mapping[str, float] = field(default_factory=dict)
    #: Seed of random proportions, on which `scale` acts; None leaves the character as it is.
    random_body: int | None = None
    #: None puts character k at y = k m, facing forward.
    spawn: Spawn | None = None
    #: The initial state; None is the controller's own.
    start: Start | None = None
    #: Pilots on top of the controller's own, the last one on top.
    pilots: Sequence[PilotMaker] = ()

    def load_character(self) -> Character:
        """The body, with its proportions edited."""
        body = self.character
        if body is None:
            body = default_character(self.controller) if isinstance(self.controller, str) else DEFAULT_CHARACTER
        if isinstance(body, str):
            body = load_any_character(body)
        if self.random_body is not None:
            body = make_random_body(body, self.random_body)
        return scaled(body, **self.scale) if self.scale else body

    def load_controller(self, body: Character) -> Controller | None:
        """The controller for that body, with its values set."""
        controller = self.controller
        if isinstance(controller, str):
            controller = load_controller(controller, body)
        if controller is None:
            return None
        controller = controller.with_values(self.values)
        return controller if self.start is None else replace(controller, start=self.start)


@dataclass(frozen=True)
class StartNoise:
    """Normal noise on every velocity at the start (m/s, rad/s)."""

    spread: float
    #: None takes the seed of the scene.
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.spread <= 100.0:
            raise out_of_range("noise", "spread", self.spread, 0.0, 100.0)

    def apply(self, world: World) -> None:
        """Adds the noise to the velocities of a world."""
        seed = world.seed if self.seed is None else self.seed
        perturb_velocities(world, self.spread, np.random.default_rng(seed))


@dataclass(frozen=True)
class Scene:
    """Everything that defines a run.

    The first fields describe the only character of a scene. Several are given as `actors` instead:

        Scene("walker/walk", terrain="slope:5")
        Scene(actors=[Actor("walker/walk"), Actor("tracker/normal", spawn=Spawn(y_m=2.0))])
    """

    controller: str | Controller | None = None
    character: str | Character | None = None
    values: Mapping[str, float | str] = field(default_factory=dict)
    scale: Mapping[str, float] = field(default_factory=dict)
    #: None is the ground that a controller brings along, or flat ground.
    terrain: str | Terrain | None = None
    friction: float | None = None
    pushes: Sequence[Push] = ()
    changes: Sequence[Change] = ()
    props: Sequence[Prop] = ()
    ground: PenaltyGround | None = None
    physics: PhysicsSettings = field(default_factory=PhysicsSettings)
    seed: int = 0
    #: Seed of random proportions, on which `scale` acts; None leaves the character as it is.
    random_body: int | None = None
    #: Which files the named files may refer to: fixed where the scene was made, wherever it is opened.
    trust: Trust = field(default_factory=current_trust)
    spawn: Spawn | None = None
    start: Start | None = None
    pilots: Sequence[PilotMaker] = ()
    actors: Sequence[Actor] = ()
    noise: StartNoise | None = None
    #: Whether pilots act: those of the controllers and those of the scene.
    piloted: bool = True

    def __post_init__(self) -> None:
        if self.actors and self._first() != Actor():
            raise InputError(
                "a scene of several actors describes each of them by itself",
                where="scene",
                allowed="Leave out controller, character, values, scale, random_body, spawn, start and pilots",
            )

    def _first(self) -> Actor:
        return Actor(
            controller=self.controller,
            character=self.character,
            values=self.values,
            scale=self.scale,
            random_body=self.random_body,
            spawn=self.spawn,
            start=self.start,
            pilots=self.pilots,
        )

    def all_actors(self) -> Sequence[Actor]:
        """Every character of the scene."""
        return tuple(self.actors) or (self._first(),)

    def load_character(self, index: int = 0) -> Character:
        """The body of a character, with its proportions edited."""
        with trusting(self.trust):
            return self.all_actors()[index].load_character()

    def open(self) -> World:
        """A world at time zero, with noise on its start, pushes scheduled and pilots seated."""
        with trusting(self.trust):
            return self._open()

    def _open(self) -> World:
        actors = self.all_actors()
        characters = [actor.load_character() for actor in actors]
        controllers = [actor.load_controller(body) for actor, body in zip(actors, characters, strict=True)]
        world = World(
            characters,
            controllers,
            terrain=self._make_terrain(controllers),
            props=self.props,
            settings=self.physics,
            ground=self.ground,
            spawns=[actor.spawn or Spawn(y_m=1.0 * k) for k, actor in enumerate(actors)],
            seed=self.seed,
            piloted=self.piloted,
        )
        for k, actor in enumerate(actors if self.piloted else ()):
            for make in actor.pilots:
                world.add_pilot(make(k), k)
        self._disturb(world)
        return world

    def _make_terrain(self, controllers: Sequence[Controller | None]) -> Terrain | None:
        terrain = parse_terrain(self.terrain) if isinstance(self.terrain, str) else self.terrain
        if self.friction is None:
            return terrain
        brought = [c.environment.terrain for c in controllers if c is not None and c.environment is not None]
        own = next((t for t in brought if t is not None), None)
        return (terrain or own or flat()).with_friction(self.friction)

    def _disturb(self, world: World) -> None:
        if self.noise is not None:
            self.noise.apply(world)
        for push in self.pushes:
            world.push(push)
