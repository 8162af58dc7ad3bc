"""Where a script's files are searched: included scripts, environments and saved states.

Beside the file that names them and beside the first file; for both also one folder up and in its folders `scripts` and
`src`, where the released code keeps its files. Folders that the first file may not read are skipped (`poise.trust`).
"""

from __future__ import annotations

from collections.abc import Iterable
from os.path import isfile
from pathlib import Path
from typing import Final

from poise.errors import FileFormatError, InputError, describe_unknown_name
from poise.language.places import fail
from poise.language.tree import Name, Script
from poise.trust import LIBRARY, check_kind, check_readable, current_trust

ENVIRONMENT_SUFFIXES: Final = (".env",)
BASE_ENVIRONMENT: Final = "base.env"


def find_folders(*bases: Path) -> list[Path]:
    """Folders in which the files that a script names are searched; `bases` are its own and the first file's."""
    above = [base.resolve().parent for base in bases]
    around = [folder for a in above for folder in (a / "scripts", a / "src", a)]
    return list(dict.fromkeys([*bases, *around]))


def look_for(name: Name, script: Script, places: Iterable[Path]) -> list[Path]:
    """All readable files among some places; raises if files exist but none may be read."""
    # A folder may be reached by several paths.
    there = list({path.resolve(): path for path in reversed([*places]) if isfile(path)}.values())[::-1]
    found = [path for path in there if current_trust().can_read(path)]
    if there and not found:
        try:
            check_readable(there[0])
        except InputError as error:
            raise fail(str(error), name.at, script.text, script.path) from error
    return found


def find_environment(script: Script, folders: Iterable[Path]) -> Path | None:
    """The environment that the script names, or the first `base.env`, which the released code always reads."""
    folders, name = list(folders), script.environment
    if name is None:
        found = [folder / BASE_ENVIRONMENT for folder in folders if isfile(folder / BASE_ENVIRONMENT)]
        # Reading the one beside the script raises if that is a link to somewhere else.
        beside = script.path.parent / BASE_ENVIRONMENT
        return next((path for path in found if path == beside or current_trust().can_read(path)), None)
    try:
        check_kind(script.path.parent / name.text, "an environment", ENVIRONMENT_SUFFIXES)
        there = look_for(name, script, [folder / name.text for folder in folders])
        if there:
            check_kind(there[0], "an environment", ENVIRONMENT_SUFFIXES)
            return there[0]
        check_readable(script.path.parent / name.text)
    except FileFormatError:
        raise
    except InputError as error:
        raise fail(str(error), name.at, script.text, script.path) from error
    seen = [folder for folder in folders if current_trust().can_read(folder) and folder.is_dir()]
    known = sorted({path.name for folder in seen for path in folder.glob("*.env")})
    raise fail(describe_unknown_name("environment", name.text, known), name.at, script.text, script.path)


def find_unused(script: Script, folders: Iterable[Path]) -> tuple[Path, ...]:
    """Environment files that a script without one may have been meant for: a `base.env`, or any file beside it."""
    beside = script.path.parent
    if beside.resolve().is_relative_to(LIBRARY):
        return ()
    others = [path for path in (folder / BASE_ENVIRONMENT for folder in folders) if isfile(path)]
    return tuple(dict.fromkeys([*others, *sorted(path for path in beside.glob("*.env") if isfile(path))]))
