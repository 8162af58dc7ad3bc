"""Regulation variables: the measures by which a step is judged [Laszlo96 §3.5].

Each is a unit vector projected onto the ground: how far it leans ahead and to the left. Ahead is perpendicular to the
line through the hips.
"""

from __future__ import annotations

import math

import numpy as np

from poise.characters.model import ROLES, SIDES, Character
from poise.controllers.limit_cycle.layout import VARIABLES
from poise.kernels.fixed import norm, turn
from poise.kernels.percept import Percept
from poise.world.controller import FloatArray

_UP, _PELVIS, _SWING, _STANCE = range(len(VARIABLES))


class Regulation:
    """Reads the regulation variables of one character."""

    def __init__(self, character: Character) -> None:
        names, marks = character.segment_names, {m.name: m for m in character.landmarks}
        self._pelvis = names.index(character.roles["pelvis"])
        # A landmark may name the segment of the up vector: for the bird, that is its head.
        self._trunk = names.index(marks["up_origin"].segment if "up_origin" in marks else character.roles["trunk"])
        self._thighs = [ROLES.index(f"{side}_thigh") for side in SIDES]
        self._feet = []
        for side in SIDES:
            mark = marks.get(f"{side}_mid_foot")
            segment = names.index(character.roles[f"{side}_foot"])
            self._feet.append((segment, np.array(mark.position_m if mark else _middle_of_sole(character, side))))

    def ahead(self, percept: Percept) -> tuple[float, float]:
        """Unit vector on the ground in the facing direction."""
        left, right = (percept.pos_w[percept.roles[k]] for k in self._thighs)
        x, y = left[1] - right[1], right[0] - left[0]
        size = math.hypot(x, y) or 1.0
        return x / size, y / size

    def read(self, percept: Percept, variable: int, stance: int) -> tuple[float, float]:
        """Forward and lateral components of a variable, for a step on that leg (0 left, 1 right)."""
        c, s = self.ahead(percept)
        x, y = self._lean(percept, variable, stance)
        return c * x + s * y, c * y - s * x

    def _lean(self, percept: Percept, variable: int, stance: int) -> tuple[float, float]:
        if variable in (_UP, _PELVIS):
            rot = percept.rot_w[self._trunk if variable == _UP else self._pelvis]
            return float(rot[2]), float(rot[5])
        segment, point = self._feet[stance if variable == _STANCE else 1 - stance]
        foot = percept.pos_w[segment] + turn(percept.rot_w[segment].reshape(3, 3), point)
        way = percept.com_w - foot
        size = norm(way) or 1.0
        return float(way[0]) / size, float(way[1]) / size


def _middle_of_sole(character: Character, side: str) -> FloatArray:
    """The middle of a foot's landmarks that touch the ground; its joint if it has none."""
    foot = character.roles[f"{side}_foot"]
    points = [m.position_m for m in character.landmarks if m.segment == foot and m.ground]
    return np.mean(points, axis=0) if points else np.zeros(3)
