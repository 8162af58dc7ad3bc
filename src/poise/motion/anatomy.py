"""Orientations of the parts of a body in a clip, for any bone frames.

Programs use bone frames of any kind, and many clips have no pose in which all of them are known. But some directions
are fixed in a bone's own frame: the bone itself, the bending axes of knees and elbows, and the up direction of a
planted foot. All of these are found from the motion. Each part then gets the orientation of one of our segments: x
forward, y left, z up when the person stands upright with hanging arms.
"""

from __future__ import annotations

from collections.abc import Mapping as Table
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.motion.clip import Clip
from poise.motion.contacts import find_runs
from poise.motion.mapping import Mapping
from poise.motion.rotations import (
    FloatArray,
    matrix_to_quat,
    quat_conjugate,
    quat_mean,
    quat_multiply,
    quat_rotate,
)

_MIN_BEND: Final = 0.05
"""Least mean sine of a knee's bend that determines its axis."""

_UPRIGHT: Final = 0.85
"""Least cosine between a bone of a standing person's rest pose and the vertical."""

_UP: Final = np.array([0.0, 0.0, 1.0])


def compute_part_turns(clip: Clip, mapping: Mapping) -> dict[str, FloatArray]:
    """World orientations (F, 4) of the parts by role, in the frames of our segments."""
    return _Anatomy(clip, mapping).find_all()


class _Anatomy:
    def __init__(self, clip: Clip, mapping: Mapping) -> None:
        self.clip = clip
        self.joints: Table[str, int] = mapping.joints
        self.places, self.turns = clip.places_w_m, clip.turns_wxyz
        self.rest = _find_rest(clip, mapping)
        self.found: dict[str, FloatArray] = {}

    def find_all(self) -> dict[str, FloatArray]:
        self._find_pelvis()
        self._find_trunk()
        for side in SIDES:
            self._find_limb(side, ("thigh", "shank", "foot"), 1.0, "pelvis")
            self._find_limb(side, ("upper_arm", "forearm", "hand"), -1.0, "trunk")
            self._find_foot(side)
            self._follow(f"{side}_toes", f"{side}_foot", self._middles_of_contacts(side))
            self._follow(f"{side}_hand", f"{side}_forearm")
        if "head" in self.joints:
            if self.rest is not None:
                self._set_from_rest("head")
            else:
                self._follow("head", "trunk" if "trunk" in self.found else "pelvis")
        return self.found

    def local(self, role: str, vectors_w: FloatArray) -> FloatArray:
        """Mean of vectors (F, 3) in the frame of a role's bone."""
        inverse = quat_conjugate(self.turns[:, self.joints[role]])
        return quat_rotate(inverse, np.broadcast_to(vectors_w, inverse.shape[:-1] + (3,))).mean(axis=0)

    def place(self, role: str) -> FloatArray:
        return self.places[:, self.joints[role]]

    def set_frame(self, role: str, up: FloatArray, left: FloatArray, keep_up: bool) -> None:
        """Record a part from the up and left axes in its bone's frame; `keep_up` says which one is kept exactly."""
        forward = np.cross(left, up)
        size = float(np.linalg.norm(forward))
        if size < 1e-9:
            forward, size = np.cross(np.eye(3)[int(np.argmin(np.abs(up)))], up), 1.0
        forward = forward / np.linalg.norm(forward)
        if keep_up:
            up = up / np.linalg.norm(up)
            left = np.cross(up, forward)
        else:
            left = left / np.linalg.norm(left)
            up = np.cross(forward, left)
        fixed = matrix_to_quat(np.stack([forward, left, up], axis=-1))
        self.found[role] = quat_multiply(self.turns[:, self.joints[role]], fixed)

    def _set_from_rest(self, role: str) -> None:
        assert self.rest is not None
        left, turns = self.rest
        inverse = quat_conjugate(turns[self.joints[role]])
        self.set_frame(role, quat_rotate(inverse, _UP), quat_rotate(inverse, left), keep_up=True)

    def _find_pelvis(self) -> None:
        if self.rest is not None:
            self._set_from_rest("pelvis")
            return
        hips = self.place("left_thigh") - self.place("right_thigh")
        middle = 0.5 * (self.place("left_thigh") + self.place("right_thigh"))
        has_trunk = "trunk" in self.joints and self.joints["trunk"] != self.joints["pelvis"]
        above = self.place("trunk") - middle if has_trunk else np.broadcast_to(_UP, middle.shape)
        self.set_frame("pelvis", self.local("pelvis", above), self.local("pelvis", hips), keep_up=False)

    def _find_trunk(self) -> None:
        if "trunk" not in self.joints:
            return
        if self.rest is not None:
            self._set_from_rest("trunk")
            return
        arms = [f"{side}_upper_arm" for side in SIDES]
        if not all(arm in self.joints for arm in arms) or self.joints["trunk"] == self.joints["pelvis"]:
            self._follow("trunk", "pelvis")
            return
        across = self.place(arms[0]) - self.place(arms[1])
        above = 0.5 * (self.place(arms[0]) + self.place(arms[1])) - self.place("pelvis")
        self.set_frame("trunk", self.local("trunk", above), self.local("trunk", across), keep_up=False)

    def _find_limb(self, side: str, parts: tuple[str, str, str], sign: float, base: str) -> None:
        """Find both bones of a limb: they point down and bend about an axis to the left (right if sign is -1)."""
        upper, lower, end = (f"{side}_{part}" for part in parts)
        if upper not in self.joints or lower not in self.joints:
            return
        first = self.place(lower) - self.place(upper)
        second = self._find_end(lower, end) - self.place(lower)
        if not (np.linalg.norm(first, axis=-1) > 0.0).all() or not (np.linalg.norm(second, axis=-1) > 0.0).all():
            return
        first = first / np.linalg.norm(first, axis=-1, keepdims=True)
        second = second / np.linalg.norm(second, axis=-1, keepdims=True)
        bends = sign * np.cross(first, second)
        left_w = quat_rotate(self.found.get(base, self.found["pelvis"]), np.broadcast_to([0.0, 1.0, 0.0], bends.shape))
        clear = float(np.linalg.norm(self.local(upper, bends))) > _MIN_BEND
        for role, bone in ((upper, first), (lower, second)):
            left = self.local(role, bends if clear else left_w)
            self.set_frame(role, -self.local(role, bone), left, keep_up=True)

    def _find_end(self, lower: str, end: str) -> FloatArray:
        """End of a limb's lower bone: the next joint, or an end site."""
        if end in self.joints:
            return self.place(end)
        joint = self.joints[lower]
        bone = np.broadcast_to(self.clip.skeleton.bone_m(joint), self.places[:, joint].shape)
        return self.places[:, joint] + quat_rotate(self.turns[:, joint], bone)

    def _find_foot(self, side: str) -> None:
        """Find a foot: up while it is planted, forward toward its toes."""
        role = f"{side}_foot"
        if role not in self.joints or f"{side}_shank" not in self.found:
            return
        inverse = quat_conjugate(self.turns[:, self.joints[role]])
        stands = self._middles_of_contacts(side)
        up = quat_rotate(inverse, np.broadcast_to(_UP, inverse.shape[:-1] + (3,)))[stands].mean(axis=0)
        shank = quat_rotate(self.found[f"{side}_shank"], np.broadcast_to([0.0, 1.0, 0.0], inverse.shape[:-1] + (3,)))
        left = self.local(role, shank)
        toe = self.clip.skeleton.bone_m(self.joints[role])
        if f"{side}_toes" in self.joints:
            toe = self.local(role, self.place(f"{side}_toes") - self.place(role))
        ahead = toe - up * float(toe @ up) / max(float(up @ up), 1e-12)
        if float(np.linalg.norm(ahead)) > 0.3 * max(float(np.linalg.norm(toe)), 1e-9):
            left = np.cross(up, ahead)
        self.set_frame(role, up, left, keep_up=True)

    def _middles_of_contacts(self, side: str) -> np.ndarray:
        """Frames in the middle halves of contacts, where the foot is flat; all frames if there are no contacts."""
        flags = np.zeros(self.clip.frames, dtype=np.bool_)
        if self.clip.contacts is not None:
            for first, last in find_runs(self.clip.contacts[:, SIDES.index(side)]):
                quarter = (last - first) // 4
                flags[first + quarter : last - quarter + 1] = True
        return flags if flags.any() else ~flags

    def _follow(self, role: str, leader: str, when: np.ndarray | None = None) -> None:
        """Give a part the same mean orientation as another."""
        if role not in self.joints or leader not in self.found:
            return
        turns = self.turns[:, self.joints[role]]
        apart = quat_multiply(quat_conjugate(turns), self.found[leader])
        fixed = quat_mean(apart if when is None else apart[when])
        self.found[role] = quat_multiply(turns, fixed)


def _find_rest(clip: Clip, mapping: Mapping) -> tuple[FloatArray, FloatArray] | None:
    """The left direction in a standing pose, and the orientations of all joints in it, (J, 4).

    The pose is the one before the motion, or that of unrotated joints; None if neither stands.
    """
    none = np.zeros((len(clip.skeleton.names), 4))
    none[:, 0] = 1.0
    for quats in (clip.rest_wxyz, none):
        if quats is not None:
            places, turns = clip.skeleton.compute_globals(np.zeros((1, 3)), quats[None])
            left = _find_left(places[0], mapping.joints)
            if left is not None:
                return left, turns[0]
    return None


def _find_left(places_m: FloatArray, joints: Table[str, int]) -> FloatArray | None:
    """The direction from the right hip to the left one in a standing pose; None if the pose does not stand."""
    pairs = [(f"{s}_{low}", f"{s}_{high}") for s in SIDES for low, high in (("shank", "thigh"), ("foot", "shank"))]
    if "trunk" in joints and joints["trunk"] != joints["pelvis"]:
        pairs.append(("pelvis", "trunk"))
    for low, high in pairs:
        bone = places_m[joints[high]] - places_m[joints[low]]
        if not float(bone[2]) > _UPRIGHT * float(np.linalg.norm(bone)):
            return None
    left = (places_m[joints["left_thigh"]] - places_m[joints["right_thigh"]]) * [1.0, 1.0, 0.0]
    size = float(np.linalg.norm(left))
    return left / size if size > 0.0 else None
