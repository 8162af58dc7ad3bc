"""Whether positions of the joints that carry a body are relative to their offsets, decided by where the floor is.

Programs write the root's position in the world, or relative to the offset of the root in the hierarchy. Feet tell
which: they are near height zero in one of both. The same holds for hips below a root that never moves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.motion.mapping import Mapping
from poise.motion.raw import Base, RawClip
from poise.motion.rotations import FloatArray

_LOWEST: Final = 0.05
"""Share of the frames in which something may be below the floor."""

_CLEAR: Final = 0.1
"""Least difference of the two distances to the floor, in heights of the body, that decides."""

_SAMPLES: Final = 60


def settle_bases(raw: RawClip, mapping: Mapping, up: FloatArray) -> tuple[RawClip, list[str]]:
    """The motion with positions added to offsets where that puts the feet on the floor, and notes.

    `up` is the unit vector in the file's axes that points up.
    """
    carriers = set(raw.skeleton.up_from(mapping.joints.get("pelvis", 0)))
    notes = []
    for base in raw.bases:
        added = base.added
        if base.joint in carriers and base.offset.any():
            added = _should_add(raw, base, up)
            raw = _set_added(raw, base, added)
        if added:
            reason = ": that puts the feet on the floor" if base.joint in carriers and added != base.added else ""
            notes.append(f"position channels of {raw.skeleton.names[base.joint]!r} are added to its offset{reason}")
    return raw, notes


def _should_add(raw: RawClip, base: Base, up: FloatArray) -> bool:
    places = [sample_places(_set_added(raw, base, added)) @ up for added in (False, True)]
    levels = [abs(float(np.quantile(heights.min(axis=1), _LOWEST))) for heights in places]
    size = float(np.median(np.ptp(places[0], axis=1)))
    return levels[1] < levels[0] if abs(levels[1] - levels[0]) > _CLEAR * size else base.added


def sample_places(raw: RawClip) -> FloatArray:
    """Positions of the joints in a sample of the frames, (N, J, 3)."""
    return sample_joints(raw)[0]


def sample_joints(raw: RawClip) -> tuple[FloatArray, FloatArray]:
    """Positions (N, J, 3) and orientations (N, J, 4) of the joints in a sample of the frames."""
    frames = np.unique(np.linspace(0, len(raw.root_pos) - 1, _SAMPLES).astype(int))
    shifts = None if raw.shifts is None else raw.shifts[frames]
    return raw.skeleton.compute_globals(raw.root_pos[frames], raw.quats_wxyz[frames], shifts)


def _set_added(raw: RawClip, base: Base, added: bool) -> RawClip:
    """The motion with the offset of a joint added to its positions, or not."""
    if added == base.added:
        return raw
    change = base.offset if added else -base.offset
    if base.joint == 0:
        return replace(raw, root_pos=raw.root_pos + change)
    if raw.shifts is None:
        offsets = raw.skeleton.offsets_m.copy()
        offsets[base.joint] += change
        return replace(raw, skeleton=replace(raw.skeleton, offsets_m=offsets))
    shifts = raw.shifts.copy()
    shifts[:, base.joint] += change
    return replace(raw, shifts=shifts)
