"""Ground, terrain and props of a world, from explicit requests and from its controllers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from poise.errors import InputError
from poise.world.cast import Cast
from poise.world.controller import Controller
from poise.world.environment import Entity, Environment
from poise.world.ground import PenaltyGround
from poise.world.props import Prop
from poise.world.settings import PhysicsSettings
from poise.world.terrain import Terrain, flat


class Site(NamedTuple):
    """The resolved settings, terrain, ground and props of a world."""

    #: Without open values; the ground is named.
    settings: PhysicsSettings
    terrain: Terrain
    ground: PenaltyGround | None
    props: tuple[Prop, ...]
    entities: Mapping[str, Entity]


def choose_site(
    casts: Sequence[Cast],
    *,
    terrain: Terrain | None,
    props: Sequence[Prop],
    settings: PhysicsSettings | None,
    ground: PenaltyGround | None,
) -> Site:
    """The site of a world. Explicit arguments override what controllers ask for.

    Members of one cast that ask for different grounds, frictions or terrains can share a world only if it is given one
    explicitly.
    """
    settings = settings or PhysicsSettings()
    controllers = [c for cast in casts for c in cast.controllers.values()]
    if settings.ground is None and ground is None:
        _check_agreement(casts, "grounds", lambda c: c.ground)
    if terrain is None:
        _check_agreement(casts, "terrains", lambda c: c.environment.terrain if c.environment else None)
    if terrain is None or not terrain.has_friction:
        _check_agreement(casts, "frictions", lambda c: c.friction)
    settled = settings.made_for(c.ground for c in controllers)
    brought = _gather(casts)
    terrains = [e.terrain for e in brought if e.terrain is not None]
    frictions = [c.friction for c in controllers if c.friction is not None]
    # A controller's terrain is used only if none was requested.
    chosen = terrain or (terrains[0] if terrains else flat())
    chosen = chosen.on_ground(frictions[0] if frictions else settled.feel.friction)
    springs = settled.feel.penalty
    return Site(
        settings=settled,
        terrain=chosen,
        ground=ground or (replace(springs, friction=chosen.friction) if springs else None),
        props=(*props, *(p for e in brought for p in e.props)),
        entities={name: entity for e in brought for name, entity in e.entities.items()},
    )


def _check_agreement(casts: Sequence[Cast], what: str, read: Callable[[Controller], Any]) -> None:
    for cast in casts:
        asked = [(name, value) for name, c in cast.controllers.items() if (value := read(c)) is not None]
        for name, value in asked[1:]:
            if value != asked[0][1]:
                raise InputError(
                    f"controllers of one cast need different {what}: {asked[0][0]} and {name}",
                    where="world",
                    allowed="Choose one for the world",
                )


def _gather(casts: Sequence[Cast]) -> list[Environment]:
    """The environments of all controllers, one per cast; props shared by its members appear once."""
    gathered = []
    for cast in casts:
        props: dict[str, Prop] = {}
        entities: dict[str, Entity] = {}
        terrain = None
        for name, controller in cast.controllers.items():
            environment = controller.environment
            if environment is None:
                continue
            terrain = terrain or environment.terrain
            _merge(props, {p.name: p for p in environment.props}, "prop", name)
            _merge(entities, environment.entities, "entity", name)
        gathered.append(Environment(terrain, tuple(props.values()), entities))
    return gathered


def _merge(into: dict[str, Any], more: Mapping[str, Any], what: str, controller: str) -> None:
    for name, thing in more.items():
        if into.setdefault(name, thing) != thing:
            raise InputError(
                f"controllers of one cast bring different things with one name: the {what} {name!r} of {controller}",
                where="world",
            )
