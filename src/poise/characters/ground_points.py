"""Points of a segment at which a penalty ground acts, sampled from simple solids, and their readers."""

from __future__ import annotations

import math
from itertools import product
from typing import Final

import numpy as np

from poise.characters.model import Shape, Vec3
from poise.characters.read_solids import MAX_LENGTH_M, MIN_LENGTH_M
from poise.characters.solids import rotation_matrix, to_vec3
from poise.kernels.fixed import turn
from poise.tables import Table

KEYS: Final = ("ground_m", "ground_caps", "ground_corners")
MAX_POINTS: Final = 1000

#: Two rings of six points about the lowest one. [Lee10] says only that feet are sampled; its clips walk with these
#: angles.
_RINGS_RAD: Final = (math.radians(30.0), math.radians(60.0))
_RING_POINTS: Final = 6


def sample_cap(center_m: Vec3, radius_m: float) -> list[Vec3]:
    """Thirteen points on the lower half of a sphere: the lowest, and two rings about it."""
    x, y, z = center_m
    points = [(x, y, z - radius_m)]
    for polar in _RINGS_RAD:
        for k in range(_RING_POINTS):
            turn = 2.0 * math.pi * k / _RING_POINTS
            reach = radius_m * math.sin(polar)
            height = z - radius_m * math.cos(polar)
            points.append((x + reach * math.cos(turn), y + reach * math.sin(turn), height))
    return points


def find_corners(shape: Shape) -> list[Vec3]:
    """The eight corners of a box, in the segment's frame."""
    rotation, half = rotation_matrix(shape.quat_wxyz), 0.5 * np.array(shape.size_m)
    center = np.array(shape.center_m)
    return [to_vec3(center + turn(rotation, half * np.array(signs))) for signs in product((-1.0, 1.0), repeat=3)]


def read_ground_points(table: Table, shapes: tuple[Shape, ...]) -> tuple[Vec3, ...]:
    """Ground points of a segment's table: those listed, samples of its caps, and the corners of its boxes."""
    points = [to_vec3(t) for t in table.points("ground_m", 3, MAX_LENGTH_M)]
    for cap in table.tables("ground_caps"):
        cap.only("center_m", "radius_m")
        center = to_vec3(cap.vector("center_m", (3,), -MAX_LENGTH_M, MAX_LENGTH_M))
        points += sample_cap(center, cap.number("radius_m", MIN_LENGTH_M, MAX_LENGTH_M))
    if table.flag("ground_corners", False):
        boxes = [s for s in shapes if s.kind == "box"]
        if not boxes:
            table.fail("only boxes have corners, and this segment has none", "ground_corners")
        points += [corner for box in boxes for corner in find_corners(box)]
    if len(points) > MAX_POINTS:
        table.fail(f"more than {MAX_POINTS} ground points")
    return tuple(points)
