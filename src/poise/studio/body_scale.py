"""How large and heavy a character is compared with the humanoid: pushes, balls and pulls scale with it.

Masses and forces scale with the mass, lengths with the height, and speeds with its square root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from poise.characters.kinematics import compute_height_m
from poise.characters.model import Character

#: Mass and height of `humanoid`, for which the figures of the studio were chosen.
STANDARD_MASS_KG: Final = 70.4
STANDARD_HEIGHT_M: Final = 1.73


@dataclass(frozen=True)
class BodyScale:
    """Ratios to the humanoid."""

    mass: float = 1.0
    length: float = 1.0

    @property
    def speed(self) -> float:
        return math.sqrt(self.length)


def measure_scale(character: Character) -> BodyScale:
    return BodyScale(character.mass_kg / STANDARD_MASS_KG, compute_height_m(character) / STANDARD_HEIGHT_M)


@dataclass(frozen=True)
class Strength:
    """The range, the step and the first value of a slider, in round numbers."""

    low: float
    high: float
    step: float
    value: float

    def clamp(self, value: float) -> float:
        """The nearest value that the slider has."""
        return min(max(round(value / self.step) * self.step, self.low), self.high)


def scale_strength(strength: Strength, factor: float) -> Strength:
    """A slider for another body: its step is 1, 2 or 5 times a power of ten, and its values are whole steps."""
    exact = strength.step * factor
    power = 10.0 ** math.floor(math.log10(exact))
    step = min((m * power for m in (1.0, 2.0, 5.0, 10.0)), key=lambda s: abs(math.log(s / exact)))
    low, high, value = (max(round(v * factor / step), 1) * step for v in (strength.low, strength.high, strength.value))
    return Strength(low, high, step, value)
