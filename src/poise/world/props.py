"""Props: objects in the world besides the ground and the characters, such as boxes, balls, crates and rails.

Pure data in SI units; `compile` turns it into bodies. Springs between a hand and a handle belong to the world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from poise.brief import spell_fields
from poise.characters.model import Quat, Shape, Vec3
from poise.characters.solids import quat_from_z_to
from poise.errors import InputError, unknown_name
from poise.world.parameters import check_number, read_parameters
from poise.world.terrain_kinds import steps
from poise.world.terrain_model import check_lengths, check_pose

Side = Literal["left", "right"]

UPRIGHT: Quat = (1.0, 0.0, 0.0, 0.0)
MAX_MASS_KG = 1e5
MAX_RAIL_POINTS = 200
#: Shorter bars are taken for typing errors.
MIN_BAR_M = 0.01


@dataclass(frozen=True)
class Handle:
    """A named point in a prop's frame that a hand can hold on to."""

    name: str
    position_m: Vec3

    def __post_init__(self) -> None:
        check_pose(f"handle {self.name}", "position_m", self.position_m)


@dataclass(frozen=True)
class Prop:
    """A rigid object. `position_m` and `quat_wxyz` place its frame, in which shapes and handles are given."""

    name: str
    kind: str
    shapes: tuple[Shape, ...]
    #: Zero is allowed for fixed props.
    mass_kg: float
    position_m: Vec3 = (0.0, 0.0, 0.0)
    quat_wxyz: Quat = UPRIGHT
    #: False fixes the prop to the world.
    free: bool = True
    handles: tuple[Handle, ...] = ()

    def __repr__(self) -> str:
        return spell_fields(self)

    def __post_init__(self) -> None:
        where = f"prop {self.name}"
        if not self.name:
            raise InputError("a prop needs a name", where="prop")
        if not self.shapes:
            raise InputError("a prop needs at least one shape", where=where)
        check_number(where, "mass_kg", self.mass_kg, 0.0, MAX_MASS_KG)
        if self.free and self.mass_kg == 0.0:
            raise InputError("mass_kg must be positive for a free prop", where=where, got=self.mass_kg)
        check_pose(where, "position_m", self.position_m, self.quat_wxyz)
        names = [handle.name for handle in self.handles]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(f"two handles are named {', '.join(map(repr, twice))}", where=where)

    def handle(self, name: str) -> Handle:
        for handle in self.handles:
            if handle.name == name:
                return handle
        raise unknown_name(f"prop {self.name}", "handle", name, [h.name for h in self.handles])


def box(
    size_m: Vec3 = (0.3, 0.3, 0.3),
    mass_kg: float = 5.0,
    *,
    position_m: Vec3 | None = None,
    quat_wxyz: Quat = UPRIGHT,
    free: bool = True,
    name: str = "box",
) -> Prop:
    """A box with full side lengths `size_m`; by default it stands on level ground one metre ahead."""
    check_lengths(f"prop {name}", "size_m", size_m, 3)
    at_m = (1.0, 0.0, 0.5 * size_m[2]) if position_m is None else position_m
    return Prop(name, "box", (Shape("box", size_m),), mass_kg, at_m, quat_wxyz, free)


def ball(
    radius_m: float = 0.1,
    mass_kg: float = 2.0,
    *,
    position_m: Vec3 | None = None,
    free: bool = True,
    name: str = "ball",
) -> Prop:
    """A ball; by default it lies on level ground one metre ahead."""
    check_lengths(f"prop {name}", "radius_m", radius_m, 1)
    at_m = (1.0, 0.0, radius_m) if position_m is None else position_m
    return Prop(name, "ball", (Shape("sphere", (radius_m,)),), mass_kg, at_m, UPRIGHT, free)


def crate(
    size_m: Vec3 = (0.4, 0.4, 0.3),
    mass_kg: float = 8.0,
    *,
    position_m: Vec3 | None = None,
    quat_wxyz: Quat = UPRIGHT,
    name: str = "crate",
) -> Prop:
    """A box with handles `left` and `right` at the centres of its +y and -y sides."""
    plain = box(size_m, mass_kg, position_m=position_m, quat_wxyz=quat_wxyz, name=name)
    reach_m = 0.5 * size_m[1]
    handles = (Handle("left", (0.0, reach_m, 0.0)), Handle("right", (0.0, -reach_m, 0.0)))
    return Prop(name, "crate", plain.shapes, mass_kg, plain.position_m, quat_wxyz, True, handles)


def rail(
    path_m: Sequence[Vec3],
    *,
    radius_m: float = 0.02,
    post_m: float = 0.9,
    name: str = "rail",
) -> Prop:
    """Round bars from point to point of a path in the world, fixed in place.

    A post of length `post_m` goes down from each point; 0 omits the posts. Each point is a handle: `point_1`, `point_2`
    and so on.
    """
    where = f"prop {name}"
    check_number(where, "radius_m", radius_m, 0.001, 1.0)
    check_number(where, "post_m", post_m, 0.0, 100.0)
    if not 2 <= len(path_m) <= MAX_RAIL_POINTS:
        allowed = f"Allowed: 2 to {MAX_RAIL_POINTS}"
        raise InputError(f"path_m is out of range, got {len(path_m)} points", where=where, allowed=allowed)
    handles = tuple(Handle(f"point_{i}", point) for i, point in enumerate(path_m, start=1))
    bars = [_bar(where, start, end, radius_m) for start, end in pairwise(path_m)]
    if post_m > 0.0:
        bars += [_bar(where, (x, y, z - post_m), (x, y, z), radius_m) for x, y, z in path_m]
    return Prop(name, "rail", tuple(bars), 0.0, free=False, handles=handles)


def steps_rail(
    side: Side = "left",
    *,
    rise_m: float = 0.1,
    run_m: float = 0.3,
    count: int = 10,
    start_m: float = 1.0,
    offset_m: float = 0.5,
    height_m: float = 0.9,
    radius_m: float = 0.02,
    name: str = "rail",
) -> Prop:
    """A rail beside the stairs that `steps` builds from the same parameters, `height_m` above the steps' edges.

    It runs `offset_m` to the left or right of the middle, and extends level for one step at the upper end.
    """
    where = f"prop {name}"
    if side not in ("left", "right"):
        raise unknown_name(where, "side", side, ("left", "right"))
    given = {"rise_m": rise_m, "run_m": run_m, "count": count, "start_m": start_m}
    for parameter in read_parameters(steps):
        if parameter.name in given:
            parameter.check(where, given[parameter.name])
    check_number(where, "offset_m", offset_m, 0.0, 50.0)
    check_number(where, "height_m", height_m, 0.05, 10.0)
    # The line through the steps' edges meets the floor one step before the first edge when it climbs.
    foot_m = start_m - run_m if rise_m > 0.0 else start_m
    end_m, top_m = foot_m + count * run_m, height_m + count * rise_m
    line = [(foot_m, height_m), (end_m, top_m)]
    if rise_m > 0.0:
        line.append((end_m + run_m, top_m))
    elif rise_m < 0.0:
        line.insert(0, (foot_m - run_m, height_m))
    y_m = offset_m if side == "left" else -offset_m
    return rail([(x, y_m, z) for x, z in line], radius_m=radius_m, post_m=height_m, name=name)


def _bar(where: str, start_m: Vec3, end_m: Vec3, radius_m: float) -> Shape:
    """A capsule whose cap centres are the two points."""
    x, y, z = (b - a for a, b in zip(start_m, end_m))
    length_m = math.hypot(x, y, z)
    if length_m < MIN_BAR_M:
        raise InputError(
            f"consecutive points must be at least {MIN_BAR_M:g} m apart, got {list(start_m)} and {list(end_m)}",
            where=where,
        )
    cx, cy, cz = (0.5 * (a + b) for a, b in zip(start_m, end_m))
    return Shape("capsule", (radius_m, length_m), (cx, cy, cz), quat_from_z_to((x, y, z)))
