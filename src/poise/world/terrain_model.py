"""The ground as data: a plane, boxes, a height field, and the surface they form together.

Lengths are in metres in the world frame: x forward at the start, y left, z up. `terrain_kinds` builds the named kinds
of terrain, `terrain` parses what users type, and only `compile` knows MuJoCo.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.characters.model import Quat, Vec3
from poise.characters.solids import rotation_matrix
from poise.errors import InputError
from poise.kernels.fixed import turn_back
from poise.kernels.ground import EDGE_M
from poise.world.parameters import Parameter, check_number

Rgba = tuple[float, float, float, float]

DEFAULT_FRICTION = 0.8
DEFAULT_ELASTICITY = 0.0
#: Parameters of every terrain besides its shape.
SURFACE_PARAMETERS = (
    Parameter("friction", float, DEFAULT_FRICTION, 0.0, 100.0, "coefficient of friction, 0 is ice"),
    Parameter("elasticity", float, DEFAULT_ELASTICITY, 0.0, 1.0, "coefficient of restitution, 1 loses nothing"),
)

#: Points of a height field; a million take 8 MB and have the resolution of a 1000 x 1000 picture.
MAX_POINTS = 1_000_000
#: Largest coordinate of a terrain or prop: beyond it, rounding errors appear in contacts.
MAX_COORDINATE_M = 1e5


@dataclass(frozen=True)
class Solid:
    """A fixed box; `size_m` are full lengths along its own axes."""

    size_m: Vec3
    center_m: Vec3
    quat_wxyz: Quat = (1.0, 0.0, 0.0, 0.0)
    #: None leaves the colour to the renderer.
    rgba: Rgba | None = None

    def __post_init__(self) -> None:
        check_lengths("solid", "size_m", self.size_m, 3)
        check_pose("solid", "center_m", self.center_m, self.quat_wxyz)
        if self.rgba is not None and not (len(self.rgba) == 4 and all(0.0 <= c <= 1.0 for c in self.rgba)):
            raise InputError("rgba must be four numbers from 0 to 1", where="solid", got=self.rgba)

    @cached_property
    def rotation(self) -> NDArray[np.float64]:
        return rotation_matrix(self.quat_wxyz)

    def height_m(self, x_m: float, y_m: float) -> float:
        """The highest z of the box at a point (x, y), -inf outside it."""
        # A vertical line at (x, y), as start + z * direction in the box's own axes.
        cx, cy, cz = self.center_m
        start = turn_back(self.rotation, (x_m - cx, y_m - cy, -cz))
        direction = self.rotation[2]
        low, high = -math.inf, math.inf
        for s, d, size in zip(start.tolist(), direction.tolist(), self.size_m):
            half = 0.5 * size
            if abs(d) < 1e-12:
                if abs(s) > half + EDGE_M:
                    return -math.inf
                continue
            ends = ((-half - s) / d, (half - s) / d)
            low, high = max(low, min(ends)), min(high, max(ends))
        return high if low <= high + EDGE_M else -math.inf


@dataclass(frozen=True, eq=False)
class HeightField:
    """A surface over a rectangle, given by its heights at the points of a grid.

    `heights_m` is [row, column]: columns go from -x to +x and rows from -y to +y, edge to edge. Each cell is split into
    two triangles along the diagonal from its (-x, -y) to its (+x, +y) corner, as in MuJoCo.
    """

    heights_m: NDArray[np.float64]
    length_x_m: float
    length_y_m: float
    center_m: Vec3

    def __post_init__(self) -> None:
        object.__setattr__(self, "heights_m", freeze_heights("height field", self.heights_m))
        check_lengths("height field", "length_x_m", self.length_x_m, 1)
        check_lengths("height field", "length_y_m", self.length_y_m, 1)
        check_pose("height field", "center_m", self.center_m)

    def _key(self) -> tuple[Any, ...]:
        shape = self.heights_m.shape
        return shape, self.heights_m.tobytes(), self.length_x_m, self.length_y_m, self.center_m

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeightField) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickled array does not stay read-only.
        return HeightField, (self.heights_m, self.length_x_m, self.length_y_m, self.center_m)

    def height_m(self, x_m: float, y_m: float) -> float:
        """The z of the surface at a point (x, y), -inf outside it."""
        rows, columns = self.heights_m.shape
        cx, cy, cz = self.center_m
        across, along = x_m - cx + 0.5 * self.length_x_m, y_m - cy + 0.5 * self.length_y_m
        inside_x = -EDGE_M <= across <= self.length_x_m + EDGE_M
        inside_y = -EDGE_M <= along <= self.length_y_m + EDGE_M
        if not (inside_x and inside_y):
            return -math.inf
        u, v = across / self.length_x_m * (columns - 1), along / self.length_y_m * (rows - 1)
        c, r = min(max(int(u), 0), columns - 2), min(max(int(v), 0), rows - 2)
        u, v = u - c, v - r
        (near, right), (left, far) = self.heights_m[r : r + 2, c : c + 2].tolist()
        if u > v:
            return float(cz + near + u * (right - near) + v * (far - right))
        return float(cz + near + v * (left - near) + u * (far - left))


@dataclass(frozen=True)
class Terrain:
    """The ground: an infinite plane, boxes and a height field, or any of these, with one friction and elasticity."""

    name: str
    #: The text from which `parse_terrain` makes this terrain; `array` if it was built from an array in Python.
    spec: str
    plane: bool = True
    solids: tuple[Solid, ...] = ()
    height_field: HeightField | None = None
    friction: float = DEFAULT_FRICTION
    #: Coefficient of restitution.
    elasticity: float = DEFAULT_ELASTICITY
    plane_height_m: float = 0.0
    #: The friction was chosen explicitly; otherwise a world on another ground uses that ground's friction.
    friction_is_set: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        where = f"terrain {self.name}"
        for parameter in SURFACE_PARAMETERS:
            parameter.check(where, getattr(self, parameter.name))
        check_number(where, "plane_height_m", self.plane_height_m, -MAX_COORDINATE_M, MAX_COORDINATE_M)
        if not (self.plane or self.solids or self.height_field):
            raise InputError("no ground at all. A plane, a solid or a height field is needed", where=where)

    def __repr__(self) -> str:
        return f"<Terrain {self.spec}>"

    def height_m(self, x_m: float, y_m: float) -> float:
        """The z of the highest surface at a point (x, y), -inf over a void."""
        heights = [solid.height_m(x_m, y_m) for solid in self.solids]
        if self.plane:
            heights.append(self.plane_height_m)
        if self.height_field is not None:
            heights.append(self.height_field.height_m(x_m, y_m))
        return max(heights)

    def with_friction(self, friction: float) -> Terrain:
        spec = self._spec_with("friction", friction, DEFAULT_FRICTION)
        return replace(self, friction=friction, friction_is_set=True, spec=spec)

    def on_ground(self, friction: float) -> Terrain:
        """This terrain with a ground's friction, unless its own was chosen explicitly."""
        return self if self.has_friction else replace(self, friction=friction)

    @property
    def has_friction(self) -> bool:
        """Whether the friction was chosen explicitly."""
        return self.friction_is_set or self.friction != DEFAULT_FRICTION

    def with_elasticity(self, elasticity: float) -> Terrain:
        spec = self._spec_with("elasticity", elasticity, DEFAULT_ELASTICITY)
        return replace(self, elasticity=elasticity, spec=spec)

    def _spec_with(self, name: str, value: float, default: float) -> str:
        kind, _, rest = self.spec.partition(":")
        items = [item for item in rest.split(",") if item and not item.startswith(f"{name}=")]
        if value != default:
            items.append(f"{name}={format_value(value)}")
        return f"{kind}:{','.join(items)}" if items else kind


def solid_geom_name(index: int) -> str:
    """Name of a terrain solid's geom in the model."""
    return f"solid{index}"


def format_value(value: float | int | str) -> str:
    """A value as a user would type it; parsing it gives the same bits."""
    if isinstance(value, str | int):
        return str(value)
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def freeze_heights(where: str, heights_m: ArrayLike) -> NDArray[np.float64]:
    """A read-only copy of a table of heights; raises if it is malformed."""
    try:
        heights = np.array(heights_m, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("heights_m must be a table of numbers", where=where, got=heights_m) from None
    if heights.ndim != 2 or min(heights.shape) < 2:
        raise InputError(
            f"heights_m must have at least two rows and two columns, got the shape {heights.shape}",
            where=where,
        )
    check_point_count(where, *heights.shape)
    if not np.all(np.abs(heights) <= MAX_COORDINATE_M):
        raise InputError(f"heights_m must lie within {MAX_COORDINATE_M:g} m of zero", where=where)
    heights += 0.0  # turns -0 into 0: equal fields have equal bytes
    heights.flags.writeable = False
    return heights


def check_point_count(where: str, rows: int, columns: int) -> None:
    if rows * columns > MAX_POINTS:
        raise InputError(f"too many points, got {rows} x {columns}. Allowed: at most {MAX_POINTS} in all", where=where)


def check_lengths(where: str, name: str, lengths_m: object, count: int) -> None:
    """Raises unless there are `count` lengths, all positive and none too large."""
    numbers = _read_numbers(lengths_m, count)
    if not numbers or not all(0.0 < length <= MAX_COORDINATE_M for length in numbers):
        what = "a positive length" if count == 1 else f"{count} positive lengths"
        raise InputError(f"{name} must be {what} in metres", where=where, got=lengths_m)


def check_pose(where: str, name: str, position_m: object, quat_wxyz: object = (1.0, 0.0, 0.0, 0.0)) -> None:
    """Raises unless a position is in range and a quaternion has length 1."""
    position, quat = _read_numbers(position_m, 3), _read_numbers(quat_wxyz, 4)
    if not position or not all(abs(c) <= MAX_COORDINATE_M for c in position):
        what = f"{name} must be three coordinates within {MAX_COORDINATE_M:g} m"
        raise InputError(what, where=where, got=position_m)
    if not quat or not abs(math.hypot(*quat) - 1.0) < 1e-6:
        raise InputError("quat_wxyz must be a unit quaternion", where=where, got=quat_wxyz)


def _read_numbers(values: object, count: int) -> tuple[float, ...]:
    """The values as a tuple if they are `count` numbers, an empty tuple otherwise."""
    plain = values if isinstance(values, tuple | list) else (values,)
    ok = len(plain) == count and all(isinstance(v, int | float | np.integer | np.floating) for v in plain)
    return tuple(float(v) for v in plain) if ok else ()
