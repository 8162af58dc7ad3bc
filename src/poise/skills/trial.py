"""One trial of a transition: from a moment of the source, through the phases between, into the target."""

from __future__ import annotations

from dataclasses import dataclass, replace

from poise.controllers.script.assemble import Assembler
from poise.errors import DivergedError
from poise.language import tree
from poise.language.load import Program
from poise.language.names import Body
from poise.language.tree import Name, Number, Phase, Script, Setting
from poise.skills.course import Stage, Track
from poise.skills.moment import Moment, default_limit_nm, find_places
from poise.skills.numbers import make_number
from poise.skills.skill import Skill
from poise.world.controller import Controller


@dataclass(frozen=True, eq=False)
class Passage:
    """Tracks before and after the target began; `after` is None if it never did."""

    before: Track
    after: Track | None


def make_script(name: str, phases: tuple[Phase, ...], target: Skill, at_phase: int, limit_nm: float) -> Script:
    """A script that runs the phases and then stays in the target."""
    call = tree.Call(Name(target.path.name), (), at_phase or None)
    if target.program.script.parameters:
        defaults = {s.name: s.value for s in reversed(target.program.script.settings)}
        given = tuple(defaults.get(p.text, Number("0")) for p in target.program.script.parameters)
        call = replace(call, arguments=tuple(Number(v.text) for v in given))
    ways = [tree.Transition(-1, tree.Condition("complete"))] if target.ends else [_give_up()]
    last = Phase(len(phases), (call, *ways))
    limited = limit_nm != default_limit_nm()
    settings = (Setting(tree.TORQUE_LIMIT, make_number(limit_nm)),) if limited else ()
    return Script(name, (), (*phases, last), (Name(target.path.name),), settings)


def _give_up() -> tree.Transition:
    """Ends the script on a fall; the language's own way to end a skill that never ends by itself."""
    return tree.Transition(-1, tree.Condition("fallen", sign="x", values=(Number("1.2"),)))


def make_controller(script: Script, target: Skill) -> Controller:
    """Controller of a script that exists only in memory and calls at most what the target calls."""
    main = f"{script.label}.ctl"
    program = Program(main, {main: script, **target.program.scripts}, dict(target.program.broken))
    tables = Assembler(program, Body(target.character)).assemble()
    return replace(
        target.controller,
        name=script.label,
        params=tables.params,
        memory=tables.memory,
        parameters=(),
        diary=tables.journal,
    )


def make_limp(skill: Skill) -> Controller:
    """Controller of a script that ends immediately and leaves the body limp."""
    end = tree.Transition(-1, tree.Condition("complete"))
    return make_controller(Script("limp", (), (Phase(0, (end,)),)), skill)


def pass_over(
    stage: Stage, controller: Controller, moment: Moment, switch_phase: int, seconds: float, most_s: float
) -> Passage:
    """Run from a moment until the main script is in phase `switch_phase`, and for some seconds more.

    A switch phase of 0 is reached immediately: the naive transition.
    """
    try:
        switched_s = go_to_switch(stage, controller, moment, switch_phase, most_s)
        if switched_s is not None:
            stage.advance(seconds)
    except DivergedError:
        switched_s = None
    return cut(stage.track(), switched_s)


def go_to_switch(
    stage: Stage, controller: Controller, moment: Moment, switch_phase: int, most_s: float
) -> float | None:
    """Run from a moment until the main script is in phase `switch_phase`; return the time, None if it never is."""
    stage.begin(controller, moment)
    if switch_phase == 0:
        return 0.0
    while stage.world.time_s < most_s and stage.advance(most_s - stage.world.time_s, to_phase=True):
        places = find_places(stage.world)
        if not places:
            return None
        if places[0].phase == switch_phase:
            return stage.world.time_s
    return None


def cut(track: Track, switched_s: float | None) -> Passage:
    """Split a track at the time of the switch."""
    if switched_s is None:
        return Passage(track, None)
    after = track.since(switched_s)
    return Passage(track.since(0.0, switched_s), after if len(after) > 1 else None)
