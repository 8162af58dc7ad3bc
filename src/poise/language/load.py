"""Loads a script with its includes, reading each file once.

An included name is searched beside the including file and beside the first file; for both also one folder up and in its
folders `scripts` and `src`, where the released code keeps its files; finally among the shipped scripts. A state for
LOAD is searched in the script's folders, the current folder and its `out`. Folders that the first file may not read are
skipped (`poise.trust`).

`check` judges included files that are missing or do not parse: they matter only if they are called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from os.path import isfile
from pathlib import Path
from typing import Final

from poise.errors import FileFormatError, InputError, describe_unknown_name
from poise.files import load_text
from poise.language.environment_file import read_environment
from poise.language.parse import load_script_text, parse_script
from poise.language.places import fail
from poise.language.tree import Load, Name, Script
from poise.trust import Trust, check_kind, check_readable, current_trust, reading, reading_below
from poise.world.controller import Controller
from poise.world.environment import Environment

LIBRARY: Final = Path(__file__).resolve().parents[1] / "library" / "scripts"
SUFFIXES: Final = (".ctl", ".t", ".s")
ENVIRONMENT_SUFFIXES: Final = (".env",)
BASE_ENVIRONMENT: Final = "base.env"
MAX_INCLUDES: Final = 100
"""Limit on included files; three times what the largest shipped script needs."""
MAX_PROGRAM_CHARS: Final = 300_000
"""Limit on all files of a program together; the largest shipped program has a tenth of it."""
#: Folder for the states that a run saves.
SAVED: Final = Path("out")


def library_scripts() -> dict[str, Path]:
    """The shipped scripts that can run by themselves, by name: `script/walk`.

    A leading underscore marks a building block, which only works when called by another script: `_gait.ctl`.
    """
    return {f"script/{p.stem}": p for p in sorted(LIBRARY.glob("*.ctl")) if not p.name.startswith("_")}


@dataclass
class Program:
    """Scripts by the name under which they are called; `broken` holds those that could not be loaded, with errors."""

    main: str
    scripts: dict[str, Script] = field(default_factory=dict)
    broken: dict[str, FileFormatError] = field(default_factory=dict)
    environment: Environment | None = None
    environment_path: Path | None = None
    #: Texts of the saved states that LOAD names, if the files exist.
    states: dict[str, str] = field(default_factory=dict)
    #: Texts that are not on the disk yet, by the resolved paths of their files.
    drafts: Mapping[Path, str] = field(default_factory=dict)
    #: Other controllers that are called by name, and reasons for those that could not be loaded.
    guests: dict[str, Controller] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    #: Called Python files that were not run because the program is only checked.
    not_run: set[str] = field(default_factory=set)
    #: What its files may refer to; has no roots until they are read.
    trust: Trust = field(default_factory=Trust)

    @property
    def script(self) -> Script:
        return self.scripts[self.main]

    def read(self, path: Path) -> str:
        """The text of a file; a draft takes precedence."""
        draft = self.drafts.get(path.resolve()) if self.drafts else None
        return load_script_text(path) if draft is None else draft

    def called(self) -> list[str]:
        """Names of the scripts that can run, the main one first."""
        found = [self.main]
        for name in found:
            for call in (c for p in self.scripts[name].phases for c in p.calls):
                if call.script.text in self.scripts and call.script.text not in found:
                    found.append(call.script.text)
        return found


def load_program(path: str | Path, text: str | None = None, drafts: Mapping[Path, str] | None = None) -> Program:
    """The script of a file (or of a text to be read as that file) with everything it includes.

    `drafts` maps resolved paths to texts that replace those on the disk.
    """
    path = Path(path)
    with reading(path):
        return _load(path, Program(path.name, drafts=drafts or {}, trust=current_trust()), text)


def _load(path: Path, program: Program, text: str | None) -> Program:
    script = parse_script(program.read(path) if text is None else text, path)
    program.scripts[program.main] = script
    _load_includes(script, program, [path.name], path.parent)
    program.environment_path = _find_environment(script)
    if program.environment_path is not None:
        program.environment = read_environment(program.environment_path, read_settings(script))
    for each in program.scripts.values():
        _load_states(each, program, path.parent)
    return program


def read_settings(script: Script) -> dict[str, float]:
    """Parameter values given by the script's SET lines, by name."""
    return {s.name: s.value.value for s in script.settings if s.name in {p.text for p in script.parameters}}


def _find_environment(script: Script) -> Path | None:
    """The environment that the script names, or a `base.env` beside it, which the released code always reads."""
    name = script.environment
    path = script.path.parent / (name.text if name else BASE_ENVIRONMENT)
    if name is not None:
        try:
            check_kind(path, "an environment", ENVIRONMENT_SUFFIXES)
            check_readable(path)
        except InputError as error:
            raise fail(str(error), name.at, script.text, script.path) from error
    if isfile(path):
        return path
    if name is None:
        return None
    known = sorted(p.name for p in script.path.parent.glob("*.env"))
    raise fail(describe_unknown_name("environment", name.text, known), name.at, script.text, script.path)


def _load_states(script: Script, program: Program, home: Path) -> None:
    folders = (*_folders(script, home), Path(), SAVED)
    for action in (a for p in script.phases for a in p.actions if isinstance(a, Load)):
        # States saved by a run may be loaded from any script.
        with reading_below(SAVED):
            found = _look_for(action.file, script, folders)
            if found is not None:
                program.states.setdefault(action.file.text, load_text(found))


def _load_includes(script: Script, program: Program, trail: list[str], home: Path) -> None:
    for name in script.includes:
        if name.text in trail:
            way = " includes ".join([*trail[trail.index(name.text) :], name.text])
            raise fail(f"circular includes: {way}", name.at, script.text, script.path)
        if name.text in program.scripts or name.text in program.broken:
            continue
        if len(program.scripts) + len(program.broken) > MAX_INCLUDES:
            raise fail(f"more than {MAX_INCLUDES} files are included", name.at, script.text, script.path)
        if sum(len(each.text) for each in program.scripts.values()) > MAX_PROGRAM_CHARS:
            what = f"the included files are too large in total. Allowed: at most {MAX_PROGRAM_CHARS / 1e6:g} MB"
            raise fail(what, name.at, script.text, script.path)
        try:
            found = _find(name, script, home)
            included = parse_script(program.read(found), found)
        except FileFormatError as error:
            program.broken[name.text] = error
            continue
        program.scripts[name.text] = included
        _load_includes(included, program, [*trail, name.text], home)


def _folders(script: Script, home: Path) -> list[Path]:
    """Folders in which the files that a script names are searched."""
    bases = [script.path.parent, home]
    above = [b.resolve().parent for b in bases]
    around = [folder for a in above for folder in (a / "scripts", a / "src", a)]
    return list(dict.fromkeys([*bases, *around]))


def _find(name: Name, script: Script, home: Path) -> Path:
    _check_script(Path(name.text), name, script)
    folders = (*_folders(script, home), LIBRARY)
    found = _look_for(name, script, folders)
    if found is not None:
        return _check_script(found, name, script)
    seen = [folder for folder in folders if current_trust().can_read(folder) and folder.is_dir()]
    known = sorted({f.name for folder in seen for f in folder.iterdir() if f.suffix in SUFFIXES})
    raise fail(describe_unknown_name("script", name.text, known), name.at, script.text, script.path)


def _check_script(path: Path, name: Name, script: Script) -> Path:
    try:
        check_kind(path, "a script", SUFFIXES)
    except InputError as error:
        raise fail(str(error), name.at, script.text, script.path) from error
    return path


def _look_for(name: Name, script: Script, folders: Iterable[Path]) -> Path | None:
    """The first readable file of a name; raises if files exist but none may be read."""
    there = [folder / name.text for folder in folders if isfile(folder / name.text)]
    found = next((path for path in there if current_trust().can_read(path)), None)
    if found is None and there:
        try:
            check_readable(there[0])
        except InputError as error:
            raise fail(str(error), name.at, script.text, script.path) from error
    return found
