"""ASF files: the skeletons to which AMC files belong.

A bone is a joint at its near end; its children begin at its far end. Its rotation is C M C⁻¹, where C is the rotation
of the bone's own axes and M that of its degrees of freedom, each a product of rotations applied in the order listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Final

import numpy as np

from poise.errors import find_nearest_name
from poise.motion.rotations import IDENTITY_WXYZ, FloatArray, quat_about, quat_multiply
from poise.motion.skeleton import MAX_JOINTS, EndSite, Skeleton
from poise.motion.text import Lines, Word, load_lines

INCH_M: Final = 0.0254
_SECTIONS: Final = ("version", "name", "units", "documentation", "root", "bonedata", "hierarchy", "skin")
_DOFS: Final = ("rx", "ry", "rz")
_ROOT_DOFS: Final = ("tx", "ty", "tz", "rx", "ry", "rz")


@dataclass
class Bone:
    """A bone in the file's unit; `dofs` are its degrees of freedom in the order of a motion frame."""

    name: str
    line: int
    direction: tuple[float, float, float] | None = None
    length: float | None = None
    axis_wxyz: FloatArray | None = None
    dofs: tuple[str, ...] = ()

    def vector(self) -> FloatArray:
        """Vector from its near to its far end."""
        direction = np.array(self.direction or (0.0, 0.0, 0.0))
        size = float(np.linalg.norm(direction))
        return (self.length or 0.0) * direction / size if size > 0.0 else np.zeros(3)


@dataclass(frozen=True, eq=False)
class AsfSkeleton:
    """The skeleton, its bones in the order of the joints, and its units of length and angle."""

    skeleton: Skeleton
    bones: tuple[Bone, ...]
    unit_m: float
    degrees: bool
    #: Position of the root in the file, to which motions may be relative.
    root_pos: FloatArray
    notes: tuple[str, ...]


def read_asf(path: str | PathLike[str]) -> AsfSkeleton:
    """Read the skeleton of an ASF file."""
    return _Parser(load_lines(path)).parse()


def turn_in_order(letters: str, angles_rad: FloatArray) -> FloatArray:
    """Rotation (..., 4) by angles (..., N) about the axes named by the letters, the first one first."""
    quat = np.broadcast_to(np.array(IDENTITY_WXYZ), angles_rad.shape[:-1] + (4,))
    for k, letter in enumerate(letters):
        quat = quat_multiply(quat_about(np.eye(3)["xyz".index(letter)], angles_rad[..., k]), quat)
    return quat


class _Parser:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.units = {"length": 1.0}
        self.degrees = True
        self.bones: list[Bone] = []
        self.root = Bone("root", 1, axis_wxyz=np.array(IDENTITY_WXYZ), dofs=_ROOT_DOFS)
        self.root_axis = "xyz"
        self.root_turn: list[float] = [0.0, 0.0, 0.0]
        self.root_pos: list[float] = [0.0, 0.0, 0.0]
        self.parents: dict[str, str] = {}
        self.open: Bone | None = None

    def parse(self) -> AsfSkeleton:
        section, seen = "", set()
        for number in range(1, len(self.lines.lines) + 1):
            words = self.lines.words(number)
            if not words or words[0].text.startswith("#"):
                continue
            if words[0].text.startswith(":"):
                section = self._begin_section(words[0])
                seen.add(section)
            elif section in ("units", "root", "bonedata", "hierarchy"):
                getattr(self, f"_parse_{section}")(words)
            elif not section:
                raise self.lines.error_at("not an ASF file", words[0], allowed="Its sections begin with a colon")
        for wanted in ("bonedata", "hierarchy"):
            if wanted not in seen:
                raise self.lines.error(f"no section :{wanted}", len(self.lines.lines))
        if self.open is not None:
            raise self.lines.error(f"bone {self.open.name!r} has no end", self.open.line)
        return self._finish()

    def _begin_section(self, word: Word) -> str:
        name = word.text[1:].lower()
        if name not in _SECTIONS:
            nearest = find_nearest_name(name, _SECTIONS)
            raise self.lines.error_at(
                f"no section is named {word.text!r}", word, did_you_mean=nearest and f":{nearest}"
            )
        return name

    def _parse_units(self, words: list[Word]) -> None:
        key = words[0].text.lower()
        if key == "length" and len(words) > 1:
            self.units["length"] = self.lines.number(words[1], "length")
            if not self.units["length"] > 0.0:
                raise self.lines.error_at("length must be positive", words[1])
        elif key == "angle" and len(words) > 1:
            self.degrees = not words[1].text.lower().startswith("rad")

    def _parse_root(self, words: list[Word]) -> None:
        key, rest = words[0].text.lower(), words[1:]
        if key == "order":
            self.root.dofs = tuple(w.text.lower() for w in rest)
            wrong = [w for w in rest if w.text.lower() not in _ROOT_DOFS]
            if wrong:
                raise self.lines.error_at(
                    f"the root has no {wrong[0].text!r}", wrong[0], allowed="Allowed: TX TY TZ RX RY RZ"
                )
        elif key == "axis" and rest:
            self.root_axis = self._check_letters(rest[0])
        elif key == "orientation":
            self.root_turn = self._take_numbers(words, 3)
        elif key == "position":
            self.root_pos = self._take_numbers(words, 3)

    def _parse_bonedata(self, words: list[Word]) -> None:
        key = words[0].text.lower()
        if key == "begin":
            if self.open is not None:
                raise self.lines.error_at(f"bone {self.open.name!r} has no end", words[0])
            self.open = Bone("", words[0].line)
        elif self.open is None:
            raise self.lines.error_at(f"{words[0].text!r} outside begin and end", words[0])
        elif key == "end":
            self._end_bone(words[0])
        else:
            self._parse_bone_line(self.open, key, words)

    def _parse_bone_line(self, bone: Bone, key: str, words: list[Word]) -> None:
        if key == "name" and len(words) > 1:
            bone.name = words[1].text
        elif key == "direction":
            x, y, z = self._take_numbers(words, 3)
            bone.direction = (x, y, z)
        elif key == "length":
            bone.length = self._take_numbers(words, 1)[0]
        elif key == "axis":
            angles = np.array(self._take_numbers(words, 3))
            letters = self._check_letters(words[4]) if len(words) > 4 else "xyz"
            bone.axis_wxyz = turn_in_order(letters, self._to_rad(angles))
        elif key == "dof":
            wrong = [w for w in words[1:] if w.text.lower() not in _DOFS]
            if wrong:
                raise self.lines.error_at(
                    f"bone {bone.name!r} has the degree of freedom {wrong[0].text!r}",
                    wrong[0],
                    allowed="Allowed: rx ry rz",
                )
            bone.dofs = tuple(w.text.lower() for w in words[1:])
        # id, limits, bodymass and the like do not affect the positions of joints.

    def _end_bone(self, word: Word) -> None:
        bone, self.open = self.open, None
        assert bone is not None
        for what in ("name", "direction", "length"):
            if getattr(bone, what) in ("", None):
                raise self.lines.error(f"bone {bone.name!r} has no {what}", bone.line)
        if bone.name in {b.name for b in self.bones} | {"root"}:
            raise self.lines.error(f"two bones are named {bone.name!r}", bone.line)
        if len(self.bones) >= MAX_JOINTS - 1:
            raise self.lines.error_at("too many bones", word, allowed=f"Allowed: up to {MAX_JOINTS - 1}")
        self.bones.append(bone)

    def _parse_hierarchy(self, words: list[Word]) -> None:
        if words[0].text.lower() in ("begin", "end") and len(words) == 1:
            return
        names = ["root", *(b.name for b in self.bones)]
        for word in words:
            if word.text not in names:
                nearest = find_nearest_name(word.text, names)
                raise self.lines.error_at(f"no bone is named {word.text!r}", word, did_you_mean=nearest)
        for word in words[1:]:
            if word.text in self.parents or word.text == "root":
                raise self.lines.error_at(f"{word.text!r} has two parents", word)
            self.parents[word.text] = words[0].text

    def _take_numbers(self, words: list[Word], count: int) -> list[float]:
        if len(words) < 1 + count:
            raise self.lines.error_at(f"{words[0].text} needs {count} number{'s' if count > 1 else ''}", words[0])
        return self.lines.numbers(words[1 : 1 + count], words[0].text)

    def _check_letters(self, word: Word) -> str:
        letters = word.text.lower()
        if sorted(letters) != ["x", "y", "z"]:
            raise self.lines.error_at(f"an axis order must name each of X, Y and Z once, got {word.text!r}", word)
        return letters

    def _to_rad(self, angles: FloatArray) -> FloatArray:
        return np.radians(angles) if self.degrees else angles

    def _finish(self) -> AsfSkeleton:
        loose = [b for b in self.bones if b.name not in self.parents]
        if loose:
            raise self.lines.error(f"bone {loose[0].name!r} has no parent in :hierarchy", loose[0].line)
        self.root.axis_wxyz = turn_in_order(self.root_axis, self._to_rad(np.array(self.root_turn)))
        bones = self._sort_parents_first()
        index = {bone.name: k for k, bone in enumerate(bones)}
        parents = tuple(-1 if k == 0 else index[self.parents[b.name]] for k, b in enumerate(bones))
        offsets = np.array([np.zeros(3) if p < 0 else bones[p].vector() for p in parents])
        leaves = [k for k in range(len(bones)) if k not in parents]
        ends = tuple(EndSite(k, (float(v[0]), float(v[1]), float(v[2]))) for k in leaves for v in [bones[k].vector()])
        skeleton = Skeleton(tuple(b.name for b in bones), parents, offsets, ends)
        unit_m, root = INCH_M / self.units["length"], np.array(self.root_pos)
        return AsfSkeleton(skeleton, tuple(bones), unit_m, self.degrees, root, self.lines.notes)

    def _sort_parents_first(self) -> list[Bone]:
        ordered, waiting = [self.root], list(self.bones)
        while waiting:
            known = {b.name for b in ordered}
            ready = [b for b in waiting if self.parents[b.name] in known]
            if not ready:
                raise self.lines.error(f"bone {waiting[0].name!r} is part of a cycle", waiting[0].line)
            ordered += ready
            waiting = [b for b in waiting if b not in ready]
        return ordered
