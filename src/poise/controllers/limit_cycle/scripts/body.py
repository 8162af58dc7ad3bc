"""The body of a script: the `.bones` file that it includes, and the character whose table names its parts."""

from __future__ import annotations

import os
from pathlib import Path

from poise.characters.bones_table import BonesTable, read_bones_table
from poise.characters.catalog import LIBRARY, load_character
from poise.characters.model import Character
from poise.controllers.limit_cycle.scripts.words import Word
from poise.errors import InputError, PoiseError, find_nearest_name
from poise.tables import load_table
from poise.trust import check_readable


def load_body(word: Word, folder: Path) -> tuple[BonesTable, Character]:
    """The body of an included `.bones` file; a file beside the script takes precedence over a shipped one."""
    bones = next((f / word.text for f in (folder, LIBRARY) if os.path.isfile(f / word.text)), None)
    if bones is None:
        shipped = sorted(p.name for p in LIBRARY.glob("*.bones"))
        word.fail(
            "no such file, beside the script or among the shipped characters",
            got=word.text,
            allowed=f"Shipped: {', '.join(shipped)}",
            did_you_mean=find_nearest_name(word.text, shipped),
        )
    try:
        check_readable(bones)
    except InputError as error:
        word.fail(str(error))
    table = find_table(bones)
    if table is None:
        word.fail(
            "no table beside it names its parts",
            got=word.text,
            allowed=f'Put a character\'s .toml file with bones = "{bones.name}" there',
        )
    return read_bones_table(load_table(table)), load_character(table)


def find_table(bones: Path) -> Path | None:
    """The TOML file in the same folder that names these bones; None if none does."""
    for path in sorted(bones.parent.glob("*.toml")):
        try:
            named = load_table(path).get("bones")
        except PoiseError:
            # An unrelated file: it need not be a character.
            continue
        if isinstance(named, str) and (path.parent / named).resolve() == bones.resolve():
            return path
    return None
