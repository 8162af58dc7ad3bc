"""Positive directions of the angles that laws may look up by name.

x forward, y left, z up, in the parent's frame. Flexion, abduction and outward rotation are positive on both sides.
Midline axes rotate the trunk above relative to the trunk below: bending forward, leaning right and yaw to the left are
positive.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from poise.characters.model import KNOWN_AXES, Vec3
from poise.characters.sides import mirror_direction

_LEFT = {
    "hip_pitch": (0.0, -1.0, 0.0),  # thigh forward
    "knee_pitch": (0.0, 1.0, 0.0),  # heel to buttock
    "ankle_pitch": (0.0, -1.0, 0.0),  # toes up
    "toe_pitch": (0.0, -1.0, 0.0),  # toes up
    "shoulder_pitch": (0.0, -1.0, 0.0),  # arm forward
    "elbow_pitch": (0.0, -1.0, 0.0),  # hand to shoulder
}


def _direction(axis: str) -> Vec3:
    side, _, rest = axis.partition("_")
    if rest in _LEFT:
        return _LEFT[rest]
    if axis.endswith("_pitch"):
        return (0.0, 1.0, 0.0)
    left = (1.0, 0.0, 0.0) if axis.endswith("_roll") else (0.0, 0.0, 1.0)
    return mirror_direction(left) if side == "right" else left


#: Direction of every known axis of a character whose reference pose is standing with hanging arms.
CONVENTIONAL_DIRECTIONS: Mapping[str, Vec3] = MappingProxyType({axis: _direction(axis) for axis in KNOWN_AXES})
