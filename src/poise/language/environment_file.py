"""Environment files of the language: planes, boxes, balls, stairs and hills, and the entities made of them.

    DEFINE Chair { Box(3, .4, .05, .4, 0, .45, -10); }
    ENTITIES { GROUND = 2DPlane(-200, 0, 200, 0); SEAT = Chair(2, 0, 0); }

x runs forward, y up, z out of the page, and the body moves in the plane z = -10. Objects of a ton or more are fixed:
the released code's steps are boxes of that mass, which lie still on the ground.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os.path import isfile
from pathlib import Path
from typing import Final

import numpy as np

from poise.characters.model import Shape
from poise.constants import PLANE_Z_M
from poise.errors import FileFormatError, InputError, PoiseError, describe_unknown_name, out_of_range
from poise.files import load_text
from poise.language.atoms import MAX_DIGITS
from poise.language.places import blank, fail, span_of
from poise.trust import reading
from poise.world.environment import Entity, Environment
from poise.world.props import Prop
from poise.world.terrain import HeightField, Solid, Terrain
from poise.world.terrain_model import solid_geom_name

FIXED_KG: Final = 1000.0
STEP_DEPTH_M: Final = 5.0
#: An endless half-space that is not level becomes a box of this length and thickness.
SLOPE_LENGTH_M, SLOPE_THICKNESS_M = 400.0, 20.0
HILLS_DEPTH_M: Final = 2.0
MAX_ENVIRONMENT_BYTES: Final = 200_000
"""A hundred times the longest environment that Poise ships."""
MAX_SOLIDS: Final = 1000
"""Total of boxes, balls and steps: each is a body of the model, and MuJoCo takes seconds for a few thousand of them."""

_COMMENT: Final = re.compile(r"#[^\n]*")
_BLOCK: Final = re.compile(r"\b(?:DEFINE\s+(?P<name>\w+)|ENTITIES)\s*\{(?P<body>[^{}]*)\}")
_OBJECT: Final = re.compile(
    r"\s*+(?:(?P<entity>\w++)\s*+=\s*+)?(?P<kind>\w++)\s*+\((?P<arguments>[^()]*+)\)"
    r"(?:\s*+\.\s*+friction\s*+\(\s*+(?P<friction>[^()]*+)\))?\s*+;"
)
_NUMBER: Final = re.compile(r"-?(?:\d*\.\d+|\d+\.?)")
#: kind -> allowed numbers of arguments.
KINDS: Final = {"Box": (5, 7), "Sphere": (5,), "Stairs": (4,), "2DPlane": (4,), "Heightfield": (1,)}


@dataclass
class _Piece:
    """The parts that one object creates."""

    props: list[Prop] = field(default_factory=list)
    solids: list[Solid] = field(default_factory=list)
    level_m: float | None = None
    hills: HeightField | None = None


@dataclass
class _Reader:
    path: Path
    text: str
    #: The script's parameters, usable as numbers, and those that are used.
    values: Mapping[str, float] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    groups: dict[str, list[re.Match[str]]] = field(default_factory=dict)

    def fail(self, what: str, start: int, end: int) -> FileFormatError:
        return fail(what, span_of(self.text, start, end), self.text, self.path)

    def objects(self, block: re.Match[str], named: bool) -> list[re.Match[str]]:
        """The objects of a block; anything else in it is an error."""
        (at, end), found = block.span("body"), []
        while match := _OBJECT.match(block.string, at, end):
            if named and match["entity"] is None:
                raise self.fail("an entity needs a name: NAME = object;", match.start("kind"), match.end("kind"))
            found.append(match)
            at = match.end()
        rest = block.string[at:end]
        if rest.strip():
            start = at + len(rest) - len(rest.lstrip())
            raise self.fail("this is not an object. Write for example Box(mass, edge, x, y, z);", start, start + 1)
        return found

    def build(self, match: re.Match[str], name: str, shift: Sequence[float] = (0.0, 0.0, 0.0)) -> _Piece:
        kind, words = match["kind"], [w.strip() for w in match["arguments"].split(",")]
        if kind in self.groups:
            return self._copy(match, name, shift, words)
        if kind not in KINDS:
            text = describe_unknown_name("object", kind, [*KINDS, *self.groups])
            raise self.fail(text, match.start("kind"), match.end("kind"))
        if len(words) not in KINDS[kind]:
            wanted = " or ".join(map(str, KINDS[kind]))
            raise self.fail(f"{kind} takes {wanted} values, got {len(words)}", match.start("kind"), match.end("kind"))
        if kind == "Heightfield":
            return _Piece(hills=self._load_hills(match, words[0], shift))
        builders: dict[str, Callable[[list[float], str, Sequence[float]], _Piece]] = {
            "Box": _box, "Sphere": _sphere, "Stairs": _stairs, "2DPlane": _plane,
        }  # fmt: skip
        try:
            return builders[kind](self._numbers(match, words), name, shift)
        except FileFormatError:
            raise
        except PoiseError as error:
            raise self.fail(str(error), match.start("kind"), match.end("kind")) from error

    def _numbers(self, match: re.Match[str], words: Sequence[str]) -> list[float]:
        return [self._number(match, word) for word in words]

    def _number(self, match: re.Match[str], word: str) -> float:
        """A number, or the value of the script's parameter of that name."""
        if len(word) <= MAX_DIGITS and _NUMBER.fullmatch(word):
            return float(word)
        if word in self.values:
            self.asked.add(word)
            return float(self.values[word])
        start, end = match.start("arguments"), match.end("arguments")
        what = f"a number is expected, got {word[:MAX_DIGITS]!r}"
        known = f"; parameters of the script with a SET: {', '.join(self.values)}" if self.values else ""
        raise self.fail(what + known, start, end)

    def _copy(self, match: re.Match[str], name: str, shift: Sequence[float], words: Sequence[str]) -> _Piece:
        kind = match["kind"]
        if len(words) != 3:
            what = f"{kind} takes 3 values, its offset, got {len(words)}"
            raise self.fail(what, match.start("kind"), match.end("kind"))
        more = [a + b for a, b in zip(shift, self._numbers(match, words), strict=True)]
        whole, group = _Piece(), self.groups[kind]
        for k, item in enumerate(group, start=1):
            if item["kind"] in self.groups:
                raise self.fail("a group may not contain another", item.start("kind"), item.end("kind"))
            part = self.build(item, name if len(group) == 1 else f"{name}.{k}", more)
            whole.props += part.props
            whole.solids += part.solids
            whole.level_m = part.level_m if part.level_m is not None else whole.level_m
            whole.hills = part.hills or whole.hills
        return whole

    def _load_hills(self, match: re.Match[str], name: str, shift: Sequence[float]) -> HeightField:
        file = self.path.parent / name
        if not isfile(file):
            raise self.fail(f"no file named {name}", match.start("arguments"), match.end("arguments"))
        try:
            words = load_text(file).split()
        except FileFormatError:
            raise
        except PoiseError as error:
            raise self.fail(str(error), match.start("arguments"), match.end("arguments")) from error
        try:
            x0, width, count = float(words[0]), float(words[1]), int(words[2])
            heights = [float(w) for w in words[3 : 3 + count]]
        except (ValueError, IndexError, OverflowError):
            heights, count = [], -1
        if len(heights) != count or count < 2:
            raise FileFormatError("it must contain x0, width, a count, and that many heights", path=file)
        rows = np.array([heights, heights])
        return HeightField(rows, width, HILLS_DEPTH_M, (x0 + 0.5 * width + shift[0], 0.0, shift[1]))


def _place(x: float, y: float, z: float, shift: Sequence[float]) -> tuple[float, float, float]:
    return (x + shift[0], -(z + shift[2] - PLANE_Z_M), y + shift[1])


def _solid_prop(name: str, kind: str, shape: Shape, mass: float, at: tuple[float, float, float]) -> Prop:
    return Prop(name, kind, (shape,), mass, at, free=mass < FIXED_KG)


def _box(v: list[float], name: str, shift: Sequence[float]) -> _Piece:
    mass, *sizes = v[: len(v) - 3]
    sx, sy, sz = sizes if len(sizes) == 3 else sizes * 3
    return _Piece([_solid_prop(name, "box", Shape("box", (sx, sz, sy)), mass, _place(v[-3], v[-2], v[-1], shift))])


def _sphere(v: list[float], name: str, shift: Sequence[float]) -> _Piece:
    return _Piece([_solid_prop(name, "ball", Shape("sphere", (v[1],)), v[0], _place(v[2], v[3], v[4], shift))])


def _stairs(v: list[float], name: str, shift: Sequence[float]) -> _Piece:
    start, tread, riser, count = v
    if not 0 <= count <= MAX_SOLIDS:
        raise out_of_range("Stairs", "the number of steps", count, 0, MAX_SOLIDS)
    steps = []
    for k in range(int(count)):
        height = riser * (k + 1)
        at = _place(start + tread * (k + 0.5), 0.5 * height, PLANE_Z_M, shift)
        steps.append(
            Prop(f"{name}.{k + 1}", "box", (Shape("box", (tread, STEP_DEPTH_M, height)),), FIXED_KG, at, free=False)
        )
    return _Piece(steps)


def _plane(v: list[float], name: str, shift: Sequence[float]) -> _Piece:
    x1, y1, x2, y2 = v
    dx, dy = x2 - x1, y2 - y1
    if dy == 0.0 and dx > 0.0:
        return _Piece(level_m=y1 + shift[1])
    turn, length = math.atan2(dy, dx), math.hypot(dx, dy)
    if length == 0.0:
        raise InputError("the two points of a plane must differ", where="2DPlane")
    down = 0.5 * SLOPE_THICKNESS_M
    x = 0.5 * (x1 + x2) + down * dy / length + shift[0]
    z = 0.5 * (y1 + y2) - down * dx / length + shift[1]
    quat = (math.cos(0.5 * turn), 0.0, -math.sin(0.5 * turn), 0.0)
    return _Piece(solids=[Solid((SLOPE_LENGTH_M, SLOPE_THICKNESS_M, SLOPE_THICKNESS_M), (x, 0.0, z), quat)])


def read_environment(path: Path, values: Mapping[str, float] | None = None) -> Environment:
    """The environment that a file describes; the script's parameters have their initial values."""
    with reading(path):
        return _read_environment(path, load_text(path, MAX_ENVIRONMENT_BYTES), values or {})


def _read_environment(path: Path, text: str, values: Mapping[str, float]) -> Environment:
    bare = _COMMENT.sub(lambda m: blank(m[0]), text)
    reader = _Reader(path, text, values)
    entities: dict[str, Entity] = {}
    props: list[Prop] = []
    ground = Terrain("environment", "environment")
    given, solids = False, list[Solid]()
    blocks = list(_BLOCK.finditer(bare))
    for block in (b for b in blocks if b["name"] is not None):
        reader.groups[block["name"]] = reader.objects(block, named=False)
    for block in (b for b in blocks if b["name"] is None):
        for match in reader.objects(block, named=True):
            name = match["entity"]
            if name in entities:
                raise reader.fail(f"two entities are named {name!r}", match.start("entity"), match.end("entity"))
            piece, geoms = reader.build(match, name), list[str]()
            if piece.level_m is not None:
                geoms.append("ground")
                ground, given = replace(ground, plane_height_m=piece.level_m), True
            geoms += [solid_geom_name(len(solids) + k) for k in range(len(piece.solids))]
            solids += piece.solids
            if piece.hills is not None:
                geoms.append("height_field")
                ground = replace(ground, height_field=piece.hills)
            props += piece.props
            if len(props) + len(solids) > MAX_SOLIDS:
                what = f"more than {MAX_SOLIDS} boxes, balls and steps in total"
                raise reader.fail(what, match.start("entity"), match.end("entity"))
            entities[name] = Entity(tuple(p.name for p in piece.props), tuple(geoms))
    rest = _BLOCK.sub(lambda m: blank(m[0]), bare)
    if rest.strip():
        start = len(rest) - len(rest.lstrip())
        raise reader.fail("expected DEFINE Name { … } or ENTITIES { … }", start, start + 1)
    has_ground = given or solids or ground.height_field is not None
    terrain = replace(ground, plane=given, solids=tuple(solids)) if has_ground else None
    return Environment(terrain, tuple(props), entities, frozenset(reader.asked))
