"""A piece of motion as plain arrays, drawn around the present to show the effect of an edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.studio.moment import Moment

FloatArray = NDArray[np.float64]

#: 0.1 mm is fine enough to draw and short to send.
DECIMALS = 4
#: A centre of mass farther than this from the predicted path has been disturbed.
STRAYED_M = 0.004


@dataclass(frozen=True, eq=False)
class Track:
    """Times, the pose of every body (see `Moment`), and the centre of mass."""

    times_s: FloatArray
    poses: NDArray[np.float64]
    coms_m: FloatArray

    def between(self, first_s: float, last_s: float) -> Track:
        """The part between two times."""
        inside = (self.times_s >= first_s - 1e-9) & (self.times_s <= last_s + 1e-9)
        return Track(self.times_s[inside], self.poses[inside], self.coms_m[inside])

    def is_left_by(self, moment: Moment) -> bool:
        """Whether a moment has left the track because of a disturbance."""
        if not len(self.times_s) or not self.times_s[0] <= moment.time_s <= self.times_s[-1]:
            return False
        there = [np.interp(moment.time_s, self.times_s, self.coms_m[:, k]) for k in range(3)]
        return bool(np.linalg.norm(np.subtract(there, moment.com_w_m)) > STRAYED_M)

    def pack(self, bodies: int) -> dict[str, Any]:
        """The track as sent to the browser, with only the first bodies: the character's."""
        return {
            "times": self.times_s.round(DECIMALS).tolist(),
            "poses": self.poses[:, :bodies].round(DECIMALS).ravel().tolist(),
            "coms": self.coms_m.round(DECIMALS).ravel().tolist(),
        }


@dataclass(frozen=True, eq=False)
class Tracks:
    """The motion since the last edit with its predicted future, and that of the previous version."""

    number: int
    mine: Track
    before: Track
    cuts: int = 0

    def cut(self, time_s: float) -> Tracks:
        """The tracks without a future that a disturbance has made wrong."""
        return replace(self, mine=self.mine.between(-np.inf, time_s), cuts=self.cuts + 1)


def make_track(moments: Sequence[Moment]) -> Track:
    """The track of moments given oldest first."""
    if not moments:
        return Track(np.zeros(0), np.zeros((0, 0, 7)), np.zeros((0, 3)))
    return Track(
        np.array([m.time_s for m in moments]),
        np.array([m.pose for m in moments]),
        np.array([m.com_w_m for m in moments]),
    )
