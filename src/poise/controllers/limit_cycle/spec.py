"""Pose graph controllers from their tables: the base graph, its perturbations, and the settings of the balance."""

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
from poise.controllers.limit_cycle.graph import PoseGraph, read_change, read_graph, read_number, read_pose
from poise.controllers.limit_cycle.law import graph_law
from poise.controllers.limit_cycle.models import ModelStore, load_models
from poise.controllers.limit_cycle.regulation import Regulation
from poise.errors import InputError, unknown_name
from poise.world.controller import Controller, Parameter, Start
from poise.world.guard import Whole, make_guard

METHOD: Final = "limit-cycle"
_KEYS: Final = ("mirrored", "states", "changes", "values", "start", "path_m", "store")
_CHANGE_KEYS: Final = ("states", "mirrored", "low", "high", "steps", "help")
#: Perturbations that the balancer itself scales.
ROLES: Final = ("forward", "side", "turn_left", "turn_right")
#: More than any scaling may change in a step.
AT_ONCE: Final = 1e6
_START_KEYS: Final = ("pose_deg", "pitch_deg")


@dataclass(frozen=True)
class Change:
    """A perturbation ΔP: what is added for a scaling of one, and how far and fast people may scale it."""

    name: str
    graph: PoseGraph
    low: float = -90.0
    high: float = 90.0
    #: Steps over which its scaling changes by one; 0 for at once.
    steps: float = 0.0
    help: str = ""


@dataclass(frozen=True)
class GraphSpec:
    """A base graph, what may be added to it, how it is balanced and where it begins."""

    base: PoseGraph
    changes: tuple[Change, ...] = ()
    #: Settings, and scalings of perturbations, that differ from their defaults.
    values: Mapping[str, float] = field(default_factory=dict)
    start: Start = field(default_factory=Start)
    #: Points that it walks to, one after the other [§5.3.1].
    path_m: tuple[tuple[float, float], ...] = ()
    #: Models of steps that were sampled before.
    store: ModelStore | None = None

    def build(self, character: Character, name: str = "pose graph", description: str = "") -> Controller:
        """The controller on a character."""
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
            guard=make_guard(self._list_fixed(len(axes)), [Whole("state", layout.STATE, 0, len(self.base.states) - 1)]),
        )

    def _list_fixed(self, axes: int) -> list[int]:
        """Places of what lays out the graph: counts, roles, and each state's sensor and follower."""
        first, width = layout.graphs_at(len(self.changes)), layout.POSE + axes
        rows = [first + k * width for k in range(len(self.base.states))]
        return [*range(layout.FIRST_SETTING), *(row + at for row in rows for at in (layout.SENSOR, layout.NEXT))]

    def _make_pilot(self, regulation: Regulation, character: int) -> Balancer:
        changes = {c.name: c.graph for c in self.changes}
        return Balancer(self.base, changes, regulation, character, path_m=self.path_m, store=self.store)

    def _parameters(self, count: int) -> tuple[Parameter, ...]:
        listed = [Parameter(s.name, layout.AT[s.name], s.low, s.high, s.help, s.choices) for s in layout.SETTINGS]
        for k, change in enumerate(self.changes):
            if change.name not in ROLES:
                at = layout.asked_at(k, count)
                listed.append(Parameter(change.name, at, change.low, change.high, change.help))
        return tuple(listed)


def read_spec(table: Mapping[str, Any], where: str) -> GraphSpec:
    """The spec of a controller file, but for its store of models."""
    for key in table:
        if key not in _KEYS:
            raise unknown_name(where, "key", key, _KEYS)
    mirrored = bool(table.get("mirrored", False))
    base = read_graph(table.get("states"), where, mirrored=mirrored)
    changes = []
    given = table.get("changes", {})
    if not isinstance(given, dict):
        raise InputError(f"{where}: changes must be a table, got {given!r}.")
    for name, entry in given.items():
        here = f"{where}: changes.{name}"
        if not isinstance(entry, dict):
            raise InputError(f"{here} must be a table.")
        for key in entry:
            if key not in _CHANGE_KEYS:
                raise unknown_name(here, "key", key, _CHANGE_KEYS)
        half = bool(entry.get("mirrored", mirrored))
        graph = read_change(entry.get("states", {}), base, here, mirrored=half)
        low, high = (read_number(entry, k, v, -1e4, 1e4, here) for k, v in (("low", -90.0), ("high", 90.0)))
        steps = read_number(entry, "steps", 0.0, 0.0, 1e4, here)
        changes.append(Change(name, graph, low, high, steps, str(entry.get("help", ""))))
    values = _read_values(table.get("values", {}), changes, where)
    return GraphSpec(base, tuple(changes), values, _read_start(table, where), _read_path(table, where))


def _read_values(values: Any, changes: Sequence[Change], where: str) -> dict[str, float]:
    known = {s.name: Parameter(s.name, 0, s.low, s.high, s.help, s.choices) for s in layout.SETTINGS}
    known |= {c.name: Parameter(c.name, 0, c.low, c.high, c.help) for c in changes if c.name not in ROLES}
    if not isinstance(values, dict):
        raise InputError(f"{where}: values must be a table.")
    for name in values:
        if name not in known:
            raise unknown_name(where, "value", name, list(known))
    return {name: known[name].check(where, value) for name, value in values.items()}


def _read_path(table: Mapping[str, Any], where: str) -> tuple[tuple[float, float], ...]:
    path = table.get("path_m", [])
    numbers = isinstance(path, list) and all(
        isinstance(p, list) and len(p) == 2 and all(isinstance(v, int | float) for v in p) for p in path
    )
    if not numbers:
        raise InputError(f"{where}: path_m must be a list of points [x, y], got {path!r}.")
    return tuple((float(x), float(y)) for x, y in path)


def _read_start(table: Mapping[str, Any], where: str) -> Start:
    start = table.get("start", {})
    if not isinstance(start, dict):
        raise InputError(f"{where}: start must be a table, got {start!r}.")
    for key in start:
        if key not in _START_KEYS:
            raise unknown_name(f"{where}: start", "key", key, _START_KEYS)
    here = f"{where}: start"
    pitch = math.radians(read_number(start, "pitch_deg", 0.0, -180.0, 180.0, here))
    return Start(read_pose(start.get("pose_deg", {}), here), root_pitch_rad=pitch)


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    """The controller of a file of the method `limit-cycle`; `store` is a path from where the program runs."""
    spec = read_spec(table, name)
    if "store" in table:
        spec = replace(spec, store=load_models(str(table["store"])))
    for axis in (*spec.base.axes, *spec.start.joint_q_rad):
        character.axis_index(axis)
    return spec.build(character, name, description)
