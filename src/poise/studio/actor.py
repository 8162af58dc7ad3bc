"""The controller of a scenario and, if it is a script, its program, including texts that are not saved yet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

from poise.characters.model import Character
from poise.controllers.catalog import find_controller, load_controller
from poise.controllers.script.build import GROUND, build_program
from poise.controllers.walker.facing import is_walker
from poise.language.load import LIBRARY, SUFFIXES, Program, library_scripts, load_program
from poise.world.cast import Cast
from poise.world.controller import Controller
from poise.world.linking import limp

#: The member of a cast that lets everything hang.
LIMP: Final = "limp after a fall"
#: Resolved file paths and their texts in the page; a tuple because a scenario is immutable.
Drafts = tuple[tuple[str, str], ...]


def pack_drafts(texts: Mapping[Path, str]) -> Drafts:
    return tuple(sorted((str(path.resolve()), text) for path, text in texts.items()))


def find_script(controller: str) -> Path | None:
    """The file of a script controller; None for other controllers. The file may not exist (any more)."""
    shipped = library_scripts().get(controller)
    if shipped is not None:
        return shipped
    path = Path(controller)
    return path if path.suffix in SUFFIXES else None


def is_shipped(path: Path) -> bool:
    """Whether a file ships with Poise and must not be written to."""
    return path.resolve().is_relative_to(LIBRARY.resolve())


def load_script(controller: str, drafts: Drafts) -> Program:
    """The program of a script; drafts replace the texts on the disk."""
    path = find_script(controller)
    assert path is not None
    texts = {Path(name): text for name, text in drafts}
    if path.resolve() not in texts:
        # Raises the usual error if the file does not exist.
        path = find_controller(controller)
    return load_program(path, drafts=texts)


def load_actor(controller: str, drafts: Drafts, character: Character) -> tuple[Controller, Program | None]:
    """A controller for a character, and the program it was compiled from if it is a script."""
    if find_script(controller) is None:
        return load_controller(controller, character), None
    program = load_script(controller, drafts)
    return build_program(program, character, controller, load_controller), program


def make_stand_in(controller: str) -> Controller:
    """A limp controller that stands in for a script until the script can run."""
    return Controller(controller, limp, np.zeros(1), np.zeros(1), description="", ground=GROUND)


def with_limp(controller: Controller) -> Cast | Controller:
    """A walker together with a limp controller for after a fall, from which it does not get up by itself."""
    if not is_walker(controller):
        return controller
    return Cast({controller.name: controller, LIMP: Controller(LIMP, limp, np.zeros(1), np.zeros(1))})
