"""A stretch of motion as plain arrays: what is drawn around the present to show where an edit leads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.studio.moment import Moment

FloatArray = NDArray[np.float64]

#: Tenths of a millimetre are enough for the eye, and short to send.
DECIMALS = 4
#: What is farther from the foreseen way than this has been disturbed.
STRAYED_M = 0.004


@dataclass(frozen=True, eq=False)
class Track:
    """Times, the pose of every body then (see `Moment`), and the centre of mass."""

    times_s: FloatArray
    poses: NDArray[np.float64]
    coms_m: FloatArray

    def between(self, first_s: float, last_s: float) -> Track:
        """The part within two times."""
        inside = (self.times_s >= first_s - 1e-9) & (self.times_s <= last_s + 1e-9)
        return Track(self.times_s[inside], self.poses[inside], self.coms_m[inside])

    def is_left_by(self, moment: Moment) -> bool:
        """Whether a moment lies beside the track: something has come between."""
        if not len(self.times_s) or not self.times_s[0] <= moment.time_s <= self.times_s[-1]:
            return False
        there = [np.interp(moment.time_s, self.times_s, self.coms_m[:, k]) for k in range(3)]
        return bool(np.linalg.norm(np.subtract(there, moment.com_w_m)) > STRAYED_M)

    def pack(self, bodies: int) -> dict[str, Any]:
        """As a browser gets it, with the first bodies alone: those of the character."""
        return {
            "times": self.times_s.round(DECIMALS).tolist(),
            "poses": self.poses[:, :bodies].round(DECIMALS).ravel().tolist(),
            "coms": self.coms_m.round(DECIMALS).ravel().tolist(),
        }


@dataclass(frozen=True, eq=False)
class Tracks:
    """The motion since the last edit with its future, and that of the version before."""

    number: int
    mine: Track
    before: Track
    cuts: int = 0

    def cut(self, time_s: float) -> Tracks:
        """Without a future of which something has come between."""
        return replace(self, mine=self.mine.between(-np.inf, time_s), cuts=self.cuts + 1)


def make_track(moments: Sequence[Moment]) -> Track:
    """The track of some moments, oldest first."""
    if not moments:
        return Track(np.zeros(0), np.zeros((0, 0, 7)), np.zeros((0, 3)))
    return Track(
        np.array([m.time_s for m in moments]),
        np.array([m.pose for m in moments]),
        np.array([m.com_w_m for m in moments]),
    )
