"""All errors and warnings of a program, sorted by place: names, values, flow and habits."""

from __future__ import annotations

from poise.language.check_commas import check_commas
from poise.language.check_flow import check_calls, check_flow, find_recursion
from poise.language.check_habits import check_habits
from poise.language.check_loops import check_loops
from poise.language.check_names import check_names
from poise.language.check_requests import check_requests, check_surroundings
from poise.language.check_space import check_space
from poise.language.check_values import check_values
from poise.language.load import Program
from poise.language.names import Body
from poise.language.problems import ERROR, WARNING, Notes, Problem
from poise.language.tree import find_phase


def check_program(program: Program, body: Body) -> list[Problem]:
    """All problems; errors in what can never run, phases or whole scripts, become warnings."""
    reached = program.find_reached()
    found: list[Problem] = []
    wanted = {
        c.script.text for name, some in reached.items() for k in some for c in program.scripts[name].phases[k].calls
    }
    for name, error in program.broken.items():
        found.append(Problem(ERROR if name in wanted else WARNING, error))
    for name, script in program.scripts.items():
        notes = Notes(script, body, guests=frozenset({*program.guests, *program.refused, *program.not_run}))
        check_names(notes)
        check_values(notes)
        check_commas(notes)
        check_space(notes)
        check_flow(notes)
        check_calls(notes, program)
        check_loops(notes, program, name)
        check_habits(notes)
        check_requests(notes, program)
        if name == program.main:
            check_surroundings(notes, program)
        ordered = sorted(notes.found, key=lambda p: (p.error.line or 0, p.error.column or 0))
        if name not in reached:
            found += [p.softened() for p in ordered if p.severity == ERROR]
            continue
        for problem in ordered:
            phase = find_phase(script, problem.at)
            runs = phase is None or phase in reached[name]
            found.append(problem if runs or problem.severity != ERROR else problem.softened())
    return found + find_recursion(program, body)
