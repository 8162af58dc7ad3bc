"""The real numbers of a phase that a transition search may change, each with its kind [Firmin15 §4.1].

Angles, gains, durations, forces, feedback gains, times and tolerances are free; counts, probabilities, names and
external forces are not. Deviation: the released code also fixes the gains of POSEFB and COMFB2, and the speeds and
positions of IK; the paper frees all numbers of a phase.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from poise.language import tree
from poise.language.tree import Action, Angles, Number, Phase, Transition, Value, Vector

#: Kind of a number, which sets its range and spread.
ANGLE, GAIN, TIME, FORCE, SPEED, LENGTH = "angle", "gain", "time", "force", "speed", "length"
#: Radians per metre, or per metre per second.
FEEDBACK = "feedback"
TOLERANCE = "tolerance"

#: Returns the replacement of a number, from the number, its kind and its owner.
Change = Callable[[Number, str, str], Number]


def change_numbers(phase: Phase, change: Change) -> Phase:
    """The phase with every free number replaced, in the order of the text."""
    commands: list[tree.Command] = []
    for command in phase.commands:
        match command:
            case tree.Actions():
                commands.append(replace(command, body=tuple(_change_action(a, change) for a in command.body)))
            case Transition():
                commands.append(_change_transition(command, change))
            case tree.Call():
                values = [_apply(v, "argument", command.script.text, change) for v in command.arguments]
                commands.append(replace(command, arguments=tuple(values)))
            case _:
                commands.append(command)
    return replace(phase, commands=tuple(commands))


def _apply(value: Value, kind: str, whose: str, change: Change) -> Value:
    return change(value, kind, whose) if isinstance(value, Number) else value


def _apply_each(angles: Angles, kind: str, whose: str, change: Change) -> Angles:
    """`_apply` for each component of a 3-D angle or gain."""
    if isinstance(angles, Vector):
        return replace(angles, values=tuple(_apply(v, kind, whose, change) for v in angles.values))
    return _apply(angles, kind, whose, change)


def _change_transition(transition: Transition, change: Change) -> Transition:
    condition = transition.condition
    kinds = {"time": TIME, "stable": TOLERANCE, "fallen": ANGLE, "anglerange": ANGLE}
    if condition.kind not in kinds:
        return transition
    values = tuple(_apply(v, kinds[condition.kind], condition.kind, change) for v in condition.values)
    return replace(transition, condition=replace(condition, values=values))


def _change_target(target: tree.Target, change: Change) -> tree.Target:
    joint = target.joint.text
    angle = _apply_each(target.angle, ANGLE, joint, change)
    return replace(target, angle=angle, gains=tuple(_apply_each(g, GAIN, joint, change) for g in target.gains))


def _change_feedback(law: tree.Feedback, change: Change) -> tree.Feedback:
    joint = law.joint.text
    return replace(law, cd=_apply(law.cd, FEEDBACK, joint, change), cv=_apply(law.cv, FEEDBACK, joint, change))


def _change_action(action: Action, change: Change) -> Action:
    def apply(value: Value, kind: str, whose: str) -> Value:
        return _apply(value, kind, whose, change)

    match action:
        case tree.Pose():
            return replace(action, targets=tuple(_change_target(t, change) for t in action.targets))
        case tree.Lipose():
            target = _change_target(action.target, change)
            return replace(action, target=target, time=apply(action.time, TIME, target.joint.text))
        case tree.Posefb():
            return replace(action, laws=tuple(_change_feedback(law, change) for law in action.laws))
        case tree.Comfb2():
            name = action.on.text
            return replace(action, cd=apply(action.cd, FEEDBACK, name), cv=apply(action.cv, FEEDBACK, name))
        case tree.Vpd():
            part = action.part.text
            angle = _apply_each(action.angle, ANGLE, part, change)
            return replace(action, angle=angle, gains=tuple(_apply_each(g, GAIN, part, change) for g in action.gains))
        case tree.Match():
            time = None if action.time is None else apply(action.time, TIME, action.joint.text)
            gains = tuple(apply(g, GAIN, action.joint.text) for g in action.gains)
            return replace(action, gains=gains, time=time)
        case tree.Vf():
            x, y, z = action.force
            part = action.part.text
            return replace(action, force=(apply(x, FORCE, part), apply(y, FORCE, part), z))
        case tree.Vffb():
            part = action.part.text
            return replace(action, cd=apply(action.cd, GAIN, part), cv=apply(action.cv, GAIN, part))
        case tree.Vfsfb():
            part = action.part.text
            return replace(action, cv=apply(action.cv, GAIN, part), speed=apply(action.speed, SPEED, part))
        case tree.Ik():
            x, y, z = action.goal
            part = action.part.text
            near = None if action.tolerance is None else apply(action.tolerance, LENGTH, part)
            return replace(action, goal=(apply(x, LENGTH, part), apply(y, LENGTH, part), z), tolerance=near)
    # HOLD and GC have no numbers; EF, SAVE and LOAD do not control the body.
    return action


def count_numbers(phases: tuple[Phase, ...]) -> int:
    """Number of free numbers in some phases."""
    found: list[Number] = []

    def note(number: Number, kind: str, whose: str) -> Number:
        found.append(number)
        return number

    for phase in phases:
        change_numbers(phase, note)
    return len(found)


def make_number(value: float, digits: int = 5) -> Number:
    """A number in the language's notation: decimal, without an exponent or a zero before the point."""
    decimals = digits if value == 0.0 else max(0, digits - 1 - _magnitude(value))
    text = f"{abs(value):.{min(decimals, 9)}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    text = text.lstrip("0") or "0"
    return Number(f"-{text}" if value < 0.0 and text != "0" else text)


def _magnitude(value: float) -> int:
    """Power of ten of the first digit."""
    return int(f"{abs(value):e}".split("e")[1])
