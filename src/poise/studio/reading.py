"""The result of reading a script while it is edited: its files, the lines of its phases, errors and warnings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from poise.characters.model import Character
from poise.controllers.catalog import load_controller
from poise.controllers.script.guests import find_guests
from poise.controllers.script.whereabouts import find_lines
from poise.errors import FileFormatError, PoiseError
from poise.language.check import check_program
from poise.language.load import Program
from poise.language.names import Body
from poise.language.problems import ERROR
from poise.studio.actor import Drafts, find_script, load_script


@dataclass(frozen=True)
class Remark:
    """An error or a warning at a place in a file; line 0 if it concerns the whole file."""

    path: str
    line: int
    column: int
    severity: str
    text: str


@dataclass(frozen=True)
class Page:
    """One file of a script: its name in the program, and the lines of its phases."""

    name: str
    path: Path
    phases: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Reading:
    """The result of reading version `number` of a script; without errors it can run."""

    number: int
    pages: tuple[Page, ...]
    remarks: tuple[Remark, ...] = ()

    @property
    def is_sound(self) -> bool:
        return not any(remark.severity == ERROR for remark in self.remarks)


def read_script(controller: str, drafts: Drafts, character: Character, number: int = 0) -> Reading:
    """Read and check a script; all errors and warnings become remarks."""
    main = find_script(controller)
    assert main is not None
    try:
        program = load_script(controller, drafts)
        program.guests = find_guests(program, character, load_controller)
        problems = check_program(program, Body(character))
    except PoiseError as error:
        return Reading(number, (Page(main.name, main),), (_remark(error, ERROR, main),))
    remarks = tuple(_remark(p.error, p.severity, main) for p in problems)
    return Reading(number, tuple(_list_pages(program)), remarks)


def _remark(error: PoiseError, severity: str, main: Path) -> Remark:
    if isinstance(error, FileFormatError):
        return Remark(error.path, error.line or 0, error.column or 1, severity, error.reason)
    return Remark(str(main), 0, 1, severity, str(error))


def _list_pages(program: Program) -> list[Page]:
    """All files, the main one first, including those found but not readable."""
    pages = [Page(name, script.path, tuple(find_lines(script))) for name, script in program.scripts.items()]
    for name, error in program.broken.items():
        # A file that was not found is an error of the file that names it.
        path = Path(error.path)
        if path.name == Path(name).name and path.resolve() not in {p.path.resolve() for p in pages}:
            pages.append(Page(name, path))
    return pages
