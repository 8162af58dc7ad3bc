"""Clips whose root never moves, because the hips below it carry the travel: the root is moved under the hips."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.motion.clip import Clip
from poise.motion.mapping import Mapping
from poise.motion.rotations import quat_conjugate, quat_rotate

_STILL_M: Final = 1e-3
"""Joints that move less than this in their parent's frame do not slide."""


def move_root(clip: Clip, mapping: Mapping) -> Clip:
    """The same motion with a root on the ground under the hips, if the root of the file never moves.

    The positions of the body do not change. Joints that hang on the root beside the body go with it.
    """
    if clip.shifts_m is None or np.ptp(clip.root_pos_m, axis=0).max() > _STILL_M:
        return clip
    pelvis = mapping.joints.get("pelvis", 0)
    slides = np.ptp(clip.shifts_m, axis=0).max(axis=1) > _STILL_M
    carriers = [k for k in reversed(list(clip.skeleton.up_from(pelvis))) if k and slides[k]]
    if not carriers or clip.skeleton.parents[carriers[0]] != 0:
        return clip
    hips = carriers[0]
    places = clip.places_w_m[:, hips]
    over = np.zeros_like(places)
    over[:, 2] = np.median(places[:, 2])
    shifts = clip.shifts_m.copy()
    shifts[:, hips] = quat_rotate(quat_conjugate(clip.quats_wxyz[:, 0]), over)
    usual = np.median(shifts, axis=0)
    usual[0] = clip.skeleton.offsets_m[0]
    rigid = float(np.abs(shifts[:, 1:] - usual[1:]).max()) < _STILL_M
    skeleton = clip.skeleton
    offsets = np.where(np.arange(len(usual))[:, None] == hips, usual, skeleton.offsets_m)
    return replace(
        clip,
        skeleton=replace(skeleton, offsets_m=usual if rigid else offsets),
        root_pos_m=places - over,
        shifts_m=None if rigid else shifts,
    )
