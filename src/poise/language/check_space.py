"""Checks of angles and forces in space: the joint must have the axes, and the body must be able to move sideways."""

from __future__ import annotations

from poise.language import tree
from poise.language.atoms import components
from poise.language.names import TURNS
from poise.language.problems import Notes
from poise.language.tree import Angles, Name, Node, Number, Vector


def check_space(notes: Notes) -> None:
    """Check every action that has components or acts sideways."""
    pending: tree.Comfb2 | None = None
    for phase in notes.script.phases:
        for action in phase.actions:
            _check_action(notes, action)
            if isinstance(action, tree.Comfb2):
                pending = action
            elif isinstance(action, tree.Vpd):
                if pending is not None and pending.side is not None and not isinstance(action.angle, Vector):
                    line = action.at.line
                    notes.warn(f"the VPD in line {line} has one angle, so the .side of this COMFB2 is lost", pending)
                pending = None


def _check_action(notes: Notes, action: tree.Action | tree.Toggle) -> None:
    for target in tree.targets_of(action):
        _check_target(notes, target)
    match action:
        case tree.Posefb():
            for law in action.laws:
                _check_law(notes, law)
        case tree.Vpd():
            _check_vpd(notes, action)
        case tree.Comfb2() | tree.Vffb() | tree.Vfsfb():
            drifts = isinstance(action, tree.Vfsfb) and action.drift is not None
            if action.side is not None or drifts:
                _check_plane(notes, "no sideways balance", action)
            if isinstance(action, tree.Vfsfb) and action.drift is not None and action.side is None:
                notes.error("the second speed is sideways and needs a gain: VFSFB part(cv).side(cv)", action)


def _check_plane(notes: Notes, what: str, node: Node) -> bool:
    """Report an error for a body that moves in a plane; False if there was one."""
    if notes.body.in_space:
        return True
    notes.error(f"{notes.body.character.name} moves in a plane: it has {what}", node)
    return False


def _check_target(notes: Notes, target: tree.Target) -> None:
    _check_gains(notes, target.angle, target.gains)
    if not isinstance(target.angle, Vector) or target.joint.text not in notes.body.joints:
        return
    count = len(target.angle.values)
    if _check_plane(notes, f"one angle at {target.joint.text}, got {count}", target.angle):
        _check_components(notes, target.joint, target.angle)


def _check_components(notes: Notes, joint: Name, angle: Vector) -> None:
    turns = notes.body.turns(joint.text)
    known = [turn for turn, axis in zip(TURNS, turns, strict=True) if axis >= 0]
    if len(known) == 1:
        notes.error(f"{joint.text} rotates about one axis ({known[0]}), so it takes one angle", angle)
        return
    for turn, axis, value in zip(TURNS, turns, angle.values, strict=False):
        if axis < 0 and not (isinstance(value, Number) and value.value == 0.0):
            notes.error(f"{joint.text} has no {turn}, only {' and '.join(known)}. Leave it out, or write 0", value)


def _check_gains(notes: Notes, angle: Angles, gains: tuple[Angles, ...]) -> None:
    wanted = len(components(angle))
    for gain in gains:
        if isinstance(gain, Vector) and len(gain.values) != wanted:
            angles = "one angle" if wanted == 1 else f"{wanted} angles"
            notes.error(f"{angles} and {len(gain.values)} gains. Give one gain for all angles, or one for each", gain)


def _check_law(notes: Notes, law: tree.Feedback) -> None:
    if law.side is None or law.joint.text not in notes.body.joints:
        return
    if _check_plane(notes, "no sideways balance", law) and notes.body.turns(law.joint.text)[1] < 0:
        notes.error(f"{law.joint.text} has no roll, which .side would move", law)


def _check_vpd(notes: Notes, action: tree.Vpd) -> None:
    _check_gains(notes, action.angle, action.gains)
    if not isinstance(action.angle, Vector):
        return
    count = len(action.angle.values)
    if not _check_plane(notes, f"one angle at {action.part.text}, got {count}", action.angle):
        return
    if count != len(TURNS):
        notes.error(f"VPD takes one angle or three (pitch, roll, yaw), got {count}", action.angle)
    elif action.joint.text in notes.body.joints and sum(a >= 0 for a in notes.body.turns(action.joint.text)) == 1:
        notes.error(f"{action.joint.text} rotates about one axis, so it can control one angle", action.joint)
