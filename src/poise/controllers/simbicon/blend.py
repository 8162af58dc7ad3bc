"""Two gaits of a body in one controller: the weighted sum of their torques [Coros10 §4.5]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from poise.characters.model import Character
from poise.controllers.simbicon import spatial, spatial_gait
from poise.controllers.simbicon import spatial_law as law
from poise.errors import InputError, unknown_name
from poise.tables import as_table
from poise.world.controller import Controller, Parameter
from poise.world.guard import Guard, make_guard

METHOD = "simbicon-blend"
#: Places before the parameters of the two gaits.
BLEND, SIZE, FIRST = 0, 1, 2


def blend(one: Controller, other: Controller, part: float, name: str, description: str = "") -> Controller:
    """A blend of two gaits: `part` of the first's torques and the rest of the second's, in phase.

    It starts like the gait with the larger weight. `blend` can be set while it runs; the parameters of the gaits are
    named `first_…` and `second_…`.
    """
    for gait in (one, other):
        if gait.law is not law.spatial_law:
            raise InputError(f"{METHOD}: {gait.name} is not a gait of the method {spatial_gait.METHOD}.")
    if law.read_params(one.params).axes != law.read_params(other.params).axes:
        raise InputError(f"{METHOD}: {one.name} and {other.name} are gaits of different characters.")
    if not 0.0 <= part <= 1.0:
        raise InputError(f"{METHOD}: blend must be between 0 and 1, got {part}.")
    places = [("first", one, FIRST), ("second", other, FIRST + len(one.params))]
    inner = [
        replace(p, name=f"{which}_{p.name}", index=p.index + offset)
        for which, gait, offset in places
        for p in gait.parameters
    ]
    heavier = one if part >= 0.5 else other
    symmetric = one.mirror_memory is not None and other.mirror_memory is not None
    return Controller(
        name=name,
        law=law.blend_law,
        params=np.concatenate([[part, float(len(one.params))], one.params, other.params]),
        memory=heavier.memory.copy(),
        parameters=(Parameter("blend", BLEND, 0.0, 1.0, "weight of the first gait"), *inner),
        start=heavier.start,
        description=description,
        mirror_memory=spatial.mirror_memory if symmetric else None,
        guard=_join_guards(one, other),
    )


def _join_guards(one: Controller, other: Controller) -> Guard:
    """The guard of both tables, each in its place, and of the shared memory."""
    assert one.guard is not None and other.guard is not None
    second = FIRST + len(one.params)
    places = [SIZE, *(one.guard.fixed + FIRST).tolist(), *(other.guard.fixed + second).tolist()]
    return make_guard(places, one.guard.whole)


def read_blend(table: Mapping[str, Any], where: str) -> tuple[list[str], float]:
    """Names or files of the two gaits and the first one's weight, from a TOML table; the catalogue loads the gaits."""
    table = as_table(table, where)
    table.only("gaits", "blend")
    gaits = table.strings("gaits")
    if len(gaits) != 2:
        table.fail("must be the names or files of two gaits", "gaits", got=gaits)
    return gaits, table.number("blend", 0.0, 1.0, 0.5)


def revise_table(table: Mapping[str, Any], values: Mapping[str, float], character: Character) -> dict[str, Any]:
    """The table with another blend; the gaits themselves are in other files."""
    gaits, part = read_blend(table, METHOD)
    for key in values:
        if key != "blend":
            raise unknown_name(METHOD, "parameter that can be written back", key, ["blend"])
    return {"gaits": gaits, "blend": values.get("blend", part)}
