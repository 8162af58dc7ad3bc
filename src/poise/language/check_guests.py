"""Checks of calls to other controllers: whether they can be guests and have the given parameters."""

from __future__ import annotations

from poise.errors import InputError
from poise.language import tree
from poise.language.problems import Notes
from poise.world.controller import Controller


def check_guest(notes: Notes, call: tree.Call, guest: Controller) -> None:
    """Check that arguments are named and within range, and that nothing specific to scripts is used."""
    name = call.script.text
    if guest.pilot is not None:
        notes.error(f"{name} needs a pilot, and a guest has none", call.script)
    if call.at_phase is not None:
        notes.error(f"{name} is not a script and has no phases", call)
    if call.arguments:
        known = ", ".join(p.name for p in guest.parameters[:4])
        notes.error(f"arguments of a controller are named: {name}(name=value). It has {known} …", call)
    for argument in call.named:
        try:
            parameter = guest.parameter(argument.name.text)
            if isinstance(argument.value, tree.Number):
                parameter.check(name, argument.value.value)
        except InputError as error:
            notes.error(str(error), argument)


def check_named(notes: Notes, call: tree.Call) -> None:
    """Refuse named arguments: those of scripts are positional."""
    if call.named:
        notes.error(f"arguments of a script are positional, got {call.named[0].name.text}=…", call.named[0])
