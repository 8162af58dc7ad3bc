"""Named failures of a trial: falls by direction, divergence, and violations of a problem's rules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES
from poise.measures.catalog import Measure
from poise.measures.metrics import compute_forward_w
from poise.measures.signals import PART_SIGNALS, SIGNALS, compute_up_w, find_part
from poise.recordings.recording import FloatArray, Recording

DIVERGED: Final = "diverged"
COLLAPSE, FORWARD, BACKWARD, SIDEWAYS = "collapse", "fall forward", "fall backward", "fall sideways"
FEET: Final = tuple(f"{side}_foot" for side in SIDES)
#: A fallen body with a smaller mean lean did not tip over: it collapsed.
_UPRIGHT_RAD: Final = 0.35
#: The heading of a fall is taken this long before it: the heading of a body on the ground means little.
_BEFORE_S: Final = 0.5


@dataclass(frozen=True)
class Failure:
    """How and when a trial ended early."""

    name: str
    at_s: float


def name_fall(recording: Recording) -> str:
    """Direction of the fall in the last frame.

    It combines the lean of the trunk with the direction from the midpoint of the feet to the centre of mass.
    """
    if not recording.frames:
        return COLLAPSE
    feet = np.mean([recording.segment_pos_w_m[-1, find_part(recording.characters[0], f)] for f in FEET], axis=0)
    way = recording.com_w_m[-1, 0] - feet
    over = compute_up_w(recording, "trunk")[-1] + way / max(float(np.linalg.norm(way)), 1e-9)
    before = int(np.searchsorted(recording.time_s, recording.time_s[-1] - _BEFORE_S))
    forward = compute_forward_w(recording)[before]
    ahead, aside = float(over @ forward), float(over[1] * forward[0] - over[0] * forward[1])
    if math.hypot(ahead, aside) < 2.0 * math.sin(_UPRIGHT_RAD):
        return COLLAPSE
    if abs(aside) > abs(ahead):
        return SIDEWAYS
    return FORWARD if ahead > 0.0 else BACKWARD


@dataclass(frozen=True)
class Limits:
    """Bounds that a number must not exceed."""

    below: float | None = None
    above: float | None = None

    def are_broken(self, values: FloatArray | float) -> NDArray[np.bool_]:
        """Mask of the values outside the bounds."""
        low = -math.inf if self.below is None else self.below
        high = math.inf if self.above is None else self.above
        return (np.asarray(values) < low) | (np.asarray(values) > high)


@dataclass(frozen=True)
class EndRule:
    """A failure that is judged at the end of a trial."""

    name: str
    measure: Measure
    limits: Limits


@dataclass(frozen=True)
class WatchRule:
    """A failure that ends a trial at the first frame in which it occurs."""

    name: str
    signal: str
    limits: Limits
    #: Role or name of the watched part, for signals of one part.
    of: str = ""

    def find(self, recording: Recording) -> Failure | None:
        """The failure, if it occurs in a recording."""
        if self.signal in PART_SIGNALS:
            values = PART_SIGNALS[self.signal](recording, self.of)
        else:
            values = SIGNALS[self.signal](recording)
        broken = np.flatnonzero(self.limits.are_broken(values))
        return Failure(self.name, float(recording.time_s[broken[0]])) if len(broken) else None


def find_first(rules: tuple[WatchRule, ...], recording: Recording) -> Failure | None:
    """The earliest failure of any rule; on a tie, that of the first rule."""
    found = [failure for rule in rules if (failure := rule.find(recording)) is not None]
    return min(found, key=lambda f: f.at_s) if found else None
