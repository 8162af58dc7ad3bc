"""One instant of a simulation as the page shows it, and the history of the last half minute.

A `Moment` holds plain numbers and can be passed from the thread that owns the world to any other. Moments in a
`History` carry a snapshot from which the run can continue.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from poise.controllers.script.whereabouts import Stack
from poise.studio.posture import FALL_S, Posture
from poise.world.world import Snapshot

#: Length and resolution of the history: 600 snapshots of a biped take about 16 MB.
HISTORY_S = 30.0
HISTORY_STEP_S = 0.05
#: A body that has been down for this long lies: automatic restarts wait for it.
LIES_S = 1.5


@dataclass(frozen=True, eq=False)
class Moment:
    """One instant, with everything the page shows of it."""

    time_s: float
    #: (bodies, 7) position and quaternion wxyz of every body, in the order of the scene.
    pose: NDArray[np.float64]
    #: (pushes, 6) point of application of each push, and its force / the character's weight.
    pushes: NDArray[np.float64]
    com_w_m: tuple[float, float, float]
    speed_mps: float
    posture: Posture = field(default_factory=Posture)
    #: Whether a script runs, which may intend its body to lie down.
    scripted: bool = False
    heading_rad: float = 0.0
    #: Distance from the start.
    distance_m: float = 0.0
    #: Height of the ground below the character.
    floor_m: float = 0.0
    #: Phase of a walker's step, 0 to 1.
    phase: float | None = None
    #: Running phases of a script.
    stack: Stack = ()
    tick: int = 0
    snapshot: Snapshot | None = None

    @property
    def steps(self) -> int:
        return self.posture.steps

    @property
    def down_for_s(self) -> float:
        """Time since the body went down; 0 if it is upright."""
        since_s = self.posture.down_since_s
        return 0.0 if since_s is None else self.time_s - since_s

    @property
    def fell_at_s(self) -> float | None:
        """Time of the fall from which it has not got up; None if it is upright, turning over, or may intend to lie."""
        return self.posture.down_since_s if self.down_for_s >= FALL_S - 1e-9 and not self.scripted else None

    @property
    def is_finished(self) -> bool:
        """Whether the body has been down for so long that the run can restart; a script must have ended as well."""
        return self.down_for_s > LIES_S and (not self.scripted or not self.stack)


class History:
    """The moments of the last half minute, oldest first; the oldest are dropped."""

    def __init__(self, span_s: float = HISTORY_S, step_s: float = HISTORY_STEP_S) -> None:
        self.step_s = step_s
        self._moments: deque[Moment] = deque(maxlen=round(span_s / step_s) + 1)

    def __len__(self) -> int:
        return len(self._moments)

    def clear(self) -> None:
        self._moments.clear()

    def add(self, moment: Moment, snapshot: Snapshot) -> None:
        """Add a moment with its snapshot."""
        self._moments.append(replace(moment, snapshot=snapshot))

    @property
    def oldest_s(self) -> float | None:
        return self._moments[0].time_s if self._moments else None

    def all(self) -> list[Moment]:
        """All moments, oldest first."""
        return list(self._moments)

    def take(self, moments: Iterable[Moment]) -> None:
        """Replace the history by these moments."""
        self._moments.clear()
        self._moments.extend(moments)

    def find(self, time_s: float) -> Moment | None:
        """The last moment not later than a time, or the oldest; None if the history is empty."""
        for moment in reversed(self._moments):
            if moment.time_s <= time_s + 0.5 * self.step_s:
                return moment
        return self._moments[0] if self._moments else None

    def forget_after(self, time_s: float) -> None:
        """Drop all moments after a time, from which the run now continues differently."""
        while self._moments and self._moments[-1].time_s > time_s + 1e-9:
            self._moments.pop()
