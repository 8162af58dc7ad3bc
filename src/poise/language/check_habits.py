"""Actions that cancel each other: a later one switches off, erases or replaces an earlier one."""

from __future__ import annotations

from poise.language import tree
from poise.language.problems import Notes


def check_habits(notes: Notes) -> None:
    """Check how the actions of each phase combine."""
    pending: tree.Comfb2 | None = None
    for phase in notes.script.phases:
        writers: dict[str, tree.Node] = {}
        laws: dict[str, tree.Feedback] = {}
        for action in phase.actions:
            if isinstance(action, tree.Comfb2):
                if pending is not None:
                    notes.warn(f"no VPD uses this COMFB2: the one in line {action.at.line} replaces it", pending)
                pending = action
            elif isinstance(action, tree.Vpd):
                pending = None
                _silence(notes, action, [action.joint.text], writers)
            elif isinstance(action, tree.Posefb):
                laws.update({law.joint.text: law for law in action.laws})
            else:
                for joint, node in _writes(action):
                    _rewrite(notes, joint, node, writers, laws)
    if pending is not None:
        notes.warn("no VPD after this COMFB2 uses it", pending)


def _writes(action: tree.Action | tree.Toggle) -> list[tuple[str, tree.Node]]:
    """Joints whose servo an action sets, with their nodes."""
    match action:
        case tree.Pose():
            return [(t.joint.text, t) for t in action.targets]
        case tree.Lipose():
            return [(action.target.joint.text, action)]
        case tree.Match() | tree.Hold():
            return [(action.joint.text, action)]
    return []


def _rewrite(
    notes: Notes, joint: str, node: tree.Node, writers: dict[str, tree.Node], laws: dict[str, tree.Feedback]
) -> None:
    if joint in writers:
        line = node.at.line
        notes.warn(f"{joint} is set again in line {line}: the last value counts", writers[joint])
    if joint in laws:
        what = f"the feedback of {joint} is erased by the action that sets it in line {node.at.line}"
        notes.warn(f"{what}. A POSEFB must follow the POSE of its joint", laws.pop(joint))
    writers[joint] = node


def _silence(notes: Notes, action: tree.Vpd, joints: list[str], writers: dict[str, tree.Node]) -> None:
    for joint in joints:
        if joint in writers:
            notes.warn(f"the servo of {joint} is switched off by the VPD in line {action.at.line}", writers.pop(joint))
