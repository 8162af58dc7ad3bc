"""Random bodies: a character with other proportions, reproducible by seed.

Factors are drawn uniformly on a logarithmic scale: half as large is as likely as twice as large. The legs share a
factor and have a ratio between them; each arm and each knee is drawn separately. The feet are not drawn: they scale
with the height of the centre of mass, so that every body tips over at the same angle. If thick legs would overlap under
narrow hips, the hips are moved apart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from poise.characters.kinematics import (
    compute_center_of_mass_m,
    compute_frames,
    compute_reach_m,
    compute_vertical_span_m,
)
from poise.characters.knees import has_knee
from poise.characters.model import SIDES, Character
from poise.characters.proportions import find_part, scaled
from poise.errors import InputError

MAX_BODY_SEED: Final = 2**32 - 1
#: Factors for legs, arms, trunk and head.
SIZE_RANGE: Final = (0.7, 1.4)
#: Largest ratio of the longer leg to the shorter one.
MAX_LEG_RATIO: Final = 1.1
#: The thigh's share of a leg.
KNEE_RANGE: Final = (0.35, 0.65)
#: Least gap between the legs at rest, seen from the front.
LEGS_APART_M: Final = 0.02
#: Factor on all masses, on top of the effect of the proportions.
MASS_RANGE: Final = (0.5, 2.0)


def random_body(character: Character, seed: int) -> Character:
    """The character with random proportions; `-body` and the seed are appended to its name."""
    body = _spread_hips(scaled(character, **random_proportions(character, seed)))
    return replace(body, name=f"{character.name}-body{seed}")


def random_proportions(character: Character, seed: int) -> dict[str, float]:
    """Factors for `scaled`, for the parts that the character has."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_BODY_SEED:
        raise InputError(
            "the seed must be a whole number", where="random body", got=seed, allowed=f"Allowed: 0 to {MAX_BODY_SEED}"
        )
    rng = np.random.default_rng(seed)
    legs, left_over_right = _draw(rng, SIZE_RANGE), _draw(rng, (1.0 / MAX_LEG_RATIO, MAX_LEG_RATIO))
    low, high = SIZE_RANGE
    # Everything is drawn for every character: a seed gives the same arms with or without a head.
    drawn = {
        "left_leg": min(max(legs * left_over_right**0.5, low), high),
        "right_leg": min(max(legs / left_over_right**0.5, low), high),
        **{part: _draw(rng, SIZE_RANGE) for part in ("left_arm", "right_arm", "trunk", "head")},
        **{f"{side}_knee": float(rng.uniform(*KNEE_RANGE)) for side in SIDES},
        "mass": _draw(rng, MASS_RANGE),
    }
    chosen = {part: value for part, value in drawn.items() if _has(character, part)}
    if find_part(character, "feet"):
        taller = _center_height_m(scaled(character, **chosen)) / _center_height_m(character)
        chosen["feet"] = taller
    return chosen


def _draw(rng: np.random.Generator, limits: tuple[float, float]) -> float:
    low, high = limits
    return float(low * (high / low) ** rng.random())


def _has(character: Character, part: str) -> bool:
    if part.endswith("_knee"):
        return has_knee(character, part.removesuffix("_knee"))
    return part == "mass" or bool(find_part(character, part))


def _center_height_m(character: Character) -> float:
    """Height of the centre of mass above the sole, at rest."""
    return compute_center_of_mass_m(character)[2] - compute_vertical_span_m(character)[0]


def _spread_hips(character: Character) -> Character:
    """The character with its hips moved apart until its legs are clear; legs of a planar character never collide."""
    missing = LEGS_APART_M - _inner_y_m(character, "left", -1.0) + _inner_y_m(character, "right", 1.0)
    if character.root == "planar" or missing <= 0.0:
        return character
    move = {character.roles[f"{side}_thigh"]: sign * 0.5 * missing for side, sign in zip(SIDES, (1.0, -1.0))}
    segments = tuple(
        replace(s, origin_m=(s.origin_m[0], s.origin_m[1] + move.get(s.name, 0.0), s.origin_m[2]))
        for s in character.segments
    )
    return replace(character, segments=segments)


def _inner_y_m(character: Character, side: str, sign: float) -> float:
    """Innermost y of a leg at rest; `sign` is the side of the other leg."""
    frames = compute_frames(character)
    return sign * max(
        sign * float(frame.origin_m[1]) + compute_reach_m(shape, sign * frame.rotation[1])
        for name in character.below(character.roles[f"{side}_thigh"])
        for frame in (frames[name],)
        for shape in character.segment(name).shapes
    )
