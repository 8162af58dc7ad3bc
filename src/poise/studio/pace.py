"""The achieved real-time factor."""

from __future__ import annotations

#: Averaging window of the achieved speed.
PACE_WINDOW_S = 0.5


class Pace:
    """Simulated time / wall time, averaged over half a second."""

    def __init__(self) -> None:
        self.factor = 0.0
        self._simulated_s = self._wall_s = 0.0

    def add(self, simulated_s: float, wall_s: float) -> None:
        self._simulated_s += simulated_s
        self._wall_s += wall_s
        if self._wall_s >= PACE_WINDOW_S or self.factor == 0.0:
            self.factor = self._simulated_s / max(self._wall_s, 1e-9)
        if self._wall_s >= PACE_WINDOW_S:
            self._simulated_s = self._wall_s = 0.0
