"""Pose control graphs as data: states with poses and hold times, and the algebra of their tables.

[Laszlo96 §2.3]: a graph is a state machine whose states each hold a pose; a state ends after its hold time, or when a
foot touches the ground. C = B + k·ΔP adds the poses and hold times of two graphs state by state and keeps the sensors
of B [§2.3.1]. Depending on `next`, a graph is periodic, ends in a last state, or leads from a chain into a cycle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from poise.characters.model import SIDES, swap_side
from poise.errors import InputError, unknown_name
from poise.tables import Table
from poise.world.controller import FloatArray

#: Default time-out of a state that waits for its foot.
TIMEOUT_S: Final = 5.0
MAX_STATES: Final = 4096
MAX_HOLD_S: Final = 1e4
MAX_ANGLE_DEG: Final = 1e4


@dataclass(frozen=True)
class State:
    """One pose (axis -> rad; axes not named are at zero) and when it ends.

    It holds for `hold_s`. With a sensor it then waits until that foot touches, for at most `timeout_s`.
    """

    name: str
    pose_rad: Mapping[str, float]
    hold_s: float = 0.0
    #: Side of the foot whose contact ends it: "left", "right", or "" for the hold time alone.
    sensor: str = ""
    timeout_s: float = TIMEOUT_S
    #: The stance leg in this state: "left", "right", or "" if that has no meaning.
    stance: str = ""
    #: Whether a step ends with it: the balancer then measures the result and plans the next step.
    ends_step: bool = False
    #: Index of the next state; -1 stays in this one.
    next: int = 0

    def mirrored(self) -> State:
        """The state with left and right exchanged."""
        swap = {"": "", **dict(zip(SIDES, reversed(SIDES), strict=True))}
        pose = {swap_side(axis): angle for axis, angle in self.pose_rad.items()}
        return replace(self, pose_rad=pose, sensor=swap[self.sensor], stance=swap[self.stance])


@dataclass(frozen=True)
class PoseGraph:
    """The states of a graph; it starts in the first one."""

    states: tuple[State, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.states) <= MAX_STATES:
            raise InputError(f"pose graph: must have 1 to {MAX_STATES} states, got {len(self.states)}.")
        for state in self.states:
            if not -1 <= state.next < len(self.states):
                raise InputError(f"pose graph: state {state.name} leads to state {state.next}, which does not exist.")
            if state.sensor not in ("", *SIDES) or state.stance not in ("", *SIDES):
                raise InputError(f"pose graph: state {state.name}: sensor and stance must be left, right or empty.")

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
        """All axes that the states name."""
        return tuple(dict.fromkeys(axis for state in self.states for axis in state.pose_rad))

    def __add__(self, other: PoseGraph) -> PoseGraph:
        """Sum of poses and hold times, state by state; sensors and order come from the first graph."""
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
        """The graph followed by its mirror image; the last state leads back to the first."""
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


def read_graph(table: Table, *, mirrored: bool) -> PoseGraph:
    """Read a graph from the array `states` of a table; `mirrored` appends its mirror image."""
    rows = table.tables("states", required=True)
    if not rows:
        table.fail("must have at least one state", "states")
    names = [row.string("name", f"S{k + 1}") for k, row in enumerate(rows)]
    for k, name in enumerate(names):
        if name in names[:k]:
            rows[k].fail("another state has this name", "name", got=name)
    with table.errors_at("states"):
        graph = PoseGraph(tuple(_read_state(row, names, k) for k, row in enumerate(rows)))
        return graph.with_second_half() if mirrored else graph


def read_change(table: Table, base: PoseGraph, *, mirrored: bool) -> PoseGraph:
    """Read a relative graph ΔP: the additions to each state of the base, by the state's name."""
    half = base.states[: len(base.states) // 2] if mirrored else base.states
    for key in table:
        table.check_known("state", key, [s.name for s in half], key)
    changed = []
    for k, state in enumerate(half):
        entry = table.table(state.name)
        entry.only(*_CHANGE_KEYS)
        hold = entry.number("hold_s", -MAX_HOLD_S, MAX_HOLD_S, 0.0)
        changed.append(State(state.name, read_pose(entry.table("pose_deg")), hold, next=k))
    graph = PoseGraph(tuple(changed))
    return graph.with_second_half() if mirrored else graph


def _read_state(row: Table, names: Sequence[str], k: int) -> State:
    row.only(*_STATE_KEYS)
    follow = row.choice("next", "state", ("stay", *names), names[(k + 1) % len(names)])
    return State(
        name=names[k],
        pose_rad=read_pose(row.table("pose_deg")),
        hold_s=row.number("hold_s", 0.0, MAX_HOLD_S, 0.0),
        sensor=row.choice("until_foot", "foot", SIDES, ""),
        timeout_s=row.number("timeout_s", 0.0, MAX_HOLD_S, TIMEOUT_S),
        stance=row.choice("stance", "stance", SIDES, ""),
        ends_step=row.flag("ends_step", False),
        next=-1 if follow == "stay" else names.index(follow),
    )


def read_pose(table: Table) -> dict[str, float]:
    """A pose in radians from its table in degrees."""
    return {axis: math.radians(table.number(axis, -MAX_ANGLE_DEG, MAX_ANGLE_DEG)) for axis in table}


def write_states(graph: PoseGraph) -> list[dict[str, Any]]:
    """All states as TOML tables, in degrees."""
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
