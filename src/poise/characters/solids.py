"""Volume, centre of mass and inertia of shapes.

Owns analytic solids and their parallel-axis sum. The file readers decide which segments take their mass from their
shapes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Quat, Shape, Vec3
from poise.kernels.fixed import add_up, dot, multiply

Matrix = NDArray[np.float64]
Inertia = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class MassProperties:
    """Mass, centre of mass, and inertia about it (xx, yy, zz, xy, xz, yz), in one frame."""

    mass_kg: float
    com_m: Vec3
    inertia_kgm2: Inertia


def to_vec3(values: Sequence[float] | Matrix) -> Vec3:
    """Three plain floats, without negative zeros."""
    x, y, z = (float(v) + 0.0 for v in values)
    return x, y, z


def to_quat(values: Sequence[float] | Matrix) -> Quat:
    """Four plain floats, without negative zeros."""
    w, x, y, z = (float(v) + 0.0 for v in values)
    return w, x, y, z


def to_inertia(matrix: Matrix) -> Inertia:
    """The six numbers of a symmetric matrix: xx, yy, zz, xy, xz, yz."""
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    xx, yy, zz, xy, xz, yz = (float(matrix[i, j]) + 0.0 for i, j in pairs)
    return xx, yy, zz, xy, xz, yz


def to_matrix(inertia: Inertia) -> Matrix:
    """The symmetric 3 × 3 matrix of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=np.float64)


def rotation_matrix(quat_wxyz: Quat) -> Matrix:
    """The 3 × 3 rotation matrix of a unit quaternion (wxyz)."""
    w, x, y, z = quat_wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ],
        dtype=np.float64,
    )


def quat_from_z_to(direction: Vec3) -> Quat:
    """The shortest rotation (wxyz) from the z axis to a direction of any non-zero length."""
    x, y, z = (c / math.hypot(*direction) for c in direction)
    if z < -1.0 + 1e-12:
        return (0.0, 1.0, 0.0, 0.0)
    norm = math.sqrt(x * x + y * y + (1.0 + z) ** 2)
    return to_quat(((1.0 + z) / norm, -y / norm, x / norm, 0.0))


def compute_volume_m3(shape: Shape) -> float:
    """Volume of a shape."""
    s = shape.size_m
    match shape.kind:
        case "box":
            return s[0] * s[1] * s[2]
        case "sphere":
            return 4.0 / 3.0 * math.pi * s[0] ** 3
        case "ellipsoid":
            return 4.0 / 3.0 * math.pi * s[0] * s[1] * s[2]
        case "cylinder":
            return math.pi * s[0] ** 2 * s[1]
        case "capsule":
            return math.pi * s[0] ** 2 * s[1] + 4.0 / 3.0 * math.pi * s[0] ** 3


def _own_inertia(shape: Shape, mass_kg: float) -> Vec3:
    """Principal moments (x, y, z of the shape's own axes) about the shape's centre."""
    s = shape.size_m
    match shape.kind:
        case "box" | "ellipsoid":
            factor = mass_kg / (12.0 if shape.kind == "box" else 5.0)
            xx, yy, zz = (v * v for v in s)
            return factor * (yy + zz), factor * (xx + zz), factor * (xx + yy)
        case "sphere":
            value = 0.4 * mass_kg * s[0] ** 2
            return value, value, value
        case "cylinder":
            across = mass_kg * (3.0 * s[0] ** 2 + s[1] ** 2) / 12.0
            return across, across, 0.5 * mass_kg * s[0] ** 2
        case "capsule":
            r, length = s
            tube = mass_kg * length / (length + 4.0 / 3.0 * r)
            caps = mass_kg - tube
            across = tube * (length**2 / 12.0 + r**2 / 4.0)
            across += caps * (0.4 * r**2 + length**2 / 4.0 + 0.375 * length * r)
            return across, across, 0.5 * tube * r**2 + 0.4 * caps * r**2


def parallel_axis(mass_kg: float, offset_m: Matrix) -> Matrix:
    """Inertia of a point mass at an offset about the origin."""
    return np.asarray(mass_kg * (dot(offset_m, offset_m) * np.eye(3) - np.outer(offset_m, offset_m)), dtype=np.float64)


def combine(parts: Sequence[MassProperties]) -> MassProperties:
    """Mass properties of several bodies fixed to each other."""
    mass = add_up(p.mass_kg for p in parts)
    com = sum((p.mass_kg * np.array(p.com_m) for p in parts), np.zeros(3)) / mass
    total = np.zeros((3, 3))
    for p in parts:
        total += to_matrix(p.inertia_kgm2) + parallel_axis(p.mass_kg, np.array(p.com_m) - com)
    return MassProperties(float(mass), to_vec3(com), to_inertia(total))


def shape_mass_properties(shape: Shape, mass_kg: float) -> MassProperties:
    """Mass properties of one solid shape in its segment's frame."""
    turn = rotation_matrix(shape.quat_wxyz)
    own = np.diag(np.array(_own_inertia(shape, mass_kg)))
    return MassProperties(mass_kg, shape.center_m, to_inertia(multiply(turn, own, turn.T)))


def compute_mass_properties(
    shapes: Sequence[Shape], *, mass_kg: float | None = None, density_kgpm3: float | None = None
) -> MassProperties:
    """Mass properties of shapes with the same density, given that density or the total mass.

    Overlaps of shapes count twice.
    """
    volumes = [compute_volume_m3(s) for s in shapes]
    density = density_kgpm3 if density_kgpm3 is not None else (mass_kg or 0.0) / add_up(volumes)
    return combine([shape_mass_properties(s, density * v) for s, v in zip(shapes, volumes, strict=True)])


def is_physical_inertia(inertia: Inertia) -> bool:
    """Whether a mass distribution can have this inertia: no principal moment exceeds the sum of the others."""
    low, middle, high = (float(v) for v in np.linalg.eigvalsh(to_matrix(inertia)))
    return low > 0.0 and high <= (low + middle) * (1.0 + 1e-6)
