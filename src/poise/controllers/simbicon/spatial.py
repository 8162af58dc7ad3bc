"""The spec of a SIMBICON gait in space: read from a table, checked, and packed into a `Controller`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES, Axis, Character, swap_side
from poise.characters.sides import flips_when_mirrored
from poise.controllers.simbicon import spatial_law as law
from poise.errors import InputError, out_of_range, unknown_name
from poise.world.controller import Controller, Parameter, Start
from poise.world.guard import Whole, make_guard

METHOD = "simbicon"
UNTIL = {"time": law.UNTIL_TIME, "contact": law.UNTIL_CONTACT, "either": law.UNTIL_EITHER}
HOLD = {"stance": law.HOLD_STANCE, "loaded": law.HOLD_LOADED}
STANCES = ("both", "left", "right")
#: What a person may type: an angle past a half turn is a slip of units.
ANGLE_RANGE = (-3.2, 3.2)
DURATION_RANGE = (0.05, 3.0)
GAIN_RANGE = (-10.0, 10.0)
TURN_RANGE = (-1.6, 1.6)
STIFFNESS_RANGE = (0.0, 1e5)
SPEED_RANGE = (-20.0, 20.0)
MASS_RANGE = (0.1, 1e4)
#: The law looks at these in any body.
NEEDED_AXES = tuple(f"{side}_hip_{turn}" for side in SIDES for turn in ("pitch", "roll", "yaw"))
PLANES = ("pitch", "roll", "yaw")
_FEEDBACK_KEYS = tuple(f"{c}_{g}" for c in law.FED_CHANNELS for g in ("cd_radpm", "cv_radspm"))
_STATE_KEYS = ("name", "stance", "duration_s", "turn_rad", *_FEEDBACK_KEYS)
_GAIT_KEYS = (
    "mass_kg", "until", "hold", "root_kp_nm_per_rad", "root_kd_nms_per_rad", "heading_joints", "gains", "start",
    "states",
)  # fmt: skip
_START_KEYS = ("stance", "joint_q_rad", "joint_v_radps", "velocity_mps", "pitch_rad")


def channel_of(axis: str) -> str:
    """The channel that an axis plays on the left stance leg: `swing_knee_pitch` for `right_knee_pitch`."""
    for side, role in (("left_", "stance_"), ("right_", "swing_")):
        if axis.startswith(side):
            return role + axis[len(side) :]
    return axis


def _check_range(where: str, name: str, value: float, allowed: tuple[float, float], unit: str = "") -> None:
    if not allowed[0] <= value <= allowed[1]:
        raise out_of_range(where, name, value, *allowed, unit)


@dataclass(frozen=True)
class StepState:
    """The step on one leg, or on either: how long, how far the heading turns, feedback gains, and every target.

    Angles have the body's own signs. Roll and yaw of what has no side (root, back, neck, a tail) are written for the
    left stance leg and change their sign on the right one; `turn_rad` does not, it is positive to the left.
    """

    name: str
    stance: str
    duration_s: float
    turn_rad: float = 0.0
    #: `swing_hip_pitch_cd_radpm` and so on; zero where not given.
    feedback: Mapping[str, float] = field(default_factory=dict)
    #: channel -> control points over the state's duration; other channels rest.
    targets_rad: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        where = f"state {self.name}"
        if self.stance not in STANCES:
            raise unknown_name(where, "stance", self.stance, STANCES)
        _check_range(where, "duration_s", self.duration_s, DURATION_RANGE, "s")
        _check_range(where, "turn_rad", self.turn_rad, TURN_RANGE, "rad")
        for key, gain in self.feedback.items():
            if key not in _FEEDBACK_KEYS:
                raise unknown_name(where, "feedback gain", key, _FEEDBACK_KEYS)
            _check_range(where, key, gain, GAIN_RANGE)
        for channel, points in self.targets_rad.items():
            if not 1 <= len(points) <= law.MAX_POINTS:
                raise out_of_range(where, f"number of points of {channel}_rad", len(points), 1, law.MAX_POINTS)
            for point in points:
                _check_range(where, f"{channel}_rad", point, ANGLE_RANGE, "rad")


@dataclass(frozen=True)
class SpatialGait:
    """A gait: its states, the root's gains at a mass, which joints follow the heading, and how to begin."""

    #: One state for both stance legs, or one for each.
    states: tuple[StepState, ...]
    until: str
    #: Pitch, roll, yaw.
    root_kp_nm_per_rad: tuple[float, float, float]
    root_kd_nms_per_rad: tuple[float, float, float]
    #: The body that the gains were found for; they follow the mass of the one that walks.
    mass_kg: float
    #: Which hips hold the root: the stance hip alone, or both by the load on their feet and none in flight.
    hold: str = "stance"
    #: Joints, without a side, whose targets are relative to the heading and not to the parent. The swing hip always is.
    heading_joints: tuple[str, ...] = ()
    #: Axis, without a side -> (kp, kd) that differ from the character's own.
    gains: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    start: Start = field(default_factory=Start)
    #: The leg that stands first.
    first_stance: str = "left"

    def __post_init__(self) -> None:
        if self.until not in UNTIL:
            raise unknown_name(METHOD, "way to end a step (until)", self.until, list(UNTIL))
        if self.hold not in HOLD:
            raise unknown_name(METHOD, "way to hold the root (hold)", self.hold, list(HOLD))
        if self.first_stance not in SIDES:
            raise unknown_name(f"{METHOD}: start", "stance", self.first_stance, SIDES)
        stances = sorted(s.stance for s in self.states)
        if stances not in (["both"], ["left", "right"]):
            raise InputError(
                f"{METHOD}: states must be one with stance 'both', or one with 'left' and one with 'right', "
                f"got {', '.join(stances) or 'none'}."
            )
        names = [s.name for s in self.states]
        if len(set(names)) < len(names):
            raise InputError(f"{METHOD}: two states are named {names[0]!r}.")
        for key in ("root_kp_nm_per_rad", "root_kd_nms_per_rad"):
            for value in getattr(self, key):
                _check_range(METHOD, key, value, STIFFNESS_RANGE)
        for axis, pair in self.gains.items():
            for value in pair:
                _check_range(f"{METHOD}: gains", axis, value, STIFFNESS_RANGE)
        _check_range(METHOD, "mass_kg", self.mass_kg, MASS_RANGE, "kg")

    @property
    def symmetric(self) -> bool:
        return len(self.states) == 1


def _numbers(value: Any, where: str, count: int | None = None) -> tuple[float, ...]:
    items = value if isinstance(value, list) else [value]
    if not items or not all(isinstance(i, int | float) and not isinstance(i, bool) for i in items):
        raise InputError(f"{where}: it must be a number or a list of numbers, got {value!r}.")
    if count is not None and len(items) != count:
        raise InputError(f"{where}: it must be {count} number{'s' if count > 1 else ''}, got {value!r}.")
    return tuple(float(i) for i in items)


def _table(table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    inner = table.get(key, {})
    if not isinstance(inner, dict):
        raise InputError(f"{where}: {key} must be a table, got {type(inner).__name__}.")
    return inner


def _refuse_unknown(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise unknown_name(where, "key", key, known)


def _read_state(table: Mapping[str, Any], where: str) -> StepState:
    for key in table:
        if key not in _STATE_KEYS and not key.endswith("_rad"):
            raise unknown_name(where, "key", key, [*_STATE_KEYS, "CHANNEL_rad"])
    for key in ("name", "duration_s"):
        if key not in table:
            raise InputError(f"{where}: {key} is missing.")
    targets = [key for key in table if key.endswith("_rad") and key not in _STATE_KEYS]
    return StepState(
        name=str(table["name"]),
        stance=str(table.get("stance", "both")),
        duration_s=_numbers(table["duration_s"], f"{where}: duration_s", 1)[0],
        turn_rad=_numbers(table.get("turn_rad", 0.0), f"{where}: turn_rad", 1)[0],
        feedback={k: _numbers(table[k], f"{where}: {k}", 1)[0] for k in _FEEDBACK_KEYS if k in table},
        targets_rad={k.removesuffix("_rad"): _numbers(table[k], f"{where}: {k}") for k in targets},
    )


def _read_start(table: Mapping[str, Any], where: str) -> Start:
    where = f"{where}: start"
    _refuse_unknown(table, _START_KEYS, where)
    angles, speeds = _table(table, "joint_q_rad", where), _table(table, "joint_v_radps", where)
    x, y, z = _numbers(table.get("velocity_mps", [0.0, 0.0, 0.0]), f"{where}: velocity_mps", 3)
    for value in (x, y, z):
        _check_range(where, "velocity_mps", value, SPEED_RANGE, "m/s")
    pitch = _numbers(table.get("pitch_rad", 0.0), f"{where}: pitch_rad", 1)[0]
    _check_range(where, "pitch_rad", pitch, ANGLE_RANGE, "rad")
    return Start(
        joint_q_rad={k: _numbers(v, f"{where}: {k}", 1)[0] for k, v in angles.items()},
        joint_v_radps={k: _numbers(v, f"{where}: {k}", 1)[0] for k, v in speeds.items()},
        root_pitch_rad=pitch,
        root_vel_mps=(x, y, z),
    )


def read_gait(table: Mapping[str, Any], where: str) -> SpatialGait:
    """A gait from its TOML table."""
    _refuse_unknown(table, _GAIT_KEYS, where)
    for key in ("mass_kg", "until", "root_kp_nm_per_rad", "root_kd_nms_per_rad", "states"):
        if key not in table:
            raise InputError(f"{where}: {key} is missing.")
    states = table["states"]
    if not isinstance(states, list) or not all(isinstance(s, dict) for s in states):
        raise InputError(f"{where}: states must be a list of tables ([[states]]), got {type(states).__name__}.")
    joints = table.get("heading_joints", [])
    if not isinstance(joints, list) or not all(isinstance(j, str) for j in joints):
        raise InputError(f"{where}: heading_joints must be a list of joints, got {joints!r}.")
    kp = _numbers(table["root_kp_nm_per_rad"], f"{where}: root_kp_nm_per_rad", 3)
    kd = _numbers(table["root_kd_nms_per_rad"], f"{where}: root_kd_nms_per_rad", 3)
    pairs = {k: _numbers(v, f"{where}: {k}", 2) for k, v in _table(table, "gains", where).items()}
    return SpatialGait(
        states=tuple(_read_state(s, f"{where}: states[{k}]") for k, s in enumerate(states)),
        until=str(table["until"]),
        hold=str(table.get("hold", "stance")),
        root_kp_nm_per_rad=(kp[0], kp[1], kp[2]),
        root_kd_nms_per_rad=(kd[0], kd[1], kd[2]),
        mass_kg=_numbers(table["mass_kg"], f"{where}: mass_kg", 1)[0],
        heading_joints=tuple(joints),
        gains={k: (v[0], v[1]) for k, v in pairs.items()},
        start=_read_start(_table(table, "start", where), where),
        first_stance=str(_table(table, "start", where).get("stance", "left")),
    )


def _plain(points: tuple[float, ...]) -> float | list[float]:
    """A constant as a number, as people write it."""
    return points[0] if len(points) == 1 else list(points)


def _write_start(start: Start, first_stance: str) -> dict[str, Any]:
    table: dict[str, Any] = {} if first_stance == "left" else {"stance": first_stance}
    if any(start.root_vel_mps):
        table["velocity_mps"] = list(start.root_vel_mps)
    if start.root_pitch_rad:
        table["pitch_rad"] = start.root_pitch_rad
    if start.joint_q_rad:
        table["joint_q_rad"] = dict(start.joint_q_rad)
    if start.joint_v_radps:
        table["joint_v_radps"] = dict(start.joint_v_radps)
    return table


def write_gait(gait: SpatialGait) -> dict[str, Any]:
    """The gait's TOML table."""
    states = [
        {
            "name": s.name,
            "stance": s.stance,
            "duration_s": s.duration_s,
            **({"turn_rad": s.turn_rad} if s.turn_rad else {}),
            **s.feedback,
            **{f"{c}_rad": _plain(points) for c, points in s.targets_rad.items()},
        }
        for s in gait.states
    ]
    start = _write_start(gait.start, gait.first_stance)
    return {
        "mass_kg": gait.mass_kg,
        "until": gait.until,
        **({"hold": gait.hold} if gait.hold != "stance" else {}),
        "root_kp_nm_per_rad": list(gait.root_kp_nm_per_rad),
        "root_kd_nms_per_rad": list(gait.root_kd_nms_per_rad),
        **({"heading_joints": list(gait.heading_joints)} if gait.heading_joints else {}),
        **({"gains": {k: list(v) for k, v in gait.gains.items()}} if gait.gains else {}),
        **({"start": start} if start else {}),
        "states": states,
    }


def mirror_gait(gait: SpatialGait) -> SpatialGait:
    """The gait of the mirror image: what the left leg did does the right, and it turns and starts the other way."""
    sides = {"both": "both", "left": "right", "right": "left"}
    x, y, z = gait.start.root_vel_mps
    start = replace(
        gait.start,
        joint_q_rad={swap_side(k): v for k, v in gait.start.joint_q_rad.items()},
        joint_v_radps={swap_side(k): v for k, v in gait.start.joint_v_radps.items()},
        root_vel_mps=(x, 0.0 - y, z),
    )
    states = tuple(
        replace(s, name=swap_side(s.name), stance=sides[s.stance], turn_rad=0.0 - s.turn_rad)
        for s in sorted(gait.states, key=lambda s: sides[s.stance])
    )
    return replace(gait, states=states, start=start, first_stance=sides[gait.first_stance])


def split_gait(gait: SpatialGait) -> SpatialGait:
    """The same gait with a state for each stance leg, `left` and `right`, so that they can differ."""
    if not gait.symmetric:
        return gait
    return replace(gait, states=tuple(replace(gait.states[0], name=side, stance=side) for side in SIDES))


def _point_names(state: StepState, channel: str) -> list[str]:
    """Names of the parameters that hold a channel's control points."""
    count = len(state.targets_rad[channel])
    return [f"{state.name}_{channel}{'' if count == 1 else f'_{k + 1}'}_rad" for k in range(count)]


def _gain_of(gait: SpatialGait, axis: Axis, ratio: float) -> tuple[float, float]:
    plain = axis.name.removeprefix("left_").removeprefix("right_")
    if plain not in gait.gains:
        return axis.kp_nm_per_rad, axis.kd_nms_per_rad
    kp, kd = gait.gains[plain]
    return kp * ratio, kd * ratio


def _pack_axes(gait: SpatialGait, character: Character) -> list[float]:
    """The rows of the axes, in the law's layout."""
    plain = {a.removeprefix("left_").removeprefix("right_") for a in character.axis_names}
    joints = {s.joint.name.removeprefix("left_").removeprefix("right_") for s in character.segments if s.joint}
    for name in gait.gains:
        if name not in plain:
            raise unknown_name(f"{METHOD}: gains", "axis", name, sorted(plain))
    for name in gait.heading_joints:
        if name not in joints:
            raise unknown_name(f"{METHOD}: heading_joints", "joint", name, sorted(joints))
    ratio = character.mass_kg / gait.mass_kg
    rows: list[float] = []
    for segment in character.segments:
        joint = segment.joint
        if joint is None:
            continue
        follows = joint.name.removeprefix("left_").removeprefix("right_") in gait.heading_joints
        for axis in joint.axes:
            mirror = character.axis_index(swap_side(axis.name))
            sign = -1.0 if flips_when_mirrored(axis) else 1.0
            rows += [float(mirror), sign, *_gain_of(gait, axis, ratio), float(follows), *axis.direction]
    return rows


def _pack_state(
    state: StepState, character: Character
) -> tuple[list[float], list[tuple[str, int, tuple[float, float]]]]:
    """The state's block, and (name, place in the block, range) of what may be set in it."""
    channels = [*law.ROOT_CHANNELS, *(channel_of(a) for a in character.axis_names)]
    for channel in state.targets_rad:
        if channel not in channels:
            raise unknown_name(f"state {state.name}", "key", f"{channel}_rad", [f"{c}_rad" for c in channels])
    block = [state.duration_s, state.turn_rad, *(state.feedback.get(k, 0.0) for k in _FEEDBACK_KEYS)]
    names = [
        (f"{state.name}_duration_s", law.DURATION, DURATION_RANGE),
        (f"{state.name}_turn_rad", law.TURN, TURN_RANGE),
        *((f"{state.name}_{k}", law.FEEDBACK + i, GAIN_RANGE) for i, k in enumerate(_FEEDBACK_KEYS)),
    ]
    for k, channel in enumerate(channels):
        points = state.targets_rad.get(channel)
        if points is None:
            points = (character.rest_pose_rad.get(character.axis_names[k - 3], 0.0) if k >= 3 else 0.0,)
        else:
            names += [(n, len(block) + 1 + i, ANGLE_RANGE) for i, n in enumerate(_point_names(state, channel))]
        block += [float(len(points)), *points, *([0.0] * (law.MAX_POINTS - len(points)))]
    return block, names


def mirror_memory(memory: NDArray[np.float64]) -> NDArray[np.float64]:
    """The other leg is the stance leg, and the heading lies on the other side."""
    mirrored = memory.copy()
    mirrored[law.STANCE] = 1.0 - mirrored[law.STANCE]
    mirrored[law.HEADING] = 0.0 - mirrored[law.HEADING]
    return mirrored


def build(gait: SpatialGait, character: Character, name: str, description: str = "") -> Controller:
    """The gait, ready to run on a character."""
    if character.root != "free":
        raise InputError(f"character {character.name}: it lives in the plane, and {METHOD} needs a free root.")
    for axis in NEEDED_AXES:
        character.axis_index(axis)
    for axis in (*gait.start.joint_q_rad, *gait.start.joint_v_radps):
        character.axis_index(axis)
    ratio = character.mass_kg / gait.mass_kg
    kp, kd = ([v * ratio for v in g] for g in (gait.root_kp_nm_per_rad, gait.root_kd_nms_per_rad))
    memory = np.zeros(law.MEMORY_SIZE)
    memory[law.STANCE] = SIDES.index(gait.first_stance)
    stances = [s.stance for s in gait.states]
    blocks = [0.0, 0.0] if gait.symmetric else [float(stances.index(side)) for side in SIDES]
    ways = [float(UNTIL[gait.until]), float(HOLD[gait.hold])]
    params = [float(len(character.axes)), *blocks, *ways, *kp, *kd, *_pack_axes(gait, character)]
    parameters = [
        Parameter(f"root_{plane}_{gain}", at + k, *STIFFNESS_RANGE, f"{what} that holds the pelvis, {plane}")
        for gain, at, what in (
            ("kp_nm_per_rad", law.ROOT_KP, "stiffness"),
            ("kd_nms_per_rad", law.ROOT_KD, "damping"),
        )
        for k, plane in enumerate(PLANES)
    ]
    for state in gait.states:
        block, names = _pack_state(state, character)
        parameters += [Parameter(n, len(params) + k, *allowed) for n, k, allowed in names]
        params += block
    if gait.symmetric:
        # Room for a second block all the same: the parameters of all gaits of a body have one layout.
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
        guard=make_guard(_list_fixed(len(character.axes)), [Whole("stance", law.STANCE, 0, 1)]),
    )


def _list_fixed(axes: int) -> list[int]:
    """Places of what lays out the tables: axes, blocks, mirror images, and how many points curves have."""
    rows = [law.HEADER + k * law.ROW_SIZE for k in range(axes)]
    channels = len(law.ROOT_CHANNELS) + axes
    size = law.FIRST_CHANNEL + channels * law.CHANNEL_SIZE
    blocks = [law.HEADER + axes * law.ROW_SIZE + k * size for k in range(2)]
    counts = [block + law.FIRST_CHANNEL + c * law.CHANNEL_SIZE for block in blocks for c in range(channels)]
    header = [law.AXES, law.BLOCKS, law.BLOCKS + 1, law.UNTIL, law.HOLD]
    return [*header, *(row + at for row in rows for at in (law.MIRROR, law.FRAME)), *counts]


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    return build(read_gait(table, name), character, name, description)


def revise_table(table: Mapping[str, Any], values: Mapping[str, float], character: Character) -> dict[str, Any]:
    """The table with other values of parameters, which are named as in the controller that `build` makes."""
    gait = read_gait(table, METHOD)
    ratio = character.mass_kg / gait.mass_kg
    left = dict(values)
    states = []
    for s in gait.states:
        targets = {}
        for channel, points in s.targets_rad.items():
            targets[channel] = tuple(left.pop(n, p) for n, p in zip(_point_names(s, channel), points, strict=True))
        feedback = {k: left.pop(f"{s.name}_{k}", s.feedback.get(k, 0.0)) for k in _FEEDBACK_KEYS}
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
