"""All errors and warnings of a program, sorted by place: names, values, flow and habits."""

from __future__ import annotations

from poise.language.check_flow import check_calls, check_flow, find_recursion
from poise.language.check_habits import check_habits
from poise.language.check_names import check_names
from poise.language.check_requests import check_requests
from poise.language.check_space import check_space
from poise.language.check_values import check_values
from poise.language.load import Program
from poise.language.names import Body
from poise.language.problems import ERROR, WARNING, Notes, Problem


def check_program(program: Program, body: Body) -> list[Problem]:
    """All problems; errors in scripts that are included but can never run become warnings."""
    called = program.called()
    found: list[Problem] = []
    wanted = {c.script.text for name in called for p in program.scripts[name].phases for c in p.calls}
    for name, error in program.broken.items():
        found.append(Problem(ERROR if name in wanted else WARNING, error))
    for name, script in program.scripts.items():
        notes = Notes(script, body, guests=frozenset({*program.guests, *program.refused, *program.not_run}))
        check_names(notes)
        check_values(notes)
        check_space(notes)
        check_flow(notes)
        check_calls(notes, program)
        check_habits(notes)
        check_requests(notes, program)
        ordered = sorted(notes.found, key=lambda p: (p.error.line or 0, p.error.column or 0))
        found += ordered if name in called else [p.softened() for p in ordered if p.severity == ERROR]
    return found + find_recursion(program, body)
