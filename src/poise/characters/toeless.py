"""Characters without toe joints: each foot becomes one rigid piece with the toes in their reference pose.

Fewer degrees of freedom simulate faster. Masses, inertias and landmarks stay in place. A foot that is one box grows
forward to the tips of its toes, with its own width and height: two boxes would make twice the contacts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.characters.model import SIDES, Character, Segment, Shape, Vec3
from poise.characters.solids import MassProperties, combine, to_vec3
from poise.errors import InputError

_UPRIGHT: Final = (1.0, 0.0, 0.0, 0.0)


def without_toes(character: Character) -> Character:
    """The character with its toes fixed to its feet; `-toeless` is appended to its name."""
    fixed = {
        character.roles[f"{side}_toes"]: character.roles[f"{side}_foot"]
        for side in SIDES
        if f"{side}_toes" in character.roles
    }
    by_name = {s.name: s for s in character.segments}
    if not fixed or any(by_name[toes].parent != foot for toes, foot in fixed.items()):
        raise InputError("it has no toes attached to its feet", where=f"character {character.name}")
    axes = {a.name for toes in fixed if (joint := by_name[toes].joint) for a in joint.axes}
    return replace(
        character,
        name=f"{character.name}-toeless",
        segments=tuple(_fuse(s, fixed, by_name) for s in character.segments if s.name not in fixed),
        roles={role: name for role, name in character.roles.items() if name not in fixed},
        landmarks=tuple(
            replace(m, segment=fixed[m.segment], position_m=_shift(m.position_m, by_name[m.segment].origin_m))
            if m.segment in fixed
            else m
            for m in character.landmarks
        ),
        rest_pose_rad={axis: angle for axis, angle in character.rest_pose_rad.items() if axis not in axes},
    )


def _fuse(segment: Segment, fixed: dict[str, str], by_name: dict[str, Segment]) -> Segment:
    """A segment merged with the toes fixed to it; a child of toes becomes a child of the foot."""
    if segment.parent in fixed:
        toes = by_name[segment.parent]
        return replace(segment, parent=fixed[toes.name], origin_m=_shift(segment.origin_m, toes.origin_m))
    parts, shapes = [MassProperties(segment.mass_kg, segment.com_m, segment.inertia_kgm2)], segment.shapes
    ground = segment.ground_m
    for name, foot in fixed.items():
        if foot == segment.name:
            toes = by_name[name]
            parts.append(MassProperties(toes.mass_kg, _shift(toes.com_m, toes.origin_m), toes.inertia_kgm2))
            ground += tuple(_shift(p, toes.origin_m) for p in toes.ground_m)
            shapes = _cover(shapes, tuple(replace(s, center_m=_shift(s.center_m, toes.origin_m)) for s in toes.shapes))
    if len(parts) == 1:
        return segment
    whole = combine(parts)
    return replace(
        segment,
        mass_kg=whole.mass_kg,
        com_m=whole.com_m,
        inertia_kgm2=whole.inertia_kgm2,
        shapes=shapes,
        ground_m=ground,
    )


def _cover(foot: tuple[Shape, ...], toes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """Shapes of foot and toes: one longer box if each is a single unrotated box, otherwise all of them."""
    if len(foot) != 1 or len(toes) != 1 or any(s.kind != "box" or s.quat_wxyz != _UPRIGHT for s in (*foot, *toes)):
        return (*foot, *toes)
    box = foot[0]
    back = box.center_m[0] - 0.5 * box.size_m[0]
    tip = max(s.center_m[0] + 0.5 * s.size_m[0] for s in (box, toes[0]))
    size, center = (tip - back, *box.size_m[1:]), (0.5 * (back + tip), *box.center_m[1:])
    return (replace(box, size_m=size, center_m=center),)


def _shift(point: Vec3, by: Vec3) -> Vec3:
    return to_vec3(np.array(point) + np.array(by))
