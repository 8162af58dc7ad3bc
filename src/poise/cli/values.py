"""Numbers, assignments, pushes and changes as people type them. Ranges belong to whoever takes the values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from poise.errors import InputError, out_of_range

if TYPE_CHECKING:
    from poise.rollout.simulate import Change
    from poise.world.world import Push

MAX_SEED = 2**32 - 1

PUSH_FORM = "Write N,DEG,START,DURATION[,SEGMENT], such as 600,0,5,0.1 for 600 N forward at 5 s during 0.1 s"
CHANGE_FORM = "Write T:name=value, such as 3:lift_duration=0.25 for another value from 3 s on"


def parse_number(where: str, text: str, low: float | None = None, high: float | None = None, unit: str = "") -> float:
    """The finite number that a text stands for, between low and high where they are given."""
    try:
        value = float(text)
    except ValueError:
        raise InputError("not a number", where=where, got=text, allowed="Write a number such as 0.5") from None
    if not math.isfinite(value):
        raise InputError("not a finite number", where=where, got=text, allowed="Write a number such as 0.5")
    if (low is not None and value < low) or (high is not None and value > high):
        raise out_of_range(where, "the number", value, low, high, unit)
    return value


def parse_whole(where: str, text: str, low: int, high: int) -> int:
    """The whole number between low and high that a text stands for."""
    try:
        value = int(text)
    except ValueError:
        raise InputError("not a whole number", where=where, got=text, allowed="Write a number such as 3") from None
    if not low <= value <= high:
        # Written out: 4.29e+09 would not say where the limit is.
        raise InputError("the number is out of range", where=where, got=value, allowed=f"Allowed: {low} to {high}")
    return value


def parse_assignments(option: str, texts: Sequence[str]) -> dict[str, float]:
    """Names and numbers of `name=value` texts, none of them twice."""
    values: dict[str, float] = {}
    for text in texts:
        name, value = parse_assignment(option, text)
        if name in values:
            raise InputError(f"{name} is given twice", where=option, got=text)
        values[name] = value
    return values


def parse_assignment(option: str, text: str) -> tuple[str, float]:
    """The name and the number of a `name=value` text."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise InputError("a name and a value are needed", where=option, got=text, allowed="Write name=value")
    return name, parse_number(f"{option} {name}", value)


def parse_push(text: str) -> Push:
    """The push that `N,DEG,START,DURATION[,SEGMENT]` describes."""
    from poise.world.world import Push

    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in (4, 5):
        raise InputError(
            "four numbers are needed, and a segment if you like", where="--push", got=text, allowed=PUSH_FORM
        )
    names = ("force", "direction", "start", "duration")
    force, direction, start, duration = (parse_number(f"--push {n}", p) for n, p in zip(names, parts))
    return Push(force, direction, start, duration, segment=parts[4] if len(parts) == 5 else "")


def parse_change(text: str) -> Change:
    """The change that `T:name=value` describes."""
    from poise.rollout.simulate import Change

    at, colon, rest = text.partition(":")
    if not colon:
        raise InputError("a time and a value are needed", where="--at", got=text, allowed=CHANGE_FORM)
    at_s = parse_number("--at time", at.strip(), 0.0, None, "s")
    name, value = parse_assignment(f"--at {at.strip()}", rest)
    return Change(at_s, name, value)


def parse_seed(text: str) -> int:
    """A seed for every random choice of a run."""
    return parse_whole("--seed", text, 0, MAX_SEED)
