"""Writer of characters in TOML. Symmetric halves are written once if reading them back gives the same character."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from os import PathLike
from typing import Any

import tomli_w

from poise.characters.model import SIDED_ROLES, Axis, Character, Joint, Landmark, Segment, Shape, swap_side
from poise.characters.read_toml import read_character
from poise.characters.sides import mirror_landmark, mirror_segment
from poise.documents import make_plain
from poise.errors import PoiseError
from poise.files import save_text
from poise.tables import as_table

_LEFT = "left_"
_NUMBERS = re.compile(r"= \[\n((?: +[-+.0-9a-z]+,\n)+)\]")


def save_character_toml(character: Character, path: str | PathLike[str]) -> None:
    """Write a character atomically."""
    save_text(path, format_character_text(character))


def format_character_text(character: Character) -> str:
    """TOML text of a character, with every list of numbers on one line."""
    text = tomli_w.dumps(make_plain(format_character(character)))
    return _NUMBERS.sub(lambda m: "= [" + ", ".join(m[1].replace(",", " ").split()) + "]", text)


def format_character(character: Character) -> dict[str, Any]:
    """TOML tables of a character."""
    short = _format(character, _find_symmetric_segments(character), _find_symmetric_landmarks(character))
    try:
        same = read_character(as_table(make_plain(short), "")) == character
    except PoiseError:
        same = False
    return short if same else _format(character, set(), set())


def _find_symmetric_segments(character: Character) -> set[str]:
    """Left segments whose right counterpart is their exact mirror image, parents first."""
    by_name = {s.name: s for s in character.segments}
    found: set[str] = set()
    for s in character.segments:
        right = by_name.get(swap_side(s.name))
        is_free = s.name.removeprefix(_LEFT) not in by_name
        hangs_well = s.parent is None or swap_side(s.parent) == s.parent or s.parent in found
        if s.name.startswith(_LEFT) and right == mirror_segment(s) and is_free and hangs_well:
            found.add(s.name)
    return found


def _find_symmetric_landmarks(character: Character) -> set[str]:
    by_name = {m.name: m for m in character.landmarks}
    return {
        m.name
        for m in character.landmarks
        if m.name.startswith(_LEFT)
        and by_name.get(swap_side(m.name)) == mirror_landmark(m)
        and m.name.removeprefix(_LEFT) not in by_name
    }


def _format(character: Character, segments: set[str], landmarks: set[str]) -> dict[str, Any]:
    """Tables in which the named left halves stand for both sides."""
    data: dict[str, Any] = {"name": character.name, "root": character.root}
    if character.source:
        data["source"] = character.source
    data["roles"] = _format_roles(character.roles, segments)
    if character.rest_pose_rad:
        data["rest_pose_rad"] = dict(character.rest_pose_rad)
    data["segments"] = {
        _strip(s.name, segments): _format_segment(s, segments)
        for s in character.segments
        if swap_side(s.name) not in segments
    }
    data["landmarks"] = {
        _strip(m.name, landmarks): _format_landmark(m, m.name in landmarks, segments)
        for m in character.landmarks
        if swap_side(m.name) not in landmarks
    }
    return data


def _strip(name: str, symmetric: set[str]) -> str:
    return name.removeprefix(_LEFT) if name in symmetric else name


def _format_roles(roles: Mapping[str, str], segments: set[str]) -> dict[str, str]:
    data = dict(roles)
    for part in SIDED_ROLES:
        left, right = roles.get(f"left_{part}"), roles.get(f"right_{part}")
        if left in segments and right == swap_side(left):
            del data[f"left_{part}"], data[f"right_{part}"]
            data[part] = left.removeprefix(_LEFT)
    return data


def _format_segment(segment: Segment, symmetric: set[str]) -> dict[str, Any]:
    sided = segment.name in symmetric
    data: dict[str, Any] = {"sided": True} if sided else {}
    if segment.parent is not None and segment.joint is not None:
        data["parent"] = _strip(segment.parent, symmetric) if sided else segment.parent
        data["origin_m"] = segment.origin_m
        data["joint"] = _format_joint(segment.joint, sided)
    data["mass_kg"] = segment.mass_kg
    data["com_m"] = segment.com_m
    data["inertia_kgm2"] = segment.inertia_kgm2
    if segment.shapes:
        data["shapes"] = [_format_shape(s) for s in segment.shapes]
    if segment.ground_m:
        data["ground_m"] = segment.ground_m
    return data


def _format_joint(joint: Joint, sided: bool) -> dict[str, Any]:
    def bare(name: str) -> str:
        return name.removeprefix(_LEFT) if sided else name

    return {"name": bare(joint.name), "kind": joint.kind, "axes": {bare(a.name): _format_axis(a) for a in joint.axes}}


def _format_axis(axis: Axis) -> dict[str, Any]:
    """Fields of an axis, without those at their default."""
    usual = {f.name: f.default for f in dataclasses.fields(Axis)}
    data = {name: getattr(axis, name) for name in usual if name not in ("name", "direction")}
    return {"direction": axis.direction} | {name: value for name, value in data.items() if value != usual[name]}


def _format_shape(shape: Shape) -> dict[str, Any]:
    usual = {f.name: f.default for f in dataclasses.fields(Shape)}
    return {name: getattr(shape, name) for name in usual if getattr(shape, name) != usual[name]}


def _format_landmark(mark: Landmark, sided: bool, symmetric: set[str]) -> dict[str, Any]:
    data: dict[str, Any] = {"sided": True} if sided else {}
    data["segment"] = _strip(mark.segment, symmetric) if sided else mark.segment
    data["position_m"] = mark.position_m
    if mark.ground:
        data["ground"] = True
    return data
