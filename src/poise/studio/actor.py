"""Who is on stage: the controller of a scenario, and the program of one that is a script, with texts not yet saved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from poise.characters.model import Character
from poise.controllers.catalog import find_controller, load_controller
from poise.controllers.script.build import GROUND, build_program
from poise.language.load import LIBRARY, SUFFIXES, Program, library_scripts, load_program
from poise.world.controller import Controller
from poise.world.linking import limp

#: Resolved paths of files and their texts as they stand in a page; a tuple, so that a scenario can hold it.
Drafts = tuple[tuple[str, str], ...]


def pack_drafts(texts: Mapping[Path, str]) -> Drafts:
    return tuple(sorted((str(path.resolve()), text) for path, text in texts.items()))


def find_script(controller: str) -> Path | None:
    """The file of a controller that is a script; None for all others. It need not be there (any more)."""
    shipped = library_scripts().get(controller)
    if shipped is not None:
        return shipped
    path = Path(controller)
    return path if path.suffix in SUFFIXES else None


def is_shipped(path: Path) -> bool:
    """Whether a file belongs to Poise, and is not for people to write into."""
    return path.resolve().is_relative_to(LIBRARY.resolve())


def load_script(controller: str, drafts: Drafts) -> Program:
    """The program of a script, with texts that are not on the disk."""
    path = find_script(controller)
    assert path is not None
    texts = {Path(name): text for name, text in drafts}
    if path.resolve() not in texts:
        # Says that there is no such file, as it does elsewhere.
        path = find_controller(controller)
    return load_program(path, drafts=texts)


def load_actor(controller: str, drafts: Drafts, character: Character) -> tuple[Controller, Program | None]:
    """A controller for a character, and what it was compiled from if it is a script."""
    if find_script(controller) is None:
        return load_controller(controller, character), None
    program = load_script(controller, drafts)
    return build_program(program, character, controller, load_controller), program


def make_stand_in(controller: str) -> Controller:
    """Nobody: holds the place of a script that cannot run, until it can."""
    return Controller(controller, limp, np.zeros(1), np.zeros(1), description="", ground=GROUND)
