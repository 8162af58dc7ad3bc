"""The spec of a planar SIMBICON gait, its TOML table, and its packing into a `Controller`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.controllers.simbicon import planar_law as law
from poise.controllers.simbicon.channels import pack_points, point_names, take_targets
from poise.errors import InputError, out_of_range, unknown_name
from poise.kernels.records import place
from poise.tables import Table, as_table
from poise.world.controller import Controller, Parameter, Start
from poise.world.guard import Whole, make_guard

METHOD = "simbicon-planar"
UNTIL = {"time": law.UNTIL_TIME, "contact": law.UNTIL_CONTACT, "either": law.UNTIL_EITHER}
#: Accepted input: an angle beyond half a turn is a mistake of units.
ANGLE_RANGE = (-3.2, 3.2)
DURATION_RANGE = (0.02, 2.0)
GAIN_RANGE = (-10.0, 10.0)
STIFFNESS_RANGE = (0.0, 1e5)
SPEED_RANGE = (-20.0, 20.0)
MASS_RANGE = (0.1, 1e4)
MAX_STATES = 4
NEEDED_AXES = tuple(f"{s}_{a}" for s in ("left", "right") for a in ("hip_pitch", "knee_pitch", "ankle_pitch"))


@dataclass(frozen=True)
class PoseState:
    """One state: its duration, how it ends, its feedback gains, and the control points of each channel's target."""

    name: str
    duration_s: float
    until: str
    cd_radpm: float
    cv_radspm: float
    #: channel -> control points over the state's duration, radians. Trunk and swing hip are world angles.
    targets_rad: Mapping[str, tuple[float, ...]]

    def __post_init__(self) -> None:
        where = f"state {self.name}"
        if self.until not in UNTIL:
            raise unknown_name(where, "way to end", self.until, list(UNTIL))
        if not DURATION_RANGE[0] <= self.duration_s <= DURATION_RANGE[1]:
            raise out_of_range(where, "duration_s", self.duration_s, *DURATION_RANGE, "s")
        for gain in ("cd_radpm", "cv_radspm"):
            if not GAIN_RANGE[0] <= getattr(self, gain) <= GAIN_RANGE[1]:
                raise out_of_range(where, gain, getattr(self, gain), *GAIN_RANGE)
        for channel in law.CHANNELS:
            points = self.targets_rad.get(channel)
            if points is None:
                raise InputError(f"{where}: no target for {channel}. Each of {', '.join(law.CHANNELS)} needs one.")
            if not 1 <= len(points) <= law.MAX_POINTS:
                raise out_of_range(where, f"number of points of {channel}_rad", len(points), 1, law.MAX_POINTS)
            for point in points:
                if not ANGLE_RANGE[0] <= point <= ANGLE_RANGE[1]:
                    raise out_of_range(where, f"{channel}_rad", point, *ANGLE_RANGE, "rad")


@dataclass(frozen=True)
class PlanarGait:
    """A gait: half a stride of pose states, the torso's gains at a reference mass, and the start."""

    states: tuple[PoseState, ...]
    torso_kp_nm_per_rad: float
    torso_kd_nms_per_rad: float
    #: Mass of the body that the gains were found for; they scale with the character's mass.
    mass_kg: float
    start: Start = field(default_factory=Start)

    def __post_init__(self) -> None:
        if not 1 <= len(self.states) <= MAX_STATES:
            raise out_of_range(METHOD, "number of states", len(self.states), 1, MAX_STATES)
        for name in ("torso_kp_nm_per_rad", "torso_kd_nms_per_rad"):
            if not STIFFNESS_RANGE[0] <= getattr(self, name) <= STIFFNESS_RANGE[1]:
                raise out_of_range(METHOD, name, getattr(self, name), *STIFFNESS_RANGE)
        if not MASS_RANGE[0] <= self.mass_kg <= MASS_RANGE[1]:
            raise out_of_range(METHOD, "mass_kg", self.mass_kg, *MASS_RANGE, "kg")


def _read_state(table: Table) -> PoseState:
    table.only("name", "duration_s", "until", "cd_radpm", "cv_radspm", *(f"{c}_rad" for c in law.CHANNELS))
    with table.errors_at():
        return PoseState(
            name=table.string("name"),
            duration_s=table.number("duration_s", *DURATION_RANGE),
            until=table.choice("until", "way to end", UNTIL),
            cd_radpm=table.number("cd_radpm", *GAIN_RANGE, 0.0),
            cv_radspm=table.number("cv_radspm", *GAIN_RANGE, 0.0),
            targets_rad={
                c: table.series(f"{c}_rad", *ANGLE_RANGE, law.MAX_POINTS) for c in law.CHANNELS if f"{c}_rad" in table
            },
        )


def _read_start(table: Table) -> Start:
    angles = table.table("joint_q_rad")
    return Start(
        joint_q_rad={axis: angles.number(axis, *ANGLE_RANGE) for axis in angles},
        root_vel_mps=(table.number("speed_mps", *SPEED_RANGE, 0.0), 0.0, 0.0),
    )


def read_gait(table: Mapping[str, Any], where: str) -> PlanarGait:
    """Read a gait from its TOML table."""
    table = as_table(table, where)
    table.only("states", "torso_kp_nm_per_rad", "torso_kd_nms_per_rad", "mass_kg", "start")
    states = tuple(_read_state(state) for state in table.tables("states", required=True))
    with table.errors_at("states"):
        return PlanarGait(
            states=states,
            torso_kp_nm_per_rad=table.number("torso_kp_nm_per_rad", *STIFFNESS_RANGE),
            torso_kd_nms_per_rad=table.number("torso_kd_nms_per_rad", *STIFFNESS_RANGE),
            mass_kg=table.number("mass_kg", *MASS_RANGE),
            start=_read_start(table.table("start")),
        )


def _plain(points: tuple[float, ...]) -> float | list[float]:
    """A single point as a plain number."""
    return points[0] if len(points) == 1 else list(points)


def write_gait(gait: PlanarGait) -> dict[str, Any]:
    """The gait's TOML table."""
    states = [
        {
            "name": s.name,
            "duration_s": s.duration_s,
            "until": s.until,
            "cd_radpm": s.cd_radpm,
            "cv_radspm": s.cv_radspm,
            **{f"{c}_rad": _plain(s.targets_rad[c]) for c in law.CHANNELS},
        }
        for s in gait.states
    ]
    table: dict[str, Any] = {
        "torso_kp_nm_per_rad": gait.torso_kp_nm_per_rad,
        "torso_kd_nms_per_rad": gait.torso_kd_nms_per_rad,
        "mass_kg": gait.mass_kg,
        "states": states,
    }
    start: dict[str, Any] = {}
    if gait.start.joint_q_rad:
        start["joint_q_rad"] = dict(gait.start.joint_q_rad)
    if gait.start.root_vel_mps[0]:
        start["speed_mps"] = gait.start.root_vel_mps[0]
    return {**table, "start": start} if start else table


def _pack_state(state: PoseState) -> tuple[list[float], list[tuple[str, int, float, float]]]:
    """The state's block, and (name, place in the block, low, high) of its settable values."""
    block = [state.duration_s, float(UNTIL[state.until]), state.cd_radpm, state.cv_radspm]
    names = [
        (f"{state.name}_duration_s", place(law.STATE, "duration"), *DURATION_RANGE),
        (f"{state.name}_cd_radpm", place(law.STATE, "cd"), *GAIN_RANGE),
        (f"{state.name}_cv_radspm", place(law.STATE, "cv"), *GAIN_RANGE),
    ]
    for channel in law.CHANNELS:
        points = state.targets_rad[channel]
        names += [(n, len(block) + 1 + k, *ANGLE_RANGE) for k, n in enumerate(point_names(state, channel))]
        block += pack_points(points, law.MAX_POINTS)
    return block, names


def mirror_memory(memory: NDArray[np.float64]) -> NDArray[np.float64]:
    """The memory with the other leg as stance leg."""
    mirrored = memory.copy()
    law.read_memory(mirrored).stance = 1.0 - law.read_memory(memory).stance
    return mirrored


def first_memory(character: Character) -> NDArray[np.float64]:
    """The initial memory: the stance leg is the left one, or the right one if it is shorter.

    A foot in the air has nothing to push off from: from rest, the longer leg must take the first step.
    """
    at = character.reference_positions_m()
    left, right = (at[character.roles[f"{side}_foot"]][2] for side in ("left", "right"))
    memory = np.zeros(law.MEMORY_SIZE)
    law.read_memory(memory).stance = 1.0 if left < right - 1e-6 else 0.0
    return memory


def build(gait: PlanarGait, character: Character, name: str, description: str = "") -> Controller:
    """The controller of a gait for a character."""
    for axis in NEEDED_AXES:
        character.axis_index(axis)
    ratio = character.mass_kg / gait.mass_kg
    params = [float(len(gait.states)), gait.torso_kp_nm_per_rad * ratio, gait.torso_kd_nms_per_rad * ratio]
    parameters = [
        Parameter(
            "torso_kp_nm_per_rad",
            place(law.PARAMS, "torso_kp"),
            *STIFFNESS_RANGE,
            "stiffness that holds the trunk upright",
        ),
        Parameter("torso_kd_nms_per_rad", place(law.PARAMS, "torso_kd"), *STIFFNESS_RANGE, "damping of the trunk"),
    ]
    for state in gait.states:
        block, names = _pack_state(state)
        parameters += [Parameter(n, len(params) + k, low, high) for n, k, low, high in names]
        params += block
    return Controller(
        name=name,
        law=law.planar_law,
        params=np.array(params),
        memory=first_memory(character),
        parameters=tuple(parameters),
        start=gait.start,
        description=description,
        mirror_memory=mirror_memory,
        guard=make_guard(_list_fixed(len(gait.states)), _list_indices(len(gait.states))),
    )


def _list_fixed(states: int) -> list[int]:
    """Places of the number of states, of how each ends, and of the point counts of its curves."""
    blocks = [law.HEADER + k * law.STATE_SIZE for k in range(states)]
    counts = [law.FIRST_CHANNEL + c * law.CHANNEL_SIZE for c in range(len(law.CHANNELS))]
    until = place(law.STATE, "until")
    return [place(law.PARAMS, "states"), *(block + at for block in blocks for at in (until, *counts))]


def _list_indices(states: int) -> list[Whole]:
    return [
        Whole("state", place(law.MEMORY, "state"), 0, states - 1),
        Whole("stance", place(law.MEMORY, "stance"), 0, 1),
    ]


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    return build(read_gait(table, name), character, name, description)


def revise_table(table: Mapping[str, Any], values: Mapping[str, float], character: Character) -> dict[str, Any]:
    """The table with other parameter values, named as in the controller that `build` makes."""
    gait = read_gait(table, METHOD)
    ratio = character.mass_kg / gait.mass_kg
    left = dict(values)
    states = []
    for s in gait.states:
        targets = take_targets(s, left)
        numbers = {k: left.pop(f"{s.name}_{k}", getattr(s, k)) for k in ("duration_s", "cd_radpm", "cv_radspm")}
        states.append(replace(s, targets_rad=targets, **numbers))
    kp = left.pop("torso_kp_nm_per_rad", gait.torso_kp_nm_per_rad * ratio) / ratio
    kd = left.pop("torso_kd_nms_per_rad", gait.torso_kd_nms_per_rad * ratio) / ratio
    for name in left:
        raise unknown_name(METHOD, "parameter", name, build(gait, character, METHOD).values())
    return write_gait(replace(gait, states=tuple(states), torso_kp_nm_per_rad=kp, torso_kd_nms_per_rad=kd))
