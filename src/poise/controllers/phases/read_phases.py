"""Read a list of phases from its TOML table, checked against the character that it moves.

An axis, segment or role named without a side stands for both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from poise.characters.model import SIDES, Character
from poise.controllers.phases import layout
from poise.controllers.phases.linear import LARGEST, Linear, read_linear
from poise.controllers.phases.read_props import read_props
from poise.controllers.phases.read_skill import read_skill
from poise.controllers.phases.spec import LONGEST_S, UNTIL, Feedback, Force, Phase, PhaseList, Tunable, mirror_phase
from poise.errors import unknown_name
from poise.tables import Table, as_table

_PHASE_KEYS = (
    "name", "pose_rad", "like", "mirror", "until", "feet", "duration_s", "after_s", "ramp_s", "next", "feedback",
    "forces",
)  # fmt: skip


def read_phase_list(table: Mapping[str, Any], character: Character, where: str) -> PhaseList:
    """Read the table of a controller file, without its head."""
    table = as_table(table, where)
    table.only("phases", "parameters", "skill", "pose_rad", "gains", "feedback", "start_rad", "props")
    tunables = _read_tunables(table.table("parameters"))
    names = [t.name for t in tunables]
    skill = read_skill(table.table("skill"), names) if "skill" in table else None
    if skill is not None:
        names.append(skill.command)
    rest = {axis: Linear(character.rest_pose_rad.get(axis, 0.0)) for axis in character.axis_names}
    reader = _Reader(character, names)
    pose = reader.read_pose(table.table("pose_rad"), rest)
    phases = reader.read_phases(table, pose, reader.read_feedback(table.tables("feedback")))
    start = table.table("start_rad")
    starts = {
        axis: start.number(name, -LARGEST, LARGEST)
        for name in start
        for axis in _find_axes(character, name, start, name)
    }
    gains, props = _read_gains(table.table("gains"), character), read_props(table.tables("props"))
    return PhaseList(tunables, skill, pose, phases, gains, starts, props)


def _find_axes(character: Character, name: str, table: Table, key: str) -> tuple[str, ...]:
    """The axis named at a key of a table, or both axes if the name has no side."""
    known = character.axis_names
    both = tuple(f"{side}_{name}" for side in SIDES)
    if name not in known and all(axis in known for axis in both):
        return both
    return (table.check_known("axis", name, [*known, *dict.fromkeys(a.partition("_")[2] for a in known)], key),)


def _read_tunables(table: Table) -> tuple[Tunable, ...]:
    tunables = []
    for name, row in table.children():
        row.only("value", "low", "high", "about")
        if not name.isidentifier():
            table.fail("a parameter's name must consist of letters, digits and _", name, got=name)
        low, high = row.number("low", -LARGEST, LARGEST), row.number("high", -LARGEST, LARGEST)
        tunables.append(Tunable(name, row.number("value", low, high), low, high, row.string("about", "")))
    return tuple(tunables)


def _read_gains(table: Table, character: Character) -> dict[str, tuple[float, float]]:
    """kp and kd of every axis: given by name, given by `all`, or the character's own."""
    own = {a.name: (a.kp_nm_per_rad, a.kd_nms_per_rad) for a in character.axes}
    for name in sorted(table, key=lambda n: n != "all"):
        kp, kd = table.vector(name, (2,), 0.0, LARGEST)
        for axis in character.axis_names if name == "all" else _find_axes(character, name, table, name):
            own[axis] = (kp, kd)
    return own


class _Reader:
    """Context shared by all parts of one table: the character and the names of the parameters."""

    def __init__(self, character: Character, names: Sequence[str]) -> None:
        self._character, self._names = character, names

    def _read_linear(self, table: Table, key: str, default: float | None = None) -> Linear:
        if key not in table:
            if default is None:
                table.fail(f"{key} is missing. It must be a number or a sum")
            return Linear(default)
        with table.errors_at(key):
            return read_linear(table[key], self._names)

    def read_pose(self, table: Table, base: Mapping[str, Linear]) -> dict[str, Linear]:
        """A whole pose: `base` overridden by the axes of the table; a name with a side overrides one without."""
        pose = dict(base)
        for name in sorted(table, key=lambda n: n in self._character.axis_names):
            form = self._read_linear(table, name)
            for axis in _find_axes(self._character, name, table, name):
                pose[axis] = form
        return pose

    def read_feedback(self, rows: Sequence[Table]) -> tuple[Feedback, ...]:
        found = []
        for row in rows:
            row.only("axis", "measure", "gain")
            measure = row.choice("measure", "measure", layout.MEASURES)
            gain = self._read_linear(row, "gain")
            axes = _find_axes(self._character, row.string("axis"), row, "axis")
            for axis in axes:
                # For a name without a side, the right axis mirrors the left one.
                other = len(axes) == 2 and axis == axes[1] and measure in layout.SIDEWAYS
                found.append(Feedback(measure, axis, gain.negated() if other else gain))
        return tuple(found)

    def read_forces(self, rows: Sequence[Table]) -> tuple[Force, ...]:
        found = []
        for row in rows:
            row.only("at", "force_n", "limited")
            force = row.entries("force_n")
            if len(force) != 3:
                row.fail("must be a list of three: forward, left, up", "force_n", got=force)
            with row.errors_at("force_n"):
                x, y, z = (read_linear(f, self._names) for f in force)
            with row.errors_at("at"):
                segments = self._find_segments(row.string("at"))
            for k, at in enumerate(segments):
                found.append(Force(at, (x, y.negated() if k else y, z), row.flag("limited", True)))
        return tuple(found)

    def _find_segments(self, name: str) -> tuple[str, ...]:
        """The segment of a name or role, both segments if the name has no side, or the centre of mass."""
        if name == "com":
            return (name,)
        known = {**{s: s for s in self._character.segment_names}, **self._character.roles}
        if name in known:
            return (known[name],)
        both = tuple(f"{side}_{name}" for side in SIDES)
        if all(segment in known for segment in both):
            return tuple(known[segment] for segment in both)
        raise unknown_name("", "place for a force", name, ["com", *known])

    def read_phases(
        self, table: Table, pose: Mapping[str, Linear], feedback: tuple[Feedback, ...]
    ) -> tuple[Phase, ...]:
        rows = table.tables("phases", required=True)
        if not rows:
            table.fail("must have at least one phase", "phases")
        found: dict[str, Phase] = {}
        for row in rows:
            row.only(*_PHASE_KEYS)
            name = row.string("name")
            if name in found:
                row.fail("another phase has this name", "name", got=name)
            found[name] = self._read_phase(row, found, pose, feedback)
        following = [*list(found)[1:], None]
        return tuple(
            replace(phase, following=row.choice("next", "phase", found, after))
            for row, phase, after in zip(rows, found.values(), following, strict=True)
        )

    def _read_phase(
        self, row: Table, before: Mapping[str, Phase], pose: Mapping[str, Linear], feedback: tuple[Feedback, ...]
    ) -> Phase:
        like, mirror = (row.choice(key, "phase before this one", before, None) for key in ("like", "mirror"))
        if mirror is not None:
            return self._read_mirrored(row, before[mirror])
        if like is not None:
            pose = before[like].pose_rad
        until, feet = row.choice("until", "way to end", UNTIL, "time"), row.strings("feet", SIDES)
        if not feet or not all(foot in SIDES for foot in feet):
            row.fail("must be a list of 'left' and 'right'", "feet", got=feet)
        return Phase(
            name=row.string("name"),
            pose_rad=self.read_pose(row.table("pose_rad"), pose),
            duration_s=self._read_linear(row, "duration_s", None if until == "time" else LONGEST_S),
            until=until,
            feet=tuple(sorted(set(feet))),
            after_s=row.number("after_s", 0.0, LONGEST_S, 0.0),
            ramp_s=row.number("ramp_s", 0.0, LONGEST_S, 0.0),
            feedback=self.read_feedback(row.tables("feedback")) if "feedback" in row else feedback,
            forces=self.read_forces(row.tables("forces")),
        )

    def _read_mirrored(self, row: Table, phase: Phase) -> Phase:
        """The mirror image of an earlier phase; only its name and its successor are its own."""
        for key in row:
            if key not in ("name", "mirror", "next"):
                row.fail("cannot be given for the mirror image of a phase", key)
        return replace(mirror_phase(phase, self._character), name=row.string("name"))
