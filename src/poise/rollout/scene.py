"""`Scene`: characters with their controllers, initial states, surroundings and disturbances.

A scene is plain data. Names are resolved when it is opened, so a scene of names can be sent to another process. All
worlds outside `poise.world` are opened from scenes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from poise.brief import spell_fields
from poise.characters.model import Character
from poise.errors import InputError, out_of_range
from poise.rollout.actor import Actor, Driver, PilotMaker
from poise.rollout.scene_key import make_key
from poise.rollout.simulate import Change
from poise.trust import Trust, current_trust, trusting
from poise.world.body_state import perturb_velocities
from poise.world.cast import Cast, make_cast
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller, Start
from poise.world.disturbances import Push, Spawn
from poise.world.ground import PenaltyGround
from poise.world.props import Prop
from poise.world.terrain import Terrain, flat, parse_terrain
from poise.world.world import World

#: Largest spread of the noise on initial velocities.
MAX_SPREAD: Final = 100.0


@dataclass(frozen=True)
class StartNoise:
    """Normal noise on every initial velocity (m/s, rad/s)."""

    spread: float
    #: None for the seed of the scene.
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.spread <= MAX_SPREAD:
            raise out_of_range("noise", "spread", self.spread, 0.0, MAX_SPREAD)

    def apply(self, world: World) -> None:
        """Adds the noise to a world's velocities."""
        seed = world.seed if self.seed is None else self.seed
        perturb_velocities(world, self.spread, np.random.default_rng(seed))


@dataclass(frozen=True)
class Scene:
    """Everything that defines a run.

    The first fields describe a single character. Several characters are given as `actors` instead:

        Scene("walker/walk", terrain="slope:5")
        Scene(actors=[Actor("walker/walk"), Actor("tracker/normal", spawn=Spawn(y_m=2.0))])
    """

    controller: Driver | None = None
    character: str | Character | None = None
    values: Mapping[str, float | str] = field(default_factory=dict)
    scale: Mapping[str, float] = field(default_factory=dict)
    #: None for the controller's own terrain, or flat ground.
    terrain: str | Terrain | None = None
    friction: float | None = None
    pushes: Sequence[Push] = ()
    changes: Sequence[Change] = ()
    props: Sequence[Prop] = ()
    ground: PenaltyGround | None = None
    physics: PhysicsSettings = field(default_factory=PhysicsSettings)
    seed: int = 0
    #: Seed of random proportions, applied before `scale`; None for the original proportions.
    random_body: int | None = None
    #: Which files the named files may refer to: fixed when the scene is created, wherever it is opened.
    trust: Trust = field(default_factory=current_trust)
    spawn: Spawn | None = None
    start: Start | None = None
    pilots: Sequence[PilotMaker] = ()
    actors: Sequence[Actor] = ()
    noise: StartNoise | None = None
    #: Whether pilots act: the controllers' and the scene's.
    piloted: bool = True

    def __post_init__(self) -> None:
        if self.actors and self._first() != Actor():
            raise InputError(
                "a scene with actors cannot also describe a single character",
                where="scene",
                allowed="Omit controller, character, values, scale, random_body, spawn, start and pilots",
            )

    def __repr__(self) -> str:
        return spell_fields(self)

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
        """A new world at time zero, with initial noise, scheduled pushes and pilots.

        `poise.rollout.pool` lends reusable worlds.
        """
        with trusting(self.trust):
            return self.load().open()

    def load(self) -> LoadedScene:
        """The scene with all names resolved."""
        with trusting(self.trust):
            characters = [actor.load_character() for actor in self.all_actors()]
            drivers = [actor.load_controllers(body) for actor, body in zip(self.all_actors(), characters, strict=True)]
            return LoadedScene(self, characters, drivers, self._make_terrain(drivers))

    def _make_terrain(self, drivers: Sequence[Controller | Cast | None]) -> Terrain | None:
        terrain = parse_terrain(self.terrain) if isinstance(self.terrain, str) else self.terrain
        if self.friction is None:
            return terrain
        controllers = [c for one in drivers for c in make_cast(one).controllers.values()]
        brought = [c.environment.terrain for c in controllers if c.environment is not None]
        own = next((t for t in brought if t is not None), None)
        return (terrain or own or flat()).with_friction(self.friction)


@dataclass(frozen=True)
class LoadedScene:
    """A scene with its characters, controllers and terrain, ready to be opened."""

    scene: Scene
    characters: Sequence[Character]
    drivers: Sequence[Controller | Cast | None]
    terrain: Terrain | None

    def __repr__(self) -> str:
        return f"<LoadedScene of {self.scene!r}>"

    @property
    def spawns(self) -> list[Spawn]:
        """Initial positions of the characters."""
        return [actor.spawn or Spawn(y_m=1.0 * k) for k, actor in enumerate(self.scene.all_actors())]

    @cached_property
    def key(self) -> bytes:
        """A digest of everything that defines a world of this scene except seed, noise and pushes; may be empty."""
        scene = self.scene
        rest = (self.terrain, list(scene.props), scene.ground, scene.physics, self.spawns, scene.piloted)
        return make_key(self.characters, self.drivers, *rest)

    def open(self) -> World:
        """A new world at time zero."""
        scene = self.scene
        world = World(
            self.characters,
            self.drivers,
            terrain=self.terrain,
            props=scene.props,
            settings=scene.physics,
            ground=scene.ground,
            spawns=self.spawns,
            seed=scene.seed,
            piloted=scene.piloted,
        )
        for k, actor in enumerate(scene.all_actors() if scene.piloted else ()):
            for make in actor.pilots:
                world.add_pilot(make(k), k)
        self.disturb(world)
        return world

    def disturb(self, world: World) -> None:
        """Adds the initial noise to a world at time zero and schedules the pushes."""
        if self.scene.noise is not None:
            self.scene.noise.apply(world)
        for push in self.scene.pushes:
            world.push(push)
