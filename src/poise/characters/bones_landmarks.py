"""Monitor points of `.bones` files as landmarks, named by the table beside the file.

    head_top = 16                                                  monitor point 16
    left_heel = [7, 8]                                             halfway between two, without ground contact
    nose = { monitor = 9, segment = "head" }                       on a segment that is not the nearest
    left_hand = { segment = "left_forearm", position_m = [...] }   a further point, in the segment's frame

Monitor points without a name become `mon_N`. The ground acts at a monitor point unless the file disables it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poise.characters.bones_table import BonesTable
from poise.characters.model import Landmark, Vec3
from poise.characters.read_solids import MAX_LENGTH_M
from poise.characters.solids import to_vec3
from poise.errors import describe_unknown_name
from poise.tables import Table


def read_bones_landmarks(table: Table, book: BonesTable, segments: Sequence[str]) -> tuple[Landmark, ...]:
    """A landmark for every monitor point and every further entry of the table."""
    marks: list[Landmark] = []
    named: dict[int, str] = {}
    for key, value in table.data.items():
        table.check_name(key)
        if isinstance(value, dict):
            marks.append(_read_entry(key, table.table(key), book, segments, named))
        elif isinstance(value, list):
            marks.append(_read_middle(key, value, table, book))
        else:
            number = _check_monitor(table.number(key, 1, 1e6), key, table, book, named)
            marks.append(_make(key, number, book, book.names[book.find_bone(book.bones.monitors[number - 1])]))
    for i, point in enumerate(book.bones.monitors, start=1):
        if i not in named:
            marks.append(_make(f"mon_{i}", i, book, book.names[book.find_bone(point)]))
    return tuple(marks)


def _check_monitor(value: float, key: str, table: Table, book: BonesTable, named: dict[int, str] | None) -> int:
    number = int(value)
    if number != value or not 1 <= number <= len(book.bones.monitors):
        table.fail(f"no monitor point has this number: there are {len(book.bones.monitors)}", key, got=value)
    if named is not None:
        if number in named:
            table.fail(f"monitor point {number} is already named {named[number]!r}", key)
        named[number] = key
    return number


def _make(name: str, number: int, book: BonesTable, segment: str) -> Landmark:
    position = _place(book.bones.monitors[number - 1], segment, book)
    return Landmark(name, segment, position, ground=book.bones.touches_ground(number))


def _place(point: Vec3, segment: str, book: BonesTable) -> Vec3:
    bone = next(number for number, name in book.names.items() if name == segment)
    return book.relative(bone, point)


def _read_middle(key: str, value: list[object], table: Table, book: BonesTable) -> Landmark:
    numbers = table.vector(key, tuple(range(2, 9)), -1e6, 1e6)
    points = [book.bones.monitors[_check_monitor(n, key, table, book, None) - 1] for n in numbers]
    middle = to_vec3(np.array(points).mean(axis=0))
    segment = book.names[book.find_bone(points[0])]
    return Landmark(key, segment, _place(middle, segment, book))


def _read_entry(key: str, table: Table, book: BonesTable, segments: Sequence[str], named: dict[int, str]) -> Landmark:
    table.only("segment", *(("monitor",) if "monitor" in table else ("position_m", "ground")))
    segment = table.string("segment")
    if segment not in segments:
        table.fail(describe_unknown_name("segment", segment, segments), "segment")
    if "monitor" in table:
        number = _check_monitor(table.number("monitor", 1, 1e6), "monitor", table, book, named)
        mark = _make(key, number, book, segment)
    else:
        position = table.vector("position_m", (3,), -MAX_LENGTH_M, MAX_LENGTH_M)
        mark = Landmark(key, segment, to_vec3(position), table.flag("ground", False))
    return mark
