"""Checks of names: joints, parts, parameters, keys and entities must exist in the character or the script."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from poise.errors import describe_unknown_name
from poise.language import tree
from poise.language.atoms import components
from poise.language.links import ABOVE, find_driven_joint
from poise.language.names import Body
from poise.language.problems import Notes
from poise.language.tree import Name, Node, Value


def walk_values(script: tree.Script) -> Iterator[Value]:
    """Every value of a script, including those inside linterp."""
    for phase in script.phases:
        for node in (*phase.actions, *phase.transitions, *phase.calls):
            yield from _values_in(node)


def _values_in(node: object) -> Iterator[Value]:
    if isinstance(node, tree.Number | tree.Variable | tree.Linterp):
        yield node
    if isinstance(node, tuple):
        for item in node:
            yield from _values_in(item)
    elif isinstance(node, Node):
        for name in node.__dataclass_fields__:
            if name != "at":
                yield from _values_in(getattr(node, name))


def check_names(notes: Notes) -> None:
    """Check every name against the character and the script."""
    _check_parameters(notes)
    check_each(notes, _check_action, _check_condition)


def check_each(
    notes: Notes,
    check_action: Callable[[Notes, tree.Action | tree.Toggle], None],
    check_condition: Callable[[Notes, tree.Condition], None],
) -> None:
    """Check every action and every condition of a transition, phase by phase."""
    for phase in notes.script.phases:
        for action in phase.actions:
            check_action(notes, action)
        for transition in phase.transitions:
            check_condition(notes, transition.condition)


def _check_parameters(notes: Notes) -> None:
    declared: set[str] = set()
    for parameter in notes.script.parameters:
        if parameter.text in declared:
            notes.error(f"two parameters are named {parameter.text!r}", parameter)
        declared.add(parameter.text)
    used = set()
    for value in walk_values(notes.script):
        if isinstance(value, tree.Variable):
            used.add(value.name)
            if value.name not in declared:
                notes.error(
                    describe_unknown_name("parameter", value.name, [p.text for p in notes.script.parameters]), value
                )
    for parameter in notes.script.parameters:
        if not parameter.text[:1].isalpha():
            notes.warn(f"nothing can refer to the parameter {parameter.text!r}: a name begins with a letter", parameter)
        elif parameter.text not in used:
            notes.warn(f"the parameter {parameter.text!r} is never used", parameter)


def joint(notes: Notes, name: Name) -> int | None:
    """The axis of a joint; None after reporting an error."""
    body = notes.body
    if name.text in body.joints:
        return body.joints[name.text]
    if name.text in body.parts:
        notes.error(f"{name.text!r} is a part, but a joint is expected{_hint(body, name.text)}", name)
    else:
        notes.error(describe_unknown_name("joint", name.text, body.joint_names), name)
    return None


def _hint(body: Body, part: str) -> str:
    above = body.pitch_axis_above(body.parts[part])
    nearest = next((n for n, axis in body.joints.items() if axis == above), None)
    return f": it is attached to {nearest!r}" if nearest else ""


def part(notes: Notes, name: Name) -> int | None:
    """The segment of a part; None after reporting an error."""
    body = notes.body
    if name.text in body.parts:
        return body.parts[name.text]
    if name.text in body.joints:
        moved = body.axis_segments[body.joints[name.text]]
        nearest = next(n for n, segment in body.parts.items() if segment == moved)
        notes.error(f"{name.text!r} is a joint, but a part is expected: it moves {nearest!r}", name)
    else:
        notes.error(describe_unknown_name("part", name.text, body.part_names), name)
    return None


def _check_action(notes: Notes, action: tree.Action | tree.Toggle) -> None:
    for target in tree.targets_of(action):
        joint(notes, target.joint)
    match action:
        case tree.Posefb():
            for law in action.laws:
                joint(notes, law.joint)
                (joint if law.kind == "joint" else part)(notes, law.on)
        case tree.Comfb2():
            if action.kind.text != "c":
                (joint if action.kind.text == "j" else part)(notes, action.on)
        case tree.Vpd():
            _check_vpd(notes, action)
        case tree.Vf() | tree.Vfsfb() | tree.Gc():
            part(notes, action.part)
            joint(notes, action.joint)
        case tree.Vffb():
            part(notes, action.part)
            joint(notes, action.joint)
            if action.over.text not in (tree.CENTRE_OF_PRESSURE, tree.FEET):
                part(notes, action.over)
        case tree.Ik():
            _check_ik(notes, action)
        case tree.Ef():
            part(notes, action.part)
        case tree.Match():
            one, other = joint(notes, action.joint), joint(notes, action.to)
            if one is not None and one == other:
                notes.warn(f"{action.joint.text} matches itself, which holds its current angle", action)
        case tree.Hold():
            joint(notes, action.joint)


def _check_vpd(notes: Notes, action: tree.Vpd) -> None:
    segment = part(notes, action.part)
    axis = _find_driven(notes, action)
    if segment == 0 and action.part.text == "pelvis":
        notes.error("VPD accepts every part except the pelvis. Use 'lTorso' or 'uTorso' instead", action.part)
    elif segment is not None and axis is not None and action.parent is None:
        _check_direction(notes, action, segment, axis)
    if action.flags is None:
        return
    if action.flags.text != "s":
        notes.warn(f"the only flag is s (the reaction goes to the other hip), got {action.flags.text!r}", action.flags)
    elif action.part.text not in ("lThigh", "rThigh", "left_thigh", "right_thigh"):
        notes.warn("the flag s has an effect for a thigh only", action.flags)


def _find_driven(notes: Notes, action: tree.Vpd) -> int | None:
    """The axis that a VPD drives, by the name of a joint or, in the old form, of a link; None after an error."""
    name, link = action.joint, action.parent or action.joint
    if name.text in notes.body.joints or link.text not in notes.body.parts:
        known = action.parent is None or name.text in notes.body.joints
        return joint(notes, name) if known else part(notes, link)
    meant = find_driven_joint(action.part.text, link.text)
    if link.text == action.part.text:
        what = f"{link.text} cannot be its own parent"
    elif action.parent is None:
        what = f"{link.text!r} is a part, but a joint is expected"
    else:
        what = f"no joint of this body turns {action.part.text} against {link.text}"
    above = meant or ABOVE.get(action.part.text, ("", ""))[1]
    notes.error(f"{what}.{f' Did you mean {above!r}?' if above in notes.body.joints else ''}", link)
    return None


def _check_direction(notes: Notes, action: tree.Vpd, segment: int, axis: int) -> None:
    """Check the sign of the gains: negative if the part hangs on the joint. The script's sign is not corrected."""
    kp = components(action.gains[0])[0] if action.gains else None
    if kp is not None and not isinstance(kp, tree.Number):
        return
    positive = kp is None or kp.value > 0.0
    child = notes.body.hangs_on(segment, axis)
    if child and positive:
        what = "so its gains should be negative, or it is driven away from its angle"
        notes.warn(f"{action.part.text} hangs on {action.joint.text}, {what}. Did you mean -300, -30?", action)
    elif not child and kp is not None and kp.value < 0.0:
        what = "so its gains should be positive, or it is driven away from its angle"
        notes.warn(f"{action.part.text} does not hang on {action.joint.text}, {what}", action)


def _check_ik(notes: Notes, action: tree.Ik) -> None:
    segment, axis = part(notes, action.part), joint(notes, action.base)
    if segment is None or axis is None or notes.body.hangs_on(segment, axis):
        return
    line = notes.body.line_to_root(segment)
    above = [n for n in notes.body.joint_names if notes.body.axis_segments[notes.body.joints[n]] in line]
    known = f"Known here: {', '.join(above[:6])}" if above else "It is the root"
    notes.error(
        f"{action.part.text} does not hang on {action.base.text}, so IK cannot start there. {known}", action.base
    )


def _check_condition(notes: Notes, condition: tree.Condition) -> None:
    if condition.name is None:
        return
    if condition.kind in ("contact", "nocontact"):
        part(notes, condition.name)
    elif condition.kind in ("press", "release"):
        if len(condition.name.text) != 1:
            notes.error(f"a key is one letter or digit, got {condition.name.text!r}", condition.name)
        elif condition.name.text.islower():
            meant = condition.name.text.upper()
            notes.warn(
                f"keys are written in capitals, got {condition.name.text!r}. Did you mean {meant!r}?", condition.name
            )
