"""`poise clip tame DIR`: a table of the motion files in a folder, then every walk is tamed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from poise.cli.clip_table import print_survey, survey
from poise.cli.failures import report
from poise.cli.screen import note
from poise.errors import InputError, PoiseError

if TYPE_CHECKING:
    from poise.motion.read_settings import ReadSettings

#: Tames a motion file, writes the controller, and returns whether it stays up; the last argument resumes a search.
TameOne = Callable[[Path, Path, bool], bool]


def tame_folder(
    folder: str, out: Path, character: str, read: ReadSettings, once: bool, resume: bool, tame_one: TameOne
) -> bool:
    """Print a table of the folder and tame its walks, or with `once` all motions, into the folder `out`.

    A file that has its controller already is left out, or resumed if its search can be. Returns whether all results
    stay up.
    """
    from poise.search.session import name_journal
    from poise.world.adopt import load_any_character

    if out.suffix == ".toml" or (out.exists() and not out.is_dir()):
        raise InputError("a folder of clips needs a folder", where="--out", got=str(out))
    rows = survey(folder, load_any_character(character), read)
    print_survey(rows)
    good = True
    for name in [row.file for row in rows if row.is_walk or (once and row.unit is not None)]:
        target = out / Path(name).with_suffix(".toml")
        resumes = resume and name_journal(target, "tame").exists()
        if target.exists() and not resumes:
            note(f"{name}: {target} exists already. It is left out.")
            continue
        note(f"{name}:")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            good = tame_one(Path(folder) / name, target, resumes) and good
        except PoiseError as error:
            report(error)
            good = False
    return good
