"""Read the criteria of a problem: the terms of its objective, its failures, its task, and tracked motions."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from os.path import isfile
from pathlib import Path
from typing import Any

from poise.api import run_scene
from poise.characters.model import Character
from poise.controllers.catalog import find_controller, load_controller
from poise.errors import InputError, PoiseError
from poise.files import load_bytes
from poise.measures.body import PART
from poise.measures.catalog import NAMES, Measure
from poise.measures.failures import EndRule, Limits, WatchRule
from poise.measures.signals import PART_SIGNALS, SIGNALS, find_part
from poise.measures.tracking import TRACKING, check_reference
from poise.optim.skill_function import MAX_DEGREE
from poise.recordings.recording import Recording
from poise.recordings.recording_file import load_recording
from poise.rollout.scene import Scene
from poise.search.problem import Task, Term
from poise.tables import Table
from poise.world.compile import PhysicsSettings
from poise.world.controller import Controller

MAX_TASKS = 1000
#: Value of a wish if each task has its own.
BY_TASK = "task"
_WISHES = ("near", "at_least", "at_most")


class References:
    """Motions that terms track: recordings, or runs of other controllers on the same body, each read once."""

    def __init__(
        self, folder: Path, controller: Controller, body: Character, seconds: float, timestep_s: float
    ) -> None:
        self.body = body
        self._folder, self._controller = folder, controller
        self._seconds, self._timestep_s = seconds, timestep_s
        self._known: dict[str, Recording] = {}
        self._hashes: dict[str, str] = {}

    def find(self, name: str) -> Recording:
        """The motion of this name: a recording file, possibly beside the problem, or a run of a controller."""
        if name not in self._known:
            beside = self._folder / name
            path = beside if beside.suffix and isfile(beside) else Path(name)
            if path.suffix == ".npz":
                motion = load_recording(path)
                data = load_bytes(path, path.stat().st_size)
            else:
                found = find_controller(str(path))
                data, motion = load_bytes(found), self._run(str(path))
            check_reference(motion, self.body.axis_names, self._seconds)
            self._known[name], self._hashes[name] = motion, hashlib.sha256(data).hexdigest()
        return self._known[name]

    def _run(self, name: str) -> Recording:
        scene = Scene(
            replace(load_controller(name, self.body), start=self._controller.start, ground=self._controller.ground),
            self.body,
            physics=PhysicsSettings(timestep_s=self._timestep_s),
        )
        done = run_scene(scene, self._seconds, stop_on_fall=True)
        if done.metrics.fallen:
            raise InputError(f"{name} falls after {done.metrics.fell_at_s:.3g} s. A tracked motion must not")
        return done.recording

    @property
    def sha256(self) -> str:
        """Hash of all motions found; empty if there are none."""
        text = "".join(f"{name} {self._hashes[name]}\n" for name in sorted(self._hashes))
        return hashlib.sha256(text.encode()).hexdigest() if text else ""


def read_task(table: Table) -> Task | None:
    """The problem's task, if it has one."""
    if "task" not in table:
        return None
    entry = table.table("task")
    entry.only("name", "low", "high", "count", "degree")
    task = Task(
        name=entry.name("name"),
        low=entry.number("low", -1e9, 1e9),
        high=entry.number("high", -1e9, 1e9),
        count=entry.integer("count", 2, MAX_TASKS, Task.count),
        degree=entry.integer("degree", 0, MAX_DEGREE, Task.degree),
    )
    if task.low >= task.high:
        entry.fail(f"low must be below high, got {task.low:g} and {task.high:g}")
    if task.count <= task.degree:
        entry.fail(f"{task.count} tasks cannot determine a polynomial of degree {task.degree}. Use more tasks")
    return task


def read_term(table: Table, references: References, task: Task | None) -> Term:
    """One term of the objective."""
    table.only("measure", "of", "reference", "weight", *_WISHES)
    measure = _read_measure(table, references)
    weight = table.number("weight", 0.0, 1e6, 1.0)
    wishes = [w for w in _WISHES if w in table]
    if len(wishes) > 1:
        table.fail(f"{' and '.join(wishes)} exclude each other. One of near, at_least, at_most is allowed")
    if not wishes:
        return Term(measure, weight)
    (wish,) = wishes
    if table.data[wish] != BY_TASK:
        return Term(measure, weight, wish, table.number(wish, -1e9, 1e9))
    if task is None:
        table.fail(f"{BY_TASK!r} needs a table [task], which the problem does not have", wish)
    return Term(measure, weight, wish, None)


def _read_measure(table: Table, references: References) -> Measure:
    name = table.choice("measure", "measure", NAMES)
    of = _read_part(table, references.body, name, PART)
    if ("reference" in table) != (name in TRACKING):
        if name in TRACKING:
            table.fail(f"{name} needs a reference: a recording, or a controller")
        table.fail(f"{name} takes no reference. Those that do: {', '.join(TRACKING)}", "reference")
    if name not in TRACKING:
        return Measure(name, of)
    reference = table.string("reference")
    try:
        return Measure(name, of, references.find(reference), reference)
    except PoiseError as error:
        table.fail(str(error), "reference", cause=error)


def _read_part(table: Table, body: Character, name: str, takers: Any) -> str:
    """The part under `of`, required for names in `takers` and refused for all others."""
    if ("of" in table) != (name in takers):
        if name in takers:
            table.fail(f"{name} needs a part of the body, such as of = {body.roles['trunk']!r}")
        table.fail(f"{name} takes no part of the body. Those that do: {', '.join(takers)}", "of")
    if name not in takers:
        return ""
    of = table.string("of")
    try:
        find_part(body, of)
    except InputError as error:
        table.fail(str(error), "of", cause=error)
    return str(of)


def read_failures(tables: list[Table], references: References) -> tuple[tuple[EndRule, ...], tuple[WatchRule, ...]]:
    """Rules judged at the end of a run, and rules watched during it."""
    end_rules, watch_rules = [], []
    for table in tables:
        table.only("name", "measure", "watch", "of", "reference", "below", "above")
        name = table.string("name")
        if not name.strip():
            table.fail("must not be empty", "name")
        if ("measure" in table) == ("watch" in table):
            table.fail("a failure needs either a measure, which is judged at the end, or a watch, which ends the run")
        if not {"below", "above"} & set(table.data):
            table.fail("a failure needs a limit: below, above or both")
        limits = Limits(table.number("below", -1e9, 1e9, None), table.number("above", -1e9, 1e9, None))
        if limits.below is not None and limits.above is not None and limits.below > limits.above:
            table.fail(f"every value is below {limits.below:g} or above {limits.above:g}", "below")
        if "measure" in table:
            end_rules.append(EndRule(name, _read_measure(table, references), limits))
        else:
            signal = table.choice("watch", "signal", (*SIGNALS, *PART_SIGNALS))
            if "reference" in table:
                table.fail("a watched signal takes no reference", "reference")
            of = _read_part(table, references.body, signal, PART_SIGNALS)
            watch_rules.append(WatchRule(name, signal, limits, of))
    return tuple(end_rules), tuple(watch_rules)
