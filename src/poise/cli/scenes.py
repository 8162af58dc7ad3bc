"""The scene that a command line describes: a controller on a character on a terrain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Final

import typer

from poise.cli.values import RandomBodyOption, parse_assignments, parse_number, parse_random_body, parse_seed
from poise.constants import DEFAULT_TIMESTEP_S, MAX_TIMESTEP_S, MIN_TIMESTEP_S
from poise.errors import unknown_name

if TYPE_CHECKING:
    from poise.rollout.scene import Scene, StartNoise

Option = typer.Option

ControllerArgument = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A controller of `poise list`, or a file")]
CharacterOption = Annotated[
    str | None, Option("--character", metavar="C", help="A character of `poise list`, or a file")
]
SetOption = Annotated[list[str] | None, Option("--set", metavar="KEY=VALUE", help="A parameter of the controller")]
ScaleOption = Annotated[
    list[str] | None, Option("--scale", metavar="PART=FACTOR", help="A proportion: legs, left_arm, mass …")
]
TerrainOption = Annotated[
    str | None,
    Option("--terrain", metavar="SPEC", help="The ground, such as slope:3; by default the controller's own, or flat"),
]
FrictionOption = Annotated[str | None, Option("--friction", metavar="MU", help="Coefficient of friction of the ground")]
GroundOption = Annotated[
    str | None, Option("--ground", metavar="GROUND", help="default or firm; if omitted, the controller's own")
]
TimestepOption = Annotated[str, Option("--timestep", metavar="S", help="Time step of the physics")]
SelfCollisionOption = Annotated[
    str,
    Option(
        "--self-collision", metavar="PARTS", help="Parts of the body that collide with each other: none, legs or all"
    ),
]
SeedOption = Annotated[str, Option("--seed", metavar="N", help="Seed of every random choice")]
NoiseOption = Annotated[
    str, Option("--noise", metavar="X", help="Spread of random noise on all initial velocities (m/s, rad/s)")
]
DEFAULT_TIMESTEP = str(DEFAULT_TIMESTEP_S)
MAX_FRICTION: Final = 100.0


def parse_noise(text: str) -> StartNoise | None:
    """The noise of `--noise`; None for 0."""
    from poise.rollout.scene import MAX_SPREAD, StartNoise

    spread = parse_number("--noise", text, 0.0, MAX_SPREAD)
    return StartNoise(spread) if spread else None


@dataclass(frozen=True)
class SceneOptions:
    """The options that describe the scene of a run, as typed."""

    character: CharacterOption = None
    scale: ScaleOption = None
    terrain: TerrainOption = None
    friction: FrictionOption = None
    ground: GroundOption = None
    timestep: TimestepOption = DEFAULT_TIMESTEP
    self_collision: SelfCollisionOption = "none"
    seed: SeedOption = "0"
    random_body: RandomBodyOption = None

    def as_arguments(self) -> list[str]:
        """The options that differ from their defaults, as typed, for commands that are printed."""
        arguments: list[str] = []
        for option in fields(self):
            value = getattr(self, option.name)
            if value != option.default:
                arguments.append(f"--{option.name.replace('_', '-')}")
                arguments += value if isinstance(value, list) else [value]
        return arguments

    def make_scene(self, controller: str, values: Mapping[str, float | str]) -> Scene:
        """The scene of a controller with some parameters set."""
        factors = parse_assignments("--scale", self.scale or ())
        mu = None if self.friction is None else parse_number("--friction", self.friction, 0.0, MAX_FRICTION)
        seed, timestep_s = parse_seed(self.seed), parse_timestep(self.timestep)
        body_seed = parse_random_body(self.random_body)
        from poise.rollout.scene import Scene
        from poise.world.settings import SELF_COLLISION, PhysicsSettings, check_ground

        if self.ground is not None:
            check_ground("--ground", self.ground)
        if self.self_collision not in SELF_COLLISION:
            raise unknown_name("--self-collision", "set of parts", self.self_collision, SELF_COLLISION)
        return Scene(
            controller,
            character=self.character,
            values=values,
            scale=factors,
            terrain=self.terrain,
            friction=mu,
            physics=PhysicsSettings(timestep_s=timestep_s, self_collision=self.self_collision, ground=self.ground),
            seed=seed,
            random_body=body_seed,
        )


def parse_timestep(text: str) -> float:
    """A time step of the physics in seconds."""
    return parse_number("--timestep", text, MIN_TIMESTEP_S, MAX_TIMESTEP_S, "s")


#: Default of a command's parameter that `with_groups` replaces by the options.
SCENE: Final = SceneOptions()
