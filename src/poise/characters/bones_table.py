"""The table beside a `.bones` file: the one place that converts Laszlo's frame, numbers and signs to ours.

Frame: in the file, forward is -x, right is -z, up is +y and all points are absolute. Our (x, y, z) is their (-x, z, y),
a rotation. Every segment's origin moves to its hinge, the root's to its centre of mass.

Signs: with the printed axes, a positive pitch bends the waist and the knee as ours does, but extends the hip and lowers
the toes; the human's hip roll rotates both legs to the same side. Here an axis with a conventional name
(`CONVENTIONAL_DIRECTIONS`) has the conventional direction, and `BonesAxis.sign` is the factor on a script's angle.
Angles in scripts are in degrees.

The table, in TOML, names the bones, axes and monitor points (`docs/characters.md`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from poise.characters.bones import Bone, BonesFile
from poise.characters.conventions import CONVENTIONAL_DIRECTIONS
from poise.characters.model import Vec3
from poise.characters.read_bones import load_bones
from poise.characters.read_solids import MAX_DENSITY_KGPM3, MAX_LENGTH_M, MIN_LENGTH_M
from poise.characters.solids import Matrix, to_vec3
from poise.errors import InputError, describe_unknown_name
from poise.tables import Table
from poise.trust import check_kind, check_readable

_KEYS: Final = (
    "name", "bones", "source", "unit_m", "density_kgpm3", "radius_m", "roles", "segments", "axes", "landmarks",
    "rest_pose_rad",
)  # fmt: skip


@dataclass(frozen=True)
class BonesAxis:
    """A degree of freedom of the file: our name for it, and our angle = sign × their angle."""

    name: str
    bone: int
    index: int
    sign: float


@dataclass(frozen=True)
class BonesTable:
    """The table beside a `.bones` file, read and checked against the file."""

    table: Table
    bones: BonesFile
    unit_m: float
    density_kgpm3: float | None
    radius_m: float
    #: bone number -> our segment name.
    names: dict[int, str]
    axes: tuple[BonesAxis, ...]

    def point(self, point: Vec3) -> Vec3:
        """A point of the file in metres and our axes, relative to the file's origin."""
        return _tidy([self.unit_m * c for c in turn(point)])

    def origin(self, number: int) -> Vec3:
        """Origin of a segment's frame, relative to the file's origin."""
        bone = self.bones.bone(number)
        if bone.hinge is not None:
            return self.point(bone.hinge.point)
        if bone.center_of_mass is not None:
            return self.point(bone.center_of_mass)
        ends = np.array([self.point(p) for line in bone.segments for p in line] or [(0.0, 0.0, 0.0)])
        return to_vec3((ends.min(axis=0) + ends.max(axis=0)) / 2)

    def relative(self, number: int, point: Vec3) -> Vec3:
        """A point of the file in the frame of a bone's segment."""
        return _tidy([a - b for a, b in zip(self.point(point), self.origin(number), strict=True)])

    @cached_property
    def _lines(self) -> tuple[Matrix, Matrix, list[int]]:
        """Starts and vectors of all line segments, and the numbers of their bones."""
        lines = [(a, b, bone.number) for bone in self.bones.bones for a, b in bone.segments]
        starts = np.array([a for a, _, _ in lines]).reshape(-1, 3)
        ends = np.array([b for _, b, _ in lines]).reshape(-1, 3)
        return starts, ends - starts, [number for _, _, number in lines]

    def find_bone(self, point: Vec3) -> int:
        """The bone whose line segments are nearest to a point of the file; the first one if several are equal."""
        starts, along, numbers = self._lines
        if not numbers:
            return self.bones.bones[0].number
        offset = np.array(point) - starts
        part = np.clip((offset * along).sum(axis=1) / (along * along).sum(axis=1), 0.0, 1.0)
        # Rounding assigns a point shared by two bones to the first of them.
        return numbers[int(np.argmin(np.round(np.linalg.norm(offset - part[:, None] * along, axis=1), 9)))]


def _tidy(values: Sequence[float]) -> Vec3:
    """Round away the noise of differences between figures with few digits."""
    return to_vec3([round(v, 12) for v in values])


def turn(vector: Vec3) -> Vec3:
    """A vector of the file (forward -x, up y, left z) in our axes (x forward, y left, z up)."""
    return to_vec3((-vector[0], vector[2], vector[1]))


def read_bones_table(table: Table) -> BonesTable:
    """Read a `.bones` file and the names, units and signs of its table; scripts for such characters need them too."""
    table.only(*_KEYS)
    file_name = table.string("bones")
    path = Path(table.path).parent / file_name
    try:
        check_kind(path, "a .bones file", (".bones",))
        check_readable(path)
    except InputError as error:
        table.fail(str(error), "bones", cause=error)
    bones = load_bones(path)
    unit = table.number("unit_m", 1e-4, 100.0, 1.0)
    density = table.number("density_kgpm3", 1e-3, MAX_DENSITY_KGPM3, None)
    radius = table.number("radius_m", MIN_LENGTH_M, MAX_LENGTH_M, 0.05)
    names = _read_segment_names(table.table("segments", required=True), bones)
    axes = _read_axes(table.table("axes", required=True), bones)
    return BonesTable(table, bones, unit, density, radius, names, axes)


def _read_segment_names(table: Table, bones: BonesFile) -> dict[int, str]:
    names: dict[int, str] = {}
    known = [b.number for b in bones.bones]
    for key, child in table.children():
        table.check_name(key)
        number = child.number("bone", 1, 1e6)
        if number not in known:
            child.fail("no bone has this number", "bone", got=number, allowed=f"Known: {', '.join(map(str, known))}")
        if int(number) in names:
            child.fail(f"bone {int(number)} is already named {names[int(number)]!r}", "bone")
        names[int(number)] = key
    for number in known:
        names.setdefault(number, f"bone_{number}")
    return names


def _read_axes(table: Table, bones: BonesFile) -> tuple[BonesAxis, ...]:
    """Our name and sign for every degree of freedom, in the file's order."""
    known = [f"{bone}:{index}" for bone, index in bones.degrees_of_freedom()]
    named: dict[str, str] = {}
    for key in table.data:
        table.check_name(key)
        target = table.string(key)
        if target not in known:
            table.fail(describe_unknown_name("degree of freedom", target, known), key)
        if target in named:
            table.fail(f"{target} is already named {named[target]!r}", key)
        named[target] = key
    axes = []
    for bone, index in bones.degrees_of_freedom():
        name = named.get(f"{bone}:{index}", f"bone_{bone}_{index}")
        axes.append(BonesAxis(name, bone, index, _find_sign(name, axis_direction(bones.bone(bone), index))))
    return tuple(axes)


def axis_direction(bone: Bone, index: int) -> Vec3:
    """Unit vector of a hinge's axis as in the file, in our axes."""
    axis = turn(bone.hinge.axes[index]) if bone.hinge else (0.0, 0.0, 1.0)
    return to_vec3([c / math.hypot(*axis) for c in axis])


def _find_sign(name: str, direction: Vec3) -> float:
    convention = CONVENTIONAL_DIRECTIONS.get(name, direction)
    return 1.0 if sum(a * b for a, b in zip(convention, direction, strict=True)) >= 0 else -1.0
