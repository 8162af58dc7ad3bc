"""Detection of frames at both ends of a clip that are not part of the motion: T-poses and other reference poses.

A program adds a pose of one frame or some, from which the motion jumps, or which it holds for seconds. A person may
also stand in a T-pose and then lower the arms. All are found. Standing with hanging arms is part of the motion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.kernels.fixed import cos
from poise.motion.clip import BoolArray, Clip
from poise.motion.conventions import LEG_M, compute_leg_length
from poise.motion.mapping import Mapping
from poise.motion.rotations import FloatArray, quat_conjugate, quat_multiply, quat_to_rotation_vector

_FEW_FRAMES: Final = 5
"""This many frames before a jump are separate even if they move."""

_JUMP: Final = 6.0
"""A change this many times the 90th percentile is not part of the motion."""

_MIN_JUMP_RAD: Final = 0.15
_USUAL_FRAMES: Final = 60
_RATE_HZ: Final = 30.0
_HELD_RAD: Final = 1e-4
"""Frames of a pose that a program holds differ by less."""

_ZERO_RAD: Final = 1e-3
"""Joints with smaller rotations are unrotated."""

_FEW_JOINTS: Final = 5
_ARM_RAISED_DEG: Final = (60.0, 120.0)
"""Angle from straight down of the arms in a T-pose."""

_ARM_STRAIGHT_DEG: Final = 35.0
_ARM_ASIDE_DEG: Final = 40.0
"""Largest angle between a horizontal arm and the line through both shoulders."""

_LEG_STRAIGHT_DEG: Final = 30.0
_STILL_M: Final = 0.1
"""Feet and pelvis of a person in a T-pose stay within this distance of where they are in its first frames."""

_LOWERING_S: Final = 1.5
_LOWERING_RADPS: Final = 0.3
_LOWERED_DEG: Final = 30.0
"""After a T-pose, arms are lowered at least this fast, within this time, to about this angle."""


@dataclass(frozen=True)
class _Ends:
    """Frames to leave out at one end, and what they hold."""

    count: int = 0
    pose: int = 0
    is_t_pose: bool = False


def drop_separate_poses(clip: Clip, mapping: Mapping) -> Clip:
    """The clip without reference poses at its ends, the first of which becomes its rest pose."""
    finder = _Finder(clip, mapping)
    first, last = finder.find(reverse=False), finder.find(reverse=True)
    if first.count + last.count == 0 or first.count + last.count > clip.frames - 2:
        return clip
    rest = clip.quats_wxyz[first.pose if first.count else clip.frames - 1 - last.pose].copy()
    notes = [
        _describe(e, clip, *words) for e, words in ((first, ("first", "before")), (last, ("last", "after"))) if e.count
    ]
    motion = clip.cut(first.count, clip.frames - 1 - last.count)
    return replace(motion, rest_wxyz=rest).noted(*notes)


def _describe(end: _Ends, clip: Clip, which: str, place: str) -> str:
    frames = f"the {which} frame" if end.count == 1 else f"the {which} {end.count} frames"
    if end.count > _FEW_FRAMES:
        frames += f" ({end.count * clip.frame_s:.1f} s)"
    return f"{frames} left out: a {'T-pose' if end.is_t_pose else 'separate pose'} {place} the motion"


class _Finder:
    """What the search needs to know about every frame, in order of time."""

    def __init__(self, clip: Clip, mapping: Mapping) -> None:
        turns = quat_to_rotation_vector(quat_multiply(quat_conjugate(clip.quats_wxyz[:-1]), clip.quats_wxyz[1:]))
        # All joints count alike: a T-pose differs everywhere, a kick only in one leg.
        self.changes = np.sqrt(np.mean(np.sum(turns**2, axis=-1), axis=-1))
        self.frame_s = clip.frame_s
        inner = quat_to_rotation_vector(clip.quats_wxyz[:, 1:])
        self.zero: BoolArray = np.zeros(clip.frames, dtype=np.bool_)
        # A skeleton of few joints may be unrotated at any time.
        if inner.shape[1] > _FEW_JOINTS:
            self.zero = np.asarray((np.abs(inner) < _ZERO_RAD).all(axis=(1, 2)))
        self.t_pose, self.arms_rad = find_t_poses(clip, mapping)
        stands = [mapping.joints[role] for role in ("pelvis", "left_foot", "right_foot") if role in mapping.joints]
        self.places = clip.places_w_m[:, stands]
        self.still_m = _STILL_M * (compute_leg_length(clip.skeleton, mapping, clip.shifts_m) or LEG_M) / LEG_M

    def find(self, *, reverse: bool) -> _Ends:
        """Frames to leave out at the beginning, or at the end if `reverse` is set."""
        turn = -1 if reverse else 1
        changes, arms = self.changes[::turn], self.arms_rad[::turn]
        zero, t_pose = self.zero[::turn], self.t_pose[::turn]
        if len(zero) < _FEW_FRAMES + 3:
            return _Ends()
        posed = self._count_still(_count_leading(t_pose), self.places[::turn])
        if posed:
            return _Ends(self._add_lowering(arms, posed), posed - 1, is_t_pose=True)
        held = min(_count_leading(changes < _HELD_RAD), len(zero) - 1)
        jump = self._find_jump(changes, held)
        count = max(jump, _count_leading(zero))
        return _Ends(count, max(count - 1, 0))

    def _count_still(self, posed: int, places: FloatArray) -> int:
        """Number of frames among the first `posed` ones before the body leaves its place."""
        anchor = np.median(places[: min(max(posed, 1), _FEW_FRAMES)], axis=0)
        away = np.linalg.norm(places[:posed] - anchor, axis=-1).max(axis=1, initial=0.0)
        return _count_leading(away < self.still_m)

    def _find_jump(self, changes: FloatArray, held: int) -> int:
        """Number of frames before a jump, among the first ones or after `held` equal changes."""
        if len(changes) <= held + 1:
            return 0
        # The pose itself may be all that moves; what is usual is measured after it.
        after = max(held + 1, _FEW_FRAMES)
        usual = float(np.quantile(changes[after : after + _USUAL_FRAMES], 0.9)) if len(changes) > after else 0.0
        least = _MIN_JUMP_RAD * max(1.0, _RATE_HZ * self.frame_s)
        jumps = changes > max(_JUMP * usual, least)
        candidates = [int(k) + 1 for k in np.flatnonzero(jumps[:_FEW_FRAMES])]
        if held > 0 and jumps[held]:
            candidates.append(held + 1)
        return max(candidates, default=0)

    def _add_lowering(self, arms_rad: FloatArray, posed: int) -> int:
        """The number of frames of a T-pose and of the lowering of the arms after it."""
        end = posed
        most = min(len(arms_rad) - 1, posed + round(_LOWERING_S / self.frame_s))
        while end < most and np.degrees(arms_rad[end]) > _LOWERED_DEG:
            if arms_rad[end - 1] - arms_rad[end] < _LOWERING_RADPS * self.frame_s:
                break
            end += 1
        return end


def _count_leading(flags: BoolArray) -> int:
    """Number of true flags before the first false one."""
    false = np.flatnonzero(~flags)
    return int(false[0]) if len(false) else len(flags)


def find_t_poses(clip: Clip, mapping: Mapping) -> tuple[BoolArray, FloatArray]:
    """In which frames the body has the shape of a T, (F,), and the angle of its arms from straight down, (F,)."""
    none, angles = np.zeros(clip.frames, dtype=np.bool_), np.zeros(clip.frames)
    joints = mapping.joints
    parts = ("upper_arm", "forearm", "thigh", "shank", "foot")
    if any(f"{side}_{part}" not in joints for side in SIDES for part in parts):
        return none, angles
    places = {role: clip.places_w_m[:, joint] for role, joint in joints.items()}
    across = _unit(places["left_upper_arm"] - places["right_upper_arm"])
    flags = ~none
    for side, sign in zip(SIDES, (1.0, -1.0)):
        upper = _unit(places[f"{side}_forearm"] - places[f"{side}_upper_arm"])
        lower = _unit(places[f"{side}_hand"] - places[f"{side}_forearm"]) if f"{side}_hand" in joints else upper
        leg = [_unit(places[f"{side}_{b}"] - places[f"{side}_{a}"]) for a, b in (("thigh", "shank"), ("shank", "foot"))]
        angle = np.arccos(np.clip(-upper[:, 2], -1.0, 1.0))
        angles += 0.5 * angle
        low, high = np.radians(_ARM_RAISED_DEG)
        flags &= (angle > low) & (angle < high)
        flags &= np.sum(upper * lower, axis=-1) > cos(np.radians(_ARM_STRAIGHT_DEG))
        flags &= sign * np.sum(upper * across, axis=-1) > cos(np.radians(_ARM_ASIDE_DEG))
        for bone in leg:
            flags &= -bone[:, 2] > cos(np.radians(_LEG_STRAIGHT_DEG))
    return flags, angles


def _unit(vectors: FloatArray) -> FloatArray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
