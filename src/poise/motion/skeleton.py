"""`Skeleton`: joints with their positions in the parent's frame, and forward kinematics.

A clip's skeleton is that of its file or of a character. It holds lengths: a `poise.motion.mapping.Mapping` gives the
roles of its joints in a body (thigh, foot), from their names or from `known_roles`.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from poise.characters.model import Character
from poise.errors import InputError, unknown_name
from poise.motion.rotations import FloatArray, quat_multiply, quat_rotate

MAX_JOINTS: Final = 400
"""Far above any skeleton, even with hands and face."""


@dataclass(frozen=True)
class EndSite:
    """A point at the end of a limb, in the frame of its joint."""

    joint: int
    offset_m: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """J joints, parents first; the first one is the root, whose parent is -1."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    #: Position of each joint in its parent's frame, (J, 3); the root's is not used.
    offsets_m: FloatArray
    ends: tuple[EndSite, ...] = ()
    #: Names of joints by role, for roles that the names do not reveal: given by the user, or found from the motion.
    known_roles: Table[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        count = len(self.names)
        if not count or count > MAX_JOINTS:
            raise InputError(f"a skeleton has 1 to {MAX_JOINTS} joints", where="skeleton", got=count)
        if len(set(self.names)) != count:
            raise InputError("two joints have the same name", where="skeleton", got=_find_twice(self.names))
        if len(self.parents) != count or self.offsets_m.shape != (count, 3):
            raise InputError("names, parents and offsets must have the same length", where="skeleton")
        if self.parents[0] != -1 or any(not 0 <= p < k for k, p in enumerate(self.parents) if k):
            raise InputError("parents must come before their children, the root first", where="skeleton")

    def index(self, name: str) -> int:
        """Index of the joint with this name."""
        if name not in self.names:
            raise unknown_name("skeleton", "joint", name, self.names)
        return self.names.index(name)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Children of each joint."""
        return tuple(tuple(c for c, p in enumerate(self.parents) if p == k) for k in range(len(self.names)))

    @cached_property
    def depth_first(self) -> tuple[int, ...]:
        """All joints in depth-first order, as files nest them."""
        order: list[int] = []
        waiting = [0]
        while waiting:
            joint = waiting.pop()
            order.append(joint)
            waiting += reversed(self.children[joint])
        return tuple(order)

    def up_from(self, joint: int) -> Iterator[int]:
        """A joint, its parent, and so on to the root."""
        while joint >= 0:
            yield joint
            joint = self.parents[joint]

    def below(self, joint: int) -> list[int]:
        """A joint and all its descendants, parents first."""
        inside = {joint}
        for k, parent in enumerate(self.parents):
            if parent in inside:
                inside.add(k)
        return sorted(inside)

    def bone_m(self, joint: int) -> FloatArray:
        """Vector from a joint to its far end, in its frame: the mean of its children, or of its end sites."""
        places = [self.offsets_m[c] for c in self.children[joint]]
        places = places or [np.array(e.offset_m) for e in self.ends if e.joint == joint]
        return np.mean(places, axis=0) if places else np.zeros(3)

    def compute_globals(
        self, root_pos_m: FloatArray, quats_wxyz: FloatArray, shifts_m: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Positions (F, J, 3) and orientations (F, J, 4) of all joints in the world, from local rotations (F, J, 4)."""
        places, turns = np.empty(quats_wxyz.shape[:-1] + (3,)), np.empty_like(quats_wxyz)
        places[:, 0], turns[:, 0] = root_pos_m, quats_wxyz[:, 0]
        for k, parent in enumerate(self.parents[1:], start=1):
            offset = np.broadcast_to(self.offsets_m[k], places[:, k].shape) if shifts_m is None else shifts_m[:, k]
            places[:, k] = places[:, parent] + quat_rotate(turns[:, parent], offset)
            turns[:, k] = quat_multiply(turns[:, parent], quats_wxyz[:, k])
        return places, turns


def make_character_skeleton(character: Character) -> Skeleton:
    """Skeleton of a character, with one joint per segment, named after it."""
    names = character.segment_names
    parents = tuple(-1 if s.parent is None else names.index(s.parent) for s in character.segments)
    offsets = np.array([s.origin_m for s in character.segments], dtype=np.float64)
    inner = {s.parent for s in character.segments}
    ends = []
    for k, segment in enumerate(character.segments):
        if segment.name not in inner:
            # Twice as far from the joint as the centre of mass.
            x, y, z = (2.0 * c for c in segment.com_m)
            ends.append(EndSite(k, (x, y, z)))
    return Skeleton(names, parents, offsets, tuple(ends))


def _find_twice(names: tuple[str, ...]) -> str:
    return next(name for name in names if names.count(name) > 1)
