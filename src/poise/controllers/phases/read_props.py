"""Read the props that a motion acts on, such as the ball that it kicks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poise.tables import Table
from poise.world.props import MAX_MASS_KG, Prop, ball, box

#: Largest coordinate and size.
_LARGEST_M: Final = 100.0
_SMALLEST_M: Final = 1e-3


def read_props(rows: Sequence[Table]) -> tuple[Prop, ...]:
    """The props of a list of tables; their names must differ."""
    props: list[Prop] = []
    for row in rows:
        kind = row.choice("kind", "kind of prop", ("ball", "box"))
        size = "radius_m" if kind == "ball" else "size_m"
        row.only("kind", "name", size, "mass_kg", "position_m")
        name = row.name("name", kind)
        if name in (p.name for p in props):
            row.fail(f"two props are named {name!r}", "name")
        mass_kg = row.number("mass_kg", 1e-6, MAX_MASS_KG)
        x, y, z = row.vector("position_m", (3,), -_LARGEST_M, _LARGEST_M)
        if kind == "ball":
            radius_m = row.number("radius_m", _SMALLEST_M, _LARGEST_M)
            props.append(ball(radius_m, mass_kg, position_m=(x, y, z), name=name))
        else:
            length, width, height = row.vector("size_m", (3,), _SMALLEST_M, _LARGEST_M)
            props.append(box((length, width, height), mass_kg, position_m=(x, y, z), name=name))
    return tuple(props)
