"""A file of the script language as a controller: read, checked, compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from poise.characters.model import Character
from poise.controllers.script.assemble import Assembler, Tables
from poise.controllers.script.guard import guard_script
from poise.controllers.script.guests import FindController, find_guests, seat_guests
from poise.controllers.script.law import script_law
from poise.controllers.script.requests import Order, Plan, Requests
from poise.language.check import check_program
from poise.language.digest import make_digest
from poise.language.environment_file import read_environment
from poise.language.load import Program, load_program
from poise.language.names import Body
from poise.language.parse import CHARACTER as STATEMENT
from poise.language.parse import OUTER_COMMENT
from poise.language.problems import ERROR, Problem
from poise.trust import Trust, trusting
from poise.world.controller import Controller, Parameter, Start
from poise.world.environment import Environment

METHOD: Final = "script"
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s")
#: The body of scripts that name none.
CHARACTER: Final = "planar17"
#: Most warnings that a run repeats; `poise script check` has them all.
MOST_REMARKS: Final = 5
#: Longer descriptions are cut after a comma.
LONGEST: Final = 140
#: The ground that the language assumes: nothing slips, contacts and stops are hard.
GROUND: Final = "firm"
#: Range of a parameter: a multiple of its `SET` value, but at least this; without a SET it may be a gain.
_RANGE, _LEAST, _UNKNOWN = 10.0, 10.0, 1e6


def build_controller(
    path: Path, character: Character, name: str, find_controller: FindController | None = None
) -> Controller:
    """The controller of a script; raises its first error. `find_controller` loads the controllers that it calls."""
    return build_program(load_program(path), character, name, find_controller)


def build_program(
    program: Program, character: Character, name: str, find_controller: FindController | None = None
) -> Controller:
    """The controller of a loaded script; raises its first error."""
    body = Body(character)
    if find_controller is not None:
        program.guests = find_guests(program, character, find_controller)
    problems = check_program(program, body)
    for problem in problems:
        if problem.severity == ERROR:
            raise problem.error
    guests, law = seat_guests(program.guests, script_law)
    tables = Assembler(program, body, guests).assemble()
    plan = make_plan(program, body, tables)
    parameters, known = [], {s.name for s in program.script.settings}
    for input_name, index in tables.inputs.items():
        if input_name.startswith("key_"):
            parameters.append(Parameter(input_name, index, 0.0, 1.0, "1 while the key is down"))
        else:
            most = max(_RANGE * abs(float(tables.params[index])), _LEAST) if input_name in known else _UNKNOWN
            parameters.append(Parameter(input_name, index, -most, most, "parameter of the script"))
    unset = [p.text for p in program.script.parameters if p.text not in known]
    return Controller(
        name=name,
        law=law,
        params=tables.params,
        memory=tables.memory,
        parameters=tuple(parameters),
        start=_find_start(program),
        description=describe(program.script.text),
        provenance={
            "script": program.script.label,
            "includes": sorted(n for n in program.scripts if n != program.main),
            **({"unset": unset} if unset else {}),
        },
        ground=GROUND,
        pilot=None if plan.is_empty else partial(Requests, plan),
        environment=program.environment,
        surround=_find_surround(program),
        guard=guard_script(tables),
        diary=tables.journal,
        remarks=_make_remarks(problems, name),
    )


def _make_remarks(problems: Sequence[Problem], name: str) -> tuple[str, ...]:
    """The most important warnings, and where to find all of them."""
    digest = make_digest(problems, MOST_REMARKS, 1)
    if not problems:
        return ()
    return (*digest.lines, f"note: {digest.count_warnings()}. 'poise script check {name} --all' lists all.")


def _find_surround(program: Program) -> Callable[[Mapping[str, float]], Environment] | None:
    """Factory of the surroundings for other values; None if they depend on no parameter."""
    path, environment = program.environment_path, program.environment
    if path is None or environment is None or not environment.depends_on:
        return None
    return partial(_surround_again, program.trust, path)


def _surround_again(trust: Trust, path: Path, values: Mapping[str, float]) -> Environment:
    """The surroundings for other values, read with the original trust."""
    with trusting(trust):
        return read_environment(path, values)


def _find_start(program: Program) -> Start:
    """The start of a script: that of the controller called in its first phase, or upright."""
    calls = program.script.phases[0].calls
    guest = program.guests.get(calls[-1].script.text) if calls else None
    return guest.start if guest else Start()


def make_plan(program: Program, body: Body, tables: Tables) -> Plan:
    """The requests that the script can make of the world."""
    known = program.environment.entities if program.environment else {}
    names = body.character.segment_names
    return Plan(
        body=body,
        forces=tuple((names[segment], part) for segment, part in tables.requests.forces),
        orders=tuple(Order(word, name) for word, name in tables.requests.orders),
        entities=tuple(name if name in known else "" for name in tables.entities),
        states=dict(program.states),
    )


def find_character(text: str) -> str:
    """The body that a script names, or the default one."""
    found = STATEMENT.search(OUTER_COMMENT.sub("", text))
    return found[1] if found else CHARACTER


def describe(text: str) -> str:
    """The first sentence of a script's leading comment, shortened if it is long."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("#").strip())
    sentence = _SENTENCE_END.split(" ".join(lines), maxsplit=1)[0]
    return sentence if len(sentence) <= LONGEST else sentence[:LONGEST].rpartition(",")[0] + " …"
