"""What an objective can look at: figures of a recording after its first seconds, each with its unit in its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from poise.measures.body import BODY, PART
from poise.measures.effort import EFFORT
from poise.measures.gait import GAIT
from poise.measures.tracking import TRACKING
from poise.measures.window import Window
from poise.recordings.recording import Recording

__all__ = ["MEASURES", "NAMES", "TIME_OF_FAILURE", "Measure", "Window"]

#: The one measure that a trial has which failed.
TIME_OF_FAILURE: Final = "time_of_failure_s"


def _time_of_failure(w: Window) -> float:
    return float(w.recording.time_s[-1]) if w.failed_at_s is None else w.failed_at_s


#: name -> what it gives. The unit is the name's last part; shares and ratios have none.
MEASURES: Final[Mapping[str, Callable[[Window], float]]] = {
    **GAIT,
    **BODY,
    **EFFORT,
    TIME_OF_FAILURE: _time_of_failure,
}
#: All of them, with those that need a part of the body or a reference.
NAMES: Final = (*MEASURES, *PART, *TRACKING)


@dataclass(frozen=True)
class Measure:
    """A measure with what it needs."""

    name: str
    #: Role or name of the part that is measured, for those of one part.
    of: str = ""
    #: What is tracked, and the name under which it was given.
    reference: Recording | None = None
    reference_name: str = ""

    @property
    def label(self) -> str:
        of = f" of {self.of}" if self.of else ""
        return f"{self.name}{of} to {self.reference_name}" if self.reference_name else f"{self.name}{of}"

    def __call__(self, window: Window) -> float:
        if self.name in PART:
            return PART[self.name](window, self.of)
        if self.name in TRACKING:
            assert self.reference is not None
            return TRACKING[self.name](window, self.reference)
        return MEASURES[self.name](window)
