"""A recorded motion on a character: poses at 30 frames per second, with everything that the law reads from them."""

from __future__ import annotations

import math
from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from poise.characters.model import SIDES, Character
from poise.kernels.fixed import norm
from poise.motion.clip import Clip
from poise.motion.contacts import annotate
from poise.motion.conventions import LEG_M, compute_leg_length
from poise.motion.fragments import Fragment, find_fragments
from poise.motion.mapping import Mapping, guess_mapping
from poise.motion.resample import resample
from poise.motion.retarget import retarget
from poise.motion.rotations import (
    FloatArray,
    quat_about,
    quat_between,
    quat_conjugate,
    quat_multiply,
    quat_rotate,
)
from poise.motion.skeleton import Skeleton, make_character_skeleton

RATE_HZ: Final = 30.0
"""Frames per second of reference and control [Lee10 §3]."""

RATE_SLACK_HZ: Final = 0.1
SAME_LENGTH: Final = 0.02
"""Bones whose lengths differ by less than this fraction belong to the same body."""


@dataclass(frozen=True, eq=False)
class Reference:
    """F poses of a character: root positions (F, 3), and rotations (F, S, 4) relative to the parents or the world."""

    character: Character
    root_pos_m: FloatArray
    turns: FloatArray
    #: Name of the motion in messages.
    name: str = "motion"

    @property
    def frames(self) -> int:
        return len(self.root_pos_m)

    @property
    def skeleton(self) -> Skeleton:
        return make_character_skeleton(self.character)

    def places_w_m(self) -> FloatArray:
        """Positions of the joints, (F, S, 3)."""
        return self.skeleton.compute_globals(self.root_pos_m, self.turns)[0]

    def feet(self) -> list[int]:
        """Indices of the left and the right foot."""
        return [self.character.segment_names.index(self.character.roles[f"{side}_foot"]) for side in SIDES]

    def fragments(self) -> tuple[Fragment, ...]:
        """The motion, cut where its contacts with the ground change."""
        clip = Clip(self.character.name, self.skeleton, 1.0 / RATE_HZ, self.root_pos_m, self.turns)
        names = self.character.segment_names
        mapping = Mapping({role: names.index(s) for role, s in self.character.roles.items()})
        return find_fragments(annotate(clip, mapping))

    def velocities_mps(self) -> FloatArray:
        """The root's velocity, (F, 3), by central differences, one-sided at the ends."""
        return np.gradient(self.root_pos_m, 1.0 / RATE_HZ, axis=0)

    def cut(self, first: int, last: int) -> Reference:
        """The frames from first to last, both included."""
        part = slice(first, last + 1)
        return replace(self, root_pos_m=self.root_pos_m[part].copy(), turns=self.turns[part].copy())

    def faced_forward(self) -> Reference:
        """The same motion, rotated and moved: its first frame faces forward over the origin."""
        first = self.turns[0, 0]
        back = quat_about((0.0, 0.0, 1.0), np.array([-2.0 * math.atan2(first[3], first[0])]))
        moved = self.root_pos_m - self.root_pos_m[0] * np.array([1.0, 1.0, 0.0])
        turns = self.turns.copy()
        turns[:, 0] = quat_multiply(np.broadcast_to(back, turns[:, 0].shape), turns[:, 0])
        places = quat_rotate(np.broadcast_to(back, (self.frames, 4)), moved)
        return replace(self, root_pos_m=places, turns=turns)


def make_reference(clip: Clip, character: Character) -> Reference:
    """A clip on a character, at 30 frames per second; it starts over the origin, facing forward.

    A recording of this body is used unchanged, including feet that sink or slide; anything else is retargeted. If this
    body has been given shorter legs, the same angles carry it less far, and its path is scaled down with them.
    """
    if abs(clip.rate_hz - RATE_HZ) > RATE_SLACK_HZ:
        clip = resample(clip, RATE_HZ)
    if clip.character == character.name and clip.skeleton.names == character.segment_names:
        part = _leg_m(make_character_skeleton(character), character) / _leg_m(clip.skeleton, character)
        places = part * clip.root_pos_m if part < 1.0 - SAME_LENGTH else clip.root_pos_m
        return Reference(character, places, clip.quats_wxyz, f"clip {clip.name}").faced_forward()
    name = f"clip {clip.name}"
    mapping = guess_mapping(clip.skeleton)
    mapping.require_legs(clip.skeleton, name)
    pairs = _pair_joints(clip, mapping, character)
    if _is_same_body(clip.skeleton, make_character_skeleton(character), pairs):
        return replace(_carry(clip, mapping, character, pairs), name=name).faced_forward()
    fitted = retarget(clip, mapping, character).clip
    return Reference(character, fitted.root_pos_m, fitted.quats_wxyz, name).faced_forward()


def _leg_m(skeleton: Skeleton, character: Character) -> float:
    """Leg length of a skeleton whose joints are named like a character's segments."""
    joints = {role: skeleton.names.index(name) for role, name in character.roles.items()}
    return compute_leg_length(skeleton, Mapping(joints)) or LEG_M


def _is_same_body(skeleton: Skeleton, own: Skeleton, pairs: Table[int, int]) -> bool:
    """Whether every segment has its own joint, at the same distance from its parent's."""
    if len(set(pairs.values())) < len(own.names):
        return False
    for s, joint in pairs.items():
        if own.parents[s] < 0:
            continue
        if skeleton.parents[joint] != pairs[own.parents[s]]:
            return False
        a, b = norm(own.offsets_m[s]), norm(skeleton.offsets_m[joint])
        if abs(a - b) > SAME_LENGTH * a:
            return False
    return True


def _carry(clip: Clip, mapping: Mapping, character: Character, pairs: Table[int, int]) -> Reference:
    """Every segment rotated like its joint in the clip, with parallel bones."""
    skeleton = make_character_skeleton(character)
    shape = (clip.frames, 4)
    world = np.zeros((clip.frames, len(character.segments), 4))
    for s, segment in enumerate(character.segments):
        turn = clip.turns_wxyz[:, pairs[s]]
        if segment.name in _limbs(character):
            align = quat_between(skeleton.bone_m(s), clip.skeleton.bone_m(pairs[s]))
            turn = quat_multiply(turn, np.broadcast_to(align, shape))
        world[:, s] = turn
    turns = world.copy()
    for s, parent in enumerate(skeleton.parents):
        if parent >= 0:
            turns[:, s] = quat_multiply(quat_conjugate(world[:, parent]), world[:, s])
    return Reference(character, _place_root(clip, mapping, character, world[:, 0]), turns)


def _limbs(character: Character) -> set[str]:
    return {name for role, name in character.roles.items() if role.startswith(("left_", "right_"))}


def _pair_joints(clip: Clip, mapping: Mapping, character: Character) -> dict[int, int]:
    """Joints of the clip by segment: limbs by their roles, the spine from the pelvis to the shoulders in order."""
    names = character.segment_names
    limbs = [r for r in character.roles if r.startswith(("left_", "right_")) and r in mapping.joints]
    pairs = {names.index(character.roles[role]): mapping.joints[role] for role in limbs}
    pairs[0] = mapping.joints["pelvis"]
    own = _spine(make_character_skeleton(character), _top(character, names), 0)
    theirs = _spine(clip.skeleton, mapping.joints.get("trunk", pairs[0]), pairs[0])
    return {**pairs, **dict(zip(own, theirs))}


def _top(character: Character, names: tuple[str, ...]) -> int:
    """The segment that carries the arms, or the trunk if there are none."""
    arm = character.roles.get("left_upper_arm")
    parent = character.segment(arm).parent if arm else None
    return names.index(parent or character.roles["trunk"])


def _spine(skeleton: Skeleton, top: int, root: int) -> list[int]:
    """Joints above the root up to the top, from below."""
    chain = list(skeleton.up_from(top))
    return list(reversed(chain[: chain.index(root)])) if root in chain else []


def _place_root(clip: Clip, mapping: Mapping, character: Character, root_turns: FloatArray) -> FloatArray:
    """Positions of the root that keep the middle of the hips where it was recorded."""
    names, offsets = character.segment_names, make_character_skeleton(character).offsets_m
    hips = clip.places_w_m[:, [mapping.joints[f"{side}_thigh"] for side in SIDES]].mean(axis=1)
    middle = offsets[[names.index(character.roles[f"{side}_thigh"]) for side in SIDES]].mean(axis=0)
    return hips - quat_rotate(root_turns, np.broadcast_to(middle, hips.shape))
