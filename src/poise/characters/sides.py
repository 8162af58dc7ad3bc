"""Left and right: mirror images (in the x-z plane) of all parts of a character.

A mirrored axis keeps its meaning. For axes with a side, flexion, abduction and outward rotation are positive on both
sides, and reflecting the direction preserves this. A midline axis (a neck's roll) keeps its direction instead, so its
angles change sign and its limits swap.
"""

from __future__ import annotations

from dataclasses import replace

from poise.characters.model import Axis, Joint, Landmark, Quat, Segment, Shape, Vec3, swap_side
from poise.characters.solids import Inertia


def mirror_point(point: Vec3) -> Vec3:
    return point[0], 0.0 - point[1], point[2]


def mirror_direction(axis: Vec3) -> Vec3:
    """The reflected axis of rotation: the same angle about it gives the reflected motion."""
    return 0.0 - axis[0], axis[1], 0.0 - axis[2]


def mirror_quat(quat_wxyz: Quat) -> Quat:
    w, x, y, z = quat_wxyz
    return w, 0.0 - x, y, 0.0 - z


def mirror_inertia(inertia: Inertia) -> Inertia:
    xx, yy, zz, xy, xz, yz = inertia
    return xx, yy, zz, 0.0 - xy, xz, 0.0 - yz


def mirror_shape(shape: Shape) -> Shape:
    return replace(shape, center_m=mirror_point(shape.center_m), quat_wxyz=mirror_quat(shape.quat_wxyz))


def flips_when_mirrored(axis: Axis) -> bool:
    """Whether mirroring changes the sign of the axis's angles: midline roll and yaw."""
    if swap_side(axis.name) != axis.name:
        return False
    return sum(a * b for a, b in zip(axis.direction, mirror_direction(axis.direction), strict=True)) < 0


def mirror_axis(axis: Axis) -> Axis:
    """The mirror image of an axis, with its mirrored name."""
    direction = mirror_direction(axis.direction)
    if not flips_when_mirrored(axis):
        return replace(axis, name=swap_side(axis.name), direction=direction)
    back = (0.0 - direction[0], 0.0 - direction[1], 0.0 - direction[2])
    return replace(axis, direction=back, low_rad=0.0 - axis.high_rad, high_rad=0.0 - axis.low_rad)


def mirror_joint(joint: Joint) -> Joint:
    return replace(joint, name=swap_side(joint.name), axes=tuple(mirror_axis(a) for a in joint.axes))


def mirror_segment(segment: Segment) -> Segment:
    return replace(
        segment,
        name=swap_side(segment.name),
        parent=None if segment.parent is None else swap_side(segment.parent),
        joint=None if segment.joint is None else mirror_joint(segment.joint),
        origin_m=mirror_point(segment.origin_m),
        com_m=mirror_point(segment.com_m),
        inertia_kgm2=mirror_inertia(segment.inertia_kgm2),
        shapes=tuple(mirror_shape(s) for s in segment.shapes),
        ground_m=tuple(mirror_point(p) for p in segment.ground_m),
    )


def mirror_landmark(mark: Landmark) -> Landmark:
    return replace(
        mark, name=swap_side(mark.name), segment=swap_side(mark.segment), position_m=mirror_point(mark.position_m)
    )
