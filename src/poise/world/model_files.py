"""Checks the files that an MJCF or URDF model names, before MuJoCo opens them.

Where MuJoCo looks for a file depends on settings that any of the files may hold (`meshdir`, `strippath` …). A file name
is therefore refused if any of the paths that MuJoCo could open for it is off limits.
"""

from __future__ import annotations

import stat
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from os import PathLike, fspath
from os.path import isfile, lexists
from pathlib import Path
from typing import Final

from poise.characters.adoption import MODEL_SUFFIXES
from poise.errors import FileFormatError, InputError
from poise.trust import check_kind, check_readable

MAX_FILES: Final = 500
"""Files that a model names, including meshes; a robot of 60 links has several per link."""

MAX_FOLDERS: Final = 40
"""Folders in which MuJoCo could look for each file."""

MAX_FILE_BYTES: Final = 50_000_000
"""Size of a mesh, a texture or a height field."""

#: Elements whose file is itself a model.
_MODELS: Final = ("include", "model")
_FOLDERS: Final = ("assetdir", "meshdir", "texturedir")
#: Prefix of package files in URDF.
_PACKAGE: Final = "package://"

ReadXml = Callable[[str | PathLike[str]], ElementTree.Element]


@dataclass
class _Found:
    """What has been found in a model's files: their folders, and the folders and files they name."""

    bases: set[Path] = field(default_factory=set)
    folders: set[str] = field(default_factory=lambda: {""})
    #: (naming file, element, name).
    names: set[tuple[Path, str, str]] = field(default_factory=set)
    #: resolved path -> root element of the file.
    roots: dict[Path, ElementTree.Element] = field(default_factory=dict)


def read_model_files(path: str | PathLike[str], read_xml: ReadXml) -> dict[Path, ElementTree.Element]:
    """The root elements of a model and its includes, by resolved path; `read_xml` reads one file.

    Raises if any of them names a file that may not be read, is not a regular file, or is too large.
    """
    found, queue = _Found(), [Path(path)]
    first = Path(path).parent
    while queue:
        here = queue.pop()
        if here.resolve() in found.roots:
            continue
        queue += _read(here, first, found, read_xml)
        if len(found.names) > MAX_FILES:
            raise FileFormatError("names too many files", path=path, allowed=f"Allowed: at most {MAX_FILES}")
        if len(found.bases) * len(found.folders) > MAX_FOLDERS:
            raise FileFormatError("names too many folders", path=path, allowed=f"Allowed: at most {MAX_FOLDERS}")
    for named_by, element, name in found.names:
        for target in _list_places(name, found):
            _check(named_by, element, target)
    return found.roots


def find_model(here: Path, first: Path, name: str) -> list[Path]:
    """The paths at which MuJoCo looks for a model named by the file `here`."""
    return [here.parent / name, first / name]


def strip_namespace(name: str) -> str:
    """The name of an element or attribute without its namespace, which MuJoCo ignores."""
    return name.rpartition("}")[2]


def _read(here: Path, first: Path, found: _Found, read_xml: ReadXml) -> list[Path]:
    """Collects the names in one file; returns the models among them."""
    root, models = read_xml(here), []
    found.roots[here.resolve()] = root
    found.bases |= {here.parent, first}
    for element in root.iter():
        tag = strip_namespace(str(element.tag))
        attributes = [(strip_namespace(key), value) for key, value in element.attrib.items()]
        found.folders |= {value for key, value in attributes if key in _FOLDERS}
        names = [value for key, value in attributes if key.startswith("file") and value]
        for name in names:
            found.names.add((here, tag, name))
            if tag in _MODELS:
                models += [_check_model(here, tag, place) for place in find_model(here, first, name)]
    return [model for model in models if isfile(model)]


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
        if lexists(target):
            raise FileFormatError(f"<{element}> {error}", path=fspath(named_by)) from error
    try:
        found = target.stat()
    except (OSError, ValueError):
        # MuJoCo reports missing files itself.
        return
    if stat.S_ISDIR(found.st_mode):
        return
    if not stat.S_ISREG(found.st_mode):
        raise FileFormatError(f"<{element}> names {target.name!r}, which is not a file", path=named_by)
    if found.st_size > MAX_FILE_BYTES:
        raise FileFormatError(
            f"<{element}> names {target.name!r}, which is too large",
            path=named_by, allowed=f"Allowed: at most {MAX_FILE_BYTES / 1e6:g} MB",
        )  # fmt: skip
