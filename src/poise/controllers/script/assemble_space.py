"""Joints with several axes: the axis of each component of an action, and the offsets between axes."""

from __future__ import annotations

from poise.characters.model import Vec3
from poise.language.atoms import components
from poise.language.names import Body
from poise.language.tree import Angles, Value, Vector


def spread(body: Body, joint: str, angles: Angles) -> list[tuple[int, int, Value]]:
    """Component, axis and angle of each servo that a target sets; the sagittal form sets one."""
    if not isinstance(angles, Vector):
        return [(0, body.joints[joint], angles)]
    turns = zip(body.turns(joint), angles.values, strict=False)
    return [(k, axis, angle) for k, (axis, angle) in enumerate(turns) if axis >= 0]


def find_gain(gain: Angles, component: int) -> Value:
    """The gain of one axis, from a gain for all axes or a gain for each."""
    values = components(gain)
    return values[component] if component < len(values) else values[0]


def match_axes(body: Body, joint: str, other: str) -> list[tuple[int, int]]:
    """Pairs of corresponding axes of two joints; without any, the two named axes make one pair."""
    pairs = [(a, b) for a, b in zip(body.turns(joint), body.turns(other), strict=True) if a >= 0 and b >= 0]
    return pairs or [(body.joints[joint], body.joints[other])]


def outward(body: Body, name: str) -> float:
    """Sign of an offset to the left in a joint's or part's roll, which is positive outward, or right in the middle."""
    return 1.0 if body.side(name) > 0 else -1.0


def way(body: Body, axis: int, next_axis: int, part: int) -> Vec3:
    """Vector from one axis to the next one's anchor, or to the centre of the part, in the reference pose."""
    at = body.character.reference_positions_m()
    names = body.character.segment_names
    here = at[names[body.axis_segments[axis]]]
    if next_axis >= 0:
        there = at[names[body.axis_segments[next_axis]]]
    else:
        com, base = body.character.segments[part].com_m, at[names[part]]
        there = (base[0] + com[0], base[1] + com[1], base[2] + com[2])
    return there[0] - here[0], there[1] - here[1], there[2] - here[2]
