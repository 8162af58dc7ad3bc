"""Measures of a character for the walker: bones, soles, signs of its hinges, and the scale of its parameters."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES, Character
from poise.controllers.walker import layout
from poise.errors import InputError
from poise.kernels.fixed import norm, turn

#: The body for which defaults and shipped values hold; gains and forces of others scale with the mass [Coros10 §5.4].
REFERENCE_MASS_KG: Final = 70.4
REFERENCE_LEG_M: Final = 0.86
REFERENCE_HIPS_M: Final = 0.16

_AXES: Final = {
    "back": ("back_pitch", "back_roll", "back_yaw"),
    "chest": ("chest_pitch", "chest_roll", "chest_yaw"),
    "neck": ("neck_pitch", "neck_roll", "neck_yaw"),
    "shoulder": ("shoulder_pitch", "shoulder_roll", "shoulder_yaw"),
    "elbow": ("elbow_pitch",),
    "hip": ("hip_pitch", "hip_roll", "hip_yaw"),
    "knee": ("knee_pitch",),
    "ankle": ("ankle_pitch", "ankle_roll"),
    "toe": ("toe_pitch",),
}
_MIDLINE: Final = ("back", "chest", "neck")
#: Coordinate axis of pitch, roll and yaw.
_PLANE_AXIS: Final = (1, 0, 2)
NEEDED: Final = tuple(f"{s}_{a}" for s in SIDES for a in (*_AXES["hip"], "knee_pitch", "ankle_pitch"))


def write_body(record: Any, character: Character) -> None:
    """Write the character's measures into a `layout.PARAMS` record."""
    _write_signs(record, character)
    at = character.reference_positions_m()
    for k, side in enumerate(SIDES):
        hip, knee, ankle = (np.array(at[character.roles[f"{side}_{r}"]]) for r in ("thigh", "shank", "foot"))
        record.thigh[k] = norm(knee - hip)
        record.shank[k] = norm(ankle - knee)
        heel, toe, inner, outer, depth = sole_of(character, side)
        record.sole[k] = [heel, toe, inner, outer]
        record.sole_depth[k] = depth
    record.leg = 0.5 * float(np.sum(record.thigh) + np.sum(record.shank))
    record.mean_sole[:] = record.sole.mean(axis=0)
    hips = [at[character.roles[f"{side}_thigh"]] for side in SIDES]
    record.hip_width = hips[0][1] - hips[1][1]


def compute_scales(character: Character, record: Any) -> dict[str, float]:
    """Factors of the fields' values for a body, by `Field.scale`."""
    by_length = float(min(record.thigh[k] + record.shank[k] for k in range(2))) / REFERENCE_LEG_M
    by_hips = float(record.hip_width) / REFERENCE_HIPS_M
    return {"mass": character.mass_kg / REFERENCE_MASS_KG, "length": by_length, "hips": by_hips, "": 1.0}


def sole_of(character: Character, side: str) -> tuple[float, float, float, float, float]:
    """Heel, toe, inner and outer edge of the sole relative to the ankle, outward positive, and its depth below it."""
    at = character.reference_positions_m()
    foot = character.roles[f"{side}_foot"]
    ankle = np.array(at[foot])
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for name in character.below(foot):
        segment = character.segment(name)
        for shape in segment.shapes:
            if not shape.collides:
                continue
            half = _half_extent(shape)
            center = np.array(at[name]) + np.array(shape.center_m) - ankle
            low, high = np.minimum(low, center - half), np.maximum(high, center + half)
    if not np.isfinite(low).all():
        raise InputError(f"character {character.name}: the walker needs a {side} foot with a shape.")
    inner, outer = (low[1], high[1]) if side == "left" else (-high[1], -low[1])
    return float(low[0]), float(high[0]), float(inner), float(outer), float(-low[2])


def _half_extent(shape: Any) -> NDArray[np.float64]:
    """Half the size of a shape's bounding box, in the segment's frame."""
    size = shape.size_m
    if shape.kind == "box":
        half = 0.5 * np.array(size)
    elif shape.kind in ("capsule", "cylinder"):
        half = np.array([size[0], size[0], 0.5 * size[1] + (size[0] if shape.kind == "capsule" else 0.0)])
    else:
        half = np.array(size * 3 if len(size) == 1 else size)
    w, x, y, z = shape.quat_wxyz
    rot = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return turn(np.abs(rot), half)


def _write_signs(record: Any, character: Character) -> None:
    """Write +1 for hinges about +y, +x or +z, and −1 for those about the opposite direction."""
    names = character.axis_names
    for k, joint in enumerate(layout.JOINTS):
        for side in range(2):
            for j, axis in enumerate(_AXES[joint]):
                name = axis if joint in _MIDLINE else f"{SIDES[side]}_{axis}"
                if name not in names:
                    record.sign[side, k, j] = 1.0
                    continue
                direction = character.axes[names.index(name)].direction
                along = direction[_PLANE_AXIS[j]]
                if abs(abs(along) - 1.0) > 1e-6:
                    raise InputError(
                        f"character {character.name}: the walker needs {name} to rotate about a main axis, "
                        f"got {direction}."
                    )
                record.sign[side, k, j] = along
