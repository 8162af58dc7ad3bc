"""Builds the walker: parameters packed for a character, the initial pose, and the controller."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES, Character
from poise.controllers.walker import layout
from poise.controllers.walker.body import NEEDED, compute_scales, write_body
from poise.controllers.walker.fields import load_fields
from poise.controllers.walker.law import walker_law
from poise.controllers.walker.memory import GUARD, first_memory, mirror_memory
from poise.controllers.walker.table import METHOD, WalkerSpec, read_spec, revise_values
from poise.errors import InputError
from poise.world.controller import Controller, Parameter, Start

__all__ = ["METHOD", "build", "build_from_table", "pack", "revise_table"]

#: The range of a scaled field is that of the reference body; on other bodies it is this much wider.
SCALED_RANGE = 20.0
FOOTHOLD_RANGE_M = 1e6


def build(character: Character, name: str, description: str = "", table: Mapping[str, Any] | None = None) -> Controller:
    """The walker for a character."""
    if character.root != "free":
        raise InputError(f"character {character.name}: the walker needs a free root, but this body is planar.")
    for axis in NEEDED:
        character.axis_index(axis)
    spec = read_spec(table or {}, name)
    params = pack(character, spec)
    record = params.view(layout.PARAMS)[0]
    bend = record.styles[int(record.style), layout.CHANNEL["stance_knee"], layout.KEYS // 2] + record.crouch
    return Controller(
        name=name,
        law=walker_law,
        params=params,
        memory=first_memory(spec.values.get("style", 0.0)),
        parameters=_parameters(spec),
        start=start_pose(record, float(bend)),
        description=description,
        mirror_memory=mirror_memory,
        guard=GUARD,
    )


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    return build(character, name, description, table)


def revise_table(table: Mapping[str, Any], values: Mapping[str, float], character: Character) -> dict[str, Any]:
    """The table with changed parameters, whose values are given for this character."""
    record = pack(character, read_spec(table, METHOD)).view(layout.PARAMS)[0]
    return revise_values(table, values, compute_scales(character, record))


def pack(character: Character, spec: WalkerSpec) -> NDArray[np.float64]:
    """The law's parameters for a character."""
    params = np.zeros(layout.PARAMS_SIZE)
    record = params.view(layout.PARAMS)[0]
    write_body(record, character)
    scale = compute_scales(character, record)
    fields = load_fields()
    for f in fields.all.values():
        setattr(record, f.place, spec.values.get(f.name, f.default) * scale[f.scale])
    record.lean_share[:], record.look_share[:] = fields.shares["lean"], fields.shares["look"]
    pair = {k: np.array(v) * scale["mass"] for k, v in {**fields.gains, **spec.gains}.items()}
    for k, joint in enumerate(layout.JOINTS):
        record.gain[k] = pair[joint]
    record.pelvis_gain[0], record.pelvis_gain[1] = pair["pelvis"], pair["pelvis_yaw"]
    record.swing_hip_gain[:] = pair["swing_hip"]
    record.swing_knee_gain[:] = pair["swing_knee"]
    for k, style in enumerate(spec.all_styles().values()):
        record.styles[k] = style.curves
        record.tempo[k] = style.tempo
    return params


def _parameters(spec: WalkerSpec) -> tuple[Parameter, ...]:
    places = layout.PARAMS.fields
    assert places is not None
    names = tuple(spec.all_styles())
    parameters = []
    for f in load_fields().parameters.values():
        index = places[f.place][1] // 8
        if f.name == "style":
            parameters.append(Parameter(f.name, index, 0.0, len(names) - 1.0, f.help, choices=names))
        else:
            wide = SCALED_RANGE if f.scale else 1.0
            parameters.append(Parameter(f.name, index, f.low * wide, f.high * wide, f.help))
    first = places["foothold"][1] // 8
    for k in range(layout.MAX_FOOTHOLDS):
        for j, axis in enumerate("xy"):
            name, place = f"foothold_{k + 1}_{axis}_m", first + 2 * k + j
            parameters.append(Parameter(name, place, -FOOTHOLD_RANGE_M, FOOTHOLD_RANGE_M, "ankle target in the world"))
    return tuple(parameters)


def start_pose(record: Any, bend_rad: float) -> Start:
    """Standing on both feet, soles flat below the hips: this knee bend for the shorter leg, more for the longer one."""
    upper, lower = np.array(record.thigh), np.array(record.shank)
    depth = np.array(record.sole_depth)
    height = float(np.min(np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * math.cos(bend_rad)) + depth))
    pose: dict[str, float] = {}
    for k, side in enumerate(SIDES):
        a, b, reach = float(upper[k]), float(lower[k]), height - float(depth[k])
        knee = math.pi - math.acos(min(max((a * a + b * b - reach * reach) / (2.0 * a * b), -1.0), 1.0))
        hip = math.acos(min(max((a * a + reach * reach - b * b) / (2.0 * a * reach), -1.0), 1.0))
        pose |= {f"{side}_hip_pitch": hip, f"{side}_knee_pitch": knee, f"{side}_ankle_pitch": knee - hip}
    return Start(joint_q_rad=pose)
