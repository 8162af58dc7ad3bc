"""`Scene`: characters with their controllers, where they start, and what surrounds and disturbs them.

A scene is plain data: names are looked up when it is opened, so that a scene of names can be sent to another process.
All worlds outside `poise.world` are opened from scenes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

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

    controller: Driver | None = None
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
        """A new world at time zero, with noise on its start, pushes scheduled and pilots seated.

        `poise.rollout.pool` lends worlds that are used again.
        """
        with trusting(self.trust):
            return self.load().open()

    def load(self) -> LoadedScene:
        """The scene with everything that it names."""
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

    @property
    def spawns(self) -> list[Spawn]:
        """Where the characters start."""
        return [actor.spawn or Spawn(y_m=1.0 * k) for k, actor in enumerate(self.scene.all_actors())]

    @cached_property
    def key(self) -> bytes:
        """A digest of all that defines a world of this scene but its seed, noise and pushes; empty if there is none."""
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
        """Adds the noise to a world at time zero and schedules the pushes."""
        if self.scene.noise is not None:
            self.scene.noise.apply(world)
        for push in self.scene.pushes:
            world.push(push)
