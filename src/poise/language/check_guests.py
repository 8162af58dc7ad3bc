"""Calls of other controllers: can they be guests, and do they have what is set?"""

from __future__ import annotations

from poise.errors import InputError
from poise.language import tree
from poise.language.problems import Notes
from poise.world.controller import Controller


def check_guest(notes: Notes, call: tree.Call, guest: Controller) -> None:
    """Arguments by name, within their ranges; nothing that only scripts have."""
    name = call.script.text
    if guest.pilot is not None:
        notes.error(f"{name} needs a pilot, and a guest has none", call.script)
    if call.at_phase is not None:
        notes.error(f"{name} is no script and has no phases", call)
    if call.arguments:
        known = ", ".join(p.name for p in guest.parameters[:4])
        notes.error(f"arguments of a controller go by name: {name}(name=value). It has {known} …", call)
    for argument in call.named:
        try:
            parameter = guest.parameter(argument.name.text)
            if isinstance(argument.value, tree.Number):
                parameter.check(name, argument.value.value)
        except InputError as error:
            notes.error(str(error), argument)


def check_named(notes: Notes, call: tree.Call) -> None:
    """Scripts take arguments by their place."""
    if call.named:
        notes.error(f"arguments of a script go by their place, got {call.named[0].name.text}=…", call.named[0])
