"""Pose control graphs as data: states with poses, how long each holds, and the algebra of their tables.

[Laszlo96 §2.3]: a graph is a state machine whose states each hold a pose; a state ends after its hold time, or when a
foot touches the ground. C = B + k·ΔP adds the poses and hold times of two graphs state by state and leaves sensors as
they are [§2.3.1]. A graph may be periodic, end in a last state, or lead from a chain into a cycle: `next` says it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from poise.characters.model import SIDES, swap_side
from poise.errors import InputError, unknown_name
from poise.world.controller import FloatArray

#: Seconds after which a state gives up waiting for its foot.
TIMEOUT_S: Final = 5.0
MAX_STATES: Final = 4096
MAX_HOLD_S: Final = 1e4
MAX_ANGLE_DEG: Final = 1e4


@dataclass(frozen=True)
class State:
    """One pose (axis -> rad; axes that are not named stand at zero) and when it ends.

    It holds for `hold_s`; with a sensor, then on until that foot touches, or for `timeout_s` more.
    """

    name: str
    pose_rad: Mapping[str, float]
    hold_s: float = 0.0
    #: Side of the foot that ends it: "left", "right", or "" for the hold time alone.
    sensor: str = ""
    timeout_s: float = TIMEOUT_S
    #: The leg that carries in this state: "left", "right", or "" where that has no meaning.
    stance: str = ""
    #: Whether a step ends with it: balance is judged there, and begins anew.
    ends_step: bool = False
    #: The state that follows; -1 stays here for good.
    next: int = 0

    def mirrored(self) -> State:
        """The same with left and right exchanged."""
        swap = {"": "", **dict(zip(SIDES, reversed(SIDES), strict=True))}
        pose = {swap_side(axis): angle for axis, angle in self.pose_rad.items()}
        return replace(self, pose_rad=pose, sensor=swap[self.sensor], stance=swap[self.stance])


@dataclass(frozen=True)
class PoseGraph:
    """The states of a graph, the first of which is the one it begins in."""

    states: tuple[State, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.states) <= MAX_STATES:
            raise InputError(f"pose graph: it needs 1 to {MAX_STATES} states, got {len(self.states)}.")
        for state in self.states:
            if not -1 <= state.next < len(self.states):
                raise InputError(f"pose graph: state {state.name} leads to state {state.next}, which there is not.")
            if state.sensor not in ("", *SIDES) or state.stance not in ("", *SIDES):
                raise InputError(f"pose graph: state {state.name}: a side is left or right.")

    @property
    def kind(self) -> str:
        """periodic, aperiodic, or composite: a chain that leads into a cycle [Laszlo96 Fig. 2.5]."""
        seen: list[int] = []
        k = 0
        while k not in seen and k >= 0:
            seen.append(k)
            k = self.states[k].next
        return "aperiodic" if k < 0 else "periodic" if k == 0 else "composite"

    @property
    def axes(self) -> tuple[str, ...]:
        """Every axis that some state names."""
        return tuple(dict.fromkeys(axis for state in self.states for axis in state.pose_rad))

    def __add__(self, other: PoseGraph) -> PoseGraph:
        """Poses and hold times added, state by state; sensors and order are those of the first."""
        if len(self.states) != len(other.states):
            raise InputError(
                f"pose graph: graphs of {len(self.states)} and {len(other.states)} states cannot be added."
            )
        return PoseGraph(tuple(_add(a, b) for a, b in zip(self.states, other.states, strict=True)))

    def __mul__(self, factor: float) -> PoseGraph:
        return PoseGraph(tuple(_scale(s, factor) for s in self.states))

    __rmul__ = __mul__

    def __sub__(self, other: PoseGraph) -> PoseGraph:
        return self + other * -1.0

    def with_second_half(self) -> PoseGraph:
        """The graph followed by its own mirror image, the last leading back to the first."""
        half = len(self.states)
        names = {s.name: f"{s.name}'" for s in self.states}
        other = [replace(s.mirrored(), name=names[s.name], next=half + k + 1) for k, s in enumerate(self.states)]
        first = [replace(s, next=k + 1) for k, s in enumerate(self.states)]
        other[-1] = replace(other[-1], next=0)
        return PoseGraph((*first, *other))

    def pack(self, axis_names: Sequence[str]) -> FloatArray:
        """A row for each state: hold, sensor (-1, 0 left, 1 right), time-out, end of step, next, then the pose."""
        unknown = [axis for axis in self.axes if axis not in axis_names]
        if unknown:
            raise unknown_name("pose graph", "axis", unknown[0], axis_names)
        rows = []
        for s in self.states:
            sensor = -1.0 if not s.sensor else float(SIDES.index(s.sensor))
            pose = [s.pose_rad.get(axis, 0.0) for axis in axis_names]
            rows.append([s.hold_s, sensor, s.timeout_s, float(s.ends_step), float(s.next), *pose])
        return np.array(rows)


def interpolate(one: PoseGraph, other: PoseGraph, part: float) -> PoseGraph:
    """(1 − part)·one + part·other [Laszlo96 §5.2]."""
    return one * (1.0 - part) + other * part


def _add(a: State, b: State) -> State:
    axes = dict.fromkeys([*a.pose_rad, *b.pose_rad])
    pose = {axis: a.pose_rad.get(axis, 0.0) + b.pose_rad.get(axis, 0.0) for axis in axes}
    return replace(a, pose_rad=pose, hold_s=a.hold_s + b.hold_s)


def _scale(s: State, factor: float) -> State:
    return replace(s, pose_rad={k: factor * v for k, v in s.pose_rad.items()}, hold_s=factor * s.hold_s)


# -- tables -----------------------------------------------------------------------------------------------------------

_STATE_KEYS: Final = ("name", "pose_deg", "hold_s", "until_foot", "timeout_s", "stance", "ends_step", "next")
_CHANGE_KEYS: Final = ("pose_deg", "hold_s")


def read_graph(states: Any, where: str, *, mirrored: bool) -> PoseGraph:
    """A graph from its TOML array of states; `mirrored` appends the mirror image of what is written."""
    if not isinstance(states, list) or not states or not all(isinstance(s, dict) for s in states):
        raise InputError(f"{where}: states must be an array of tables, [[states]].")
    names = [str(s.get("name", f"S{k + 1}")) for k, s in enumerate(states)]
    read = tuple(_read_state(s, names, k, where) for k, s in enumerate(states))
    if len(set(names)) < len(names):
        raise InputError(f"{where}: states: two of them have one name: {', '.join(names)}.")
    graph = PoseGraph(read)
    return graph.with_second_half() if mirrored else graph


def read_change(table: Any, base: PoseGraph, where: str, *, mirrored: bool) -> PoseGraph:
    """A relative graph, ΔP: tables of what is added, by the names of the states of the base that they change."""
    if not isinstance(table, dict):
        raise InputError(f"{where} must be a table of states.")
    half = base.states[: len(base.states) // 2] if mirrored else base.states
    names = [s.name for s in half]
    for key in table:
        if key not in names:
            raise unknown_name(where, "state", key, names)
    changed = []
    for k, state in enumerate(half):
        entry = table.get(state.name, {})
        _check_keys(entry, _CHANGE_KEYS, f"{where}: {state.name}")
        pose = read_pose(entry.get("pose_deg", {}), f"{where}: {state.name}")
        hold = read_number(entry, "hold_s", 0.0, -MAX_HOLD_S, MAX_HOLD_S, f"{where}: {state.name}")
        changed.append(State(state.name, pose, hold, next=k))
    graph = PoseGraph(tuple(changed))
    return graph.with_second_half() if mirrored else graph


def _read_state(entry: Mapping[str, Any], names: Sequence[str], k: int, where: str) -> State:
    here = f"{where}: state {names[k]}"
    _check_keys(entry, _STATE_KEYS, here)
    follow = entry.get("next")
    if follow is None:
        index = (k + 1) % len(names)
    elif follow == "stay":
        index = -1
    elif follow in names:
        index = names.index(follow)
    else:
        raise unknown_name(here, "state", str(follow), ["stay", *names])
    return State(
        name=names[k],
        pose_rad=read_pose(entry.get("pose_deg", {}), here),
        hold_s=read_number(entry, "hold_s", 0.0, 0.0, MAX_HOLD_S, here),
        sensor=_read_side(entry, "until_foot", here),
        timeout_s=read_number(entry, "timeout_s", TIMEOUT_S, 0.0, MAX_HOLD_S, here),
        stance=_read_side(entry, "stance", here),
        ends_step=bool(entry.get("ends_step", False)),
        next=index,
    )


def _check_keys(entry: Any, known: Sequence[str], where: str) -> None:
    if not isinstance(entry, dict):
        raise InputError(f"{where} must be a table.")
    for key in entry:
        if key not in known:
            raise unknown_name(where, "key", key, known)


def read_pose(pose: Any, where: str) -> dict[str, float]:
    """A pose in radians from its table in degrees."""
    if not isinstance(pose, dict):
        raise InputError(f"{where}: pose_deg must be a table of axis = degrees, got {pose!r}.")
    return {a: math.radians(read_number(pose, a, 0.0, -MAX_ANGLE_DEG, MAX_ANGLE_DEG, where)) for a in pose}


def read_number(entry: Mapping[str, Any], key: str, default: float, low: float, high: float, where: str) -> float:
    """A number of a table, within bounds."""
    value = entry.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InputError(f"{where}: {key} must be a number from {low:g} to {high:g}, got {value!r}.")
    return float(value)


def _read_side(entry: Mapping[str, Any], key: str, where: str) -> str:
    value = entry.get(key, "")
    if value not in ("", *SIDES):
        raise unknown_name(where, key, str(value), SIDES)
    return str(value)


def write_states(graph: PoseGraph) -> list[dict[str, Any]]:
    """The states as TOML tables, in degrees, every one of them written out."""
    names = [s.name for s in graph.states]
    tables = []
    for k, s in enumerate(graph.states):
        pose = {axis: round(math.degrees(angle), 9) for axis, angle in s.pose_rad.items()}
        table: dict[str, Any] = {"name": s.name, "pose_deg": pose, "hold_s": s.hold_s}
        if s.sensor:
            table |= {"until_foot": s.sensor, "timeout_s": s.timeout_s}
        if s.stance:
            table["stance"] = s.stance
        if s.ends_step:
            table["ends_step"] = True
        if s.next != (k + 1) % len(names):
            table["next"] = "stay" if s.next < 0 else names[s.next]
        tables.append(table)
    return tables
