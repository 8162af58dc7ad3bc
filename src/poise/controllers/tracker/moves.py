"""Moves: single fragments that can be blended, mirrored, turned and chained [Lee10 §3, §5].

A move starts over the origin and goes ahead, whatever the direction of its recording. Its turn is part of it: the next
move starts in the direction in which it ends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from poise.characters.model import SIDES, Character, swap_side
from poise.controllers.tracker.reference import RATE_HZ, Reference
from poise.errors import InputError
from poise.kernels.fixed import add_up
from poise.motion.fragments import Fragment, Stance
from poise.motion.resample import interpolate, interpolate_quats
from poise.motion.rotations import (
    FloatArray,
    compute_heading_rad,
    quat_about,
    quat_align_signs,
    quat_conjugate,
    quat_multiply,
    quat_rotate,
    quat_slerp,
)

UP: Final = (0.0, 0.0, 1.0)
OTHER: Final[Mapping[Stance, Stance]] = {"left": "right", "right": "left"}


@dataclass(frozen=True, eq=False)
class Move:
    """N + 1 poses from one landing to the next: root positions (N + 1, 3), rotations (N + 1, S, 4), and the stance."""

    root_pos_m: FloatArray
    turns: FloatArray
    stance: Stance
    #: Change of the direction of motion, positive to the left.
    turn_rad: float = 0.0

    @property
    def length(self) -> int:
        return len(self.root_pos_m) - 1

    @property
    def speed_mps(self) -> float:
        """Mean speed along the direction of motion in its middle."""
        x, y = self.root_pos_m[-1, :2] - self.root_pos_m[0, :2]
        middle = 0.5 * self.turn_rad
        return float(x * math.cos(middle) + y * math.sin(middle)) * RATE_HZ / max(self.length, 1)

    def on(self, character: Character) -> Reference:
        return Reference(character, self.root_pos_m, self.turns)

    def turned(self, angle_rad: float) -> Move:
        """The same move in another direction."""
        turn = np.broadcast_to(quat_about(UP, np.array([angle_rad])), (len(self.root_pos_m), 4))
        turns = self.turns.copy()
        turns[:, 0] = quat_multiply(turn, turns[:, 0])
        return replace(self, root_pos_m=quat_rotate(turn, self.root_pos_m), turns=turns)

    def mirrored(self, character: Character) -> Move:
        """The same move on the other leg."""
        names = character.segment_names
        other = [names.index(swap_side(name)) for name in names]
        stance = OTHER.get(self.stance, self.stance)
        turns = self.turns[:, other] * np.array([1.0, -1.0, 1.0, -1.0])
        return Move(self.root_pos_m * np.array([1.0, -1.0, 1.0]), turns, stance, -self.turn_rad)

    def twisted(self, angle_rad: float, character: Character) -> Move:
        """The same move with a larger turn: pelvis, trunk and swing leg rotate, while the stance leg stays planted."""
        along = np.linspace(0.0, 1.0, len(self.root_pos_m))
        angles = angle_rad * along * along * (3.0 - 2.0 * along)
        more = quat_about(UP, angles)
        turns = self.turns.copy()
        turns[:, 0] = quat_multiply(more, self.turns[:, 0])
        thigh = character.segment_names.index(character.roles[f"{self.stance}_thigh"])
        back = quat_multiply(quat_conjugate(turns[:, 0]), self.turns[:, 0])
        turns[:, thigh] = quat_multiply(back, self.turns[:, thigh])
        ways = quat_rotate(more[:-1], np.diff(self.root_pos_m, axis=0))
        places = self.root_pos_m[0] + np.vstack([np.zeros(3), np.cumsum(ways, axis=0)])
        return Move(places, quat_align_signs(turns), self.stance, self.turn_rad + angle_rad)


def cut_move(reference: Reference, fragment: Fragment, heading_rad: FloatArray) -> Move:
    """A fragment as a move; `heading_rad` is the direction of motion at every frame of the reference."""
    part = slice(fragment.first, fragment.last + 1)
    first = heading_rad[fragment.first]
    places = reference.root_pos_m[part] - reference.root_pos_m[fragment.first] * np.array([1.0, 1.0, 0.0])
    move = Move(places, reference.turns[part], fragment.stance, float(heading_rad[fragment.last] - first))
    return move.turned(-float(first))


def find_even_headings_rad(reference: Reference) -> FloatArray:
    """The direction of motion at every frame of an even walk: that of the pelvis without its sway."""
    frames = np.arange(reference.frames)
    slope, start = np.polyfit(frames, np.unwrap(compute_heading_rad(reference.turns[:, 0])), 1)
    return start + slope * frames


def find_headings_rad(reference: Reference, stride: int) -> FloatArray:
    """The direction of motion at every frame of any walk: the pelvis' mean over a stride of `stride` frames."""
    headings = np.unwrap(compute_heading_rad(reference.turns[:, 0]))
    half = max(1, stride // 2)
    padded = np.concatenate([np.full(half, headings[0]), headings, np.full(half, headings[-1])])
    return np.convolve(padded, np.full(2 * half + 1, 1.0 / (2 * half + 1)), mode="valid")


def cut_pair(reference: Reference) -> dict[str, Move]:
    """A step on either foot, from the middle of an even walk."""
    headings = find_even_headings_rad(reference)
    fragments = reference.fragments()[1:-1]
    found: dict[str, Move] = {}
    for side in SIDES:
        steps = [f for f in fragments if f.stance == side]
        if not steps:
            raise InputError(f"no complete step on the {side} foot", where=reference.character.name)
        found[side] = cut_move(reference, steps[len(steps) // 2], headings)
    return found


def blend(moves: Sequence[Move], weights: Sequence[float]) -> Move:
    """A blend of moves of the same stance: times, positions and rotations have the same weights [Lee10 §5]."""
    used = [(m, float(w)) for m, w in zip(moves, weights, strict=True) if w > 0.0]
    if len({m.stance for m, _ in used}) != 1:
        raise InputError("only moves on the same foot can be blended", where="moves")
    parts = np.array([w for _, w in used])
    parts /= parts.sum()
    if len(used) == 1:
        return used[0][0]
    length = max(1, round(add_up(p * m.length for p, (m, _) in zip(parts, used, strict=True))))
    along = np.linspace(0.0, 1.0, length + 1)
    places = sum(p * interpolate(m.root_pos_m, along * m.length) for p, (m, _) in zip(parts, used, strict=True))
    turn = add_up(p * m.turn_rad for p, (m, _) in zip(parts, used, strict=True))
    turns, total = interpolate_quats(used[0][0].turns, along * used[0][0].length), parts[0]
    for part, (move, _) in zip(parts[1:], used[1:], strict=True):
        total += part
        turns = quat_slerp(turns, interpolate_quats(move.turns, along * move.length), part / total)
    return Move(np.asarray(places), quat_align_signs(turns), used[0][0].stance, turn)
