"""The surroundings that a controller brings along: ground, things, and the names by which it speaks of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from poise.world.props import Prop
from poise.world.terrain import Terrain


@dataclass(frozen=True)
class Entity:
    """One named thing: bodies of their own, and solids that are part of the terrain, by their geoms' names."""

    props: tuple[str, ...] = ()
    geoms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Environment:
    """Ground (None: whatever the world has), props, and which of both make up which entity."""

    terrain: Terrain | None = None
    props: tuple[Prop, ...] = ()
    entities: Mapping[str, Entity] = field(default_factory=dict)
    #: Parameters of the controller on which places or sizes depend.
    depends_on: frozenset[str] = frozenset()
