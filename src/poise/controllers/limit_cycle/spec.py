"""Pose graph controllers from their tables: the base graph, its perturbations, and the settings of the balancer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import numpy as np

from poise.characters.model import Character
from poise.controllers.limit_cycle import layout
from poise.controllers.limit_cycle.balance import Balancer
from poise.controllers.limit_cycle.graph import PoseGraph, read_change, read_graph, read_pose
from poise.controllers.limit_cycle.law import graph_law
from poise.controllers.limit_cycle.layout import ROLES
from poise.controllers.limit_cycle.models import ModelStore, load_models
from poise.controllers.limit_cycle.regulation import Regulation
from poise.kernels.records import place
from poise.tables import Table, as_table
from poise.world.controller import Controller, Parameter, Start
from poise.world.guard import Whole, make_guard

METHOD: Final = "limit-cycle"
_KEYS: Final = ("mirrored", "states", "changes", "values", "start", "path_m", "store")
_CHANGE_KEYS: Final = ("states", "mirrored", "low", "high", "steps", "help")
#: Change per step beyond any scaling's range: it takes effect at once.
AT_ONCE: Final = 1e6
#: Limits of a perturbation's scaling, and of the coordinates of a path.
SCALING_RANGE: Final = (-1e4, 1e4)
MAX_PLACE_M: Final = 1e6
_START_KEYS: Final = ("pose_deg", "pitch_deg")


@dataclass(frozen=True)
class Change:
    """A perturbation ΔP: what a scaling of one adds, and how far and how fast users may scale it."""

    name: str
    graph: PoseGraph
    low: float = -90.0
    high: float = 90.0
    #: Steps over which its scaling changes by one; 0 for at once.
    steps: float = 0.0
    help: str = ""


@dataclass(frozen=True)
class GraphSpec:
    """A base graph with its perturbations, balancer settings and start."""

    base: PoseGraph
    changes: tuple[Change, ...] = ()
    #: Settings and scalings of perturbations that differ from their defaults.
    values: Mapping[str, float] = field(default_factory=dict)
    start: Start = field(default_factory=Start)
    #: Points to walk to, in order [§5.3.1].
    path_m: tuple[tuple[float, float], ...] = ()
    #: Models of steps sampled earlier.
    store: ModelStore | None = None

    def build(self, character: Character, name: str = "pose graph", description: str = "") -> Controller:
        """The controller for a character."""
        axes = character.axis_names
        names = [c.name for c in self.changes]
        count = len(names)
        header = [float(len(self.base.states)), float(count)]
        header += [float(names.index(role)) if role in names else -1.0 for role in ROLES]
        settings = [self.values.get(s.name, s.default) for s in layout.SETTINGS]
        scalings = [self.values.get(name, 0.0) for name in names]
        pace = [1.0 / c.steps if c.steps > 0.0 else AT_ONCE for c in self.changes]
        graphs = [g.pack(axes).ravel() for g in (self.base, *(c.graph for c in self.changes))]
        params = np.concatenate([header, settings, scalings, scalings, pace, *graphs])
        memory = np.zeros(layout.MEMORY_SIZE)
        return Controller(
            name=name,
            law=graph_law,
            params=params,
            memory=memory,
            parameters=self._parameters(count),
            start=self.start,
            description=description,
            pilot=partial(self._make_pilot, Regulation(character)),
            guard=make_guard(
                self._list_fixed(len(axes)),
                [Whole("state", place(layout.MEMORY, "state"), 0, len(self.base.states) - 1)],
            ),
        )

    def _list_fixed(self, axes: int) -> list[int]:
        """Indices of the numbers that define the graph's structure: counts, roles, and each state's sensor and next."""
        first, width = layout.graphs_at(len(self.changes)), layout.POSE + axes
        rows = [first + k * width for k in range(len(self.base.states))]
        columns = place(layout.STATE, "sensor"), place(layout.STATE, "next")
        header = range(place(layout.PARAMS, layout.SETTINGS[0].name))
        return [*header, *(row + at for row in rows for at in columns)]

    def _make_pilot(self, regulation: Regulation, character: int) -> Balancer:
        changes = {c.name: c.graph for c in self.changes}
        return Balancer(self.base, changes, regulation, character, path_m=self.path_m, store=self.store)

    def _parameters(self, count: int) -> tuple[Parameter, ...]:
        listed = [
            Parameter(s.name, place(layout.PARAMS, s.name), s.low, s.high, s.help, s.choices) for s in layout.SETTINGS
        ]
        for k, change in enumerate(self.changes):
            if change.name not in ROLES:
                at = layout.commanded_at(k, count)
                listed.append(Parameter(change.name, at, change.low, change.high, change.help))
        return tuple(listed)


def read_spec(table: Mapping[str, Any], where: str) -> GraphSpec:
    """Read the spec of a controller file, without its store of models."""
    table = as_table(table, where)
    table.only(*_KEYS)
    mirrored = table.flag("mirrored", False)
    base = read_graph(table, mirrored=mirrored)
    changes = [_read_change(name, entry, base, mirrored) for name, entry in table.table("changes").children()]
    values = _read_values(table.table("values"), changes)
    path = tuple((x, y) for x, y in table.points("path_m", 2, MAX_PLACE_M))
    return GraphSpec(base, tuple(changes), values, _read_start(table.table("start")), path)


def _read_change(name: str, table: Table, base: PoseGraph, mirrored: bool) -> Change:
    table.only(*_CHANGE_KEYS)
    graph = read_change(table.table("states"), base, mirrored=table.flag("mirrored", mirrored))
    low, high = table.number("low", *SCALING_RANGE, -90.0), table.number("high", *SCALING_RANGE, 90.0)
    return Change(name, graph, low, high, table.number("steps", 0.0, 1e4, 0.0), table.string("help", ""))


def _read_values(table: Table, changes: Sequence[Change]) -> dict[str, float]:
    known = {s.name: Parameter(s.name, 0, s.low, s.high, s.help, s.choices) for s in layout.SETTINGS}
    known |= {c.name: Parameter(c.name, 0, c.low, c.high, c.help) for c in changes if c.name not in ROLES}
    values = {}
    for name in table:
        table.check_known("value", name, known, name)
        with table.errors_at(name):
            values[name] = known[name].check("", table[name])
    return values


def _read_start(table: Table) -> Start:
    table.only(*_START_KEYS)
    pitch = math.radians(table.number("pitch_deg", -180.0, 180.0, 0.0))
    return Start(read_pose(table.table("pose_deg")), root_pitch_rad=pitch)


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    """The controller of a file of the method `limit-cycle`; `store` is relative to the working directory."""
    table = as_table(table, name)
    spec = read_spec(table, name)
    if "store" in table:
        with table.errors_at("store"):
            spec = replace(spec, store=load_models(table.string("store")))
    for axis in (*spec.base.axes, *spec.start.joint_q_rad):
        character.axis_index(axis)
    return spec.build(character, name, description)
