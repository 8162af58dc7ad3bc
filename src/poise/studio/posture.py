"""When the character was down, how many steps it has made, and whether it has fallen.

The judge is that of `poise run`, frame by frame: a body that turns over and lands on its feet has not fallen, and a
script may intend its body to lie down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from poise.constants import UP_S
from poise.measures.upright import compute_upright
from poise.recordings.recording import Recording

#: A body without a script has fallen once it has been down for this long.
FALL_S: Final = 0.5
#: Frame times are sums of time steps.
_ROUNDING_S: Final = 1e-9


@dataclass(frozen=True)
class Down:
    """A time during which the body was not upright, by its first and last frame."""

    since_s: float
    until_s: float
    #: Whether the body has been upright for a while since then.
    over: bool = False


Downs = tuple[Down, ...]


@dataclass(frozen=True)
class Posture:
    """The times down of a run, oldest first, and the number of steps."""

    downs: Downs = ()
    steps: int = 0

    @property
    def down_since_s(self) -> float | None:
        """Start of the present time down; None if the body is upright."""
        return self.downs[-1].since_s if self.downs and not self.downs[-1].over else None

    def after(self, part: Recording) -> Posture:
        """The posture after the next part of the run."""
        downs = list(self.downs)
        for time_s, upright in zip(part.time_s.tolist(), compute_upright(part).tolist(), strict=True):
            last = downs[-1] if downs else None
            ago_s = time_s - last.until_s + _ROUNDING_S if last else 0.0
            if not upright and last and (not last.over or ago_s < UP_S):
                downs[-1] = Down(last.since_s, time_s)
            elif not upright:
                downs.append(Down(time_s, time_s))
            elif last and not last.over and ago_s >= UP_S:
                downs[-1] = replace(last, over=True)
        found = Posture(tuple(downs), self.steps)
        # A body that lies on the ground kicks it, which is no walk.
        counts = self.down_since_s is None and found.down_since_s is None
        return replace(found, steps=self.steps + len(part.events_of(0, "step"))) if counts else found
