"""Statements in their canonical spelling: no blanks in chains, one after commas. The original code reads it too."""

from __future__ import annotations

from collections.abc import Sequence

from poise.language import tree
from poise.language.tree import Angles, Value

#: A statement as its beginning, the items of a list that may be wrapped, and its end.
Spelled = tuple[str, tuple[str, ...], str]


def spell_value(value: Angles) -> str:
    match value:
        case tree.Vector():
            return f"({_join(value.values)})"
        case tree.Number():
            return value.text
        case tree.Variable():
            return value.name
    return f"linterp({_join(value.values)})"


def _join(values: Sequence[Angles]) -> str:
    return ", ".join(spell_value(v) for v in values)


def _spell_side(side: tuple[Value, Value] | None) -> str:
    return f".side({_join(side)})" if side else ""


def _spell_target(target: tree.Target) -> str:
    return f"{target.joint.text}({_join((target.angle, *target.gains))})"


def _spell_feedback(law: tree.Feedback) -> str:
    return f"{law.joint.text}({_join((law.cd, law.cv))}){_spell_side(law.side)}.on({law.kind} {law.on.text})"


def spell_condition(condition: tree.Condition) -> str:
    words = [condition.kind]
    if condition.name is not None:
        words.append(condition.name.text)
    if condition.sign:
        words.append(condition.sign)
    return " ".join([*words, *(spell_value(v) for v in condition.values)])


def spell(node: tree.Action | tree.Toggle | tree.Transition | tree.Call) -> Spelled:
    """One statement: its beginning, the items of its list, its end."""
    match node:
        case tree.Pose():
            return "POSE ", tuple(_spell_target(t) for t in node.targets), ";"
        case tree.Posefb():
            return "POSEFB ", tuple(_spell_feedback(law) for law in node.laws), ";"
        case tree.Call():
            named = (f"{a.name.text}={spell_value(a.value)}" for a in node.named)
            values = (*(spell_value(v) for v in node.arguments), *named) or ("void",)
            start = "" if node.at_phase is None else f".atPhase({node.at_phase})"
            return f"> {node.script.text}(", values, f"){start};"
    return _spell_short(node), (), ""


def spell_line(node: tree.Action | tree.Toggle | tree.Transition | tree.Call) -> str:
    """One statement on one line."""
    begin, items, end = spell(node)
    return f"{begin}{', '.join(items)}{end}"


def _spell_short(node: tree.Action | tree.Toggle | tree.Transition | tree.Call) -> str:
    match node:
        case tree.Transition():
            return f"TRANSITION to({node.to}).after({spell_condition(node.condition)});"
        case tree.Lipose():
            return f"LIPOSE {_spell_target(node.target)}.time({spell_value(node.time)});"
        case tree.Vpd():
            flags = f".flags({node.flags.text})" if node.flags else ""
            by = f".joint({node.joint.text})" if node.parent is None else f".parent({node.parent.text})"
            return f"VPD {node.part.text}({_join((node.angle, *node.gains))}){by}{flags};"
        case tree.Comfb2():
            gains = f"{spell_value(node.cd)} {spell_value(node.cv)}"
            return f"COMFB2 {gains} {node.kind.text} {node.on.text}{_spell_side(node.side)}"
        case tree.Vf():
            return f"VF ({_join(node.force)}).on({node.part.text}).by({node.joint.text});"
        case tree.Vffb():
            gains = f"{_join((node.cd, node.cv))}){_spell_side(node.side)}"
            return f"VFFB {node.part.text}({gains}.by({node.joint.text}).over({node.over.text});"
        case tree.Vfsfb():
            speed = _join((node.speed,) if node.drift is None else (node.speed, node.drift))
            side = "" if node.side is None else f".side({spell_value(node.side)})"
            return f"VFSFB {node.part.text}({spell_value(node.cv)}){side}.by({node.joint.text}).speed({speed});"
        case tree.Ik():
            near = f".tolerance({spell_value(node.tolerance)})" if node.tolerance is not None else ""
            return f"IK {node.part.text}.target{node.frame}({_join(node.goal)}).base({node.base.text}){near};"
        case tree.Gc():
            return f"GC {node.part.text}.by({node.joint.text});"
        case tree.Ef():
            return f"EF {node.part.text}({_join(node.force)});"
        case tree.Match():
            gains = f", {_join(node.gains)}" if node.gains else ""
            time = f".time({spell_value(node.time)})" if node.time is not None else ""
            return f"MATCH {node.joint.text}.to({node.to.text}{gains}){time};"
        case tree.Hold():
            return f"HOLD {node.joint.text};"
        case tree.Save():
            return f"SAVE {node.file.text};"
        case tree.Load():
            return f"LOAD {node.file.text};"
        case tree.Toggle():
            return f"{node.word}({node.entity.text});"
    raise AssertionError(node)
