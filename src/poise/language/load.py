"""Loads a script with its includes, reading each file once.

`search` lists the folders. Included names are finally searched among the shipped scripts, states for LOAD in the
current folder and its `out`; of several states of one name the newest is read.

`check` judges included files that are missing or do not parse: they matter only if they are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from poise.errors import FileFormatError, InputError, describe_unknown_name
from poise.files import load_text
from poise.language.environment_file import read_environment
from poise.language.flow import find_reached
from poise.language.parse import load_script_text, parse_script
from poise.language.places import fail
from poise.language.search import find_environment, find_folders, find_unused, look_for
from poise.language.tree import Load, Name, Script
from poise.trust import Trust, check_kind, current_trust, reading, reading_below
from poise.world.controller import Controller
from poise.world.environment import Environment

LIBRARY: Final = Path(__file__).resolve().parents[1] / "library" / "scripts"
SUFFIXES: Final = (".ctl", ".t", ".s")
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
    #: Environment files near by, if none is used.
    unused_environments: tuple[Path, ...] = ()
    #: Texts of the saved states that LOAD names, if the files exist.
    states: dict[str, str] = field(default_factory=dict)
    #: The files of each state, the newest first: that one is read.
    state_files: dict[str, list[Path]] = field(default_factory=dict)
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
        return list(self.find_reached())

    def find_reached(self) -> dict[str, set[int]]:
        """Positions of the phases that can run, by script, the main one first.

        A script begins with its first phase, or with the one that a call names.
        """
        reached: dict[str, set[int]] = {}
        waiting = [(self.main, 0)]
        for name, start in waiting:
            phases, known = self.scripts[name].phases, reached.setdefault(name, set())
            found = find_reached(phases, [start]) - known
            known |= found
            for call in (c for k in sorted(found) for c in phases[k].calls if c.script.text in self.scripts):
                waiting.append((call.script.text, max(call.at_phase or 0, 0)))
        return reached


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
    program.environment_path = find_environment(script, find_folders(script.path.parent))
    if program.environment_path is not None:
        program.environment = read_environment(program.environment_path, read_settings(script))
    else:
        program.unused_environments = find_unused(script, find_folders(script.path.parent))
    for each in program.scripts.values():
        _load_states(each, program, path.parent)
    return program


def read_settings(script: Script) -> dict[str, float]:
    """Parameter values given by the script's SET lines, by name."""
    return {s.name: s.value.value for s in script.settings if s.name in {p.text for p in script.parameters}}


def _load_states(script: Script, program: Program, home: Path) -> None:
    """Read the newest file of every state: a run may have saved one since the others were written."""
    for name in (a.file for p in script.phases for a in p.actions if isinstance(a, Load)):
        if name.text in program.states:
            continue
        folders = (*find_folders(script.path.parent, home), Path(), SAVED)
        places = [*(folder / name.text for folder in folders), SAVED / Path(name.text).name]
        # States saved by a run may be loaded from any script. They are saved without the folders of their names.
        with reading_below(SAVED):
            found = look_for(name, script, places)
            if found:
                found.sort(key=lambda path: -path.stat().st_mtime_ns)
                program.states[name.text], program.state_files[name.text] = load_text(found[0]), found


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


def _find(name: Name, script: Script, home: Path) -> Path:
    _check_script(Path(name.text), name, script)
    folders = (*find_folders(script.path.parent, home), LIBRARY)
    found = look_for(name, script, [folder / name.text for folder in folders])
    if found:
        return _check_script(found[0], name, script)
    seen = [folder for folder in folders if current_trust().can_read(folder) and folder.is_dir()]
    # Those beside the script first, building blocks of the shipped ones last.
    listed = [f.name for folder in seen for f in sorted(folder.iterdir()) if f.suffix in SUFFIXES]
    known = sorted(dict.fromkeys(n for n in listed if n != script.path.name), key=lambda n: n.startswith("_"))
    raise fail(describe_unknown_name("script", name.text, known), name.at, script.text, script.path)


def _check_script(path: Path, name: Name, script: Script) -> Path:
    try:
        check_kind(path, "a script", SUFFIXES)
    except InputError as error:
        raise fail(str(error), name.at, script.text, script.path) from error
    return path
