"""SIMBICON gaits in space: packs one into a `Controller`, and writes changed parameters back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES, Axis, Character, swap_side
from poise.characters.sides import flips_when_mirrored
from poise.controllers.simbicon import spatial_law as law
from poise.controllers.simbicon.channels import pack_points, point_names, take_targets
from poise.controllers.simbicon.spatial_gait import (
    ANGLE_RANGE,
    DURATION_RANGE,
    FEEDBACK_KEYS,
    GAIN_RANGE,
    HOLD,
    METHOD,
    NEEDED_AXES,
    PLANES,
    STATE_KEYS,
    STIFFNESS_RANGE,
    TURN_RANGE,
    UNTIL,
    SpatialGait,
    StepState,
    channel_of,
)
from poise.controllers.simbicon.spatial_table import read_gait, write_gait
from poise.errors import InputError, unknown_name
from poise.kernels.records import place
from poise.tables import Table, as_table
from poise.world.controller import Controller, Parameter
from poise.world.guard import Whole, make_guard


def _gain_of(gait: SpatialGait, axis: Axis, ratio: float) -> tuple[float, float]:
    plain = _drop_side(axis.name)
    if plain not in gait.gains:
        return axis.kp_nm_per_rad, axis.kd_nms_per_rad
    kp, kd = gait.gains[plain]
    return kp * ratio, kd * ratio


def _list_names(character: Character) -> tuple[list[str], list[str]]:
    """Names of axes and joints without their sides."""
    joints = [s.joint.name for s in character.segments if s.joint]
    return sorted({_drop_side(axis) for axis in character.axis_names}), sorted({_drop_side(joint) for joint in joints})


def _drop_side(name: str) -> str:
    return name.removeprefix("left_").removeprefix("right_")


def _list_channels(character: Character) -> list[str]:
    """Every channel that a state may set on a character."""
    return [*law.ROOT_CHANNELS, *(channel_of(axis) for axis in character.axis_names)]


def _pack_axes(gait: SpatialGait, character: Character) -> list[float]:
    """The rows of the axes, in the law's layout."""
    axes, joints = _list_names(character)
    for name in gait.gains:
        if name not in axes:
            raise unknown_name(f"{METHOD}: gains", "axis", name, axes)
    for name in gait.heading_joints:
        if name not in joints:
            raise unknown_name(f"{METHOD}: heading_joints", "joint", name, joints)
    ratio = character.mass_kg / gait.mass_kg
    rows: list[float] = []
    for segment in character.segments:
        joint = segment.joint
        if joint is None:
            continue
        follows = _drop_side(joint.name) in gait.heading_joints
        for axis in joint.axes:
            mirror = character.axis_index(swap_side(axis.name))
            sign = -1.0 if flips_when_mirrored(axis) else 1.0
            rows += [float(mirror), sign, *_gain_of(gait, axis, ratio), float(follows), *axis.direction]
    return rows


def _pack_state(
    state: StepState, character: Character
) -> tuple[list[float], list[tuple[str, int, tuple[float, float]]]]:
    """The state's block, and (name, place in the block, range) of its settable values."""
    channels = _list_channels(character)
    for channel in state.targets_rad:
        if channel not in channels:
            raise unknown_name(f"state {state.name}", "key", f"{channel}_rad", [f"{c}_rad" for c in channels])
    block = [state.duration_s, state.turn_rad, *(state.feedback.get(k, 0.0) for k in FEEDBACK_KEYS)]
    names = [
        (f"{state.name}_duration_s", place(law.BLOCK, "duration"), DURATION_RANGE),
        (f"{state.name}_turn_rad", place(law.BLOCK, "turn"), TURN_RANGE),
        *((f"{state.name}_{k}", place(law.BLOCK, "feedback") + i, GAIN_RANGE) for i, k in enumerate(FEEDBACK_KEYS)),
    ]
    for k, channel in enumerate(channels):
        points = state.targets_rad.get(channel)
        if points is None:
            points = (character.rest_pose_rad.get(character.axis_names[k - 3], 0.0) if k >= 3 else 0.0,)
        else:
            names += [(n, len(block) + 1 + i, ANGLE_RANGE) for i, n in enumerate(point_names(state, channel))]
        block += pack_points(points, law.MAX_POINTS)
    return block, names


def mirror_memory(memory: NDArray[np.float64]) -> NDArray[np.float64]:
    """The memory with the other leg as stance leg and the heading mirrored."""
    mirrored = memory.copy()
    image = law.read_memory(mirrored)
    image.stance, image.heading = 1.0 - image.stance, 0.0 - image.heading
    return mirrored


def _check_body(character: Character) -> None:
    if character.root != "free":
        raise InputError(f"character {character.name}: it is planar, but {METHOD} needs a free root.")
    for axis in NEEDED_AXES:
        character.axis_index(axis)


def build(gait: SpatialGait, character: Character, name: str, description: str = "") -> Controller:
    """The controller of a gait for a character."""
    _check_body(character)
    for axis in (*gait.start.joint_q_rad, *gait.start.joint_v_radps):
        character.axis_index(axis)
    ratio = character.mass_kg / gait.mass_kg
    kp, kd = ([v * ratio for v in g] for g in (gait.root_kp_nm_per_rad, gait.root_kd_nms_per_rad))
    memory = np.zeros(law.MEMORY_SIZE)
    law.read_memory(memory).stance = SIDES.index(gait.first_stance)
    stances = [s.stance for s in gait.states]
    blocks = [0.0, 0.0] if gait.symmetric else [float(stances.index(side)) for side in SIDES]
    ways = [float(UNTIL[gait.until]), float(HOLD[gait.hold])]
    params = [float(len(character.axes)), *blocks, *ways, *kp, *kd, *_pack_axes(gait, character)]
    parameters = [
        Parameter(f"root_{plane}_{gain}", at + k, *STIFFNESS_RANGE, f"{what} that holds the pelvis, {plane}")
        for gain, at, what in (
            ("kp_nm_per_rad", place(law.PARAMS, "root_kp"), "stiffness"),
            ("kd_nms_per_rad", place(law.PARAMS, "root_kd"), "damping"),
        )
        for k, plane in enumerate(PLANES)
    ]
    for state in gait.states:
        block, names = _pack_state(state, character)
        parameters += [Parameter(n, len(params) + k, *allowed) for n, k, allowed in names]
        params += block
    if gait.symmetric:
        # A second block even so: the parameters of all gaits of a body share one layout.
        params += block
    return Controller(
        name=name,
        law=law.spatial_law,
        params=np.array(params),
        memory=memory,
        parameters=tuple(parameters),
        start=gait.start,
        description=description,
        mirror_memory=mirror_memory if gait.symmetric and gait.states[0].turn_rad == 0.0 else None,
        guard=make_guard(_list_fixed(len(character.axes)), [Whole("stance", place(law.MEMORY, "stance"), 0, 1)]),
    )


def _list_fixed(axes: int) -> list[int]:
    """Places of the numbers that define the tables: axes, blocks, mirror images, and the point counts of curves."""
    rows = [law.HEADER + k * law.ROW_SIZE for k in range(axes)]
    channels = len(law.ROOT_CHANNELS) + axes
    size = law.FIRST_CHANNEL + channels * law.CHANNEL_SIZE
    blocks = [law.HEADER + axes * law.ROW_SIZE + k * size for k in range(2)]
    counts = [block + law.FIRST_CHANNEL + c * law.CHANNEL_SIZE for block in blocks for c in range(channels)]
    first = place(law.PARAMS, "blocks")
    header = [place(law.PARAMS, "axes"), first, first + 1, place(law.PARAMS, "until"), place(law.PARAMS, "hold")]
    columns = place(law.AXIS, "mirror"), place(law.AXIS, "free")
    return [*header, *(row + at for row in rows for at in columns), *counts]


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    table = as_table(table, name)
    gait = read_gait(table, name)
    _check_body(character)
    _check_names(table, character)
    return build(gait, character, name, description)


def _check_names(table: Table, character: Character) -> None:
    """Raise, with its place in the file, for a name that the character does not have."""
    axes, joints = _list_names(character)
    for name in table.table("gains"):
        table.check_known("axis", name, axes, "gains", name)
    for k, name in enumerate(table.strings("heading_joints", ())):
        table.check_known("joint", name, joints, "heading_joints", k)
    keys = [*STATE_KEYS, *(f"{channel}_rad" for channel in _list_channels(character))]
    for state in table.tables("states"):
        state.only(*keys)


def revise_table(table: Mapping[str, Any], values: Mapping[str, float], character: Character) -> dict[str, Any]:
    """The table with other parameter values, named as in the controller that `build` makes."""
    gait = read_gait(table, METHOD)
    ratio = character.mass_kg / gait.mass_kg
    left = dict(values)
    states = []
    for s in gait.states:
        targets = take_targets(s, left)
        feedback = {k: left.pop(f"{s.name}_{k}", s.feedback.get(k, 0.0)) for k in FEEDBACK_KEYS}
        feedback = {k: v for k, v in feedback.items() if v or k in s.feedback}
        numbers = {k: left.pop(f"{s.name}_{k}", getattr(s, k)) for k in ("duration_s", "turn_rad")}
        states.append(replace(s, targets_rad=targets, feedback=feedback, **numbers))
    root: dict[str, Any] = {}
    for gain in ("kp_nm_per_rad", "kd_nms_per_rad"):
        now = getattr(gait, f"root_{gain}")
        root[f"root_{gain}"] = tuple(
            left.pop(f"root_{plane}_{gain}", now[k] * ratio) / ratio for k, plane in enumerate(PLANES)
        )
    for name in left:
        raise unknown_name(METHOD, "parameter", name, build(gait, character, METHOD).values())
    return write_gait(replace(gait, states=tuple(states), **root))
