"""Moving the knees along legs of constant length.

The thigh and the shank are stretched lengthwise by f at constant density and thickness: points move along that line,
masses grow by f, second moments of mass by f across the line and by f³ along it. A capsule keeps its radius.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from poise.characters.model import Character, Landmark, Segment, Shape, Vec3
from poise.characters.solids import Matrix, rotation_matrix, to_inertia, to_matrix, to_vec3
from poise.kernels.fixed import multiply, turn, turn_back

#: Smallest and largest share of a leg that is its thigh.
MIN_KNEE: Final = 0.2
MAX_KNEE: Final = 0.8

#: A shape grows longer if its axis is within 45 degrees of the segment's; any other shape only moves.
_ALONG: Final = math.sqrt(0.5)


def has_knee(character: Character, side: str) -> bool:
    """Whether a leg is a thigh, a shank and a foot, each the child of the one before."""
    thigh, shank, foot = (character.role(f"{side}_{part}") for part in ("thigh", "shank", "foot"))
    return shank.parent == thigh.name and foot.parent == shank.name


def compute_knee(character: Character, side: str) -> float:
    """The thigh's share of the length from hip via knee to ankle."""
    thigh = math.hypot(*character.role(f"{side}_shank").origin_m)
    return thigh / (thigh + math.hypot(*character.role(f"{side}_foot").origin_m))


def move_knees(
    character: Character, knees: Mapping[str, float], segments: Sequence[Segment], landmarks: Sequence[Landmark]
) -> tuple[list[Segment], list[Landmark]]:
    """Segments and landmarks of a character with moved knees; `knees` is side -> the thigh's share of the leg."""
    by_name = {s.name: s for s in segments}
    marks = list(landmarks)
    for side, part in knees.items():
        thigh, shank, foot = (by_name[character.roles[f"{side}_{role}"]] for role in ("thigh", "shank", "foot"))
        length = math.hypot(*shank.origin_m) + math.hypot(*foot.origin_m)
        for upper, lower, share in ((thigh, shank, part), (shank, foot, 1.0 - part)):
            reach = math.hypot(*lower.origin_m)
            along, factor = np.array(lower.origin_m) / reach, share * length / reach
            stretch = np.eye(3) + (factor - 1.0) * np.outer(along, along)
            # Read again: the first pass has moved the shank's origin.
            by_name[upper.name] = _stretch_segment(by_name[upper.name], along, factor, stretch)
            for child in segments:
                if child.parent == upper.name:
                    moved = by_name[child.name]
                    by_name[child.name] = replace(moved, origin_m=_move(stretch, moved.origin_m))
            marks = [
                replace(m, position_m=_move(stretch, m.position_m)) if m.segment == upper.name else m for m in marks
            ]
    return [by_name[s.name] for s in segments], marks


def _move(stretch: Matrix, point: Vec3) -> Vec3:
    return to_vec3(turn(stretch, point))


def _stretch_segment(segment: Segment, along: Matrix, factor: float, stretch: Matrix) -> Segment:
    inertia = to_matrix(segment.inertia_kgm2)
    # I = tr(S)·1 − S for the second moments S; its inverse takes half the trace of I.
    moments = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    moments = multiply(factor * stretch, moments, stretch.T)
    return replace(
        segment,
        mass_kg=segment.mass_kg * factor,
        com_m=_move(stretch, segment.com_m),
        inertia_kgm2=to_inertia(np.trace(moments) * np.eye(3) - moments),
        shapes=tuple(_stretch_shape(s, along, factor, stretch) for s in segment.shapes),
        ground_m=tuple(_move(stretch, p) for p in segment.ground_m),
    )


def _stretch_shape(shape: Shape, along: Matrix, factor: float, stretch: Matrix) -> Shape:
    size, cosines = list(shape.size_m), np.abs(turn_back(rotation_matrix(shape.quat_wxyz), along))
    if shape.kind in ("capsule", "cylinder"):
        if cosines[2] > _ALONG:
            size[1] *= factor
    elif shape.kind in ("box", "ellipsoid"):
        size[int(np.argmax(cosines))] *= factor
    return replace(shape, size_m=tuple(size), center_m=_move(stretch, shape.center_m))
