"""Checks of phases and calls: invalid targets, unreachable phases, calls that never return."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from poise.errors import describe_unknown_name
from poise.language import tree
from poise.language.check_commas import join_commas
from poise.language.check_guests import check_guest, check_named
from poise.language.flow import find_reached, is_certain
from poise.language.load import Program
from poise.language.names import Body
from poise.language.parse import OUTER_COMMENT
from poise.language.places import blank, span_of
from poise.language.problems import Notes, Problem
from poise.language.spell import spell_line

END = -1
_SECOND = re.compile(r"^[ \t]*(BEGINSCRIPT)\s+([^\s(]+)", re.MULTILINE)
#: In a phase without actions, the released code takes no step: these conditions never become true there.
_WAITING = ("time", "stable", "contact", "nocontact", "fallen", "anglerange", "press", "release", "pass")


def check_flow(notes: Notes) -> None:
    """Check the labels, targets and conditions of one script's phases."""
    phases = notes.script.phases
    if not phases:
        notes.error("a script needs at least one PHASE", notes.script)
        return
    _check_labels(notes)
    _check_second(notes)
    for phase in phases:
        _check_targets(notes, phase)
        _check_order(notes, phase)
        _check_kind(notes, phase)
    reached = find_reached(phases)
    for k, phase in enumerate(phases):
        if k not in reached:
            notes.warn(f"this phase, number {k}, is never reached", phase)


def _check_labels(notes: Notes) -> None:
    phases = notes.script.phases
    twice = [label for label, count in Counter(p.label for p in phases).items() if count > 1]
    for k, phase in enumerate(phases):
        if phase.label in twice and phase.label != k:
            notes.warn(f"two phases are labelled {phase.label}; targets are positions: to({k}) leads here", phase)
        elif phase.label != k:
            notes.warn(f"this phase is labelled {phase.label}, but targets are positions: to({k}) leads here", phase)


def _find_seconds(script: tree.Script) -> Iterator[re.Match[str]]:
    """The beginnings of scripts after the first one."""
    bare = OUTER_COMMENT.sub(lambda m: blank(m[0]), script.text)
    return _SECOND.finditer(bare, script.at.end)


def _check_second(notes: Notes) -> None:
    """Warn about scripts after the first one, which nothing reads."""
    script = notes.script
    for found in _find_seconds(script):
        node = tree.Node(at=span_of(script.text, found.start(1), found.end(1)))
        what = f"a second script in this file, {found[2]!r}, is ignored"
        notes.warn(f"{what}: a file contains one script, and calls name files. Move it to a file of its own", node)


def _check_targets(notes: Notes, phase: tree.Phase) -> None:
    last = len(notes.script.phases) - 1
    for transition in phase.transitions:
        if not END <= transition.to <= last:
            notes.error(
                f"there is no phase {transition.to}. Allowed: 0 to {last}, and -1 to end the script", transition
            )


def _check_order(notes: Notes, phase: tree.Phase) -> None:
    certain = None
    for transition in phase.transitions:
        if certain is not None:
            notes.warn(
                f"this can never fire: the transition in line {certain.at.line} is evaluated first and always fires",
                transition,
            )
        elif is_certain(transition):
            certain = transition


def _check_kind(notes: Notes, phase: tree.Phase) -> None:
    calls, actions = phase.calls, phase.actions
    if calls:
        if len(calls) > 1:
            notes.warn("two calls in one phase: only the last one runs", calls[0])
        if actions:
            notes.warn("this phase calls a script, so its actions never run", actions[0])
        # A guest runs at every step, as actions do.
        for transition in phase.transitions if calls[-1].script.text not in notes.guests else ():
            _check_in_call(notes, transition)
    elif not actions:
        _check_empty(notes, phase)
    else:
        for transition in phase.transitions:
            if transition.condition.kind == "iterations":
                notes.warn("in a phase with actions, iterations counts steps of the simulation, not runs", transition)


def _check_in_call(notes: Notes, transition: tree.Transition) -> None:
    """In a phase that calls, transitions are evaluated when the callee ends, with the clock just reset to 0."""
    condition = transition.condition
    value = condition.values[0] if condition.values else None
    if condition.kind == "time" and not (isinstance(value, tree.Number) and value.value < 0.0):
        notes.warn(
            "in a phase that calls a script, time is 0 whenever it is evaluated: this can never fire", transition
        )


def _check_empty(notes: Notes, phase: tree.Phase) -> None:
    if not phase.transitions:
        notes.warn("an empty phase without a transition: it holds the last pose indefinitely", phase)
        return
    waiting = [t for t in phase.transitions if t.condition.kind in _WAITING]
    if waiting and not any(is_certain(t) for t in phase.transitions):
        kind = waiting[0].condition.kind
        notes.warn(
            f"an empty phase that waits for {kind}: it holds the last pose here, but hangs in the original", phase
        )


def check_calls(notes: Notes, program: Program) -> None:
    """Check callees, their arguments and whether they return."""
    for phase in notes.script.phases:
        for call in phase.calls:
            if call.script.text in program.guests:
                check_guest(notes, call, program.guests[call.script.text])
                continue
            callee = program.scripts.get(call.script.text)
            if callee is None:
                _check_missing(notes, call, program)
                continue
            check_named(notes, call)
            wanted = [p.text for p in callee.parameters]
            if len(wanted) != len(call.arguments):
                _check_count(notes, call, callee)
            if call.at_phase is not None and not 0 <= call.at_phase < len(callee.phases):
                last = len(callee.phases) - 1
                notes.error(f"{call.script.text} has no phase {call.at_phase}. Allowed: 0 to {last}", call)
            onward = any(t.to != END and notes.script.phases[t.to : t.to + 1] != (phase,) for t in phase.transitions)
            if onward and not any(t.to == END for p in callee.phases for t in p.transitions):
                what = f"{call.script.text} has no transition to(-1), so it never ends"
                notes.warn(f"{what}, and the script never continues after this call", call)


def _check_count(notes: Notes, call: tree.Call, callee: tree.Script) -> None:
    """Report a wrong number of arguments, with the call as it was probably meant."""
    wanted = [p.text for p in callee.parameters]
    what = f"({', '.join(wanted)})" if wanted else "(void)"
    text = f"wrong number of arguments: {call.script.text} takes {len(wanted)}, {what}, got {len(call.arguments)}"
    joined = join_commas(notes.script.text, call.arguments)
    if len(joined) == len(wanted):
        meant = replace(call, arguments=joined)
        notes.error(f"{text}. Numbers have a decimal point. Did you mean '{spell_line(meant)}'?", call)
        return
    missing = wanted[len(call.arguments) :]
    given = {s.name: s.value for s in reversed(callee.settings)}
    more = tuple(given.get(name, tree.Variable(name)) for name in missing)
    meant = replace(call, arguments=(*call.arguments[: len(wanted)], *more))
    open_names = [name for name in missing if name not in given]
    note = f" with {'a number' if len(open_names) == 1 else 'numbers'} for {' and '.join(open_names)}"
    notes.error(f"{text}. Did you mean '{spell_line(meant)}'{note if open_names else ''}?", call)


def _check_missing(notes: Notes, call: tree.Call, program: Program) -> None:
    name = call.script
    if name.text in program.broken:
        notes.error(f"{name.text} could not be read: {program.broken[name.text].where}", name)
    elif name.text in program.not_run:
        notes.warn(f"{name.text} is a Python file and was not run: its arguments are not checked", name)
    elif ("/" in name.text or Path(name.text).suffix) and name.text in program.refused:
        notes.error(program.refused[name.text], name)
    else:
        notes.error(_describe_missing(notes, name.text, program), name)


def _describe_missing(notes: Notes, name: str, program: Program) -> str:
    """What to do about a call of a script that is not included."""
    labels = {script.label: file for file, script in program.scripts.items() if file != program.main}
    if name in labels:
        return f"scripts are called by their files, not by their labels, got {name!r}. Did you mean {labels[name]!r}?"
    if name in (found[2] for found in _find_seconds(notes.script)):
        return (
            f"{name!r} is a second script in this file, which is ignored. Move it to a file of its own and include that"
        )
    text = describe_unknown_name("script", name, program.scripts)
    file = name if Path(name).suffix else f"{name}.t"
    return f"{text} A called script must be included first: 'SCRIPTS {file};'"


def find_recursion(program: Program, body: Body) -> list[Problem]:
    """An error for each call that leads back to a script that is still running."""
    found: list[Problem] = []
    reached = program.find_reached()
    # Follow each script once: with two calls per script, the work would double with every level.
    done: set[str] = set()

    def follow(name: str, trail: list[str]) -> None:
        script = program.scripts[name]
        for k in sorted(reached.get(name, ())):
            for call in script.phases[k].calls:
                if call.script.text in trail:
                    way = " calls ".join([*trail[trail.index(call.script.text) :], call.script.text])
                    notes = Notes(script, body)
                    notes.error(f"recursive calls: {way}", call)
                    if notes.found[0].error.where not in [p.error.where for p in found]:
                        found.extend(notes.found)
                elif call.script.text in program.scripts and call.script.text not in done:
                    follow(call.script.text, [*trail, call.script.text])
        done.add(name)

    follow(program.main, [program.main])
    return found
