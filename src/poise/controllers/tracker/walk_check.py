"""Whether a cycle of a motion is a walk that can be repeated, and why not.

Feet also land in a cartwheel, a crawl or a dance. Repeating a piece of these costs minutes of search and cannot work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.controllers.tracker.reference import RATE_HZ, Reference
from poise.motion.clip import Clip
from poise.motion.contacts import find_clip_floor
from poise.motion.conventions import LEG_M, compute_leg_length
from poise.motion.mapping import Mapping as Roles
from poise.motion.rotations import FloatArray, quat_conjugate, quat_multiply, quat_rotate, quat_to_rotation_vector

UPSIDE_DOWN: Final = -0.6
LEANING: Final = 0.5
"""Cosines between the trunk and the vertical: less is upside down, or not upright."""

LOW_HIPS: Final = 0.6
CRAWLING_HIPS: Final = 0.75
"""Hips lower than these fractions of the leg sit or kneel, or crawl if the trunk is not upright."""

LOW_HANDS: Final = 0.45
"""Hands lower than this fraction of the leg carry a trunk that is not upright."""

MAX_STRIDE_S: Final = 3.0
MAX_TURN_DEG: Final = 50.0
"""A cycle that turns farther in a stride is a turn."""

ON_THE_SPOT: Final = 0.5
"""A turn within a shorter distance, in leg lengths, is one on the spot."""

MIN_STRIDE: Final = 0.2
"""Shortest stride of a walk, in leg lengths."""

MIN_STRAIGHT: Final = 0.6
"""Least ratio of distance to path in a stride."""

MAX_GAP_DEG: Final = 25.0
"""Largest mean difference of the joints between both ends of a cycle."""


@dataclass(frozen=True, eq=False)
class _Signs:
    """What tells a walk, in every frame: the hips over the ground, the cosine of the trunk's tilt, the heading."""

    hips_m: FloatArray
    #: Height of the lower hand, or infinity without hands.
    hands_m: FloatArray
    upright: FloatArray
    heading_rad: FloatArray
    leg_m: float


def explain_no_walk(reference: Reference, first: int, last: int) -> str:
    """Reason why the frames from `first` to `last` are not a stride of a walk; empty if they are one."""
    signs = _find_signs(reference)
    return (
        _explain_body(signs, first, last) or _explain_travel(signs, first, last) or _explain_gap(reference, first, last)
    )


def explain_no_cycle(reference: Reference) -> str:
    """Reason why a motion without cycles is no walk."""
    signs, last = _find_signs(reference), reference.frames - 1
    stances = {f.stance for f in reference.fragments()}
    way = float(np.linalg.norm(signs.hips_m[last, :2] - signs.hips_m[0, :2]))
    still = f"it stays in place: {way:.2f} m from start to end" if way < MIN_STRIDE * signs.leg_m else ""
    feet = [side for side in SIDES if side in stances]
    few = f"it steps with the {feet[0]} foot only" if len(feet) == 1 else "it ends before a foot lands twice"
    return _explain_body(signs, 0, last) or still or few


def explain_stances(stances: list[str]) -> str:
    """Reason why feet on the ground in this order do not walk; empty if they do."""
    feet = [stance for stance in stances if stance in SIDES]
    if set(feet) == set(SIDES) and "none" not in stances and all(a != b for a, b in pairwise([*feet, feet[0]])):
        return ""
    return f"its steps do not alternate: on the ground are {', '.join(stances) or 'none'}"


def _find_signs(reference: Reference) -> _Signs:
    character = reference.character
    places, names = reference.places_w_m(), character.segment_names
    joints = {role: names.index(segment) for role, segment in character.roles.items()}
    hips = places[:, [joints[f"{side}_thigh"] for side in SIDES]]
    top = places[:, joints.get("head", joints.get("trunk", 0))]
    middle = hips.mean(axis=1)
    trunk = top - middle
    across = hips[:, 0] - hips[:, 1]
    clip = Clip(reference.name, reference.skeleton, 1.0 / RATE_HZ, reference.root_pos_m, reference.turns)
    floor = find_clip_floor(clip, Roles(joints))
    hands = _find_hands(clip, joints)
    if floor is not None and floor.is_ramp:
        middle, hands = (p - floor.height_m(p)[..., None] * [0.0, 0.0, 1.0] for p in (middle, hands))
    return _Signs(
        middle,
        hands[..., 2].min(axis=1, initial=np.inf),
        trunk[:, 2] / np.maximum(np.linalg.norm(trunk, axis=-1), 1e-9),
        np.unwrap(np.arctan2(-across[:, 0], across[:, 1])),
        compute_leg_length(reference.skeleton, Roles(joints)) or LEG_M,
    )


def _find_hands(clip: Clip, joints: Mapping[str, int]) -> FloatArray:
    """Ends of the arms, (F, N, 3)."""
    ends = []
    for side in SIDES:
        joint = joints.get(f"{side}_hand", joints.get(f"{side}_forearm"))
        if joint is not None:
            bone = np.broadcast_to(clip.skeleton.bone_m(joint), (clip.frames, 3))
            ends.append(clip.places_w_m[:, joint] + quat_rotate(clip.turns_wxyz[:, joint], bone))
    return np.stack(ends, axis=1) if ends else np.zeros((clip.frames, 0, 3))


def _explain_body(signs: _Signs, first: int, last: int) -> str:
    part = slice(first, last + 1)
    upright, height = float(signs.upright[part].min()), float(signs.hips_m[part, 2].min())
    # While the body lies or gets up, the head may be lower than the hips.
    raised = signs.hips_m[part, 2] > LOW_HIPS * signs.leg_m
    if bool((raised & (signs.upright[part] < UPSIDE_DOWN)).any()):
        return "the body turns upside down"
    leans = signs.upright[part] < LEANING
    if bool((leans & (signs.hips_m[part, 2] < CRAWLING_HIPS * signs.leg_m)).any()):
        return f"the body lies or crawls: the hips come down to {height:.2f} m"
    if bool((leans & (signs.hands_m[part] < LOW_HANDS * signs.leg_m)).any()):
        return f"the body leans on its hands: the trunk tilts by {np.degrees(np.arccos(upright)):.0f}°"
    return f"the hips come down to {height:.2f} m: it sits or kneels" if height < LOW_HIPS * signs.leg_m else ""


def _explain_travel(signs: _Signs, first: int, last: int) -> str:
    hips = _smooth(signs.hips_m[:, :2], (last - first) // 2)[first : last + 1]
    path = float(np.linalg.norm(np.diff(hips, axis=0), axis=-1).sum())
    way = float(np.linalg.norm(signs.hips_m[last, :2] - signs.hips_m[first, :2]))
    turn = float(np.degrees(signs.heading_rad[last] - signs.heading_rad[first]))
    seconds = (last - first) / RATE_HZ
    if abs(turn) > MAX_TURN_DEG:
        if way < ON_THE_SPOT * signs.leg_m:
            return f"it turns on the spot: by {abs(turn):.0f}° within {way:.2f} m"
        return f"it turns by {abs(turn):.0f}° in a stride"
    if way < MIN_STRIDE * signs.leg_m:
        return f"it stays in place: {way:.2f} m in a stride"
    if seconds > MAX_STRIDE_S:
        return f"a stride takes {seconds:.1f} s"
    if way < MIN_STRAIGHT * path:
        return f"it moves to and fro: {way:.2f} m ahead on a path of {path:.2f} m"
    return ""


def _smooth(places_m: FloatArray, frames: int) -> FloatArray:
    """Positions without the swaying of each step: moving averages over half a stride."""
    count = max(1, frames) | 1
    padded = np.pad(places_m, ((count // 2, count // 2), (0, 0)), mode="edge")
    return np.stack([np.convolve(column, np.ones(count) / count, mode="valid") for column in padded.T], axis=-1)


def _explain_gap(reference: Reference, first: int, last: int) -> str:
    gap = quat_multiply(quat_conjugate(reference.turns[last, 1:]), reference.turns[first, 1:])
    apart = float(np.degrees(np.linalg.norm(quat_to_rotation_vector(gap), axis=-1).mean()))
    return (
        f"it does not repeat: joints differ by {apart:.0f}° between the ends of a stride" if apart > MAX_GAP_DEG else ""
    )
