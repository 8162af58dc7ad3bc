"""`Mapping`: the joints of a skeleton by their role in a body, guessed from names and open to correction."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from poise.characters.model import ROLES, SIDES
from poise.errors import InputError, unknown_name
from poise.motion.joint_names import MIDDLE_WORDS, PART_WORDS, NameParts, split_names
from poise.motion.skeleton import Skeleton

LEG_ROLES: Final = tuple(f"{side}_{part}" for side in SIDES for part in ("thigh", "shank", "foot"))
"""Without these nothing can be retargeted."""

MARK: Final = "poise:"
"""Prefix of joints in files of Poise that are named after their role, because their own names do not reveal it."""

_LIMBS: Final = (("thigh", "shank", "foot", "toes"), ("upper_arm", "forearm", "hand"))


@dataclass(frozen=True)
class Mapping:
    """Joint indices by role; roles that the skeleton lacks are absent."""

    joints: Table[str, int] = field(default_factory=dict)

    @property
    def missing_legs(self) -> list[str]:
        """Leg roles without a joint."""
        return [role for role in LEG_ROLES if role not in self.joints]

    @property
    def feet(self) -> list[int] | None:
        """Joints of the left and the right foot; None unless both are known."""
        found = [self.joints[f"{side}_foot"] for side in SIDES if f"{side}_foot" in self.joints]
        return found if len(found) == len(SIDES) else None

    def name_joints(self, skeleton: Skeleton) -> dict[str, str]:
        """Names of the joints by role, in the order of the roles."""
        return {role: skeleton.names[self.joints[role]] for role in ROLES if role in self.joints}

    def require_legs(self, skeleton: Skeleton, where: str) -> None:
        """Raise unless thighs, shanks and feet are known."""
        if not self.missing_legs:
            return
        listed = ", ".join(skeleton.names[:12]) + (" …" if len(skeleton.names) > 12 else "")
        raise InputError(
            f"no joint found for {', '.join(self.missing_legs)}",
            where=where,
            allowed=f"Name it with --map {self.missing_legs[0]}=JOINT. Joints here: {listed}",
        )


def guess_mapping(skeleton: Skeleton, given: Table[str, str] | None = None) -> Mapping:
    """Guess the joints from their names and the tree.

    The skeleton's known roles take precedence over names, and `given` (joint names by role) over both.
    """
    parts = split_names(skeleton.names)
    joints = _check_given(skeleton, given or {})
    joints |= {r: k for r, k in _find_known(skeleton).items() if r not in joints and k not in joints.values()}
    fixed = frozenset(joints)
    for side in SIDES:
        for limb in _LIMBS:
            _find_limb(skeleton, parts, side, limb, joints)
    _find_middle(skeleton, parts, joints, fixed)
    return Mapping({role: joints[role] for role in ROLES if role in joints})


def _find_known(skeleton: Skeleton) -> dict[str, int]:
    """Joints by role, as the skeleton knows them or as `MARK` in their names tells."""
    marked = {name.removeprefix(MARK): name for name in skeleton.names if name.startswith(MARK)}
    known = {role: name for role, name in marked.items() if role in ROLES} | dict(skeleton.known_roles)
    return {role: skeleton.names.index(name) for role, name in known.items() if name in skeleton.names}


def _check_given(skeleton: Skeleton, given: Table[str, str]) -> dict[str, int]:
    joints = {}
    for role, name in given.items():
        if role not in ROLES:
            raise unknown_name("--map", "role", role, ROLES)
        if name not in skeleton.names:
            raise unknown_name(f"--map {role}", "joint", name, skeleton.names)
        joints[role] = skeleton.names.index(name)
    return joints


def _find_limb(
    skeleton: Skeleton, parts: list[NameParts], side: str, limb: tuple[str, ...], joints: dict[str, int]
) -> None:
    """Find the joints of one limb from the trunk outward, each below the one before it."""
    above: int | None = None
    for part in limb:
        role = f"{side}_{part}"
        if role not in joints:
            inside = range(len(parts)) if above is None else skeleton.below(above)[1:]
            found = _find_part(skeleton, parts, side, part, list(inside), list(joints.values()))
            if found is None and above is not None and part in ("shank", "foot", "forearm"):
                found = _find_next(skeleton, above)
            if found is None:
                if part in ("thigh", "upper_arm"):
                    continue
                return
            joints[role] = found
        above = joints[role]
    _find_unnamed_first(skeleton, side, limb, joints)


def _find_part(
    skeleton: Skeleton, parts: list[NameParts], side: str, part: str, inside: list[int], taken: list[int]
) -> int | None:
    for word in PART_WORDS[part]:
        for joint in inside:
            if parts[joint] == (side, word) and joint not in taken:
                return joint
    return None


def _find_next(skeleton: Skeleton, joint: int) -> int | None:
    """The next joint along a limb: the only child at a distance; None if there are several or none."""
    children = [c for c in skeleton.children[joint] if float(np.linalg.norm(skeleton.offsets_m[c])) > 0.0]
    return children[0] if len(children) == 1 else None


def _find_unnamed_first(skeleton: Skeleton, side: str, limb: tuple[str, ...], joints: dict[str, int]) -> None:
    """Find a first joint without a known name: the parent of the second, if they are apart."""
    first, second = f"{side}_{limb[0]}", f"{side}_{limb[1]}"
    if first not in joints and second in joints and joints[second] > 0:
        if float(np.linalg.norm(skeleton.offsets_m[joints[second]])) > 0.0:
            joints[first] = skeleton.parents[joints[second]]


def _find_middle(skeleton: Skeleton, parts: list[NameParts], joints: dict[str, int], fixed: frozenset[str]) -> None:
    """Find pelvis and trunk, which carry both legs and both arms whatever their names, and the head."""
    for role, limb in (("pelvis", "thigh"), ("trunk", "upper_arm")):
        pair = [joints.get(f"{side}_{limb}") for side in SIDES]
        if role not in fixed:
            if pair[0] is not None and pair[1] is not None and pair[0] != pair[1]:
                joints[role] = _find_carrier(skeleton, pair[0], pair[1])
            elif (named := _find_named(parts, role, last=role == "trunk")) is not None:
                joints[role] = named
    joints.setdefault("pelvis", 0)
    if "head" not in fixed:
        head = _find_named(parts, "head", last=False)
        head = _find_named(parts, "neck", last=True) if head is None else head
        if head is not None:
            joints["head"] = head


def _find_carrier(skeleton: Skeleton, a: int, b: int) -> int:
    """The nearest common ancestor of two joints."""
    above = set(skeleton.up_from(a)) - {a, b}
    return next((joint for joint in skeleton.up_from(b) if joint in above), 0)


def _find_named(parts: list[NameParts], role: str, *, last: bool) -> int | None:
    for word in MIDDLE_WORDS[role]:
        found = [k for k, p in enumerate(parts) if p == ("", word)]
        if found:
            return found[-1] if last else found[0]
    return None
