"""The files that an MJCF or URDF model names: MuJoCo opens them itself, so they are checked before it does.

Where MuJoCo looks for a file depends on settings that any of the files may hold (`meshdir`, `strippath` …). A file is
therefore refused if it may not be read from any of the places where MuJoCo could look for it.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Final

from poise.characters.adoption import MODEL_SUFFIXES
from poise.errors import FileFormatError, InputError
from poise.trust import check_kind, check_readable

MAX_FILES: Final = 1000
"""Included files of a model; more is a loop or an attack."""
#: Elements whose file is a model itself.
_MODELS: Final = ("include", "model")
_FOLDERS: Final = ("assetdir", "meshdir", "texturedir")
#: How URDF names files of packages.
_PACKAGE: Final = "package://"

ReadXml = Callable[[str | PathLike[str]], ElementTree.Element]


@dataclass
class _Found:
    """What the files of a model say: their folders, the folders they name, and the names of other files."""

    bases: set[Path] = field(default_factory=set)
    folders: set[str] = field(default_factory=lambda: {""})
    #: file that names it, element, name.
    names: list[tuple[Path, str, str]] = field(default_factory=list)
    seen: set[Path] = field(default_factory=set)


def check_model_files(path: str | PathLike[str], read_xml: ReadXml) -> None:
    """Raises if a model, or one that it includes, names a file that it may not read; `read_xml` reads one file."""
    found, queue = _Found(), [Path(path)]
    first = Path(path).parent
    while queue:
        here = queue.pop()
        if here.resolve() in found.seen:
            continue
        found.seen.add(here.resolve())
        if len(found.seen) > MAX_FILES:
            raise FileFormatError(f"includes too many files. Allowed: at most {MAX_FILES}", path=path)
        queue += _read(here, first, found, read_xml)
    for named_by, element, name in found.names:
        for target in _list_places(name, found):
            _check(named_by, element, target)


def _read(here: Path, first: Path, found: _Found, read_xml: ReadXml) -> list[Path]:
    """Notes what one file names; returns the models among it."""
    root, models = read_xml(here), []
    found.bases |= {here.parent, first}
    for element in root.iter():
        # MuJoCo knows no namespaces: what one is declared for is an element of that name all the same.
        tag = str(element.tag).rpartition("}")[2]
        attributes = [(key.rpartition("}")[2], value) for key, value in element.attrib.items()]
        found.folders |= {value for key, value in attributes if key in _FOLDERS}
        names = [value for key, value in attributes if key.startswith("file") and value]
        for name in names:
            found.names.append((here, tag, name))
            if tag in _MODELS:
                models += [_check_model(here, tag, base / name) for base in (here.parent, first)]
    return [model for model in models if model.is_file()]


def _check_model(named_by: Path, element: str, target: Path) -> Path:
    _check(named_by, element, target)
    try:
        check_kind(target, "a model", MODEL_SUFFIXES)
    except InputError as error:
        raise FileFormatError(f"<{element}> {error}", path=named_by) from error
    return target


def _list_places(name: str, found: _Found) -> Iterator[Path]:
    """Every path at which MuJoCo could look for a file."""
    bare = name.removeprefix(_PACKAGE)
    forms = {name, bare, bare.partition("/")[2] or bare, Path(bare.replace("\\", "/")).name}
    for base in found.bases:
        for folder in found.folders:
            for form in forms:
                yield base / folder / form
                yield Path(folder) / form if Path(folder).is_absolute() else base / form


def _check(named_by: Path, element: str, target: Path) -> None:
    try:
        check_readable(target)
    except InputError as error:
        if target.exists() or target.is_symlink():
            raise FileFormatError(f"<{element}> {error}", path=fspath(named_by)) from error
