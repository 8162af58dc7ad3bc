"""What is asked of the world: are there such files and things?"""

from __future__ import annotations

from poise.errors import FileFormatError, describe_unknown_name
from poise.language import tree
from poise.language.load import Program
from poise.language.problems import Notes
from poise.language.states import read_state


def check_requests(notes: Notes, program: Program) -> None:
    """Saved states that are loaded, entities that are toggled or passed, and forces from outside."""
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
                    notes.warn("a force from outside: runs with it are marked as assisted", action)
        for transition in phase.transitions:
            if transition.condition.kind == "pass" and transition.condition.name:
                _check_entity(notes, transition.condition.name, program, "this never fires")


def _check_load(notes: Notes, action: tree.Load, program: Program, saved: set[str]) -> None:
    name = action.file.text
    if name in program.states:
        try:
            read_state(program.states[name], notes.body, name)
        except FileFormatError as error:
            notes.error(f"this state cannot be read: {error}", action.file)
    elif name not in saved:
        notes.warn(f"there is no file {name!r}, and no SAVE makes it: the body stays as it is", action.file)


def _check_entity(notes: Notes, name: tree.Name, program: Program, so: str) -> None:
    known = program.environment.entities if program.environment else {}
    if name.text not in known:
        text = describe_unknown_name("entity", name.text, list(known)) if known else f"no entity named {name.text!r}."
        notes.warn(f"{text} Entities stand in an environment file. So {so}", name)
