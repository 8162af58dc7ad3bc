"""Builds the tree during parsing.

Legacy and printed spellings are converted to the current form: `POSE j(a).time(T)` of the paper is a LIPOSE, a bare
`stable` gets the tolerance that all scripts of the language use, a `VFFB` without `.over` balances over the centre of
pressure, and the link in a VPD's `.parent(link)` becomes a joint.
"""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer

from poise.language import tree
from poise.language.atoms import MAX_DIGITS
from poise.language.links import find_driven_joint
from poise.language.names import JOINTS
from poise.language.places import MisreadError
from poise.language.tree import Name, Number, Span, Target, Value, Variable


def _span(first: Any, last: Any = None) -> Span:
    end = first.end_pos if last is None else last.end_pos
    blank = len(first if last is None else last)
    blank -= len((first if last is None else last).rstrip())
    return Span(first.line, first.column, first.start_pos, end - blank)


def _name(token: Token) -> Name:
    return Name(token.strip(), at=_span(token))


def _check_length(token: Token) -> str:
    if len(token.strip()) > MAX_DIGITS:
        what = f"a number has at most {MAX_DIGITS} digits, got {len(token.strip())}"
        raise MisreadError(what, _span(token))
    return str(token)


def _whole(token: Token) -> int:
    """A phase's number; `1.` counts as 1 because the released grammar accepts it."""
    text = _check_length(token).removesuffix(".")
    if not text.lstrip("-").isdigit():
        raise MisreadError(f"a phase number must be a whole number, got {str(token)!r}", _span(token))
    return int(text)


def _given(*values: Any) -> tuple[Any, ...]:
    return tuple(v for v in values if v is not None)


def _pair(one: Any, other: Any) -> tuple[Any, Any] | None:
    return None if one is None else (one, other)


class GrowTree(Transformer[Any, Any]):
    """One method per grammar rule; tokens that begin with an underscore are filtered out."""

    def number(self, c: list[Any]) -> Number:
        return Number(_check_length(c[0]), at=_span(c[0]))

    def variable(self, c: list[Any]) -> Variable:
        return Variable(str(c[0]), at=_span(c[0]))

    def linterp(self, c: list[Any]) -> tree.Linterp:
        return tree.Linterp(tuple(c[1:]), at=_span(c[0]))

    def vector(self, c: list[Any]) -> tree.Vector:
        return tree.Vector(_given(*c[1:]), at=_span(c[0]))

    def target(self, c: list[Any]) -> tuple[Target, Value | None]:
        word, angle, kp, kd, time = c
        return Target(_name(word), angle, _given(kp, kd), at=_span(word)), time

    def pose(self, c: list[Any]) -> list[tree.Pose | tree.Lipose]:
        """Consecutive plain targets form one POSE; each timed target becomes a LIPOSE."""
        at = _span(c[0], c[-1])
        found: list[tree.Pose | tree.Lipose] = []
        run: list[Target] = []
        for target, time in c[1:-1]:
            if time is None:
                run.append(target)
                continue
            if run:
                found.append(tree.Pose(tuple(run), at=at))
            run = []
            found.append(tree.Lipose(target, time, at=at))
        if run:
            found.append(tree.Pose(tuple(run), at=at))
        return found

    def lipose(self, c: list[Any]) -> tree.Lipose:
        keyword, word, angle, kp, kd, time, end = c
        return tree.Lipose(Target(_name(word), angle, _given(kp, kd), at=_span(word)), time, at=_span(keyword, end))

    def feedback(self, c: list[Any], kind: str = "joint") -> tree.Feedback:
        word, cd, cv, side_cd, side_cv, on = c
        return tree.Feedback(_name(word), cd, cv, kind, _name(on), _pair(side_cd, side_cv), at=_span(word))

    def part_feedback(self, c: list[Any]) -> tree.Feedback:
        return self.feedback(c, "part")

    def posefb(self, c: list[Any]) -> tree.Posefb:
        return tree.Posefb(tuple(c[1:-1]), at=_span(c[0], c[-1]))

    def vpd(self, c: list[Any]) -> tree.Vpd:
        keyword, part, angle, kp, kd, *old, joint, flags, end = c
        letters, named, link = None if flags is None else _name(flags), _name(joint), None
        if old and named.text not in JOINTS:
            named, link = Name(find_driven_joint(part.strip(), named.text) or named.text, at=named.at), named
        return tree.Vpd(_name(part), angle, _given(kp, kd), named, letters, link, at=_span(keyword, end))

    def comfb2(self, c: list[Any]) -> tree.Comfb2:
        keyword, cd, cv, kind, on, side_cd, side_cv, end = c
        if str(kind) not in ("j", "p", "c"):
            what = f"after its two gains COMFB2 needs j (a joint), p (a part) or c (between the feet), got {kind!s}"
            raise MisreadError(what, _span(kind))
        return tree.Comfb2(cd, cv, _name(kind), _name(on), _pair(side_cd, side_cv), at=_span(keyword, end or on))

    def vf(self, c: list[Any]) -> tree.Vf:
        return tree.Vf((c[1], c[2], c[3]), _name(c[4]), _name(c[5]), at=_span(c[0], c[-1]))

    def vffb(self, c: list[Any]) -> tree.Vffb:
        keyword, part, cd, cv, side_cd, side_cv, joint, over, end = c
        at = _span(keyword, end)
        where = Name(tree.CENTRE_OF_PRESSURE, at=at) if over is None else _name(over)
        return tree.Vffb(_name(part), cd, cv, _name(joint), where, _pair(side_cd, side_cv), at=at)

    def vfsfb(self, c: list[Any]) -> tree.Vfsfb:
        keyword, part, cv, side, joint, speed, drift, end = c
        return tree.Vfsfb(_name(part), cv, _name(joint), speed, side, drift, at=_span(keyword, end))

    def ik(self, c: list[Any]) -> tree.Ik:
        keyword, part, frame, x, y, z, base, tolerance, end = c
        kind = "local" if frame.type == "TARGET_LOCAL" else "global"
        return tree.Ik(_name(part), kind, (x, y, z), _name(base), tolerance, at=_span(keyword, end))

    def gc(self, c: list[Any]) -> tree.Gc:
        return tree.Gc(_name(c[1]), _name(c[2]), at=_span(c[0], c[-1]))

    def ef(self, c: list[Any]) -> tree.Ef:
        return tree.Ef(_name(c[1]), (c[2], c[3], c[4]), at=_span(c[0], c[-1]))

    def match(self, c: list[Any]) -> tree.Match:
        keyword, joint, to, kp, kd, time, end = c
        return tree.Match(_name(joint), _name(to), _given(kp, kd), time, at=_span(keyword, end))

    def hold(self, c: list[Any]) -> tree.Hold:
        return tree.Hold(_name(c[1]), at=_span(c[0], c[-1]))

    def save(self, c: list[Any]) -> tree.Save:
        return tree.Save(_file(c), at=_span(c[0], c[-1]))

    def load(self, c: list[Any]) -> tree.Load:
        return tree.Load(_file(c), at=_span(c[0], c[-1]))

    def toggle(self, c: list[Any]) -> tree.Toggle:
        return tree.Toggle(c[0].strip(), _name(c[1]), at=_span(c[0], c[-1]))

    def actions(self, c: list[Any]) -> tree.Actions:
        body: list[Any] = []
        for action in c[1:-1]:
            body += action if isinstance(action, list) else [action]
        return tree.Actions(tuple(body), at=_span(c[0], c[-1]))

    def envactions(self, c: list[Any]) -> tree.EnvActions:
        return tree.EnvActions(tuple(c[1:-1]), at=_span(c[0], c[-1]))

    def condition_value(self, c: list[Any]) -> tree.Condition:
        values = (Number(tree.DEFAULT_STABLE, at=_span(c[0])),) if c[1] is None else (c[1],)
        return tree.Condition(c[0].strip(), values=values, at=_span(c[0]))

    def condition_name(self, c: list[Any]) -> tree.Condition:
        return tree.Condition(c[0].strip(), name=_name(c[1]), at=_span(c[0]))

    def condition_bare(self, c: list[Any]) -> tree.Condition:
        return tree.Condition(c[0].strip(), at=_span(c[0]))

    def condition_sign(self, c: list[Any]) -> tree.Condition:
        return tree.Condition(c[0].strip(), sign=str(c[1]), values=(c[2],), at=_span(c[0]))

    def condition_range(self, c: list[Any]) -> tree.Condition:
        return tree.Condition(c[0].strip(), values=(c[1], c[2]), at=_span(c[0]))

    def condition_pass(self, c: list[Any]) -> tree.Condition:
        return tree.Condition(c[0].strip(), name=_name(c[1]), values=(c[2],), at=_span(c[0]))

    def transition(self, c: list[Any]) -> tree.Transition:
        return tree.Transition(_whole(c[1]), c[2], at=_span(c[0], c[-1]))

    def arguments(self, c: list[Any]) -> tuple[Value, ...]:
        return tuple(c)

    def call(self, c: list[Any]) -> tree.Call:
        arrow, file, arguments, at_phase, end = c
        start = None if at_phase is None else _whole(at_phase)
        given = arguments or ()
        named = tuple(a for a in given if isinstance(a, tree.NamedArgument))
        plain = tuple(a for a in given if not isinstance(a, tree.NamedArgument))
        return tree.Call(_name(file), plain, start, named, at=_span(arrow, end))

    def named(self, c: list[Any]) -> tree.NamedArgument:
        return tree.NamedArgument(_name(c[0]), c[1], at=_span(c[0]))

    def params(self, c: list[Any]) -> tuple[Name, ...]:
        return tuple(_name(word) for word in c)

    def phase(self, c: list[Any]) -> tree.Phase:
        return tree.Phase(_whole(c[1]), tuple(c[2:-1]), at=_span(c[0], c[-1]))

    def script(self, c: list[Any]) -> tree.Script:
        begin, label, parameters, *phases, end = c
        return tree.Script(str(label), parameters or (), tuple(phases), at=_span(begin, end))


def _file(c: list[Any]) -> Name:
    """The file name of SAVE and LOAD: everything up to the semicolon, stripped of blanks."""
    if c[1] is None or not c[1].strip():
        raise MisreadError(f"{c[0].strip()} needs the name of a file", _span(c[0]))
    lead = len(c[1]) - len(c[1].lstrip())
    name = c[1].strip()
    if "\n" in name:
        raise MisreadError(
            f"{c[0].strip()} continues to line {c[1].line + name.count(chr(10))}: its ';' is missing", _span(c[0])
        )
    start = c[1].start_pos + lead
    return Name(name, at=Span(c[1].line, c[1].column + lead, start, start + len(name)))
