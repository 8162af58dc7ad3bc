"""Settings and outcomes of push tests: plain data of `poise.trials.pushes`.

Directions are degrees in the heading frame, 0 forward and 90 to the left; a phase is a fraction of the step, from one
foot strike (0) to the next (1). A moment of a random push lies in a stride: two steps, one with each foot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from poise.brief import count
from poise.errors import out_of_range

MAX_DIRECTIONS: Final = 360
MAX_PHASES: Final = 1000


@dataclass(frozen=True)
class PushTest:
    """Settings of a push test: directions, phases of the step, duration, and how long to wait for a fall."""

    #: A number of evenly spaced directions, or a list in degrees.
    directions: int | Sequence[float] = 8
    #: A number of evenly spaced phases, or a list of fractions of the step.
    phases: int | Sequence[float] = 6
    duration_s: float = 0.1
    #: A segment or a role; the trunk if empty.
    segment: str = ""
    #: The push occurs in the first step after this time.
    settle_s: float = 3.0
    #: How long to watch after the push has ended.
    after_s: float = 6.0

    def __post_init__(self) -> None:
        for name, given, most in (("directions", self.directions, MAX_DIRECTIONS), ("phases", self.phases, MAX_PHASES)):
            number = given if isinstance(given, int) else len(given)
            if not 1 <= number <= most:
                raise out_of_range("push test", f"number of {name}", number, 1, most)
        for name, value in (("duration_s", self.duration_s), ("after_s", self.after_s)):
            if not 0.0 <= value <= 1000.0:
                raise out_of_range("push test", name, value, 0.0, 1000.0, "s")

    @property
    def directions_deg(self) -> tuple[float, ...]:
        given = self.directions
        return tuple(360.0 * k / given for k in range(given)) if isinstance(given, int) else tuple(map(float, given))

    @property
    def phase_parts(self) -> tuple[float, ...]:
        given = self.phases
        return tuple(k / given for k in range(given)) if isinstance(given, int) else tuple(map(float, given))


@dataclass(frozen=True)
class PushOutcome:
    """Result of one push."""

    force_n: float
    direction_deg: float
    phase: float
    #: Time of the fall after the start of the push; None if it did not fall.
    fell_after_s: float | None

    @property
    def survived(self) -> bool:
        return self.fell_after_s is None


@dataclass(frozen=True)
class PushMatrix:
    """Outcomes by force, direction and phase. After Ctrl-C some may be missing."""

    forces_n: tuple[float, ...]
    directions_deg: tuple[float, ...]
    phases: tuple[float, ...]
    #: Duration of the pushed step without a push; None when standing.
    step_s: float | None
    outcomes: tuple[PushOutcome, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    interrupted: bool = False

    def __repr__(self) -> str:
        return f"<PushMatrix: {self.survived} of {len(self.outcomes)} survived>"

    @property
    def survived(self) -> int:
        return sum(o.survived for o in self.outcomes)

    def outcome(self, force_n: float, direction_deg: float, phase: float) -> PushOutcome | None:
        """The outcome of one push; None if it was not tried."""
        key = (force_n, direction_deg, phase)
        return next((o for o in self.outcomes if (o.force_n, o.direction_deg, o.phase) == key), None)

    def share(self, force_n: float, direction_deg: float) -> float | None:
        """The fraction of the phases at which a push was survived; None if none was tried."""
        found = [o.survived for o in self.outcomes if (o.force_n, o.direction_deg) == (force_n, direction_deg)]
        return sum(found) / len(found) if found else None


@dataclass(frozen=True)
class RandomPush:
    """Result of one push from a random direction at a random moment."""

    force_n: float
    direction_deg: float
    #: Time of the run at which the push starts.
    start_s: float
    #: Fraction of the step completed at the start, and the foot that began the step; 0 and empty when standing.
    phase: float
    foot: str
    #: Time of the fall after the start of the push; None if it did not fall.
    fell_after_s: float | None

    @property
    def survived(self) -> bool:
        return self.fell_after_s is None


@dataclass(frozen=True)
class RandomPushes:
    """Outcomes of random pushes; every force has the same draws. After Ctrl-C some may be missing."""

    forces_n: tuple[float, ...]
    #: Number of draws.
    count: int
    #: Duration of the two steps of the pushed stride; empty when standing.
    step_times_s: tuple[float, ...]
    outcomes: tuple[RandomPush, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def survived(self) -> int:
        return sum(o.survived for o in self.outcomes)

    def of_force(self, force_n: float) -> tuple[RandomPush, ...]:
        """The outcomes of one force, in the order of the draws."""
        return tuple(o for o in self.outcomes if o.force_n == force_n)


@dataclass(frozen=True)
class PushLimit:
    """The largest force from a direction that was survived at every phase."""

    direction_deg: float
    limit_n: float
    #: The smallest tested force that was not survived; None if there is none.
    fails_n: float | None
    #: The phase at which that force was not survived; None if there is none.
    weakest_phase: float | None


@dataclass(frozen=True)
class PushLimits:
    """Limits by direction. After Ctrl-C some may be missing."""

    limits: tuple[PushLimit, ...]
    phases: tuple[float, ...]
    step_s: float | None
    settings: Mapping[str, Any] = field(default_factory=dict)
    interrupted: bool = False

    def __repr__(self) -> str:
        return f"<PushLimits: {count(len(self.limits), 'direction')}, the least {self.least_n:.4g} N>"

    @property
    def least_n(self) -> float:
        return min((limit.limit_n for limit in self.limits), default=math.nan)


@dataclass(frozen=True)
class TrainOutcome:
    """Result of one train of pushes."""

    force_n: float
    direction_deg: float
    #: Number of pushes after which it was still on its feet at the next push, or at the end.
    survived_pushes: int
    fell_after_s: float | None

    @property
    def survived(self) -> bool:
        return self.fell_after_s is None


@dataclass(frozen=True)
class PushTrains:
    """Outcomes of trains by force and direction. After Ctrl-C some may be missing."""

    repeat: int
    every_s: float
    outcomes: tuple[TrainOutcome, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    interrupted: bool = False

    def __repr__(self) -> str:
        return f"<PushTrains: {self.survived} of {len(self.outcomes)} survived>"

    @property
    def survived(self) -> int:
        return sum(o.survived for o in self.outcomes)
