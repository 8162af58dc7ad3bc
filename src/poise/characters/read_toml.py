"""Reader of characters in TOML, which catches all user errors.

A table with `sided = true` stands for both sides: it describes the left one, and the right one is its mirror image.
Names in such a table (its own, its parent, its joint and axes, a landmark's segment) omit the side.
`docs/characters.md` describes the format; `write_toml` writes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from os import PathLike
from pathlib import Path
from typing import Final, get_args

from poise.characters.conventions import CONVENTIONAL_DIRECTIONS
from poise.characters.ground_points import KEYS as GROUND_KEYS
from poise.characters.ground_points import read_ground_points
from poise.characters.model import (
    MIDLINE_ROLES,
    REQUIRED_ROLES,
    SIDED_ROLES,
    SIDES,
    Axis,
    Character,
    Joint,
    JointKind,
    Landmark,
    RootKind,
    Segment,
)
from poise.characters.read_solids import MAX_LENGTH_M, normalize, read_mass, read_shape
from poise.characters.sides import mirror_landmark, mirror_segment
from poise.characters.solids import to_vec3
from poise.errors import InputError, describe_unknown_name
from poise.tables import REQUIRED, Table, load_table

_SEGMENT_KEYS: Final = (
    "sided", "parent", "joint", "origin_m", "mass_kg", "density_kgpm3", "com_m", "inertia_kgm2", "shapes", *GROUND_KEYS,
)  # fmt: skip
MAX_TORQUE_NM: Final = 1e7
MAX_ANGLE_RAD: Final = 100.0
MAX_SEGMENTS: Final = 200
MAX_LANDMARKS: Final = 1000
"""Figures beyond these are typing errors; the physics overflows much later."""


def load_character_toml(path: str | PathLike[str]) -> Character:
    """Read the character of a TOML file that lists its segments."""
    return read_character(load_table(path))


def read_character(table: Table) -> Character:
    """Read the character of a TOML table that lists its segments."""
    table.only("name", "root", "source", "roles", "rest_pose_rad", "segments", "landmarks")
    name = table.name("name", Path(table.path).stem)
    root = table.choice("root", "root kind", get_args(RootKind))
    source = table.string("source", "")
    segments = _read_segments(table.table("segments", required=True))
    segment_names = [s.name for s in segments]
    roles = read_roles(table.table("roles", required=True), segment_names)
    landmarks = read_landmarks(table.table("landmarks"), segment_names)
    rest = read_rest_pose(table.table("rest_pose_rad"), segments)
    try:
        return Character(name, root, segments, roles, landmarks, rest, source)
    except InputError as error:
        table.refuse(error)


def _read_segments(table: Table) -> tuple[Segment, ...]:
    if not table.data:
        table.fail("a character needs at least one segment")
    if len(table.data) > MAX_SEGMENTS:
        table.fail(f"more than {MAX_SEGMENTS} segments")
    sided = {key for key, child in table.data.items() if isinstance(child, dict) and child.get("sided") is True}
    segments: dict[str, Segment] = {}
    for key, child in table.children():
        table.check_name(key)
        for segment in _read_segment(key, child, sided):
            if segment.name in segments:
                child.fail(f"two segments are named {segment.name!r}")
            segments[segment.name] = segment
    _check_parents(table, segments, sided)
    return _depth_first(tuple(segments.values()))


def _check_parents(table: Table, segments: dict[str, Segment], sided: set[str]) -> None:
    """Raise unless the segments form one tree."""
    roots = [s.name for s in segments.values() if s.parent is None]
    if len(roots) != 1:
        table.fail(
            f"{'every segment has a' if not roots else 'more than one segment has no'} parent",
            got=roots,
            allowed="Exactly one must be the root",
        )
    for s in segments.values():
        base = s.name.partition("_")[2]
        key = base if base in sided and base in table.data else s.name
        if s.parent is not None and s.parent not in segments:
            table.fail(describe_unknown_name("segment", s.parent, segments), key, "parent")
        seen = [s.name]
        while (parent := segments[seen[-1]].parent) is not None:
            if parent in seen:
                table.fail(f"the segments form a loop: {' -> '.join([*seen, parent])}", key, "parent")
            if parent not in segments:
                break
            seen.append(parent)


def _depth_first(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Segments in depth-first order, so that a leg stays together."""
    children: dict[str | None, list[Segment]] = {}
    for s in segments:
        children.setdefault(s.parent, []).append(s)
    ordered: list[Segment] = []
    waiting = list(reversed(children[None]))
    while waiting:
        s = waiting.pop()
        ordered.append(s)
        waiting.extend(reversed(children.get(s.name, [])))
    return tuple(ordered)


def _read_segment(key: str, table: Table, sided: set[str]) -> list[Segment]:
    table.only(*_SEGMENT_KEYS)
    is_sided = table.flag("sided", False)

    def name_of(name: str) -> str:
        return f"left_{name}" if is_sided else name

    parent = table.name("parent", None)
    if parent is not None and is_sided and parent in sided:
        parent = f"left_{parent}"
    joint = None
    if parent is not None:
        joint = _read_joint(table.table("joint", required=True), name_of)
    elif "joint" in table:
        table.fail("a segment without a parent has no joint", "joint")
    origin = table.vector("origin_m", (3,), -MAX_LENGTH_M, MAX_LENGTH_M, (0.0, 0.0, 0.0))
    if parent is None and any(origin):
        table.fail("the root's origin_m is 0, 0, 0", "origin_m", got=list(origin))
    shapes = tuple(read_shape(t) for t in table.tables("shapes"))
    mass, com, inertia = read_mass(table, shapes)
    ground = read_ground_points(table, shapes)
    try:
        left = Segment(name_of(key), parent, joint, to_vec3(origin), mass, com, inertia, shapes, ground)
    except InputError as error:
        table.refuse(error)
    if not is_sided:
        return [left]
    right = mirror_segment(left)
    return [left, right if parent in {f"left_{p}" for p in sided} else replace(right, parent=parent)]


def _read_joint(table: Table, name_of: Callable[[str], str]) -> Joint:
    table.only("name", "kind", "axes")
    kind = table.choice("kind", "joint kind", get_args(JointKind))
    name = table.name("name")
    axes_table = table.table("axes", required=True)
    axes = tuple(_read_axis(axes_table.check_name(key), child, name_of) for key, child in axes_table.children())
    try:
        return Joint(name_of(name), kind, axes)
    except InputError as error:
        table.refuse(error)


def _read_axis(key: str, table: Table, name_of: Callable[[str], str]) -> Axis:
    table.only(*(f.name for f in fields(Axis) if f.name != "name"))
    name = name_of(key)
    convention = CONVENTIONAL_DIRECTIONS.get(name)
    direction = table.vector("direction", (3,), -1e6, 1e6, REQUIRED if convention is None else convention)
    low = table.number("low_rad", -math.inf, MAX_ANGLE_RAD, -math.inf)
    high = table.number("high_rad", -MAX_ANGLE_RAD, math.inf, math.inf)
    limit = table.number("torque_limit_nm", 1e-9, math.inf, math.inf)
    rest = {
        key: table.number(key, 0.0, MAX_TORQUE_NM, default)
        for key, default in (
            ("kp_nm_per_rad", 0.0),
            ("kd_nms_per_rad", 0.0),
            ("armature_kgm2", Axis.armature_kgm2),
            ("stiffness_nm_per_rad", 0.0),
            ("damping_nms_per_rad", 0.0),
        )
    }
    try:
        return Axis(name, to_vec3(normalize(table, "direction", direction)), low, high, limit, **rest)
    except InputError as error:
        table.refuse(error)


def read_roles(table: Table, segment_names: Sequence[str]) -> dict[str, str]:
    """Read roles; `thigh = "thigh"` stands for both sides."""
    roles: dict[str, str] = {}
    known = (*MIDLINE_ROLES, *SIDED_ROLES, *(f"{side}_{part}" for side in SIDES for part in SIDED_ROLES))
    for key in table.data:
        value = table.string(key)
        if key not in known:
            table.fail(describe_unknown_name("role", key, known), key)
        for role in [f"{side}_{key}" for side in SIDES] if key in SIDED_ROLES else [key]:
            side = role.partition("_")[0]
            name = f"{side}_{value}" if value not in segment_names and side in SIDES else value
            if name not in segment_names:
                table.fail(describe_unknown_name("segment", value, segment_names), key)
            if role in roles:
                table.fail(f"role {role} is given twice", key)
            roles[role] = name
    missing = [role for role in REQUIRED_ROLES if role not in roles]
    if missing:
        table.fail(f"missing role{'s' if len(missing) > 1 else ''} {', '.join(missing)}")
    return roles


def read_landmarks(table: Table, segment_names: Sequence[str]) -> tuple[Landmark, ...]:
    marks: list[Landmark] = []
    if len(table.data) > MAX_LANDMARKS:
        table.fail(f"more than {MAX_LANDMARKS} landmarks")
    for key, child in table.children():
        table.check_name(key)
        child.only("sided", "segment", "position_m", "ground")
        is_sided = child.flag("sided", False)
        segment = child.name("segment")
        if is_sided and segment not in segment_names:
            segment = f"left_{segment}"
        if segment not in segment_names:
            child.fail(describe_unknown_name("segment", child.data["segment"], segment_names), "segment")
        position = to_vec3(child.vector("position_m", (3,), -MAX_LENGTH_M, MAX_LENGTH_M))
        left = Landmark(f"left_{key}" if is_sided else key, segment, position, child.flag("ground", False))
        marks.extend([left, mirror_landmark(left)] if is_sided else [left])
    return tuple(marks)


def read_rest_pose(table: Table, segments: Sequence[Segment]) -> dict[str, float]:
    """Read angles at rest; `knee_pitch` stands for both sides."""
    axes = [a.name for s in segments if s.joint for a in s.joint.axes]
    pose: dict[str, float] = {}
    for key in table.data:
        value = table.number(key, -MAX_ANGLE_RAD, MAX_ANGLE_RAD)
        names = [key] if key in axes else [f"{side}_{key}" for side in SIDES if f"{side}_{key}" in axes]
        if not names:
            table.fail(describe_unknown_name("axis", key, axes), key)
        for name in names:
            if name in pose:
                table.fail(f"axis {name} is given twice", key)
            pose[name] = value
    return pose
