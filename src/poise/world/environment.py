"""The surroundings that a controller adds to a world: ground, props, and the names by which it refers to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from poise.world.props import Prop
from poise.world.terrain import Terrain


@dataclass(frozen=True)
class Entity:
    """A named thing: props, and solids of the terrain by the names of their geoms."""

    props: tuple[str, ...] = ()
    geoms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Environment:
    """Ground (None: whatever the world has), props, and the entities made up of both."""

    terrain: Terrain | None = None
    props: tuple[Prop, ...] = ()
    entities: Mapping[str, Entity] = field(default_factory=dict)
    #: Parameters of the controller on which positions or sizes depend.
    depends_on: frozenset[str] = frozenset()
