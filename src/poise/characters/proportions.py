"""Variants of a character: other proportions, another mass, the mirror image.

A part is scaled in all three directions: its shapes, centres of mass, landmarks and the anchors of its children grow
with the factor s, its mass with s³ and its inertia with s⁵. `mass` multiplies all masses and inertias afterwards.
Gains, torque limits, armature, springs and dampers then follow the total mass [Coros10 §5.4], so that a change of mass
alone leaves the same motion under the same control.

Parts do not overlap: a leg reaches from the hip to the ankle, `feet` are everything below it, `trunk` is everything
except legs, feet, arms and head (it includes the pelvis).

`knee`, `left_knee` and `right_knee` are not factors but the thigh's share of the leg, see `knees`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from poise.characters.knees import MAX_KNEE, MIN_KNEE, has_knee, move_knees
from poise.characters.model import SIDES, Axis, Character, Segment, Shape, Vec3, swap_side
from poise.characters.sides import flips_when_mirrored, mirror_landmark, mirror_segment
from poise.errors import InputError, out_of_range, unknown_name
from poise.kernels.fixed import add_up

#: The thigh's share of a leg, for one side or both.
KNEES: Final = ("left_knee", "right_knee", "knee")
#: Parameters of `scaled` and `poise run --scale`.
PARTS: Final = (
    "left_leg", "right_leg", "legs", "left_arm", "right_arm", "arms", "trunk", "head", "feet", *KNEES, "mass",
)  # fmt: skip
MIN_FACTOR: Final = 0.2
MAX_FACTOR: Final = 5.0


def scaled(character: Character, **factors: float) -> Character:
    """The character with parts scaled by factors: `scaled(humanoid, legs=1.2, left_arm=0.8, knee=0.5, mass=1.1)`."""
    for part, factor in factors.items():
        _check_factor(part, factor)
    if all(factor == 1.0 for factor in factors.values()):
        return character
    knees = _find_knees(character, factors)
    by_segment = _segment_factors(character, factors)
    by_mass = float(factors.get("mass", 1.0))
    grown = [_grow(s, by_segment, by_mass) for s in character.segments]
    marks = [replace(m, position_m=_times(m.position_m, by_segment[m.segment])) for m in character.landmarks]
    if knees:
        grown, marks = move_knees(character, knees, grown, marks)
    ratio = add_up(s.mass_kg for s in grown) / character.mass_kg
    return replace(character, segments=tuple(_drive(s, ratio) for s in grown), landmarks=tuple(marks))


def _check_factor(part: str, factor: float) -> None:
    if part not in PARTS:
        raise unknown_name("scale", "part", part, PARTS)
    if isinstance(factor, bool) or not isinstance(factor, (int, float)):
        raise InputError(f"the factor of {part} must be a number", where="scale", got=factor)
    low, high = (MIN_KNEE, MAX_KNEE) if part in KNEES else (MIN_FACTOR, MAX_FACTOR)
    if not math.isfinite(factor) or not low <= factor <= high:
        raise out_of_range("scale", part, factor, low, high)


def _find_knees(character: Character, factors: Mapping[str, float]) -> dict[str, float]:
    """Side -> the thigh's share of the leg; a value for one side overrides that for both."""
    knees: dict[str, float] = {}
    for side in SIDES:
        part = factors.get(f"{side}_knee", factors.get("knee"))
        if part is None:
            continue
        if not has_knee(character, side):
            raise InputError(
                f"the {side} leg of character {character.name} is not a thigh, shank and foot with one knee",
                where="scale",
                allowed=_describe_parts(character),
            )
        knees[side] = float(part)
    return knees


def find_part(character: Character, part: str) -> tuple[str, ...]:
    """Names of the segments of `left_leg`, `right_leg`, `left_arm`, `right_arm`, `head`, `feet` or `trunk`."""
    roles = character.roles
    if part == "feet":
        inside = {
            name
            for side in SIDES
            if roles[f"{side}_foot"] != roles[f"{side}_shank"]
            for name in character.below(roles[f"{side}_foot"])
        }
    elif part == "trunk":
        limbs = {
            n
            for p in ("left_leg", "right_leg", "left_arm", "right_arm", "head", "feet")
            for n in find_part(character, p)
        }
        inside = set(character.segment_names) - limbs
    else:
        top = {"left_leg": "left_thigh", "right_leg": "right_thigh", "left_arm": "left_upper_arm",
               "right_arm": "right_upper_arm", "head": "head"}[part]  # fmt: skip
        # A head counts as a part only if it is a separate segment that does not carry the rest of the body.
        is_limb = top in roles and roles[top] not in (roles["pelvis"], roles["trunk"])
        inside = set(character.below(roles[top])) if is_limb else set()
        if part.endswith("_leg"):
            inside -= set(find_part(character, "feet"))
    return tuple(name for name in character.segment_names if name in inside)


def _segment_factors(character: Character, factors: Mapping[str, float]) -> dict[str, float]:
    by_segment = dict.fromkeys(character.segment_names, 1.0)
    for part, factor in factors.items():
        if part in (*KNEES, "mass"):
            continue
        parts = [f"{side}_{part[:-1]}" for side in SIDES] if part in ("legs", "arms") else [part]
        names = [name for p in parts for name in find_part(character, p)]
        if not names:
            raise InputError(
                f"character {character.name} has no separate {part}",
                where="scale",
                allowed=_describe_parts(character),
            )
        for name in names:
            by_segment[name] *= float(factor)
    return by_segment


def _describe_parts(character: Character) -> str:
    sided = [p for p in PARTS if p not in (*KNEES, "legs", "arms", "mass") and find_part(character, p)]
    pairs = [p for p in ("legs", "arms") if f"left_{p[:-1]}" in sided]
    knees = list(KNEES) if all(has_knee(character, side) for side in SIDES) else []
    return f"It has: {', '.join([*sided, *pairs, *knees, 'mass'])}"


def _times(vector: Vec3, factor: float) -> Vec3:
    return vector[0] * factor, vector[1] * factor, vector[2] * factor


def _grow_shape(shape: Shape, factor: float) -> Shape:
    size = tuple(s * factor for s in shape.size_m)
    return replace(shape, size_m=size, center_m=_times(shape.center_m, factor))


def _grow(segment: Segment, by_segment: Mapping[str, float], by_mass: float) -> Segment:
    factor = by_segment[segment.name]
    xx, yy, zz, xy, xz, yz = (v * factor**5 * by_mass for v in segment.inertia_kgm2)
    return replace(
        segment,
        origin_m=_times(segment.origin_m, 1.0 if segment.parent is None else by_segment[segment.parent]),
        mass_kg=segment.mass_kg * factor**3 * by_mass,
        com_m=_times(segment.com_m, factor),
        inertia_kgm2=(xx, yy, zz, xy, xz, yz),
        shapes=tuple(_grow_shape(s, factor) for s in segment.shapes),
        ground_m=tuple(_times(p, factor) for p in segment.ground_m),
    )


def _drive(segment: Segment, ratio: float) -> Segment:
    if segment.joint is None:
        return segment
    axes = tuple(_drive_axis(a, ratio) for a in segment.joint.axes)
    return replace(segment, joint=replace(segment.joint, axes=axes))


def _drive_axis(axis: Axis, ratio: float) -> Axis:
    return replace(
        axis,
        torque_limit_nm=axis.torque_limit_nm * ratio,
        kp_nm_per_rad=axis.kp_nm_per_rad * ratio,
        kd_nms_per_rad=axis.kd_nms_per_rad * ratio,
        armature_kgm2=axis.armature_kgm2 * ratio,
        stiffness_nm_per_rad=axis.stiffness_nm_per_rad * ratio,
        damping_nms_per_rad=axis.damping_nms_per_rad * ratio,
    )


def mirrored(character: Character) -> Character:
    """The mirror image: left and right are exchanged."""
    order = {name: i for i, name in enumerate(character.segment_names)}
    segments = [mirror_segment(s) for s in character.segments]
    marks = [mirror_landmark(m) for m in character.landmarks]
    if all(s.name in order for s in segments):
        # If both sides have the same names, keep the order of the joint vectors.
        segments.sort(key=lambda s: order[s.name])
    mark_order = {m.name: i for i, m in enumerate(character.landmarks)}
    if all(m.name in mark_order for m in marks):
        marks.sort(key=lambda m: mark_order[m.name])
    flipped = {a.name for a in character.axes if flips_when_mirrored(a)}
    rest = {swap_side(n): 0.0 - v if n in flipped else v for n, v in character.rest_pose_rad.items()}
    roles = {swap_side(role): swap_side(name) for role, name in character.roles.items()}
    return replace(character, segments=tuple(segments), roles=roles, landmarks=tuple(marks), rest_pose_rad=rest)
