"""Terrain: the ground's data, its named kinds, and the text that users type for it.

    parse_terrain("steps:rise=0.1,run=0.3,friction=0.6")
    steps(rise_m=0.1, run_m=0.3).with_friction(0.6)

make the same terrain. This module owns the text; the data is in `terrain_model`, the kinds are in `terrain_kinds`.
"""

from __future__ import annotations

from dataclasses import dataclass

from poise.errors import InputError, unknown_name
from poise.world.parameters import Parameter, read_parameters
from poise.world.terrain_kinds import (
    KINDS,
    flat,
    gaps,
    heightfield,
    hills,
    rough,
    slope,
    steps,
    stones,
    terrain_from_array,
    walls,
)
from poise.world.terrain_model import SURFACE_PARAMETERS, HeightField, Solid, Terrain

__all__ = [
    "HeightField",
    "Solid",
    "Terrain",
    "TerrainKind",
    "flat",
    "gaps",
    "heightfield",
    "hills",
    "list_terrains",
    "parse_terrain",
    "rough",
    "slope",
    "steps",
    "stones",
    "terrain_from_array",
    "walls",
]


@dataclass(frozen=True)
class TerrainKind:
    """A kind of terrain as listed: its name, a one-line description, and its parameters."""

    name: str
    about: str
    #: The kind's own, then friction and elasticity, which all kinds share.
    parameters: tuple[Parameter, ...]


def list_terrains() -> tuple[TerrainKind, ...]:
    """Every kind of terrain that `parse_terrain` knows."""
    return tuple(
        TerrainKind(name, _first_line(make.__doc__), read_parameters(make) + SURFACE_PARAMETERS)
        for name, make in KINDS.items()
    )


def parse_terrain(spec: str) -> Terrain:
    """The terrain described by a text: `kind`, `kind:value` or `kind:key=value,key=value`.

    A value without a name comes first and sets the kind's first parameter (`slope:5,friction=0.6`). The unit at the end
    of a parameter's name may be omitted (`rise=0.1`).
    """
    kind, colon, rest = (part.strip() for part in spec.partition(":"))
    if kind not in KINDS:
        raise unknown_name("terrain", "kind", kind, KINDS)
    where = f"terrain {kind}"
    own = read_parameters(KINDS[kind])
    given: dict[str, float | int | str] = {}
    for place, item in enumerate(rest.split(",") if colon else []):
        parameter, text = _read_item(where, own, place, item)
        if parameter.name in given:
            raise InputError(f"{parameter.name} is given twice", where=where, got=text)
        given[parameter.name] = parameter.parse(where, text)
    for parameter in own:
        if parameter.default is None and parameter.name not in given:
            raise InputError(f"{parameter.name} is missing. It has no default", where=where)
    surface = {p.name: given.pop(p.name) for p in SURFACE_PARAMETERS if p.name in given}
    terrain = KINDS[kind](**given)
    if "friction" in surface:
        terrain = terrain.with_friction(float(surface["friction"]))
    if "elasticity" in surface:
        terrain = terrain.with_elasticity(float(surface["elasticity"]))
    return terrain


def _read_item(where: str, own: tuple[Parameter, ...], place: int, item: str) -> tuple[Parameter, str]:
    """The parameter that an item between commas sets, and the text of its value."""
    key, equals, text = (part.strip() for part in item.partition("="))
    if not equals:
        if place == 0 and own and key:
            return own[0], key
        raise InputError("a value needs a name", where=where, got=item, allowed="Write name=value")
    known = own + SURFACE_PARAMETERS
    for parameter in known:
        if key in (parameter.name, parameter.short_name):
            return parameter, text
    raise unknown_name(where, "parameter", key, [p.name for p in known])


def _first_line(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0].rstrip(".")
