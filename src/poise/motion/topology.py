"""Limbs of a body whose joint names say nothing, from the tree of its joints, their distances and the motion.

A limb is two long bones in a row; legs and arms are pairs of limbs with equal bones, and the legs are the longer pair.
Toes and knees point forward, which tells left from right.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.motion.rotations import FloatArray
from poise.motion.skeleton import Skeleton

_EQUAL: Final = 0.1
"""Bones of both sides differ by less than this fraction."""

_ALIKE: Final = 0.55
"""Least ratio of the two bones of a limb: a thigh and a shank are of similar length."""

_TIE: Final = 1e-3
_MIN_FORWARD: Final = 0.05
"""Least sine by which toes or knees point forward, with which sides are known."""


@dataclass(frozen=True)
class _Limb:
    """Three joints with two long bones between them, and the joints from the trunk to the end of the limb."""

    joints: tuple[int, int, int]
    bones: tuple[float, float]
    chain: tuple[int, ...]

    @property
    def length(self) -> float:
        return sum(self.bones)


_Pair = tuple[_Limb, _Limb]


def find_limbs(skeleton: Skeleton, places: FloatArray, tips: FloatArray, taken: frozenset[int]) -> dict[str, int]:
    """Joints by role for legs and, if there are any, arms and head; empty if the legs cannot be told left from right.

    `places` (N, J, 3) and `tips` (N, ends, 3) are positions of joints and end sites in a sample of frames, in any unit
    and axes; joints in `taken` have other roles.
    """
    joints = len(skeleton.names)
    found = _find_limbs(_add_ends(skeleton), np.concatenate([places, tips], axis=1), taken)
    found = {role: joint for role, joint in found.items() if joint < joints}
    return found if {f"{side}_foot" for side in SIDES} <= set(found) else {}


def _add_ends(skeleton: Skeleton) -> Skeleton:
    """The skeleton with its end sites as joints."""
    ends = skeleton.ends
    names = (*skeleton.names, *(f"end {k} of {skeleton.names[e.joint]}" for k, e in enumerate(ends)))
    offsets = np.concatenate([skeleton.offsets_m, np.array([e.offset_m for e in ends]).reshape(-1, 3)])
    return Skeleton(names, (*skeleton.parents, *(e.joint for e in ends)), offsets)


def _find_limbs(skeleton: Skeleton, places: FloatArray, taken: frozenset[int]) -> dict[str, int]:
    pairs = _find_pairs(skeleton, places, taken)
    if not pairs:
        return {}
    legs, *others = pairs
    sides = _tell_sides(skeleton, places, legs)
    if sides is None:
        return {}
    across = places[:, sides[0].joints[0]] - places[:, sides[1].joints[0]]
    found = _name(sides, ("thigh", "shank", "foot")) | _find_toes(sides)
    arms = next((p for p in others if not _share(p, legs)), None)
    if arms is not None:
        found |= _name(_order_along(places, arms, across), ("upper_arm", "forearm", "hand"))
        found |= _find_head(skeleton, places, arms)
    return found


def _name(sides: _Pair, parts: tuple[str, str, str]) -> dict[str, int]:
    return {f"{side}_{part}": joint for side, limb in zip(SIDES, sides) for part, joint in zip(parts, limb.joints)}


def _share(a: _Pair, b: _Pair) -> bool:
    return bool({k for limb in a for k in limb.chain} & {k for limb in b for k in limb.chain})


def _find_pairs(skeleton: Skeleton, places: FloatArray, taken: frozenset[int]) -> list[_Pair]:
    """Pairs of limbs with equal bones that leave the same joint, the longest first."""
    bones = _measure_bones(skeleton, places)
    limbs: dict[int, list[_Limb]] = {}
    for joint, children in enumerate(skeleton.children):
        if len(children) > 1:
            made = (_make_limb(skeleton, bones, child) for child in children)
            limbs[joint] = [limb for limb in made if limb is not None and not taken & set(limb.chain)]
    pairs = [pair for there in limbs.values() for pair in combinations(there, 2) if _are_equal(*pair)]
    return sorted(pairs, key=lambda pair: -round(pair[0].length + pair[1].length, 9))


def _measure_bones(skeleton: Skeleton, places: FloatArray) -> FloatArray:
    """Distance of each joint from its parent, (J,)."""
    parents = np.maximum(np.array(skeleton.parents), 0)
    return np.median(np.linalg.norm(places - places[:, parents], axis=-1), axis=0)


def _are_equal(a: _Limb, b: _Limb) -> bool:
    return all(abs(x - y) <= _EQUAL * max(x, y) for x, y in zip(a.bones, b.bones))


def _make_limb(skeleton: Skeleton, bones: FloatArray, first: int) -> _Limb | None:
    """The longest two bones in a row along the chain that begins with a joint; None if they do not form a limb."""
    chain = _follow(skeleton, bones, first)
    apart = [k for k in chain[1:] if bones[k] > _TIE * float(bones.max())]
    best: _Limb | None = None
    for near, far in pairwise(apart):
        two = float(bones[near]), float(bones[far])
        if min(two) >= _ALIKE * max(two) and (best is None or sum(two) > best.length):
            best = _Limb((skeleton.parents[near], skeleton.parents[far], far), two, tuple(chain))
    return best


def _follow(skeleton: Skeleton, bones: FloatArray, first: int) -> list[int]:
    """The longest chain of joints that begins with a joint."""
    chain = [first]
    while skeleton.children[chain[-1]]:
        chain.append(max(skeleton.children[chain[-1]], key=lambda c: _measure_below(skeleton, bones, c)))
    return chain


def _measure_below(skeleton: Skeleton, bones: FloatArray, joint: int) -> float:
    """Length of the longest chain of bones from the parent of a joint through it."""
    below = [_measure_below(skeleton, bones, c) for c in skeleton.children[joint]]
    return float(bones[joint]) + max(below, default=0.0)


def _tell_sides(skeleton: Skeleton, places: FloatArray, legs: _Pair) -> _Pair | None:
    """The left leg and the right one; None if nothing shows which way is forward."""
    hips, knees, ankles = (np.stack([places[:, limb.joints[k]] for limb in legs], axis=1) for k in range(3))
    down = _unit((ankles - hips).mean(axis=1))
    across = _unit(hips[:, 0] - hips[:, 1])
    # Forward if the first leg is the left one.
    forward = np.cross(across, -down)
    bend = _unit(ankles - hips)
    knee = (knees - hips) - np.sum((knees - hips) * bend, axis=-1, keepdims=True) * bend
    signs = [np.sum(knee.mean(axis=1) * forward, axis=-1) / max(legs[0].length, 1e-12)]
    tips = [_find_tip(skeleton, limb) for limb in legs]
    if all(tip is not None for tip in tips):
        toes = np.stack([places[:, tip] for tip in tips if tip is not None], axis=1)
        signs.append(np.sum(_unit((toes - ankles).mean(axis=1)) * forward, axis=-1))
    # Toes are clearer than knees, which may be straight or bend a little backward.
    for sign in reversed(signs):
        value = float(np.median(sign))
        if abs(value) > _MIN_FORWARD:
            return legs if value > 0.0 else (legs[1], legs[0])
    return None


def _unit(vectors: FloatArray) -> FloatArray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def _find_tip(skeleton: Skeleton, limb: _Limb) -> int | None:
    """The last joint of a limb beyond its third, which points along the foot."""
    last = limb.chain[-1]
    return last if last != limb.joints[2] else None


def _find_toes(sides: _Pair) -> dict[str, int]:
    """Joints next to the ankles along the feet."""
    found = {}
    for side, limb in zip(SIDES, sides):
        at = limb.chain.index(limb.joints[2])
        if at + 1 < len(limb.chain):
            found[f"{side}_toes"] = limb.chain[at + 1]
    return found if len(found) == len(SIDES) else {}


def _order_along(places: FloatArray, arms: _Pair, across: FloatArray) -> _Pair:
    """The left arm and the right one; shoulders lie like the hips, from right to left `across` (N, 3)."""
    apart = places[:, arms[0].joints[0]] - places[:, arms[1].joints[0]]
    return arms if float(np.sum(apart * across)) > 0.0 else (arms[1], arms[0])


def _find_head(skeleton: Skeleton, places: FloatArray, arms: _Pair) -> dict[str, int]:
    """The last joint of the longest chain between the arms that is not an arm."""
    carrier = skeleton.parents[arms[0].chain[0]]
    bones = _measure_bones(skeleton, places)
    firsts = [c for c in skeleton.children[carrier] if c not in (arms[0].chain[0], arms[1].chain[0])]
    if not firsts:
        return {}
    chain = _follow(skeleton, bones, max(firsts, key=lambda c: _measure_below(skeleton, bones, c)))
    inner = [k for k in chain if skeleton.children[k]]
    return {"head": (inner or chain)[-1]}
