"""Checks of requests to the world: the named files and entities must exist."""

from __future__ import annotations

from poise.errors import FileFormatError, describe_unknown_name
from poise.language import tree
from poise.language.load import Program
from poise.language.problems import Notes
from poise.language.states import read_state


def check_requests(notes: Notes, program: Program) -> None:
    """Check loaded states, toggled or passed entities, and external forces."""
    saved = {
        a.file.text for s in program.scripts.values() for p in s.phases for a in p.actions if isinstance(a, tree.Save)
    }
    for phase in notes.script.phases:
        for action in phase.actions:
            match action:
                case tree.Load():
                    _check_load(notes, action, program, saved)
                case tree.Toggle():
                    _check_entity(notes, action.entity, program, "nothing is toggled")
                case tree.Ef():
                    notes.warn("an external force: runs with it are marked as assisted", action)
        for transition in phase.transitions:
            if transition.condition.kind == "pass" and transition.condition.name:
                _check_entity(notes, transition.condition.name, program, "this never fires")


def check_surroundings(notes: Notes, program: Program) -> None:
    """Warn if a script uses no environment although there are some near by."""
    listed = ", ".join(str(path) for path in program.unused_environments)
    if not listed:
        return
    outside = any(not program.trust.can_read(path) for path in program.unused_environments)
    how = "--allow-outside" if outside else f"'ENVIRONMENT {program.unused_environments[0].name};' before BEGINSCRIPT"
    one = len(program.unused_environments) == 1
    text = f"{listed} {'is' if one else 'are'} not used. Use {how} if {'it is' if one else 'one of them is'} meant"
    notes.warn(f"this script has no environment: {text}", notes.script)


def _check_load(notes: Notes, action: tree.Load, program: Program, saved: set[str]) -> None:
    name = action.file.text
    if name in program.states:
        try:
            read_state(program.states[name], notes.body, name)
        except FileFormatError as error:
            notes.error(f"this state cannot be read: {error}", action.file)
        files = program.state_files.get(name, [])
        if len(files) > 1:
            others = ", ".join(str(path) for path in files[1:])
            notes.warn(f"{name!r} is read from {files[0]}, which is newer than {others}", action.file)
    elif name not in saved:
        notes.warn(f"no file {name!r} exists and no SAVE writes it: the body's state does not change", action.file)


def _check_entity(notes: Notes, name: tree.Name, program: Program, so: str) -> None:
    known = program.environment.entities if program.environment else {}
    if name.text not in known:
        text = describe_unknown_name("entity", name.text, list(known)) if known else f"no entity named {name.text!r}."
        notes.warn(f"{text} Entities are defined in an environment file. Therefore {so}", name)
