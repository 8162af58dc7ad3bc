"""Conversion from the units and axes of a file to ours: metres, z up. Missing facts are guessed and noted.

Motion files rarely give the length of a unit and never the up axis. The legs reveal both: they point down most of the
time, and an adult's are about 0.85 m long from hip to ankle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping as Table
from dataclasses import replace
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.errors import InputError, unknown_name
from poise.kernels.fixed import add_up, norm
from poise.motion.bases import sample_places, settle_bases
from poise.motion.clip import GIVE_RATE, Clip
from poise.motion.mapping import Mapping
from poise.motion.raw import RawClip
from poise.motion.rotations import FloatArray
from poise.motion.skeleton import EndSite, Skeleton

UNITS_M: Final = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "cmu": 0.0254 / 0.45}
"""Lengths of units in metres. CMU's files use inches divided by 0.45."""

LEG_M: Final = 0.85
"""From hip to ankle: 0.49 of a height of 1.73 m."""

HEIGHT_M: Final = 1.7
SURE_LEG_M: Final = (0.45, 1.3)
"""Leg lengths outside this range get a note."""

#: Up axis -> rows of the rotation into our axes.
AXES: Final[Table[str, tuple[tuple[int, int, int], ...]]] = {
    "y": ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    "z": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "x": ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    "-y": ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
    "-z": ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    "-x": ((0, -1, 0), (0, 0, 1), (-1, 0, 0)),
}
SAME_RATE: Final = 1e-3
"""Frame rates that differ by a smaller fraction are the same."""

_CLEAR: Final = 0.7
"""Least cosine between the legs and an axis that determines the up axis."""

_AXIS: Final = 0.9
"""The same for legs that stand straight."""

_SOMETIMES: Final = 0.05
"""Least share of the frames in which the legs stand as in the pose of the skeleton."""


def place_clip(
    raw: RawClip, mapping: Mapping, *, unit: str | None = None, up: str | None = None, rate_hz: float | None = None
) -> Clip:
    """The motion in metres with z up. `unit` is a name of `UNITS_M` or a length in metres, `up` a key of `AXES`."""
    notes: list[str] = []
    places = sample_places(raw)
    turn = np.array(AXES[_choose_up(raw, mapping, places, up, notes)], dtype=np.float64)
    unit_m = _choose_unit_m(raw, mapping, places, unit, notes)
    raw, more = settle_bases(raw, mapping, turn[2])
    notes += more
    skeleton = raw.skeleton
    ends = tuple(EndSite(e.joint, _vec3(unit_m * (turn @ np.array(e.offset_m)))) for e in skeleton.ends)
    quats = np.concatenate([raw.quats_wxyz[..., :1], raw.quats_wxyz[..., 1:] @ turn.T], axis=-1)
    return Clip(
        name=raw.name,
        skeleton=replace(skeleton, offsets_m=unit_m * skeleton.offsets_m @ turn.T, ends=ends),
        frame_s=_choose_frame_s(raw, rate_hz, notes),
        root_pos_m=unit_m * raw.root_pos @ turn.T,
        quats_wxyz=quats,
        shifts_m=None if raw.shifts is None else unit_m * raw.shifts @ turn.T,
        loops=raw.loops,
        unit_m=unit_m,
        notes=(*raw.notes, *notes),
    )


def compute_leg_length(skeleton: Skeleton, mapping: Mapping, shifts: FloatArray | None = None) -> float | None:
    """Length from hip via knee to ankle, the mean of both sides, in the skeleton's unit; None if legs are unknown."""
    lengths = []
    offsets = skeleton.offsets_m if shifts is None else np.median(shifts, axis=0)
    for side in SIDES:
        thigh, foot = (mapping.joints.get(f"{side}_{part}") for part in ("thigh", "foot"))
        if thigh is None or foot is None:
            return None
        way = [j for j in skeleton.up_from(foot) if j not in set(skeleton.up_from(thigh))]
        lengths.append(add_up(norm(offsets[j]) for j in way))
    return float(np.mean(lengths)) or None


def _choose_up(raw: RawClip, mapping: Mapping, places: FloatArray, up: str | None, notes: list[str]) -> str:
    if up is not None:
        if up not in AXES:
            raise unknown_name("--up", "axis", up, list(AXES))
        return up
    if raw.up is not None:
        return raw.up
    legs = _find_legs(mapping, places)
    usual = np.zeros(3) if legs is None else np.median(legs, axis=0)
    rest = _find_legs(mapping, raw.skeleton.compute_globals(np.zeros((1, 3)), _unrotated(raw.skeleton))[0])
    straight = None if rest is None or float(np.abs(rest[0]).max()) < _AXIS else rest[0]
    # For a body that gets up or crawls, the pose of the skeleton tells what standing is.
    stands = straight is not None and legs is not None and float((legs @ straight > _AXIS).mean()) > _SOMETIMES
    clear = float(np.abs(usual).max()) > _CLEAR
    if straight is not None and (stands or not clear) and not (clear and _name_up(usual) == _name_up(straight)):
        notes.append(f"up is {_name_up(straight)}, as in the pose of the skeleton")
        return _name_up(straight)
    if not clear:
        notes.append("up is y, as in most files; the legs do not show it")
        return "y"
    notes.append(f"up is {_name_up(usual)}: the legs point the other way")
    return _name_up(usual)


def _name_up(down: FloatArray) -> str:
    axis = int(np.argmax(np.abs(down)))
    return ("-" if down[axis] > 0.0 else "") + "xyz"[axis]


def _unrotated(skeleton: Skeleton) -> FloatArray:
    quats = np.zeros((1, len(skeleton.names), 4))
    quats[..., 0] = 1.0
    return quats


def _find_legs(mapping: Mapping, places: FloatArray) -> FloatArray | None:
    """Mean direction of both legs in every frame, (N, 3); None if the legs are unknown."""
    legs = []
    for side in SIDES:
        thigh, foot = (mapping.joints.get(f"{side}_{part}") for part in ("thigh", "foot"))
        if thigh is not None and foot is not None:
            leg = places[:, foot] - places[:, thigh]
            legs.append(leg / np.maximum(np.linalg.norm(leg, axis=-1, keepdims=True), 1e-12))
    return np.mean(legs, axis=0) if legs else None


def _choose_unit_m(raw: RawClip, mapping: Mapping, places: FloatArray, unit: str | None, notes: list[str]) -> float:
    leg = compute_leg_length(raw.skeleton, mapping, raw.shifts)
    if unit is not None:
        return parse_unit_m("--unit", unit)
    if raw.unit_m is not None:
        unit_m = raw.unit_m
    else:
        size, usual = (leg, LEG_M) if leg else (float(np.ptp(places[0], axis=0).max()), HEIGHT_M)
        if not size > 0.0:
            notes.append("a unit is taken as a metre: the skeleton has no size to judge by")
            return 1.0
        name = min(UNITS_M, key=lambda n: abs(math.log(UNITS_M[n] * size / usual)))
        unit_m = UNITS_M[name]
        what = f"legs of {unit_m * leg:.2f} m" if leg else f"a size of {unit_m * size:.2f} m"
        notes.append(f"a unit is {unit_m:.4g} m ({name}): this gives {what}")
    if leg and not SURE_LEG_M[0] <= unit_m * leg <= SURE_LEG_M[1]:
        notes.append(f"legs of {unit_m * leg:.2f} m are unusual: --unit sets the length of a unit")
    return unit_m


def name_unit(unit_m: float | None) -> str:
    """Name of a unit, or its length in metres; m if it is unknown."""
    length = 1.0 if unit_m is None else unit_m
    return next(
        (name for name, known in UNITS_M.items() if math.isclose(known, length, rel_tol=1e-3)), f"{length:.4g} m"
    )


def parse_unit_m(where: str, unit: str) -> float:
    """Length of a unit in metres: a name of `UNITS_M`, or a number."""
    if unit in UNITS_M:
        return UNITS_M[unit]
    try:
        value = float(unit)
    except ValueError:
        raise unknown_name(where, "unit", unit, list(UNITS_M)) from None
    if not (math.isfinite(value) and 1e-6 <= value <= 1e3):
        raise InputError("not a valid length in metres", where=where, got=unit, allowed="Allowed: 1e-06 to 1000")
    return value


def _choose_frame_s(raw: RawClip, rate_hz: float | None, notes: list[str]) -> float:
    if rate_hz is not None:
        if raw.frame_s is not None and abs(raw.frame_s * rate_hz - 1.0) > SAME_RATE:
            notes.append(f"{rate_hz:g} frames per second, as given, instead of {1.0 / raw.frame_s:.4g}")
        return 1.0 / rate_hz
    if raw.frame_fault is not None:
        raise raw.frame_fault
    notes += [raw.frame_guess] if raw.frame_guess else []
    if raw.frame_s is None:
        raise InputError("the file does not say how long a frame takes", where=raw.name, allowed=GIVE_RATE)
    return raw.frame_s


def _vec3(values: FloatArray) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in values)
    return x, y, z
