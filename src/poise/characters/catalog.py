"""Characters by name: those shipped with Poise, and files by their suffix.

Only `poise.world.adopt` may open characters based on an MJCF or URDF file. Its `load_any_character` opens every
character.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Final

from poise.characters.adoption import MODEL_SUFFIXES
from poise.characters.bones_character import read_bones_character
from poise.characters.kinematics import compute_height_m
from poise.characters.model import Character
from poise.characters.read_toml import read_character
from poise.errors import FileFormatError, InputError, PoiseError, unknown_name
from poise.tables import load_table
from poise.trust import reading

LIBRARY: Final = Path(__file__).resolve().parent.parent / "library" / "characters"
ADOPTED_SUFFIXES: Final = MODEL_SUFFIXES
SUFFIXES: Final = (".toml", ".bones", *ADOPTED_SUFFIXES)


@dataclass(frozen=True)
class CharacterSummary:
    """One line about a shipped character; `problem` is the reason if it cannot be opened here."""

    name: str
    mass_kg: float = 0.0
    height_m: float = 0.0
    dofs: int = 0
    root: str = ""
    segments: int = 0
    source: str = ""
    problem: str = ""

    def __str__(self) -> str:
        if self.problem:
            return f"{self.name}: {self.problem}"
        return (
            f"{self.name}: {self.mass_kg:.1f} kg, {self.height_m:.2f} m, {self.segments} segments, "
            f"{self.dofs} degrees of freedom, {self.root} root"
        )


def character_names() -> list[str]:
    """Names of the shipped characters."""
    return sorted(p.stem for p in LIBRARY.glob("*.toml"))


def find_character(name_or_path: str | PathLike[str]) -> Path:
    """Path of the file that describes a character, given its name or a path.

    For a file that needs a table beside it (`.bones`, MJCF, URDF) this is the TOML file with the same stem.
    """
    name = os.fspath(name_or_path)
    path = Path(name)
    if path.suffix.lower() in SUFFIXES or os.sep in name or isinstance(name_or_path, PathLike):
        return _find_file(path)
    if name not in character_names():
        raise unknown_name("character", "character", name, character_names())
    return LIBRARY / f"{name}.toml"


def _find_file(path: Path) -> Path:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise FileFormatError(
            "not a format for characters",
            path=path,
            got=suffix,
            allowed=f"Allowed: {', '.join(SUFFIXES)}",
        )
    if suffix == ".toml":
        return path
    table = path.with_suffix(".toml")
    if os.path.isfile(path) and not os.path.isfile(table):
        raise FileFormatError(f"needs a table of roles beside it, in {str(table)!r}", path=path)
    return table if os.path.isfile(path) else path


def load_character(name_or_path: str | PathLike[str]) -> Character:
    """Load a shipped character by name, or one from a `.toml` or `.bones` file."""
    path = find_character(name_or_path)
    with reading(path):
        return _read(path)


def _read(path: Path) -> Character:
    table = load_table(path)
    if "bones" in table:
        return read_bones_character(table)
    if "mjcf" in table or "urdf" in table:
        raise InputError(
            "is based on an MJCF or URDF file, which this function cannot open",
            where=path,
            allowed="Use poise.world.adopt.load_any_character",
        )
    return read_character(table)


def summarize(character: Character) -> CharacterSummary:
    """One-line summary of a character."""
    return CharacterSummary(
        name=character.name,
        mass_kg=character.mass_kg,
        height_m=compute_height_m(character),
        dofs=character.root_dofs + len(character.axes),
        root=character.root,
        segments=len(character.segments),
        source=character.source,
    )


def list_characters(load: Callable[[str], Character] = load_character) -> list[CharacterSummary]:
    """A summary of every shipped character; `load` opens them by name."""
    summaries = []
    for name in character_names():
        try:
            summaries.append(summarize(load(name)))
        except PoiseError as error:
            summaries.append(CharacterSummary(name, problem=str(error).splitlines()[0]))
    return summaries
