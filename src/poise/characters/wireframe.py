"""Solids from the line segments that draw a bone in a `.bones` file.

A bone whose segments span a volume (the edges of a box or of a tapered block) is the solid between them. Any other
segment is a round rod with hemispheres inside its ends; the file does not give its radius.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from poise.characters.model import Shape, Vec3
from poise.characters.solids import MassProperties, Matrix, parallel_axis, quat_from_z_to, to_inertia, to_vec3
from poise.kernels.fixed import dot, multiply

Line = tuple[Vec3, Vec3]

#: A wire frame has at least the six edges of a tetrahedron.
_MIN_EDGES = 6
_MIN_CORNERS = 4


def spans_volume(lines: Sequence[Line]) -> bool:
    """Whether the segments are the edges of a solid rather than rods."""
    if len(lines) < _MIN_EDGES:
        return False
    points = _corners(lines)
    if len(points) < _MIN_CORNERS:
        return False
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(spread[2] > 1e-3 * spread[0])


def solid_mass_properties(lines: Sequence[Line], density_kgpm3: float) -> MassProperties:
    """Mass properties of the convex solid whose corners are the segments' ends."""
    from scipy.spatial import ConvexHull  # slow to import, and few characters need it

    points = _corners(lines)
    middle = points.mean(axis=0)
    hull = ConvexHull(points)
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for triangle in hull.simplices:
        corners = points[triangle] - middle
        part = abs(dot(corners[0], np.cross(corners[1], corners[2]))) / 6.0
        total = corners.sum(axis=0)
        volume += part
        first += part * total / 4.0
        # Second moments of a tetrahedron with one corner at the origin.
        second += part / 20.0 * (multiply(corners.T, corners) + np.outer(total, total))
    com = first / volume
    about_middle = np.trace(second) * np.eye(3) - second
    inertia = density_kgpm3 * about_middle - parallel_axis(density_kgpm3 * volume, com)
    return MassProperties(density_kgpm3 * volume, to_vec3(np.round(middle + com, 12)), to_inertia(inertia))


def solid_shape(lines: Sequence[Line]) -> Shape:
    """An upright box with the solid's height and volume and with the footprint proportions of its bounding box."""
    low, high = _corners(lines).min(axis=0), _corners(lines).max(axis=0)
    around = high - low
    solid = solid_mass_properties(lines, 1.0)
    shrink = math.sqrt(solid.mass_kg / float(np.prod(around)))
    size = (around[0] * shrink, around[1] * shrink, around[2])
    return Shape("box", to_vec3(np.round(size, 12)), (solid.com_m[0], solid.com_m[1], float(low[2] + high[2]) / 2))


def rod_shape(line: Line, radius_m: float) -> Shape:
    """The rod along a segment: a capsule, or a cylinder if too short for hemispheres inside its ends."""
    start, end = np.array(line[0]), np.array(line[1])
    length = math.dist(*line)
    along = to_vec3(end - start if end[2] >= start[2] else start - end)
    center, quat = to_vec3((start + end) / 2), quat_from_z_to(along)
    if length > 2.2 * radius_m:
        return Shape("capsule", (radius_m, length - 2 * radius_m), center, quat)
    return Shape("cylinder", (radius_m, length), center, quat)


def _corners(lines: Sequence[Line]) -> Matrix:
    return np.unique(np.array([end for line in lines for end in line], dtype=np.float64), axis=0)
