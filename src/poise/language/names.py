"""The language's names for the joints and parts of a character, and the signs of its angles.

A joint angle in a script is the rotation of the child relative to its parent about the axis to the left (+y). Positive
is forward and down for parts above the joint, backward for parts below it. [Firmin15]'s own character rotates clockwise
seen from its right, which is the same. Poise counts flexion as positive; `sign` converts.

In space a joint also rolls and yaws. There the language uses Poise's signs: outward is positive on both sides, so
renaming the joints mirrors a script; in the middle, positive is leaning to the right and turning to the left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from poise.characters.model import Character

_SIDES: Final = {"l": "left", "r": "right"}
_MIDDLE_JOINTS: Final = {
    "neck2head": "neck_pitch",
    "uTorso2neck": "neck_base_pitch",
    "lTorso2uTorso": "chest_pitch",
    "waist": "back_pitch",
}
_SIDED_JOINTS: Final = {
    "Shoulder": "shoulder_pitch",
    "Elbow": "elbow_pitch",
    "Wrist": "wrist_pitch",
    "Hip": "hip_pitch",
    "Knee": "knee_pitch",
    "Ankle": "ankle_pitch",
}
#: language -> Poise's axis.
JOINTS: Final = {
    **_MIDDLE_JOINTS,
    **{s + j: f"{side}_{axis}" for j, axis in _SIDED_JOINTS.items() for s, side in _SIDES.items()},
}
_MIDDLE_PARTS: Final = {"pelvis": "pelvis", "lTorso": "", "uTorso": "trunk", "neck": "", "head": "head"}
_SIDED_PARTS: Final = {
    "Arm": "upper_arm",
    "Forearm": "forearm",
    "Hand": "hand",
    "Thigh": "thigh",
    "Shin": "shank",
    "Foot": "foot",
}
#: language -> Poise's role, or empty if only the segment's own name identifies it.
PARTS: Final = {
    **_MIDDLE_PARTS,
    **{s + p: f"{side}_{role}" for p, role in _SIDED_PARTS.items() for s, side in _SIDES.items()},
}
_SEGMENTS: Final = {"lTorso": "lower_trunk", "neck": "neck"}
#: The released code accepts these everywhere except in VPD; here they are accepted everywhere.
ALIASES: Final = {"lFArm": "lForearm", "rFArm": "rForearm"}
#: The components of an angle in space, in the order of the text.
TURNS: Final = ("pitch", "roll", "yaw")
#: The part whose lean `fallen` and `anglerange` test.
TRUNK: Final = "uTorso"


@dataclass(frozen=True)
class Body:
    """A character as scripts see it: axes and segments by the language's names and by their own."""

    character: Character

    @cached_property
    def joints(self) -> dict[str, int]:
        """Axis of every joint that a script may name; the language's names come first."""
        axes = self.character.axis_names
        known = {name: axes.index(axis) for name, axis in JOINTS.items() if axis in axes}
        for axis in axes:
            known.setdefault(axis, axes.index(axis))
        return known

    @property
    def in_space(self) -> bool:
        """Whether it moves in three dimensions."""
        return self.character.root == "free"

    def turns(self, joint: str) -> tuple[int, int, int]:
        """The pitch, roll and yaw axes of a joint; -1 for missing ones. An axis's own name means that axis only.

        A body in a plane has no roll and no yaw.
        """
        main = self.joints[joint]
        if joint not in JOINTS or not self.in_space:
            names = [self.character.axes[main].name]
        else:
            moved = self.axis_segments[main]
            names = [a.name for a, s in zip(self.character.axes, self.axis_segments, strict=True) if s == moved]
        found = {name.rpartition("_")[2]: self.character.axis_names.index(name) for name in names}
        roll, yaw = found.get("roll", -1), found.get("yaw", -1)
        return (main if main not in (roll, yaw) else -1), roll, yaw

    def side(self, name: str) -> int:
        """Side of a joint or part: 1 for left, -1 for right, 0 for the middle."""
        if name in self.joints:
            own = self.character.axes[self.joints[name]].name
        else:
            own = self.character.segment_names[self.parts[name]]
        return 1 if own.startswith("left_") else -1 if own.startswith("right_") else 0

    def is_held(self, axis: int) -> bool:
        """Whether a servo holds an axis from the start: in space, all axes without a sagittal name in the language."""
        return self.in_space and self.character.axes[axis].name not in JOINTS.values()

    @cached_property
    def parts(self) -> dict[str, int]:
        """Segment of every part that a script may name."""
        names, roles = self.character.segment_names, self.character.roles
        known: dict[str, int] = {}
        for name, role in PARTS.items():
            segment = roles.get(role, _SEGMENTS.get(name, ""))
            if segment in names:
                known[name] = names.index(segment)
        for alias, name in ALIASES.items():
            if name in known:
                known[alias] = known[name]
        for segment in names:
            known.setdefault(segment, names.index(segment))
        return known

    @cached_property
    def axis_segments(self) -> tuple[int, ...]:
        """The segment that each axis moves."""
        return tuple(i for i, s in enumerate(self.character.segments) if s.joint for _ in s.joint.axes)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        names = self.character.segment_names
        return tuple(-1 if s.parent is None else names.index(s.parent) for s in self.character.segments)

    @cached_property
    def joint_names(self) -> list[str]:
        """The joints to list in messages: the language's, or the character's own if it has none of them."""
        return [n for n in self.joints if n in JOINTS] or list(self.joints)

    @cached_property
    def part_names(self) -> list[str]:
        """The parts to list in messages."""
        return [n for n in self.parts if n in PARTS] or list(self.parts)

    def sign(self, axis: int) -> float:
        """1 if Poise's angle has the script's sign, -1 if the opposite."""
        spec = self.character.axes[axis]
        return 1.0 if spec.direction[1] > 0.0 or not spec.name.endswith("_pitch") else -1.0

    def pitch_axis_above(self, segment: int) -> int:
        """The axis that rotates a segment relative to its parent in the sagittal plane; -1 if none."""
        for axis, moved in enumerate(self.axis_segments):
            if moved == segment and abs(self.character.axes[axis].direction[1]) > 0.5:
                return axis
        return -1

    def line_to_root(self, segment: int) -> list[int]:
        """A segment and its ancestors, the root last."""
        line = [segment]
        while self.parents[line[-1]] >= 0:
            line.append(self.parents[line[-1]])
        return line

    def hangs_on(self, segment: int, axis: int) -> bool:
        """Whether a segment moves with an axis, that is, lies on the child's side."""
        return self.axis_segments[axis] in self.line_to_root(segment)

    def chain(self, segment: int, axis: int, in_space: bool = False) -> list[int]:
        """Axes on the path from a segment to a joint, including that joint: the pitch axes, or in space all axes."""
        if self.hangs_on(segment, axis):
            line = self.line_to_root(segment)
            way = line[: line.index(self.axis_segments[axis]) + 1]
        else:
            up, down = self.line_to_root(segment), self.line_to_root(self.axis_segments[axis])
            way = [s for s in up if s not in down] + [s for s in reversed(down) if s not in up]
        if in_space:
            return [a for s in way for a in range(len(self.axis_segments) - 1, -1, -1) if self.axis_segments[a] == s]
        return [a for a in (self.pitch_axis_above(s) for s in way) if a >= 0]
