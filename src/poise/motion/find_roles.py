"""Roles of the joints of a motion: as given, by name, or from the shape of the body if names do not reveal the legs."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import replace

import numpy as np

from poise.characters.model import SIDES
from poise.motion.bases import sample_joints
from poise.motion.mapping import LEG_ROLES, guess_mapping
from poise.motion.raw import RawClip
from poise.motion.rotations import quat_rotate
from poise.motion.skeleton import Skeleton
from poise.motion.topology import find_limbs


def find_roles(raw: RawClip, given: Table[str, str]) -> RawClip:
    """The motion with roles in its skeleton for joints whose names do not reveal them; `given` are names by role."""
    skeleton = add_roles(raw.skeleton, given)
    if not guess_mapping(skeleton).missing_legs:
        return replace(raw, skeleton=skeleton)
    found = {role: skeleton.names[joint] for role, joint in _find_by_shape(raw, skeleton, given).items()}
    if not found:
        return replace(raw, skeleton=skeleton)
    legs = ", ".join(f"{role} {name}" for role, name in found.items() if role in LEG_ROLES)
    note = f"names do not reveal the legs; from the shape of the body: {legs}"
    return replace(raw, skeleton=add_roles(skeleton, {**found, **given}), notes=(*raw.notes, note))


def add_roles(skeleton: Skeleton, roles: Table[str, str]) -> Skeleton:
    """The skeleton with more known roles, which are checked."""
    guess_mapping(skeleton, roles)
    return replace(skeleton, known_roles={**skeleton.known_roles, **roles})


def _find_by_shape(raw: RawClip, skeleton: Skeleton, given: Table[str, str]) -> dict[str, int]:
    """Joints by role that are neither given nor have another role."""
    places, turns = sample_joints(raw)
    ends = [e.joint for e in skeleton.ends]
    offsets = np.array([e.offset_m for e in skeleton.ends]).reshape(-1, 3)
    tips = places[:, ends] + quat_rotate(turns[:, ends], offsets)
    joints = {role: skeleton.names.index(name) for role, name in given.items()}
    middle = frozenset(joint for role, joint in joints.items() if not role.startswith(SIDES))
    found = find_limbs(skeleton, places, tips, middle)
    if any(found.get(_swap_side(role)) == joint for role, joint in joints.items() if role.startswith(SIDES)):
        found = {_swap_side(role): joint for role, joint in found.items()}
    return {role: joint for role, joint in found.items() if role not in joints and joint not in joints.values()}


def _swap_side(role: str) -> str:
    side, _, part = role.partition("_")
    return f"{SIDES[1 - SIDES.index(side)]}_{part}" if side in SIDES else role
