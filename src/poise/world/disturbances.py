"""Initial positions of characters and pushes on them: plain data that `World` enters into its ledger."""

from __future__ import annotations

from dataclasses import dataclass

from poise.errors import out_of_range


@dataclass(frozen=True)
class Push:
    """A constant force on a segment's centre of mass; its direction is fixed in the heading frame when it starts."""

    force_n: float
    #: 0 is forward, 90 is left.
    direction_deg: float
    start_s: float
    duration_s: float
    segment: str = ""
    character: int = 0

    def __post_init__(self) -> None:
        for name, low, high in (
            ("force_n", -1e5, 1e5),
            ("direction_deg", -720.0, 720.0),
            ("start_s", 0.0, 1e6),
            ("duration_s", 0.0, 1e4),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise out_of_range("push", name, value, low, high)


@dataclass(frozen=True)
class Spawn:
    """Initial position and heading of a character."""

    x_m: float = 0.0
    y_m: float = 0.0
    heading_rad: float = 0.0
