"""The named kinds of terrain, each a function with its parameters declared in the signature.

A character starts at x = 0, y = 0 facing +x. Every kind is therefore flat at height 0 for at least half a metre ahead
of and behind the origin, and its features begin at `start_m`. In kinds that descend or have holes, the start is a
separate platform, and a plane at the bottom keeps anything from falling indefinitely.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Annotated, NamedTuple, ParamSpec

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError
from poise.kernels.fixed import sin
from poise.world.height_image import load_height_image
from poise.world.parameters import Within, read_parameters
from poise.world.terrain_model import (
    HeightField,
    Rgba,
    Solid,
    Terrain,
    check_point_count,
    format_value,
    freeze_heights,
)

P = ParamSpec("P")

#: Length of the platform behind the start, and of the ground beyond the last obstacle.
BEHIND_M = 20.0
BEYOND_M = 100.0
#: Depth of boxes below the lowest ground: a penetrating foot must never be nearer to their bottom than to their top.
FOUNDATION_M = 1.0
#: Length by which a ramp continues underground, to hide its edge.
BURIED_M = 1.0
#: Distance of the plane below a height field: if they were level, every contact would count twice.
CLEARANCE_M = 0.1
#: Length over which rough ground blends into the flat at either end.
BLEND_M = 1.0
#: Relative wavelengths of the waves that make up hills, all equally steep, and the distance between points.
HILL_WAVES, HILL_CELL_M = (0.6, 1.0, 1.7), 0.1
WALL_RGBA: Rgba = (0.72, 0.45, 0.32, 1.0)

Start = Annotated[float, Within(0.5, 100.0, "distance from the origin to where it begins")]
Width = Annotated[float, Within(0.2, 100.0, "width of the ground, half of it to each side")]
Depth = Annotated[float, Within(0.05, 100.0, "depth of the bottom")]
Seed = Annotated[int, Within(0, 2**32 - 1, "seed of the random ground")]


class Ground(NamedTuple):
    """The parts of a kind; there is always a plane, but it may lie far below."""

    plane_height_m: float = 0.0
    solids: tuple[Solid, ...] = ()
    height_field: HeightField | None = None


def _kind(build: Callable[P, Ground]) -> Callable[P, Terrain]:
    """A terrain function that checks its arguments against their declaration and writes them into `spec`."""

    @wraps(build)
    def make(*args: P.args, **kwargs: P.kwargs) -> Terrain:
        name = build.__name__
        given = signature(build).bind(*args, **kwargs)
        given.apply_defaults()
        said = []
        for parameter in read_parameters(build):
            value = parameter.check(f"terrain {name}", given.arguments[parameter.name])
            given.arguments[parameter.name] = value
            if value != parameter.default:
                said.append(f"{parameter.name}={format_value(value)}")
        ground = build(*given.args, **given.kwargs)
        return _terrain(name, f"{name}:{','.join(said)}" if said else name, ground)

    return make


def _terrain(name: str, spec: str, ground: Ground) -> Terrain:
    return Terrain(
        name=name,
        spec=spec,
        solids=ground.solids,
        height_field=ground.height_field,
        plane_height_m=ground.plane_height_m,
    )


def _block(from_x_m: float, to_x_m: float, top_m: float, floor_m: float, width_m: float, y_m: float = 0.0) -> Solid:
    """A box from the foundation up to `top_m`."""
    bottom_m = floor_m - FOUNDATION_M
    return Solid(
        size_m=(to_x_m - from_x_m, width_m, top_m - bottom_m),
        center_m=(0.5 * (from_x_m + to_x_m), y_m, 0.5 * (top_m + bottom_m)),
    )


@_kind
def flat() -> Ground:
    """An endless level plane."""
    return Ground()


@_kind
def slope(
    angle_deg: Annotated[float, Within(-60.0, 60.0, "steepness, positive climbs forward")] = 5.0,
    length_m: Annotated[float, Within(1.0, 1000.0, "horizontal length")] = 100.0,
    start_m: Start = 1.0,
    width_m: Width = 20.0,
) -> Ground:
    """A ramp, up or down, with level ground before and after it."""
    if angle_deg == 0.0:
        return Ground()
    angle_rad = math.radians(angle_deg)
    rise_m, end_m = length_m * math.tan(angle_rad), start_m + length_m
    floor_m = min(0.0, rise_m)
    if angle_deg > 0.0:
        level = _block(end_m, end_m + BEYOND_M, rise_m, floor_m, width_m)
        buried_low_m, buried_high_m = BURIED_M, 0.0
    else:
        level = _block(-BEHIND_M, start_m, 0.0, floor_m, width_m)
        buried_low_m, buried_high_m = 0.0, BURIED_M
    along_m = length_m / math.cos(angle_rad) + BURIED_M
    # From the middle of the ramp along its surface, then down by half its thickness.
    shift_m = 0.5 * (buried_high_m - buried_low_m)
    ramp = Solid(
        size_m=(along_m, width_m, FOUNDATION_M),
        center_m=(
            0.5 * (start_m + end_m) + shift_m * math.cos(angle_rad) + 0.5 * FOUNDATION_M * math.sin(angle_rad),
            0.0,
            0.5 * rise_m + shift_m * math.sin(angle_rad) - 0.5 * FOUNDATION_M * math.cos(angle_rad),
        ),
        quat_wxyz=(math.cos(0.5 * angle_rad), 0.0, -math.sin(0.5 * angle_rad), 0.0),
    )
    return Ground(floor_m, (ramp, level))


@_kind
def steps(
    rise_m: Annotated[float, Within(-1.0, 1.0, "height of a step, negative goes down")] = 0.1,
    run_m: Annotated[float, Within(0.05, 10.0, "depth of a step")] = 0.3,
    count: Annotated[int, Within(1, 200, "number of steps")] = 10,
    start_m: Start = 1.0,
    width_m: Width = 20.0,
) -> Ground:
    """Stairs, up or down, with level ground before and after them."""
    if rise_m == 0.0:
        return Ground()
    floor_m = min(0.0, count * rise_m)
    edges_m = [start_m + i * run_m for i in range(count)]
    if rise_m > 0.0:
        lefts, rights = edges_m, [*edges_m[1:], edges_m[-1] + BEYOND_M]
        tops_m = [(i + 1) * rise_m for i in range(count)]
    else:
        lefts, rights = [-BEHIND_M, *edges_m[:-1]], edges_m
        tops_m = [i * rise_m for i in range(count)]
    return Ground(
        floor_m,
        tuple(_block(left, right, top, floor_m, width_m) for left, right, top in zip(lefts, rights, tops_m)),
    )


@_kind
def gaps(
    width_m: Annotated[float, Within(0.01, 5.0, "width of a gap, in the direction of walking")] = 0.3,
    spacing_m: Annotated[float, Within(0.05, 100.0, "length of the ground between two gaps")] = 2.0,
    count: Annotated[int, Within(1, 200, "number of gaps")] = 10,
    start_m: Start = 2.0,
    depth_m: Depth = 1.0,
) -> Ground:
    """Gaps across the path, from the left side to the right."""
    lefts = [-BEHIND_M] + [start_m + i * (width_m + spacing_m) + width_m for i in range(count)]
    rights = [start_m + i * (width_m + spacing_m) for i in range(count)] + [lefts[-1] + BEYOND_M]
    return Ground(
        -depth_m,
        tuple(_block(left, right, 0.0, -depth_m, 20.0) for left, right in zip(lefts, rights)),
    )


@_kind
def stones(
    spacing_m: Annotated[float, Within(0.1, 5.0, "distance between the centres of adjacent stones")] = 0.5,
    size_m: Annotated[float, Within(0.05, 5.0, "length of a stone's sides, less than the spacing")] = 0.35,
    jitter_m: Annotated[float, Within(0.0, 1.0, "largest random shift forward and sideways")] = 0.0,
    count: Annotated[int, Within(1, 200, "number of stones")] = 10,
    start_m: Start = 1.0,
    depth_m: Depth = 1.0,
    seed: Seed = 0,
) -> Ground:
    """Square stepping stones from one platform to another."""
    if size_m >= spacing_m:
        raise InputError(
            f"size_m must be less than spacing_m, got {size_m:g} and {spacing_m:g} m", where="terrain stones"
        )
    shifts_m = jitter_m * np.random.default_rng(seed).uniform(-1.0, 1.0, (count, 2))
    solids = [_block(-BEHIND_M, start_m, 0.0, -depth_m, 20.0)]
    for i, (dx, dy) in enumerate(shifts_m.tolist()):
        near_m = start_m + (i + 1) * spacing_m - size_m + dx
        solids.append(_block(near_m, near_m + size_m, 0.0, -depth_m, size_m, dy))
    end_m = start_m + (count + 1) * spacing_m - size_m
    solids.append(_block(end_m, end_m + BEYOND_M, 0.0, -depth_m, 20.0))
    return Ground(-depth_m, tuple(solids))


@_kind
def walls(
    height_m: Annotated[float, Within(0.005, 5.0, "height of a wall")] = 0.1,
    thickness_m: Annotated[float, Within(0.01, 5.0, "thickness of a wall")] = 0.05,
    spacing_m: Annotated[float, Within(0.1, 100.0, "distance between the fronts of adjacent walls")] = 2.0,
    count: Annotated[int, Within(1, 200, "number of walls")] = 10,
    start_m: Start = 2.0,
    width_m: Width = 20.0,
) -> Ground:
    """Low walls across the path, to step over."""
    solids = []
    for i in range(count):
        front_m = start_m + i * spacing_m
        block = _block(front_m, front_m + thickness_m, height_m, 0.0, width_m)
        solids.append(Solid(block.size_m, block.center_m, rgba=WALL_RGBA))
    return Ground(0.0, tuple(solids))


@_kind
def rough(
    amplitude_m: Annotated[float, Within(0.0, 2.0, "largest random height, up or down")] = 0.02,
    cell_m: Annotated[float, Within(0.02, 10.0, "spacing of the random points")] = 0.2,
    length_m: Annotated[float, Within(1.0, 1000.0, "length of the rough ground")] = 40.0,
    width_m: Width = 10.0,
    start_m: Start = 1.0,
    seed: Seed = 0,
) -> Ground:
    """Random bumps and hollows, with level ground before and after them."""
    columns, rows = max(2, round(length_m / cell_m) + 1), max(2, round(width_m / cell_m) + 1)
    check_point_count("terrain rough", rows, columns)
    along_m = np.linspace(0.0, length_m, columns)
    blend = np.minimum(1.0, np.minimum(along_m, length_m - along_m) / BLEND_M)
    heights_m = amplitude_m * blend * np.random.default_rng(seed).uniform(-1.0, 1.0, (rows, columns))
    return _field_between_levels(heights_m, length_m, width_m, start_m)


@_kind
def hills(
    angle_deg: Annotated[float, Within(0.0, 45.0, "steepest slope, up or down")] = 5.0,
    wave_m: Annotated[float, Within(1.0, 100.0, "approximate distance between hilltops")] = 6.0,
    length_m: Annotated[float, Within(5.0, 1000.0, "length of the hills")] = 150.0,
    width_m: Width = 10.0,
    start_m: Start = 1.0,
    seed: Seed = 0,
) -> Ground:
    """Smooth hills across the path with a constantly varying slope, and level ground before and after them."""
    columns = max(2, round(length_m / HILL_CELL_M) + 1)
    along_m = np.linspace(0.0, length_m, columns)
    phases = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi, len(HILL_WAVES))
    waves = [sin(2.0 * np.pi * along_m / (w * wave_m) + p) * w for w, p in zip(HILL_WAVES, phases, strict=True)]
    blend = np.minimum(1.0, np.minimum(along_m, length_m - along_m) / min(wave_m, 0.5 * length_m))
    heights_m = blend * np.sum(waves, axis=0)
    heights_m *= math.tan(math.radians(angle_deg)) / np.abs(np.diff(heights_m) / np.diff(along_m)).max()
    return _field_between_levels(np.stack([heights_m, heights_m]), length_m, width_m, start_m)


@_kind
def heightfield(
    path: Annotated[str, "a picture of the ground from above: forward is right, left is up"],
    amplitude_m: Annotated[float, Within(-10.0, 10.0, "height of white; black is 0")] = 0.2,
    length_m: Annotated[float, Within(0.1, 1000.0, "length of the picture's width")] = 20.0,
    width_m: Annotated[float, Within(0.1, 1000.0, "length of the picture's height")] = 10.0,
    start_m: Start = 1.0,
) -> Ground:
    """Hills from the grey levels of a picture, after a level platform."""
    # A picture's first row is its top; a height field's first row is at the character's right.
    heights_m = amplitude_m * load_height_image(path)[::-1]
    return _field_ground(heights_m, length_m, width_m, start_m)


def terrain_from_array(
    heights_m: ArrayLike, *, length_m: float, width_m: float, start_m: float = 1.0, name: str = "array"
) -> Terrain:
    """Hills from a table of heights, after a level platform.

    Columns go forward from `start_m`, rows from right to left; edge to edge they cover `length_m` by `width_m`. Ranges
    are those of `heightfield`.
    """
    where = f"terrain {name}"
    given = {"length_m": length_m, "width_m": width_m, "start_m": start_m}
    for parameter in read_parameters(heightfield):
        if parameter.name in given:
            parameter.check(where, given[parameter.name])
    return _terrain(name, "array", _field_ground(freeze_heights(where, heights_m), length_m, width_m, start_m))


def _field_ground(heights_m: NDArray[np.float64], length_m: float, width_m: float, start_m: float) -> Ground:
    """A platform followed by a height field, above a plane that touches neither."""
    floor_m = min(0.0, float(heights_m.min())) - CLEARANCE_M
    field = HeightField(heights_m, length_m, width_m, center_m=(start_m + 0.5 * length_m, 0.0, 0.0))
    return Ground(floor_m, (_block(-BEHIND_M, start_m, 0.0, floor_m, width_m),), field)


def _field_between_levels(heights_m: NDArray[np.float64], length_m: float, width_m: float, start_m: float) -> Ground:
    """The same with a second platform after the field."""
    ground, end_m = _field_ground(heights_m, length_m, width_m, start_m), start_m + length_m
    level = _block(end_m, end_m + BEYOND_M, 0.0, ground.plane_height_m, width_m)
    return ground._replace(solids=(*ground.solids, level))


#: Every kind by name, in listing order.
KINDS: dict[str, Callable[..., Terrain]] = {
    make.__name__: make for make in (flat, slope, steps, gaps, stones, walls, rough, hills, heightfield)
}
