"""Shapes and masses of segments from TOML tables."""

from __future__ import annotations

import math
from typing import Final, cast, get_args

import numpy as np

from poise.characters.model import SHAPE_SIZES, Shape, ShapeKind, Vec3
from poise.characters.solids import (
    Inertia,
    compute_mass_properties,
    is_physical_inertia,
    quat_from_z_to,
    to_inertia,
    to_quat,
    to_vec3,
)
from poise.tables import Table

MAX_LENGTH_M: Final = 100.0
MIN_LENGTH_M: Final = 1e-5
MAX_MASS_KG: Final = 1e5
MIN_MASS_KG: Final = 1e-6
MAX_DENSITY_KGPM3: Final = 1e5
MAX_INERTIA_KGM2: Final = 1e7
"""Figures beyond these are typing errors; the physics overflows much later."""

_UNIT_TOLERANCE: Final = 1e-3
"""Directions and quaternions are typed with a few digits; within this tolerance they are normalized."""


def read_shape(table: Table) -> Shape:
    """Read a shape by its size, centre and rotation, or a rod by its ends."""
    kind = table.choice("kind", "shape kind", get_args(ShapeKind))
    collides = table.flag("collides", True)
    if "from_m" in table or "to_m" in table:
        table.only("kind", "collides", "from_m", "to_m", "radius_m")
        shape = _read_rod(table, kind, collides)
    else:
        table.only("kind", "collides", "size_m", "center_m", "quat_wxyz")
        names = SHAPE_SIZES[kind]
        size = table.vector("size_m", (len(names),), -MAX_LENGTH_M, MAX_LENGTH_M)
        if min(size) < MIN_LENGTH_M:
            table.fail(f"{', '.join(names)} must be {MIN_LENGTH_M:g} m or more", "size_m", got=list(size))
        center = table.vector("center_m", (3,), -MAX_LENGTH_M, MAX_LENGTH_M, (0.0, 0.0, 0.0))
        quat = table.vector("quat_wxyz", (4,), -1e6, 1e6, (1.0, 0.0, 0.0, 0.0))
        shape = Shape(kind, size, to_vec3(center), to_quat(normalize(table, "quat_wxyz", quat)), collides)
    return shape


def _read_rod(table: Table, kind: str, collides: bool) -> Shape:
    """A capsule or cylinder given by the ends of its axis."""
    if kind not in ("capsule", "cylinder"):
        table.fail(f"from_m and to_m describe a capsule or a cylinder, not a {kind}", "from_m")
    start = table.vector("from_m", (3,), -MAX_LENGTH_M, MAX_LENGTH_M)
    end = table.vector("to_m", (3,), -MAX_LENGTH_M, MAX_LENGTH_M)
    radius = table.number("radius_m", MIN_LENGTH_M, MAX_LENGTH_M)
    length = math.dist(start, end)
    if length < MIN_LENGTH_M:
        table.fail("from_m and to_m are the same point", "to_m", got=list(end))
    center = to_vec3([(a + b) / 2 for a, b in zip(start, end, strict=True)])
    # Both directions give the same rod; upward needs no rotation.
    along: Vec3 = to_vec3([b - a for a, b in zip(start, end, strict=True)])
    if along[2] < 0:
        along = to_vec3([-c for c in along])
    return Shape(
        "capsule" if kind == "capsule" else "cylinder", (radius, length), center, quat_from_z_to(along), collides
    )


def read_mass(table: Table, shapes: tuple[Shape, ...]) -> tuple[float, Vec3, Inertia]:
    """Mass, centre of mass and inertia: given, or computed from the shapes."""
    mass = table.number("mass_kg", MIN_MASS_KG, MAX_MASS_KG, None)
    density = table.number("density_kgpm3", 1e-3, MAX_DENSITY_KGPM3, None)
    com = table.vector("com_m", (3,), -MAX_LENGTH_M, MAX_LENGTH_M, None)
    inertia = table.vector("inertia_kgm2", (3, 6), -MAX_INERTIA_KGM2, MAX_INERTIA_KGM2, None)
    if (mass is None) == (density is None):
        table.fail("needs either mass_kg or density_kgpm3" + ("" if mass is None else ", not both"))
    if not shapes and (density is not None or com is None or inertia is None):
        table.fail("without shapes, mass_kg, com_m and inertia_kgm2 must be given")
    if shapes:
        solid = compute_mass_properties(shapes, mass_kg=mass, density_kgpm3=density)
        mass = solid.mass_kg if mass is None else mass
        com = solid.com_m if com is None else com
        inertia = solid.inertia_kgm2 if inertia is None else inertia
    assert mass is not None and com is not None and inertia is not None
    if not MIN_MASS_KG <= mass <= MAX_MASS_KG:
        table.fail("the mass computed from the density is out of range", "density_kgpm3", got=mass)
    full = to_inertia(np.diag(np.array(inertia))) if len(inertia) == 3 else cast("Inertia", inertia)
    if not is_physical_inertia(full):
        table.fail(
            "no body has this inertia",
            *(["inertia_kgm2"] if "inertia_kgm2" in table else []),
            got=list(inertia),
            allowed="Principal moments are positive, and none exceeds the sum of the other two",
        )
    return mass, to_vec3(com), full


def normalize(table: Table, key: str, values: tuple[float, ...]) -> tuple[float, ...]:
    """The values scaled to length 1; fails unless their length is nearly 1."""
    norm = math.hypot(*values)
    if abs(norm - 1.0) > _UNIT_TOLERANCE:
        table.fail("must have length 1", key, got=list(values))
    return values if abs(norm - 1.0) < 1e-12 else tuple(v / norm for v in values)
