"""What retargeting needs to know about a character: its legs, its soles, and the bone directions in its segments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise.characters.kinematics import compute_support_m
from poise.characters.model import SIDES, Character
from poise.kernels.fixed import add_up, norm
from poise.motion.rotations import FloatArray, quat_between, quat_rotate
from poise.motion.skeleton import Skeleton, make_character_skeleton

_DOWN = np.array([0.0, 0.0, -1.0])
_LIMBS = (("thigh", "shank"), ("shank", "foot"), ("upper_arm", "forearm"))


@dataclass(frozen=True, eq=False)
class BodyPlan:
    """A character seen as a skeleton; numbers of segments are those of `character.segments`."""

    character: Character

    @cached_property
    def skeleton(self) -> Skeleton:
        return make_character_skeleton(self.character)

    def index(self, role: str) -> int | None:
        """Index of the segment with a role."""
        name = self.character.roles.get(role)
        return None if name is None else self.character.segment_names.index(name)

    def leg(self, side: str) -> tuple[int, int, int]:
        """Thigh, shank and foot of a side."""
        names = self.character.segment_names
        thigh, shank, foot = (names.index(self.character.roles[f"{side}_{p}"]) for p in ("thigh", "shank", "foot"))
        return thigh, shank, foot

    def has_plain_leg(self, side: str) -> bool:
        """Whether a leg is a thigh attached to the pelvis, a shank attached to it and a foot attached to that."""
        thigh, shank, foot = self.leg(side)
        parents = self.skeleton.parents
        return parents[thigh] == (self.index("pelvis") or 0) and parents[shank] == thigh and parents[foot] == shank

    def vector_m(self, upper: int, lower: int) -> FloatArray:
        """Vector from the joint of a segment to that of one further out, with all joints between them at zero."""
        way = np.zeros(3)
        for joint in self.skeleton.up_from(lower):
            if joint == upper:
                return way
            way = way + self.skeleton.offsets_m[joint]
        return way

    @cached_property
    def leg_m(self) -> float:
        """Leg length from hip via knee to ankle, the mean of both sides."""
        lengths = []
        for side in SIDES:
            thigh, shank, foot = self.leg(side)
            lengths += [norm(self.vector_m(thigh, shank)), norm(self.vector_m(shank, foot))]
        return add_up(lengths) / len(SIDES)

    @cached_property
    def hips_m(self) -> FloatArray:
        """Positions of the hips in the root's frame, (2, 3), left first."""
        return np.array([self.vector_m(0, self.leg(side)[0]) for side in SIDES])

    @cached_property
    def bone_turns(self) -> dict[str, FloatArray]:
        """By role: the rotation from a bone's direction in its segment to straight down."""
        turns = {}
        for side in SIDES:
            for upper, lower in _LIMBS:
                a, b = self.index(f"{side}_{upper}"), self.index(f"{side}_{lower}")
                if a is not None and b is not None and float(np.linalg.norm(self.vector_m(a, b))) > 0.0:
                    turns[f"{side}_{upper}"] = quat_between(self.vector_m(a, b), _DOWN)
            forearm = self.index(f"{side}_forearm")
            if forearm is not None and any(self.character.segments[forearm].com_m):
                turns[f"{side}_forearm"] = quat_between(np.array(self.character.segments[forearm].com_m), _DOWN)
        return turns

    def sole_points(self, side: str) -> list[tuple[int, FloatArray]]:
        """Segments of a foot, and the points (N, 3) of each that may touch the ground: corners and landmarks."""
        foot = self.leg(side)[2]
        found = []
        for name in self.character.below(self.character.segment_names[foot]):
            points = [np.array(m.position_m) for m in self.character.landmarks if m.segment == name]
            for shape in self.character.segment(name).shapes:
                for x in (-1.0, 1.0):
                    for y in (-1.0, 1.0):
                        for tilt in (0.05, 0.3):
                            look = np.array([tilt * x, tilt * y, -1.0])
                            points.append(compute_support_m(shape, look / norm(look)))
            if points:
                found.append((self.character.segment_names.index(name), np.array(points)))
        return found or [(foot, np.zeros((1, 3)))]

    @cached_property
    def skin_points(self) -> list[tuple[int, FloatArray]]:
        """Segments other than feet, and points (N, 3) on the surface of each."""
        looks = np.array(
            [(x, y, z) for x in (-1, 0.1, 1) for y in (-1, 0.1, 1) for z in (-1, 0.1, 1)], dtype=np.float64
        )
        looks /= np.linalg.norm(looks, axis=-1, keepdims=True)
        feet = {segment for side in SIDES for segment, _ in self.sole_points(side)}
        found = []
        for k, segment in enumerate(self.character.segments):
            if k not in feet and segment.shapes:
                found.append((k, np.array([compute_support_m(s, look) for s in segment.shapes for look in looks])))
        return found

    def find_lowest_skin_m(self, places_w_m: FloatArray, turns_wxyz: FloatArray) -> FloatArray:
        """Height of the body's lowest point without its feet, (F,), from positions and rotations of all segments."""
        lowest = np.full(len(places_w_m), np.inf)
        for segment, points in self.skin_points:
            heights = quat_rotate(turns_wxyz[:, segment, None], points[None])[..., 2].min(axis=1)
            lowest = np.minimum(lowest, heights + places_w_m[:, segment, 2])
        return lowest

    @cached_property
    def ankle_m(self) -> float:
        """Height of the ankles over flat soles."""
        rest = -min(
            float((points[:, 2] + self.vector_m(self.leg(side)[2], segment)[2]).min())
            for side in SIDES
            for segment, points in self.sole_points(side)
        )
        return max(rest, 0.0)

    def sole_depth_m(self, side: str, places_w_m: FloatArray, turns_wxyz: FloatArray) -> FloatArray:
        """Depth of a foot's lowest point below its ankle, (F,), from positions and rotations of all segments."""
        return places_w_m[:, self.leg(side)[2], 2] - self.sole_w_m(side, places_w_m, turns_wxyz)[..., 2].min(axis=1)

    def sole_w_m(self, side: str, places_w_m: FloatArray, turns_wxyz: FloatArray) -> FloatArray:
        """Points of a sole in the world, (F, N, 3), from positions and rotations of all segments."""
        found = []
        for segment, points in self.sole_points(side):
            found.append(places_w_m[:, segment, None] + quat_rotate(turns_wxyz[:, segment, None], points[None]))
        return np.concatenate(found, axis=1)
