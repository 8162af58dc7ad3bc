"""Measures for objectives: numbers computed from a window of a recording, with the unit in each name."""

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

#: The only measure of a failed trial.
TIME_OF_FAILURE: Final = "time_of_failure_s"


def _time_of_failure(w: Window) -> float:
    return float(w.recording.time_s[-1]) if w.failed_at_s is None else w.failed_at_s


#: name -> function. The unit is the last part of the name; shares and ratios have none.
MEASURES: Final[Mapping[str, Callable[[Window], float]]] = {
    **GAIT,
    **BODY,
    **EFFORT,
    TIME_OF_FAILURE: _time_of_failure,
}
#: All measures, including those that need a part of the body or a reference.
NAMES: Final = (*MEASURES, *PART, *TRACKING)


@dataclass(frozen=True)
class Measure:
    """A measure with its arguments."""

    name: str
    #: Role or name of the part, for measures of one part.
    of: str = ""
    #: The tracked recording, and the name under which it was given.
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
