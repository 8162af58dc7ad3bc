"""Characters adopted from MJCF and URDF models with a table of roles and axes.

Every body with hinges becomes a segment. Its frame is parallel to the world in the model's reference pose, with the
origin at the hinges' anchor. Bodies without joints are merged into the body they are fixed to. Imported: masses,
inertias, shapes (a mesh becomes its bounding box), limits, armature, damping, springs, and torque limits from the
actuators. Ignored: tendons, constraints, friction, sensors, and everything outside the pelvis's tree.
"""

from __future__ import annotations

import os
import re
import warnings
import xml.etree.ElementTree as ElementTree
from os import PathLike, fspath
from pathlib import Path
from typing import Final

import mujoco

from poise.characters.adoption import AdoptionTable, find_model_file, find_model_folder, read_adoption
from poise.characters.catalog import (
    ADOPTED_SUFFIXES,
    CharacterSummary,
    find_character,
    list_characters,
    load_character,
)
from poise.characters.model import Character
from poise.characters.plausible import check_plausible
from poise.characters.read_toml import read_landmarks, read_rest_pose
from poise.constants import ARENA_BYTES
from poise.errors import FileFormatError, InputError
from poise.files import load_text
from poise.tables import load_table
from poise.trust import reading, reading_below
from poise.world.adopt_model import ModelSource, find_hinges, find_hosts, find_root_kind, make_segment
from poise.world.model_cost import check_cost
from poise.world.model_files import read_model_files

MAX_XML_BYTES: Final = 5_000_000
"""Enough for meshes written out as numbers; a model without them is a hundredth of this size."""

_ERROR_LINE: Final = re.compile(r"\bline(?: number)?[ =]+(\d+)", re.IGNORECASE)
_HARMLESS: Final = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>", re.DOTALL)
_NAN: Final = re.compile(r"(?<![\w.])[+-]?(nan|inf(inity)?)(?![\w.])", re.IGNORECASE)


def load_any_character(name_or_path: str | PathLike[str]) -> Character:
    """A shipped character by name, or one from any kind of file: TOML, `.bones`, MJCF or URDF."""
    path = Path(fspath(name_or_path))
    if path.suffix.lower() in ADOPTED_SUFFIXES and os.path.isfile(path):
        return load_mjcf_character(path, find_character(path))
    table_path = find_character(name_or_path)
    with reading(table_path):
        table = load_table(table_path)
        if "mjcf" not in table and "urdf" not in table:
            return load_character(name_or_path)
        with reading_below(find_model_folder(table)):
            return load_mjcf_character(find_model_file(table), table_path)


def list_all_characters() -> list[CharacterSummary]:
    """A summary of every shipped character, including the adopted ones."""
    return list_characters(load_any_character)


def load_mjcf_character(path: str | PathLike[str], roles_toml: str | PathLike[str]) -> Character:
    """The character in an MJCF or URDF file, given the table that names its parts."""
    with reading(roles_toml):
        adoption = read_adoption(load_table(roles_toml))
    return adopt(load_model(path), adoption, path)


def load_model(path: str | PathLike[str]) -> mujoco.MjModel:
    """A compiled model from an MJCF or URDF file; static bodies are not fused."""
    with reading(path):
        check_cost(path, read_model_files(path, _read_xml))
    try:
        # MuJoCo's warnings concern its own simulation of the model, which never runs.
        with warnings.catch_warnings(action="ignore"):
            spec = mujoco.MjSpec.from_file(fspath(path))
            spec.compiler.fusestatic = False
            _drop_sizes(spec)
            return spec.compile()
    except (ValueError, RuntimeError, TypeError, mujoco.FatalError) as error:
        text = " ".join(str(error).split())
        found = _ERROR_LINE.search(text)
        raise FileFormatError(
            f"MuJoCo cannot read it: {text}", path=path, line=int(found[1]) if found else None
        ) from error


def _drop_sizes(spec: mujoco.MjSpec) -> None:
    """Drops the buffer sizes that a file requests for simulating the model: they can be gigabytes."""
    spec.memory, spec.nuserdata, spec.nkey = ARENA_BYTES, 0, 0
    spec.nstack, spec.nconmax, spec.njmax = -1, -1, -1
    for kind in ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor"):
        setattr(spec, f"nuser_{kind}", -1)


def _read_xml(path: str | PathLike[str]) -> ElementTree.Element:
    """The root element of a file; raises for faults that MuJoCo reports without a column or only warns about."""
    text = load_text(path, MAX_XML_BYTES)
    if "<!" in _HARMLESS.sub("", text):
        # MuJoCo reads the content of a document type as elements; other readers ignore it.
        raise FileFormatError("a model may not have a document type", path=path, allowed="Remove <!DOCTYPE …>")
    lines = text.split("\n")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        line, column = getattr(error, "position", (None, None))
        source = lines[line - 1] if line and line <= len(lines) else None
        column = None if column is None else column + 1
        what = f"malformed XML, {str(error).partition(':')[0]}"
        raise FileFormatError(what, path=path, line=line, column=column, source_line=source) from error
    for element in root.iter():
        for key, value in element.attrib.items():
            if key not in ("name", "class", "file") and _NAN.search(value):
                raise FileFormatError(f"<{element.tag}> {key}: not a finite number", path=path, got=value)
    return root


def adopt(model: mujoco.MjModel, adoption: AdoptionTable, path: str | PathLike[str] = "model") -> Character:
    """The character in a compiled model."""
    source = ModelSource(model, adoption.forward, fspath(path))
    adoption.check_roles(source.body_names[1:])
    if "pelvis" not in adoption.roles:
        adoption.table.table("roles").fail("missing role pelvis")
    root = source.root_of(source.body_names.index(adoption.roles["pelvis"]))
    hosts = find_hosts(source, root)
    segments = [make_segment(source, body, hosts, adoption) for body in hosts if hosts[body] == body]
    axes = [a.name for s in segments if s.joint for a in s.joint.axes]
    inside = [h.name for b in hosts if b != root for h in find_hinges(source, b)]
    adoption.check_axes(inside, axes)
    names = [s.name for s in segments]
    roles = {}
    for role, name in adoption.roles.items():
        body = source.body_names.index(name)
        if body not in hosts:
            adoption.table.table("roles").fail(f"body {name!r} is not part of the pelvis's tree", role)
        roles[role] = source.body_names[hosts[body]]
    landmarks = read_landmarks(adoption.table.table("landmarks"), names)
    rest = read_rest_pose(adoption.table.table("rest_pose_rad"), segments)
    kind = find_root_kind(source, root)
    try:
        character = Character(adoption.name, kind, tuple(segments), roles, landmarks, rest, adoption.source)
        check_plausible(character)
        return character
    except InputError as error:
        adoption.table.refuse(error)
