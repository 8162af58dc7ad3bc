"""Data model of a biped: a frozen tree of segments, joints, roles and landmarks.

In the reference pose (all joint angles zero) every segment frame is parallel to the world: x forward, y left, z up.
A segment's frame has its origin at the joint to its parent, so `origin_m` is the joint's anchor in the parent's frame;
the root's `origin_m` is (0, 0, 0). Neighbouring modules read and write files, edit proportions and draw; only
`poise.world` uses MuJoCo.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from poise.brief import count
from poise.errors import InputError, unknown_name
from poise.kernels.fixed import add_up

Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]
ShapeKind = Literal["box", "capsule", "cylinder", "sphere", "ellipsoid"]
JointKind = Literal["hinge", "universal", "ball"]
RootKind = Literal["free", "planar"]

#: Values in a shape's `size_m`, by kind. Lengths are full lengths; a capsule's is between its cap centres.
SHAPE_SIZES: Mapping[str, tuple[str, ...]] = {
    "box": ("length_x", "length_y", "length_z"),
    "capsule": ("radius", "length"),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "ellipsoid": ("radius_x", "radius_y", "radius_z"),
}
JOINT_AXES: Mapping[str, int] = {"hinge": 1, "universal": 2, "ball": 3}

SIDES = ("left", "right")
MIDLINE_ROLES = ("pelvis", "trunk", "head")
SIDED_ROLES = ("thigh", "shank", "foot", "toes", "upper_arm", "forearm", "hand")
#: Every role, in the order of a percept.
ROLES: tuple[str, ...] = MIDLINE_ROLES + tuple(f"{side}_{part}" for side in SIDES for part in SIDED_ROLES)
REQUIRED_ROLES: tuple[str, ...] = (
    "pelvis",
    "trunk",
    *(f"{side}_{part}" for side in SIDES for part in ("thigh", "shank", "foot")),
)

_SIDED_AXES = (
    "hip_pitch", "hip_roll", "hip_yaw", "knee_pitch", "ankle_pitch", "ankle_roll", "toe_pitch",
    "shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow_pitch",
)  # fmt: skip
_MIDLINE_AXES = (
    "back_pitch", "back_roll", "back_yaw", "chest_pitch", "chest_roll", "chest_yaw",
    "neck_pitch", "neck_roll", "neck_yaw",
)  # fmt: skip
#: Degrees of freedom that laws may look up by name, in the order of a percept. A character may have others (a tail, a
#: third knee), available by its own names.
KNOWN_AXES: tuple[str, ...] = _MIDLINE_AXES + tuple(f"{side}_{axis}" for side in SIDES for axis in _SIDED_AXES)


def swap_side(name: str) -> str:
    """Name of the mirror image: `left_knee` for `right_knee`; names without a side stay the same."""
    for side, other in (("left_", "right_"), ("right_", "left_")):
        if name.startswith(side):
            return other + name[len(side) :]
    return name


def _require(where: str, ok: bool, what: str) -> None:
    if not ok:
        raise InputError(f"{where}: {what}")


def _finite(*values: float) -> bool:
    return all(math.isfinite(v) for v in values)


@dataclass(frozen=True)
class Shape:
    """A solid in a segment's frame: for collision, drawing and, if no mass is given, for mass and inertia."""

    kind: ShapeKind
    size_m: tuple[float, ...]
    center_m: Vec3 = (0.0, 0.0, 0.0)
    #: Rotation from the shape's own axes (a capsule lies along its z) to the segment's.
    quat_wxyz: Quat = (1.0, 0.0, 0.0, 0.0)
    collides: bool = True

    def __post_init__(self) -> None:
        names = SHAPE_SIZES.get(self.kind)
        if names is None:
            raise unknown_name("shape", "shape kind", str(self.kind), list(SHAPE_SIZES))
        _require(
            f"shape {self.kind}",
            len(self.size_m) == len(names) and all(_finite(s) and s > 0 for s in self.size_m),
            f"size_m must be {len(names)} positive lengths ({', '.join(names)}), got {list(self.size_m)}.",
        )
        _require(f"shape {self.kind}", _finite(*self.center_m), f"center_m must be finite, got {list(self.center_m)}.")
        norm = math.sqrt(add_up(c * c for c in self.quat_wxyz))
        _require(
            f"shape {self.kind}",
            abs(norm - 1.0) < 1e-6,
            f"quat_wxyz must have length 1, got {list(self.quat_wxyz)} of length {norm:.6g}.",
        )


@dataclass(frozen=True)
class Axis:
    """One degree of freedom: its direction, limits and default gains."""

    name: str
    #: In the parent's frame in the reference pose; positive angles are flexion, abduction, outward rotation.
    direction: Vec3
    low_rad: float = -math.inf
    high_rad: float = math.inf
    torque_limit_nm: float = math.inf
    kp_nm_per_rad: float = 0.0
    kd_nms_per_rad: float = 0.0
    armature_kgm2: float = 0.01
    #: Passive spring (toward zero) and damper of the body itself; most characters have none.
    stiffness_nm_per_rad: float = 0.0
    damping_nms_per_rad: float = 0.0

    def __post_init__(self) -> None:
        where = f"axis {self.name}"
        norm = math.sqrt(add_up(c * c for c in self.direction))
        _require(where, abs(norm - 1.0) < 1e-6, f"direction must have length 1, got {list(self.direction)}.")
        _require(
            where,
            not math.isnan(self.low_rad) and not math.isnan(self.high_rad) and self.low_rad < self.high_rad,
            f"low_rad must be below high_rad, got {self.low_rad} and {self.high_rad}.",
        )
        _require(where, self.torque_limit_nm > 0, f"torque_limit_nm must be positive, got {self.torque_limit_nm}.")
        for name in ("kp_nm_per_rad", "kd_nms_per_rad", "armature_kgm2", "stiffness_nm_per_rad", "damping_nms_per_rad"):
            value = getattr(self, name)
            _require(where, _finite(value) and value >= 0, f"{name} must be zero or positive, got {value}.")


@dataclass(frozen=True)
class Joint:
    """Connection of a segment to its parent.

    A ball joint is three hinges in the order of its axes, the first fixed to the parent. This allows an angle limit and
    a torque limit per axis, at the price of a singular pose with the middle axis at 90 degrees.
    """

    name: str
    kind: JointKind
    axes: tuple[Axis, ...]

    def __post_init__(self) -> None:
        count = JOINT_AXES.get(self.kind)
        if count is None:
            raise unknown_name(f"joint {self.name}", "joint kind", str(self.kind), list(JOINT_AXES))
        _require(
            f"joint {self.name}",
            len(self.axes) == count,
            f"a {self.kind} joint has {count} axes, got {len(self.axes)}.",
        )


@dataclass(frozen=True)
class Segment:
    """A rigid body and its joint to the parent (none for the root)."""

    name: str
    parent: str | None
    joint: Joint | None
    origin_m: Vec3
    mass_kg: float
    #: Centre of mass in the segment's frame.
    com_m: Vec3
    #: About the centre of mass, in the segment's frame: xx, yy, zz, xy, xz, yz.
    inertia_kgm2: tuple[float, float, float, float, float, float]
    shapes: tuple[Shape, ...] = ()
    #: Unnamed points at which a penalty ground acts, besides the landmarks with `ground`.
    ground_m: tuple[Vec3, ...] = ()

    def __post_init__(self) -> None:
        where = f"segment {self.name}"
        _require(where, _finite(self.mass_kg) and self.mass_kg > 0, f"mass_kg must be positive, got {self.mass_kg}.")
        _require(where, _finite(*self.origin_m, *self.com_m), "origin_m and com_m must be finite.")
        xx, yy, zz, xy, xz, yz = self.inertia_kgm2
        minors = (xx, xx * yy - xy * xy, xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz))
        _require(
            where,
            _finite(*self.inertia_kgm2) and min(xx, yy, zz) > 0 and all(m > 0 for m in minors),
            f"inertia_kgm2 must be positive definite, got {list(self.inertia_kgm2)}.",
        )
        _require(
            where,
            (self.parent is None) == (self.joint is None),
            "a segment must have both a joint and a parent, or none.",
        )


@dataclass(frozen=True)
class Landmark:
    """A named point on a segment; `ground` marks the points at which a penalty ground may act."""

    name: str
    segment: str
    position_m: Vec3
    ground: bool = False


@dataclass(frozen=True)
class Character:
    """A two-legged body as data. Segments may come in any order with parents first; they are stored limb by limb."""

    name: str
    root: RootKind
    segments: tuple[Segment, ...]
    #: role -> segment name.
    roles: Mapping[str, str]
    landmarks: tuple[Landmark, ...] = ()
    #: Angles of the standing rest pose; axes not named are at zero.
    rest_pose_rad: Mapping[str, float] = field(default_factory=dict)
    #: Origin of the figures, for people.
    source: str = ""
    #: The terrain sets friction and restitution of contacts: see `poise.world.terrain`.

    def __post_init__(self) -> None:
        self._check_tree()
        # Depth first, as MuJoCo numbers bodies: a character's arrays then match the model's.
        object.__setattr__(self, "segments", tuple(self._limb_by_limb(self.segments[0])))
        self._check_roles()
        self._check_names()

    def __repr__(self) -> str:
        size = f"{count(len(self.segments), 'segment')}, {count(self.root_dofs + len(self.axes), 'degree')} of freedom"
        return f"<Character {self.name}: {size}, {self.mass_kg:.4g} kg>"

    def _check_tree(self) -> None:
        where = f"character {self.name}"
        _require(where, self.root in ("free", "planar"), f"root must be 'free' or 'planar', got {self.root!r}.")
        _require(where, len(self.segments) > 0, "a character needs at least one segment.")
        seen: list[str] = []
        for segment in self.segments:
            _require(where, segment.name not in seen, f"two segments are named {segment.name!r}.")
            if segment.parent is None:
                _require(where, not seen, f"{segment.name!r} is a second root; only the first segment has no parent.")
            elif segment.parent not in seen:
                all_names = [s.name for s in self.segments]
                if segment.parent not in all_names:
                    raise unknown_name(f"{where}: parent of {segment.name}", "segment", segment.parent, all_names)
                raise InputError(
                    f"{where}: the parent of {segment.name!r}, {segment.parent!r}, does not come before it: "
                    "the segments form a loop, or are not listed parents first."
                )
            seen.append(segment.name)

    def _limb_by_limb(self, segment: Segment) -> Iterator[Segment]:
        yield segment
        for child in self.segments:
            if child.parent == segment.name:
                yield from self._limb_by_limb(child)

    def _check_roles(self) -> None:
        where = f"character {self.name}"
        names = [s.name for s in self.segments]
        for role, name in self.roles.items():
            if role not in ROLES:
                raise unknown_name(f"{where}: roles", "role", role, list(ROLES))
            if name not in names:
                raise unknown_name(f"{where}: role {role}", "segment", name, names)
        missing = [role for role in REQUIRED_ROLES if role not in self.roles]
        _require(where, not missing, f"missing role{'s' if len(missing) > 1 else ''} {', '.join(missing)}.")

    def _check_names(self) -> None:
        where = f"character {self.name}"
        names = [s.name for s in self.segments]
        axes = [a.name for a in self.axes]
        for label, values in (("axes", axes), ("landmarks", [m.name for m in self.landmarks])):
            twice = sorted({v for v in values if values.count(v) > 1})
            _require(where, not twice, f"two {label} are named {', '.join(map(repr, twice))}.")
        for mark in self.landmarks:
            if mark.segment not in names:
                raise unknown_name(f"{where}: landmark {mark.name}", "segment", mark.segment, names)
        for axis in self.rest_pose_rad:
            if axis not in axes:
                raise unknown_name(f"{where}: rest_pose_rad", "axis", axis, axes)

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """All degrees of freedom in the order of the joint vectors: by segment, then by the joint's axes."""
        return tuple(axis for s in self.segments if s.joint for axis in s.joint.axes)

    @cached_property
    def axis_names(self) -> tuple[str, ...]:
        return tuple(a.name for a in self.axes)

    @cached_property
    def segment_names(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.segments)

    @property
    def mass_kg(self) -> float:
        return add_up(s.mass_kg for s in self.segments)

    @property
    def root_dofs(self) -> int:
        return 6 if self.root == "free" else 3

    def segment(self, name: str) -> Segment:
        for s in self.segments:
            if s.name == name:
                return s
        raise unknown_name(f"character {self.name}", "segment", name, list(self.segment_names))

    def role(self, role: str) -> Segment:
        """The segment with a role."""
        if role not in self.roles:
            raise unknown_name(f"character {self.name}", "role", role, list(self.roles))
        return self.segment(self.roles[role])

    def axis_index(self, name: str) -> int:
        try:
            return self.axis_names.index(name)
        except ValueError:
            raise unknown_name(f"character {self.name}", "axis", name, list(self.axis_names)) from None

    def reference_positions_m(self) -> dict[str, Vec3]:
        """Origin of every segment in the reference pose, in the root's frame."""
        at: dict[str, Vec3] = {}
        for s in self.segments:
            base = at[s.parent] if s.parent else (0.0, 0.0, 0.0)
            at[s.name] = (base[0] + s.origin_m[0], base[1] + s.origin_m[1], base[2] + s.origin_m[2])
        return at

    def below(self, name: str) -> Iterator[str]:
        """Names of a segment and all its descendants, parents first."""
        inside = {name}
        for s in self.segments:
            if s.name == name or s.parent in inside:
                inside.add(s.name)
                yield s.name

    def renamed(self, name: str) -> Character:
        return replace(self, name=name)

    def scaled(self, **factors: float) -> Character:
        """A copy with other proportions: see `poise.characters.proportions.scaled`."""
        from poise.characters.proportions import scaled

        return scaled(self, **factors)

    def mirrored(self) -> Character:
        """The mirror image."""
        from poise.characters.proportions import mirrored

        return mirrored(self)
