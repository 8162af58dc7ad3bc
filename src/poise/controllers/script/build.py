"""A file of the language as a controller: read, checked, compiled."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from poise.characters.model import Character
from poise.controllers.script.assemble import Assembler
from poise.controllers.script.check import check_program
from poise.controllers.script.law import script_law
from poise.controllers.script.load import load_program
from poise.controllers.script.names import Body
from poise.controllers.script.problems import ERROR
from poise.world.controller import Controller, Parameter

METHOD: Final = "script"
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s")
#: The body for which scripts are written, unless another is asked for.
CHARACTER: Final = "planar17"
#: The ground that the language assumes: nothing slips, contacts and stops are hard.
GROUND: Final = "firm"
#: A parameter may become so many times what `SET` says, and at least this; without a SET it may be a gain.
_RANGE, _LEAST, _UNKNOWN = 10.0, 10.0, 1e4


def build_controller(path: Path, character: Character, name: str) -> Controller:
    """The controller of a script; the first error in it is raised."""
    program = load_program(path)
    body = Body(character)
    for problem in check_program(program, body):
        if problem.severity == ERROR:
            raise problem.error
    tables = Assembler(program, body).assemble()
    parameters, known = [], {s.name for s in program.script.settings}
    for input_name, index in tables.inputs.items():
        if input_name.startswith("key_"):
            parameters.append(Parameter(input_name, index, 0.0, 1.0, "1 while the key is down"))
        else:
            most = max(_RANGE * abs(float(tables.params[index])), _LEAST) if input_name in known else _UNKNOWN
            parameters.append(Parameter(input_name, index, -most, most, "parameter of the script"))
    return Controller(
        name=name,
        law=script_law,
        params=tables.params,
        memory=tables.memory,
        parameters=tuple(parameters),
        description=describe(program.script.text),
        provenance={
            "script": program.script.label,
            "includes": sorted(n for n in program.scripts if n != program.main),
        },
        ground=GROUND,
    )


def describe(text: str) -> str:
    """The first sentence of the comment with which a script begins."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("#").strip())
    return _SENTENCE_END.split(" ".join(lines), maxsplit=1)[0]
