"""Decimal commas: `0,5` is two values, an angle of 0 and a gain of 5. Only the layout shows what was meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from poise.language import tree
from poise.language.problems import Notes
from poise.language.tree import Angles, Number, Value

_WHOLE: Final = re.compile(r"-?\d+")
#: Digits after a comma that hardly are a gain.
_DECIMALS: Final = re.compile(r"\d{1,2}|0\d*")


def is_joined(text: str, one: object, other: object) -> bool:
    """Whether two values are whole numbers with nothing but a comma between them."""
    return (
        isinstance(one, Number)
        and isinstance(other, Number)
        and bool(_WHOLE.fullmatch(one.text))
        and other.text.isdecimal()
        and text[one.at.end : other.at.start] == ","
    )


def join_commas(text: str, values: Sequence[Value]) -> tuple[Value, ...]:
    """The values with pairs that look like a decimal comma made one number."""
    joined: list[Value] = []
    pending = list(values)
    while pending:
        one = pending.pop(0)
        if pending and is_joined(text, one, pending[0]):
            other = pending.pop(0)
            assert isinstance(one, Number) and isinstance(other, Number)
            one = Number(f"{one.text}.{other.text}", at=one.at)
        joined.append(one)
    return tuple(joined)


def check_commas(notes: Notes) -> None:
    """Warn about targets whose angle and gain look like one number with a decimal comma."""
    for phase in notes.script.phases:
        for action in phase.actions:
            for target in tree.targets_of(action):
                _check_pair(notes, target.angle, target.gains)
            if isinstance(action, tree.Vpd):
                _check_pair(notes, action.angle, action.gains)


def _check_pair(notes: Notes, angle: Angles, gains: Sequence[Angles]) -> None:
    text = notes.script.text
    if not gains or not isinstance(angle, Number) or not is_joined(text, angle, gains[0]):
        return
    gain = gains[0]
    assert isinstance(gain, Number)
    # The only gain, or a blank after the next comma and none here.
    apart = len(gains) == 1 or re.match(r",\s", text[gain.at.end : gains[1].at.start])
    if apart and _DECIMALS.fullmatch(gain.text):
        notes.warn(
            f"this is an angle of {angle.text} and a kp of {gain.text}. "
            f"Numbers have a decimal point. Did you mean '{angle.text}.{gain.text}'?",
            angle,
        )
