"""Characters from `.bones` files. `bones_table` converts Laszlo's frame, units and signs to ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from poise.characters.bones import Bone
from poise.characters.bones_landmarks import read_bones_landmarks
from poise.characters.bones_table import BonesTable, axis_direction, read_bones_table
from poise.characters.model import Axis, Character, Joint, JointKind, Segment, Shape
from poise.characters.plausible import check_plausible
from poise.characters.read_solids import MAX_LENGTH_M, MIN_LENGTH_M, read_shape
from poise.characters.read_toml import read_rest_pose, read_roles
from poise.characters.solids import Inertia, MassProperties, compute_mass_properties, to_inertia, to_matrix, to_vec3
from poise.characters.wireframe import Line, rod_shape, solid_mass_properties, solid_shape, spans_volume
from poise.errors import InputError
from poise.tables import Table

_KINDS: tuple[JointKind, ...] = ("hinge", "universal", "ball")


def read_bones_character(table: Table) -> Character:
    """Read the character of a `.bones` file, given the table that names its parts."""
    book = read_bones_table(table)
    name = table.name("name", Path(table.path).stem)
    source = table.string("source", "")
    segment_tables = table.table("segments")
    segments = [_make_segment(book, number, segment_tables.table(book.names[number])) for number in _order(book)]
    names = [s.name for s in segments]
    roles = read_roles(table.table("roles", required=True), names)
    landmarks = read_bones_landmarks(table.table("landmarks"), book, names)
    rest = read_rest_pose(table.table("rest_pose_rad"), segments)
    try:
        character = Character(name, "free", tuple(segments), roles, landmarks, rest, source)
        check_plausible(character)
        return character
    except InputError as error:
        table.refuse(error)


def _order(book: BonesTable) -> list[int]:
    """Bone numbers in depth-first order."""
    children: dict[int | None, list[int]] = {}
    for bone in book.bones.bones:
        children.setdefault(bone.hinge.parent if bone.hinge else None, []).append(bone.number)
    ordered: list[int] = []
    waiting = list(reversed(children[None]))
    while waiting:
        ordered.append(waiting.pop())
        waiting.extend(reversed(children.get(ordered[-1], [])))
    return ordered


def _make_segment(book: BonesTable, number: int, table: Table) -> Segment:
    table.only("bone", "radius_m", "sole_thickness_m", "shapes")
    bone = book.bones.bone(number)
    lines = [(book.relative(number, a), book.relative(number, b)) for a, b in bone.segments]
    shapes = _make_shapes(book, number, lines, table)
    mass = _find_mass(book, bone, lines, shapes, table)
    parent, joint, origin = None, None, (0.0, 0.0, 0.0)
    if bone.hinge is not None:
        parent = book.names[bone.hinge.parent]
        joint = _make_joint(book, bone)
        origin = book.relative(bone.hinge.parent, bone.hinge.point)
    name = book.names[number]
    try:
        return Segment(name, parent, joint, origin, mass.mass_kg, mass.com_m, mass.inertia_kgm2, shapes)
    except InputError as error:
        table.refuse(error)


def _make_joint(book: BonesTable, bone: Bone) -> Joint:
    axes = []
    for axis in (a for a in book.axes if a.bone == bone.number):
        gains = book.bones.hinge_gains.get((axis.bone, axis.index))
        direction = to_vec3([axis.sign * c for c in axis_direction(bone, axis.index)])
        kp, kd = (gains.kp, gains.kd) if gains else (0.0, 0.0)
        axes.append(Axis(axis.name, direction, kp_nm_per_rad=kp, kd_nms_per_rad=kd))
    # A joint is named after its axes without their last word: left_hip for left_hip_roll, left_hip_pitch.
    name = axes[0].name.rpartition("_")[0] or axes[0].name
    return Joint(name, _KINDS[len(axes) - 1], tuple(axes))


def _make_shapes(book: BonesTable, number: int, lines: Sequence[Line], table: Table) -> tuple[Shape, ...]:
    """The table's own shapes; else a sole over the monitor points; else shapes from the line segments."""
    given = tuple(read_shape(t) for t in table.tables("shapes"))
    thickness = table.number("sole_thickness_m", MIN_LENGTH_M, MAX_LENGTH_M, None)
    radius = table.number("radius_m", MIN_LENGTH_M, MAX_LENGTH_M, book.radius_m)
    if given:
        return given
    if thickness is not None:
        return (_make_sole(book, number, thickness, table),)
    if spans_volume(lines):
        return (solid_shape(lines),)
    return tuple(rod_shape(line, radius) for line in lines)


def _make_sole(book: BonesTable, number: int, thickness_m: float, table: Table) -> Shape:
    """A box over the monitor points that lie on a bone."""
    points = [book.relative(number, m) for m in book.bones.monitors if book.find_bone(m) == number]
    if not points:
        table.fail(f"no monitor point lies on bone {number}", "sole_thickness_m")
    low, high = np.array(points).min(axis=0), np.array(points).max(axis=0)
    if min(high[:2] - low[:2]) < MIN_LENGTH_M:
        table.fail(f"the monitor points on bone {number} lie on one line", "sole_thickness_m")
    size = (round(float(high[0] - low[0]), 12), round(float(high[1] - low[1]), 12), thickness_m)
    return Shape("box", size, to_vec3(np.round((*(low + high)[:2] / 2, low[2] + thickness_m / 2), 12)))


def _find_mass(
    book: BonesTable, bone: Bone, lines: Sequence[Line], shapes: Sequence[Shape], table: Table
) -> MassProperties:
    """The file's own figures, completed from the solids."""
    given = _given_inertia(book, bone)
    if bone.mass is not None and bone.center_of_mass is not None and given is not None:
        return MassProperties(bone.mass, book.relative(bone.number, bone.center_of_mass), given)
    if bone.mass is None and book.density_kgpm3 is None:
        table.fail(f"bone {bone.number} has no mass, and the table gives no density_kgpm3")
    if not shapes:
        table.fail(f"bone {bone.number} lacks mass properties, and has no shapes to compute them from")
    density = book.density_kgpm3 or 1000.0
    if spans_volume(lines) and "shapes" not in table and "sole_thickness_m" not in table:
        solid = solid_mass_properties(lines, density)
    else:
        solid = compute_mass_properties(shapes, density_kgpm3=density)
    mass = solid.mass_kg if bone.mass is None else bone.mass
    com = solid.com_m if bone.center_of_mass is None else book.relative(bone.number, bone.center_of_mass)
    scaled = to_inertia(mass / solid.mass_kg * to_matrix(solid.inertia_kgm2))
    return MassProperties(mass, com, scaled if given is None else given)


def _given_inertia(book: BonesTable, bone: Bone) -> Inertia | None:
    if bone.inertia is None:
        return None
    ix, iy, iz = (book.unit_m**2 * v for v in bone.inertia)
    return ix, iz, iy, 0.0, 0.0, 0.0
