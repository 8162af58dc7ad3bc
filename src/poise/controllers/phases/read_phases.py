"""A list of phases from its TOML table, checked against the character that it shall move.

An axis, segment or role without its side stands for both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from poise.characters.model import SIDES, Character
from poise.controllers.phases import layout
from poise.controllers.phases.linear import Linear, read_linear
from poise.controllers.phases.read_skill import read_skill
from poise.controllers.phases.spec import LONGEST_S, UNTIL, Feedback, Force, Phase, PhaseList, Tunable, mirror_phase
from poise.controllers.phases.tables import check_keys, read_number, require_list, require_table
from poise.errors import InputError, out_of_range, unknown_name

_PHASE_KEYS = (
    "name", "pose_rad", "like", "mirror", "until", "feet", "duration_s", "after_s", "ramp_s", "next", "feedback",
    "forces",
)  # fmt: skip


def read_phase_list(table: Mapping[str, Any], character: Character, where: str) -> PhaseList:
    """The whole table of a controller file, without its head."""
    check_keys(table, ["phases", "parameters", "skill", "pose_rad", "gains", "feedback", "start_rad"], where, needed=1)
    tunables = _read_tunables(table.get("parameters", {}), f"{where}: parameters")
    names = [t.name for t in tunables]
    skill = read_skill(table["skill"], names, where) if "skill" in table else None
    if skill is not None:
        names.append(skill.command)
    rest = {axis: Linear(character.rest_pose_rad.get(axis, 0.0)) for axis in character.axis_names}
    reader = _Reader(character, names, where)
    pose = reader.read_pose(table.get("pose_rad", {}), rest, f"{where}: pose_rad")
    feedback = reader.read_feedback(table.get("feedback", []), f"{where}: feedback")
    phases = reader.read_phases(table["phases"], pose, feedback)
    start = require_table(table.get("start_rad", {}), f"{where}: start_rad")
    starts = {
        axis: read_number(angle, f"{where}: start_rad: {name}")
        for name, angle in start.items()
        for axis in find_axes(character, name, f"{where}: start_rad")
    }
    return PhaseList(tunables, skill, pose, phases, _read_gains(table.get("gains", {}), character, where), starts)


def find_axes(character: Character, name: str, where: str) -> tuple[str, ...]:
    """The axis of a name, or both, where the name goes without a side."""
    known = character.axis_names
    if name in known:
        return (name,)
    both = tuple(f"{side}_{name}" for side in SIDES)
    if all(axis in known for axis in both):
        return both
    raise unknown_name(where, "axis", name, [*known, *dict.fromkeys(a.partition("_")[2] for a in known)])


def _read_tunables(table: Any, where: str) -> tuple[Tunable, ...]:
    tunables = []
    for name, row in require_table(table, where).items():
        at = f"{where}: {name}"
        check_keys(require_table(row, at), ["value", "low", "high", "about"], at, needed=3)
        value, low, high = (read_number(row[key], f"{at}: {key}") for key in ("value", "low", "high"))
        if not name.isidentifier():
            raise InputError("a parameter's name has letters, digits and _ only", where=where, got=name)
        if not low <= value <= high:
            raise out_of_range(where, name, value, low, high)
        tunables.append(Tunable(name, value, low, high, str(row.get("about", ""))))
    return tuple(tunables)


def _read_gains(table: Any, character: Character, where: str) -> dict[str, tuple[float, float]]:
    """kp and kd of every axis: by its name, by `all`, or the character's own."""
    where = f"{where}: gains"
    own = {a.name: (a.kp_nm_per_rad, a.kd_nms_per_rad) for a in character.axes}
    rows = require_table(table, where)
    for name in sorted(rows, key=lambda n: n != "all"):
        pair = rows[name]
        if not isinstance(pair, list) or len(pair) != 2:
            raise InputError(f"{name} must be [kp, kd]", where=where, got=pair)
        kp, kd = (read_number(g, f"{where}: {name}") for g in pair)
        if min(kp, kd) < 0.0:
            raise InputError(f"{name} must be zero or positive", where=where, got=pair)
        for axis in character.axis_names if name == "all" else find_axes(character, name, where):
            own[axis] = (kp, kd)
    return own


class _Reader:
    """What the parts of one table need to know of the whole: the character and the names of the parameters."""

    def __init__(self, character: Character, names: Sequence[str], where: str) -> None:
        self._character, self._names, self._where = character, names, where

    def read_pose(self, table: Any, base: Mapping[str, Linear], where: str) -> dict[str, Linear]:
        """A whole pose: `base` with the axes of the table changed; a name with a side comes before one without."""
        pose, rows = dict(base), require_table(table, where)
        for name in sorted(rows, key=lambda n: n in self._character.axis_names):
            form = read_linear(rows[name], self._names, f"{where}: {name}")
            for axis in find_axes(self._character, name, where):
                pose[axis] = form
        return pose

    def read_feedback(self, rows: Any, where: str) -> tuple[Feedback, ...]:
        found = []
        for row in require_list(rows, where):
            check_keys(row, ["axis", "measure", "gain"], where, needed=3)
            if row["measure"] not in layout.MEASURES:
                raise unknown_name(where, "measure", str(row["measure"]), layout.MEASURES)
            gain = read_linear(row["gain"], self._names, f"{where}: gain")
            axes = find_axes(self._character, str(row["axis"]), where)
            for axis in axes:
                # Of both sides, the right one is the mirror image of the left.
                other = len(axes) == 2 and axis == axes[1] and row["measure"] in layout.SIDEWAYS
                found.append(Feedback(str(row["measure"]), axis, gain.negated() if other else gain))
        return tuple(found)

    def read_forces(self, rows: Any, where: str) -> tuple[Force, ...]:
        found = []
        for row in require_list(rows, where):
            check_keys(row, ["at", "force_n", "limited"], where, needed=2)
            force, limited = row["force_n"], row.get("limited", True)
            if not isinstance(force, list) or len(force) != 3:
                raise InputError("force_n must be a list of three: forward, left, up", where=where, got=force)
            if not isinstance(limited, bool):
                raise InputError("limited must be true or false", where=where, got=limited)
            x, y, z = (read_linear(f, self._names, f"{where}: force_n") for f in force)
            for k, at in enumerate(self._find_places(str(row["at"]), where)):
                found.append(Force(at, (x, y.negated() if k else y, z), limited))
        return tuple(found)

    def _find_places(self, name: str, where: str) -> tuple[str, ...]:
        """The segment of a name or role, both of a name without a side, or the centre of mass."""
        if name == "com":
            return (name,)
        known = {**{s: s for s in self._character.segment_names}, **self._character.roles}
        if name in known:
            return (known[name],)
        both = tuple(f"{side}_{name}" for side in SIDES)
        if all(segment in known for segment in both):
            return tuple(known[segment] for segment in both)
        raise unknown_name(where, "place for a force", name, ["com", *known])

    def read_phases(self, rows: Any, pose: Mapping[str, Linear], feedback: tuple[Feedback, ...]) -> tuple[Phase, ...]:
        tables = require_list(rows, f"{self._where}: phases")
        if not tables:
            raise InputError("phases must have at least one phase", where=self._where)
        found: dict[str, Phase] = {}
        for k, row in enumerate(tables):
            where = f"{self._where}: phases[{k}]"
            check_keys(row, _PHASE_KEYS, where, needed=1)
            name = str(row["name"])
            if name in found:
                raise InputError(f"two phases are named {name!r}", where=where)
            found[name] = self._read_phase(row, found, pose, feedback, where)
        names = list(found)
        phases = []
        for k, (row, phase) in enumerate(zip(tables, found.values(), strict=True)):
            following = str(row["next"]) if "next" in row else names[k + 1] if k + 1 < len(names) else None
            if following is not None and following not in found:
                raise unknown_name(f"{self._where}: phases[{k}]: next", "phase", following, names)
            phases.append(replace(phase, following=following))
        return tuple(phases)

    def _read_phase(
        self,
        row: Mapping[str, Any],
        before: Mapping[str, Phase],
        pose: Mapping[str, Linear],
        feedback: tuple[Feedback, ...],
        where: str,
    ) -> Phase:
        for key in ("like", "mirror"):
            if key in row and row[key] not in before:
                raise unknown_name(f"{where}: {key}", "phase before this one", str(row[key]), list(before))
        if "mirror" in row:
            return self._read_mirrored(row, before[str(row["mirror"])], where)
        if "like" in row:
            pose = before[str(row["like"])].pose_rad
        until, feet = row.get("until", "time"), row.get("feet", list(SIDES))
        if until not in UNTIL:
            raise unknown_name(f"{where}: until", "way to end", str(until), list(UNTIL))
        if not isinstance(feet, list) or not feet or not all(foot in SIDES for foot in feet):
            raise InputError("feet must be a list of 'left' and 'right'", where=where, got=feet)
        if until == "time" and "duration_s" not in row:
            raise InputError("duration_s is missing", where=where)
        return Phase(
            name=str(row["name"]),
            pose_rad=self.read_pose(row.get("pose_rad", {}), pose, f"{where}: pose_rad"),
            duration_s=read_linear(row.get("duration_s", LONGEST_S), self._names, f"{where}: duration_s"),
            until=until,
            feet=tuple(sorted(set(feet))),
            after_s=self._read_time(row, "after_s", where),
            ramp_s=self._read_time(row, "ramp_s", where),
            feedback=self.read_feedback(row["feedback"], f"{where}: feedback") if "feedback" in row else feedback,
            forces=self.read_forces(row.get("forces", []), f"{where}: forces"),
        )

    def _read_mirrored(self, row: Mapping[str, Any], phase: Phase, where: str) -> Phase:
        """The mirror image of an earlier phase; only its name and what follows are its own."""
        for key in row:
            if key not in ("name", "mirror", "next"):
                raise InputError(f"{key} cannot be given for the mirror image of a phase", where=where)
        return replace(mirror_phase(phase, self._character), name=str(row["name"]))

    def _read_time(self, row: Mapping[str, Any], key: str, where: str) -> float:
        seconds = read_number(row.get(key, 0.0), f"{where}: {key}")
        if not 0.0 <= seconds <= LONGEST_S:
            raise out_of_range(where, key, seconds, 0.0, LONGEST_S, "s")
        return seconds
