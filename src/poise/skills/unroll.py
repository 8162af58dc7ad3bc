"""Unrolling a skill: the sequence of phases that it runs, as one flat script with literal numbers.

Calls are inlined, parameters become their values, default gains are written out, and each phase leads to the next. The
first phase also sets the servos that earlier phases left on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from poise.controllers.script.assemble_actions import POSE_GAINS, RAMP_GAINS
from poise.errors import InputError
from poise.language import tree
from poise.language.names import JOINTS, PARTS, Body
from poise.language.tree import NOWHERE, Name, Node, Number, Phase, Value
from poise.skills.course import Stage
from poise.skills.moment import Moment, Place, find_places, read_servos
from poise.skills.numbers import make_number
from poise.skills.skill import Skill

#: A skill that stays in one phase longer than this is assumed never to leave it.
_LONGEST_PHASE_S = 6.0
#: Initial duration of a phase that otherwise only a fall would end.
_STAY_S = 0.5


@dataclass(frozen=True)
class Step:
    """A phase that ran: its file, its number there, and the values of the parameters in scope."""

    file: str
    number: int
    phase: Phase
    scope: dict[str, float]


def follow(stage: Stage, skill: Skill, moment: Moment, count: int) -> list[Step]:
    """The next phases of a skill started at a moment."""
    stage.begin(skill.controller, moment)
    stage.advance(stage.timestep_s)
    return follow_on(stage, skill, count)


def follow_on(stage: Stage, skill: Skill, count: int) -> list[Step]:
    """The current phase of a skill and the ones after it."""
    steps: list[Step] = []
    while len(steps) < count:
        places = find_places(stage.world)
        if not places:
            break
        steps.append(_make_step(skill, places[-1]))
        if not stage.advance(_LONGEST_PHASE_S, to_phase=True):
            break
    if not steps:
        raise InputError(f"skill {skill.name}: none of its phases runs.")
    return steps


def _make_step(skill: Skill, place: Place) -> Step:
    file = skill.program.called()[place.script]
    script = skill.program.scripts[file]
    scope = dict(zip((p.text for p in script.parameters), place.arguments, strict=False))
    return Step(file, place.phase, script.phases[place.phase], scope)


def unroll(steps: Sequence[Step], moment: Moment, body: Body) -> tuple[Phase, ...]:
    """The phases, numbered from 0, each leading to the next; the last leads to one after them."""
    phases = [_write_out(step, k, k + 1) for k, step in enumerate(steps)]
    before = _hold_servos(moment, phases[0], body)
    if before:
        phases[0] = replace(phases[0], commands=(tree.Actions(before), *phases[0].commands))
    return tuple(phases)


def _write_out(step: Step, label: int, following: int) -> Phase:
    acting = [_fix(a, step.scope) for a in step.phase.actions if not isinstance(a, tree.Toggle | tree.Save | tree.Load)]
    actions = tuple(_spell_gains(a) for a in acting)
    ways = [_lead(_fix(t, step.scope), following) for t in step.phase.transitions]
    if all(way.to < 0 for way in ways):
        ways.append(tree.Transition(following, tree.Condition("time", values=(make_number(_STAY_S),))))
    commands: list[tree.Command] = [tree.Actions(actions)] if actions else []
    return Phase(label, (*commands, *ways))


def _lead(transition: tree.Transition, following: int) -> tree.Transition:
    """The transition redirected to the following phase; one that reports a fall ends the script."""
    return replace(transition, to=-1 if transition.condition.kind == "fallen" else following)


def _fix(node: Any, scope: dict[str, float]) -> Any:
    """A node without its file position, with parameters and interpolations replaced by numbers."""
    if isinstance(node, tree.Variable | tree.Linterp):
        return make_number(evaluate(node, scope))
    if isinstance(node, tuple):
        return tuple(_fix(item, scope) for item in node)
    if not isinstance(node, Node):
        return node
    inside = {f.name: _fix(getattr(node, f.name), scope) for f in dataclasses.fields(node) if f.name != "at"}
    return replace(node, **inside, at=NOWHERE)


def evaluate(value: Value, scope: dict[str, float]) -> float:
    """The number that a value has with these parameter values."""
    if isinstance(value, Number):
        return value.value
    if isinstance(value, tree.Variable):
        return scope[value.name]
    g, g0, g1, v0, v1 = (evaluate(v, scope) for v in value.values)
    return v0 + (v1 - v0) * (g - g0) / (g1 - g0)


def _spell_gains(action: tree.Action) -> tree.Action:
    """The action with default gains written out."""
    match action:
        case tree.Pose():
            return replace(action, targets=tuple(replace(t, gains=_fill(t.gains, POSE_GAINS)) for t in action.targets))
        case tree.Lipose():
            return replace(action, target=replace(action.target, gains=_fill(action.target.gains, RAMP_GAINS)))
        case tree.Vpd():
            return replace(action, gains=_fill(action.gains, POSE_GAINS))
        case tree.Match():
            return replace(action, gains=_fill(action.gains, RAMP_GAINS))
    return action


def _fill(gains: tuple[Any, ...], defaults: tuple[float, float]) -> tuple[Any, ...]:
    return (*gains, *(make_number(d) for d in defaults[len(gains) :]))


def _hold_servos(moment: Moment, phase: Phase, body: Body) -> tuple[tree.Action, ...]:
    """Actions for the servos that were on, except those that the phase itself sets or switches off."""
    joints = {axis: name for name, axis in reversed(body.joints.items()) if name in JOINTS or name in body.joint_names}
    parts = {part: name for name, part in reversed(body.parts.items()) if name in PARTS}
    taken = _find_joints(phase)
    targets, laws = [], []
    for servo in read_servos(moment):
        name = joints.get(servo.axis, "")
        if not name or name in taken:
            continue
        gains = (make_number(servo.kp), make_number(servo.kd))
        targets.append(tree.Target(Name(name), make_number(servo.target_rad), gains))
        if servo.law is not None:
            kind, number, cd, cv = servo.law
            on = parts[number] if kind == "part" else _find_joint(body, joints, number)
            laws.append(tree.Feedback(Name(name), make_number(cd), make_number(cv), kind, Name(on)))
    held: list[tree.Action] = [tree.Pose(tuple(targets))] if targets else []
    return (*held, *([tree.Posefb(tuple(laws))] if laws else []))


def _find_joint(body: Body, joints: dict[int, str], segment: int) -> str:
    """The joint that moves a segment."""
    return next(name for axis, name in joints.items() if body.axis_segments[axis] == segment)


def _find_joints(phase: Phase) -> set[str]:
    """Joints whose servos a phase sets or switches off."""
    found: set[str] = set()
    for action in phase.actions:
        found |= {t.joint.text for t in tree.targets_of(action)}
        match action:
            case tree.Match() | tree.Hold() | tree.Vpd():
                found.add(action.joint.text)
                if isinstance(action, tree.Vpd) and action.flags is not None:
                    found |= {"lHip", "rHip"}
    return found
