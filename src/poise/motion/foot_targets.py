"""Target positions of a character's ankles: feet roll over the ground without sliding, and swing clear of it.

While a foot stands, and while its heel rises over planted toes, the lowest point of its sole does not move. In swing
the foot keeps a small clearance, however low the clip swings it. Corrections blend smoothly from one stance to the
next.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.kernels.fixed import cos, sin
from poise.motion.body_plan import BodyPlan
from poise.motion.clip import BoolArray
from poise.motion.contacts import find_runs
from poise.motion.pose_algebra import rise
from poise.motion.rotations import FloatArray, compute_heading_rad
from poise.motion.source_motion import SourceMotion

_DROP_S: Final = 0.2
"""Time over which the root is lowered or lifted before and after a frame that needs it."""

_CLEARANCE: Final = 0.015
"""Least clearance of a swing foot, in leg lengths."""

_CLEAR_S: Final = 0.08
"""Time after lift-off and before landing within which the clearance may be smaller."""


@dataclass(frozen=True, eq=False)
class FootTargets:
    """The clip's ankles (F, 2, 3) at the character's size, and the frames (F, 2) in which feet stand or roll off."""

    plan: BodyPlan
    ankles_w_m: FloatArray
    stands: BoolArray
    rolls: BoolArray
    frame_s: float
    level: bool

    def place(self, soles_m: list[FloatArray]) -> FloatArray:
        """Goals of the ankles (F, 2, 3) for feet whose soles are points (F, N, 3) relative to their ankles."""
        goals = self.ankles_w_m.copy()
        for k, sole in enumerate(soles_m):
            planted = self.stands[:, k] | self.rolls[:, k]
            depth = -sole[..., 2].min(axis=1)
            goals[:, k, :2] += spread(self._roll(k, sole) - goals[:, k, :2], planted)
            goals[:, k, 2] += self.plan.ankle_m
            if self.level:
                apart = depth - goals[:, k, 2]
                goals[:, k, 2] += spread(apart[:, None], planted)[:, 0]
                goals[:, k, 2] = np.maximum(goals[:, k, 2], depth + self._find_clearance_m(planted))
        return goals

    def _roll(self, k: int, sole_m: FloatArray) -> FloatArray:
        """Positions (F, 2) of an ankle over a foot whose lowest point does not slide, near those of the clip."""
        places = self.ankles_w_m[:, k, :2].copy()
        for first, last in find_runs(self.stands[:, k] | self.rolls[:, k]):
            part = sole_m[first : last + 1]
            lowest = np.argmin(part[1:, :, 2] + part[:-1, :, 2], axis=1)
            moves = part[:-1, :, :2] - part[1:, :, :2]
            way = np.cumsum(moves[np.arange(len(moves)), lowest], axis=0)
            rolled = np.concatenate([np.zeros((1, 2)), way])
            stands = self.stands[first : last + 1, k]
            apart = (places[first : last + 1] - rolled)[stands if stands.any() else slice(None)]
            places[first : last + 1] = rolled + np.median(apart, axis=0)
        return places

    def _find_clearance_m(self, planted: BoolArray) -> FloatArray:
        """Least clearance of the foot, (F,)."""
        most = _CLEARANCE * self.plan.leg_m
        clear = np.zeros(len(planted))
        for first, last in find_runs(~planted):
            frames = np.arange(first, last + 1, dtype=np.float64)
            after = rise((frames - first + 1) * self.frame_s, 0.0, _CLEAR_S) if first > 0 else 1.0
            before = rise((last + 1 - frames) * self.frame_s, 0.0, _CLEAR_S) if last < len(planted) - 1 else 1.0
            clear[first : last + 1] = most * after * before
        return clear


def make_foot_targets(plan: BodyPlan, source: SourceMotion, hips_w_m: FloatArray, frame_s: float) -> FootTargets:
    """Targets from the clip's ankles, widened to the character's hips, which are at `hips_w_m` (F, 2, 3)."""
    ankles = source.ankles_w_m.copy()
    if plan.character.root == "planar":
        ankles[..., 1] = hips_w_m[..., 1]
    else:
        _widen(plan, source, ankles)
    rolls = np.stack([_find_rolls(source.contacts[:, k], source.toe_contacts[:, k]) for k in range(2)], axis=1)
    return FootTargets(plan, ankles, source.contacts, rolls, frame_s, not source.floor.is_ramp)


def spread(correction: FloatArray, contacts: BoolArray) -> FloatArray:
    """Corrections (F, N) that hold during contacts, blended smoothly from each contact to the next."""
    runs = find_runs(contacts)
    out = np.zeros_like(correction)
    if not runs:
        return out
    out[: runs[0][0]] = correction[runs[0][0]]
    out[runs[-1][1] :] = correction[runs[-1][1]]
    for first, last in runs:
        out[first : last + 1] = correction[first : last + 1]
    for (_, end), (start, _) in pairwise(runs):
        part = rise(np.arange(end + 1, start, dtype=np.float64), end, start)[:, None]
        out[end + 1 : start] = (1.0 - part) * correction[end] + part * correction[start]
    return out


def find_root_drop_m(
    plan: BodyPlan, hips_w_m: FloatArray, goals_w_m: FloatArray, frame_s: float, reach: float
) -> FloatArray:
    """Smooth lowering of the root, (F,), with which both legs reach their goals."""
    drop = np.zeros(len(hips_w_m))
    for k, side in enumerate(SIDES):
        thigh, shank, foot = plan.leg(side)
        length = reach * float(np.linalg.norm(plan.vector_m(thigh, shank)) + np.linalg.norm(plan.vector_m(shank, foot)))
        apart = hips_w_m[:, k] - goals_w_m[:, k]
        across = np.linalg.norm(apart[:, :2], axis=-1)
        highest = np.sqrt(np.maximum(length**2 - across**2, 0.0))
        drop = np.maximum(drop, apart[:, 2] - highest)
    return smooth_over(np.minimum(drop, 0.3 * plan.leg_m), frame_s)


def _find_rolls(stands: BoolArray, toes: BoolArray) -> BoolArray:
    """Frames after a stance while the toes stay on the ground without a break."""
    rolls = np.zeros_like(stands)
    for _, last in find_runs(stands):
        frame = last + 1
        while frame < len(stands) and toes[frame] and not stands[frame]:
            rolls[frame] = True
            frame += 1
    return rolls


def smooth_over(values: FloatArray, frame_s: float) -> FloatArray:
    """A smooth upper envelope of the values: the maximum nearby, averaged over the same window."""
    if not values.any():
        return values
    half = max(1, round(0.5 * _DROP_S / frame_s))
    padded = np.pad(values, 2 * half, mode="edge")
    width = 2 * half + 1
    largest = np.lib.stride_tricks.sliding_window_view(padded, width).max(axis=-1)
    weights = np.hanning(width + 2)[1:-1]
    return np.convolve(largest, weights / weights.sum(), mode="valid")


def _widen(plan: BodyPlan, source: SourceMotion, ankles: FloatArray) -> None:
    """Move the ankles apart, or together, by the difference in hip width between character and clip."""
    width = float(np.linalg.norm(plan.hips_m[0] - plan.hips_m[1]))
    heading = compute_heading_rad(source.parts["pelvis"])
    left = np.stack([-sin(heading), cos(heading)], axis=-1)
    more = 0.5 * (width - source.hip_width_m)
    ankles[:, 0, :2] += more * left
    ankles[:, 1, :2] -= more * left
