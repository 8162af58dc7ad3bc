"""Contents of a `.bones` file in its own frame and signs [Laszlo96 App. B], and its writer.

The file gives all points in one pose and one frame: forward is -x, right is -z and up is +y. `read_bones` reads it;
`bones_table` and `bones_character` convert it to a Character in our frame and signs. As in the file, bones and monitor
points are numbered from 1, the degrees of freedom of a hinge from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Final, NamedTuple, NoReturn

from poise.characters.model import Vec3
from poise.errors import FileFormatError
from poise.files import save_text

#: Commands that attach a bone to another, with the number of axes each takes.
HINGES: Final[Mapping[str, int]] = {"hinge": 1, "uhinge": 2, "ghinge": 3}


class Place(NamedTuple):
    """Position of a statement, for errors about it; ignored when files are compared."""

    path: str = ""
    line: int = 0
    column: int = 0
    source_line: str = ""

    def fail(self, what: str, **more: Any) -> NoReturn:
        """Raise an error that points at this place."""
        raise FileFormatError(
            what, path=self.path, line=self.line, column=self.column, source_line=self.source_line, **more
        )


@dataclass(frozen=True)
class BoneHinge:
    """A joint to a parent bone, at a point, about one to three axes in order."""

    parent: int
    point: Vec3
    axes: tuple[Vec3, ...]
    place: Place = field(default=Place(), compare=False)


@dataclass(frozen=True)
class Bone:
    """A rigid body drawn with line segments; a density may stand in for mass, inertia and centre of mass."""

    number: int
    segments: tuple[tuple[Vec3, Vec3], ...] = ()
    mass: float | None = None
    inertia: Vec3 | None = None
    center_of_mass: Vec3 | None = None
    hinge: BoneHinge | None = None
    place: Place = field(default=Place(), compare=False)


@dataclass(frozen=True)
class Gains:
    """Gains from a `kpd` command."""

    kp: float
    kd: float
    place: Place = field(default=Place(), compare=False)


@dataclass(frozen=True)
class BonesFile:
    """A `.bones` file with the files that it includes."""

    bones: tuple[Bone, ...]
    #: Monitor points in the order of their numbers: the first is number 1.
    monitors: tuple[Vec3, ...] = ()
    #: (bone, degree of freedom) -> gains.
    hinge_gains: Mapping[tuple[int, int], Gains] = field(default_factory=dict)
    #: Monitor point -> its own ground gains; zeros disable its ground contact.
    monitor_gains: Mapping[int, Gains] = field(default_factory=dict)
    #: Monitor points of the up vector: origin, up, right.
    up_monitors: tuple[int, int, int] | None = None
    #: Monitor points below the swing and the stance foot at the start.
    center_of_mass_monitors: tuple[int, int] | None = None
    path: str = field(default="", compare=False)

    def bone(self, number: int) -> Bone:
        return next(b for b in self.bones if b.number == number)

    def degrees_of_freedom(self) -> list[tuple[int, int]]:
        """(bone, degree of freedom) in the order of the angles in scripts."""
        return [(b.number, i) for b in self.bones if b.hinge for i in range(len(b.hinge.axes))]

    def touches_ground(self, monitor: int) -> bool:
        """Whether the ground acts at a monitor point."""
        gains = self.monitor_gains.get(monitor)
        return gains is None or gains.kp != 0 or gains.kd != 0


def format_bones(bones: BonesFile) -> str:
    """Text of a `.bones` file, without includes."""
    lines: list[str] = []
    for bone in bones.bones:
        lines += ["", f"bone {bone.number}", *_format_bone(bone)]
    lines.append("")
    for (number, axis), gains in bones.hinge_gains.items():
        lines.append(f"kpd hinge {number}:{axis} {_number(gains.kp)} {_number(gains.kd)}")
    lines += [f"mon {_point(m)}" for m in bones.monitors]
    for number, gains in bones.monitor_gains.items():
        lines.append(f"kpd mon {number} {_number(gains.kp)} {_number(gains.kd)}")
    if bones.up_monitors:
        lines.append(f"set up_mon {','.join(map(str, bones.up_monitors))}")
    if bones.center_of_mass_monitors:
        lines.append(f"set cofm_mon {','.join(map(str, bones.center_of_mass_monitors))}")
    return "\n".join(lines).strip() + "\n"


def save_bones(bones: BonesFile, path: str | PathLike[str]) -> None:
    """Write a `.bones` file atomically."""
    save_text(path, format_bones(bones))


def _format_bone(bone: Bone) -> Iterable[str]:
    for start, end in bone.segments:
        yield f"seg {_point(start)} {_point(end)}"
    if bone.mass is not None:
        yield f"mass {_number(bone.mass)}"
    if bone.inertia is not None:
        yield f"iner {_point(bone.inertia, ' ')}"
    if bone.center_of_mass is not None:
        yield f"cofm {_point(bone.center_of_mass, ' ')}"
    if bone.hinge is not None:
        command = next(c for c, n in HINGES.items() if n == len(bone.hinge.axes))
        axes = " ".join(_point(a) for a in bone.hinge.axes)
        yield f"{command} {bone.hinge.parent} {_point(bone.hinge.point)} {axes}"


def _number(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _point(point: Vec3, separator: str = ",") -> str:
    return separator.join(_number(v) for v in point)
