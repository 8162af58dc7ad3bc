"""Plausibility bounds of characters, for file formats without ranges of their own."""

from __future__ import annotations

import math
from collections.abc import Iterable

from poise.characters.model import Character, Segment
from poise.characters.read_solids import (
    MAX_INERTIA_KGM2,
    MAX_LENGTH_M,
    MAX_MASS_KG,
    MIN_LENGTH_M,
    MIN_MASS_KG,
)
from poise.characters.read_toml import MAX_ANGLE_RAD, MAX_TORQUE_NM
from poise.characters.solids import is_physical_inertia
from poise.errors import InputError, out_of_range


def check_plausible(character: Character) -> None:
    """Raise if a mass, a length, an inertia or a gain is implausible for any body."""
    for segment in character.segments:
        _check_segment(segment)
    for axis in character.axes:
        where = f"axis {axis.name}"
        for name in ("kp_nm_per_rad", "kd_nms_per_rad", "armature_kgm2", "stiffness_nm_per_rad", "damping_nms_per_rad"):
            _check(where, name, [getattr(axis, name)], 0.0, MAX_TORQUE_NM)
        limits = [v for v in (axis.low_rad, axis.high_rad) if math.isfinite(v)]
        _check(where, "limits", limits, -MAX_ANGLE_RAD, MAX_ANGLE_RAD)
    for mark in character.landmarks:
        _check(f"landmark {mark.name}", "position_m", mark.position_m, -MAX_LENGTH_M, MAX_LENGTH_M)


def _check_segment(segment: Segment) -> None:
    where = f"segment {segment.name}"
    _check(where, "mass_kg", [segment.mass_kg], MIN_MASS_KG, MAX_MASS_KG)
    _check(where, "origin_m", segment.origin_m, -MAX_LENGTH_M, MAX_LENGTH_M)
    _check(where, "com_m", segment.com_m, -MAX_LENGTH_M, MAX_LENGTH_M)
    _check(where, "inertia_kgm2", segment.inertia_kgm2, -MAX_INERTIA_KGM2, MAX_INERTIA_KGM2)
    if not is_physical_inertia(segment.inertia_kgm2):
        raise InputError("no body has this inertia", where=where, got=list(segment.inertia_kgm2))
    for shape in segment.shapes:
        _check(where, f"size_m of a {shape.kind}", shape.size_m, MIN_LENGTH_M, MAX_LENGTH_M)
        _check(where, f"center_m of a {shape.kind}", shape.center_m, -MAX_LENGTH_M, MAX_LENGTH_M)


def _check(where: str, name: str, values: Iterable[float], low: float, high: float) -> None:
    for value in values:
        if not low <= value <= high:
            raise out_of_range(where, name, value, low, high)
