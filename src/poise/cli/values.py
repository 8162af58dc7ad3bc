"""Parsers of typed numbers, assignments, pushes and changes. The users of the values define their ranges."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from poise.errors import InputError, out_of_range

if TYPE_CHECKING:
    from poise.rollout.simulate import Change
    from poise.world.world import Push

MAX_SEED = 2**32 - 1

RandomBodyOption = Annotated[
    str | None, typer.Option("--random-body", metavar="SEED", help="Seed of randomly drawn proportions")
]

MAX_VALUES = 10_000
RANGE_FORM = "Write from:to:step, such as 0:1.5:0.1"
#: A word: no number begins with a letter, except non-finite ones.
_WORD = re.compile(r"(?!(?:nan|inf|infinity)$)[A-Za-z_][\w-]*", re.IGNORECASE)

PUSH_FORM = "Write N,DEG,START,DURATION[,SEGMENT], such as 600,0,5,0.1 for 600 N forward at 5 s for 0.1 s"
_KEY = re.compile(r"([+-])(\w)")
CHANGE_FORM = "Write T:name=value, such as 3:lift_duration=0.25 for a new value from 3 s on"


def parse_number(where: str, text: str, low: float | None = None, high: float | None = None, unit: str = "") -> float:
    """Parse a finite number, between low and high if they are given."""
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
    """Parse a whole number between low and high."""
    try:
        value = int(text)
    except ValueError:
        raise InputError("not a whole number", where=where, got=text, allowed="Write a number such as 3") from None
    if not low <= value <= high:
        # Written in full: 4.29e+09 would not show the exact limit.
        raise InputError("the number is out of range", where=where, got=value, allowed=f"Allowed: {low} to {high}")
    return value


def parse_assignments(option: str, texts: Sequence[str]) -> dict[str, float]:
    """Names and numbers of `name=value` texts; duplicate names raise."""
    return {name: parse_number(f"{option} {name}", value) for name, value in split_assignments(option, texts).items()}


def parse_settings(option: str, texts: Sequence[str]) -> dict[str, float | str]:
    """Like `parse_assignments`, but a value may also be the name of a choice: `style=march`."""
    return {name: parse_value(f"{option} {name}", value) for name, value in split_assignments(option, texts).items()}


def split_assignments(option: str, texts: Sequence[str]) -> dict[str, str]:
    """Names and values of `name=value` texts; duplicate names raise."""
    values: dict[str, str] = {}
    for text in texts:
        name, value = split_assignment(option, text)
        if name in values:
            raise InputError(f"{name} is given twice", where=option, got=text)
        values[name] = value
    return values


def split_assignment(option: str, text: str) -> tuple[str, str]:
    """Both sides of a `name=value` text."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise InputError("a name and a value are needed", where=option, got=text, allowed="Write name=value")
    return name, value


def parse_value(where: str, text: str) -> float | str:
    """A number, or a word that may be the name of a choice."""
    return text if _WORD.fullmatch(text) else parse_number(where, text)


def parse_values(where: str, text: str) -> list[float | str]:
    """Several values: a range `from:to:step` with both ends, or a list `a,b,c` of numbers or words."""
    if ":" in text:
        return list(parse_numbers(where, text))
    return [parse_value(where, part.strip()) for part in text.split(",")]


def parse_numbers(where: str, text: str) -> list[float]:
    """Several numbers: a range `from:to:step` with both ends, or a list `a,b,c`, or one."""
    if ":" not in text:
        return [parse_number(where, part.strip()) for part in text.split(",")]
    parts = [parse_number(where, part.strip()) for part in text.split(":")]
    if len(parts) != 3:
        raise InputError("a range has three numbers", where=where, got=text, allowed=RANGE_FORM)
    low, high, step = parts
    steps = math.nan if step == 0.0 else (high - low) / step
    if not steps >= 0.0:
        raise InputError("the step does not lead from start to end", where=where, got=text, allowed=RANGE_FORM)
    # A slack of a thousandth of a step: (1.7 + 0.6) / 0.1 is slightly less than 23. The count may be infinite.
    count = math.floor(min(steps, 1e15) + 1e-3) + 1
    if count > MAX_VALUES:
        many = f"{count}" if steps < 1e15 else f"{steps:.3g}"
        raise InputError(f"{many} values are too many", where=where, got=text, allowed=f"Allowed: {MAX_VALUES}")
    # Rounded, because 0.1 * 3 is not exactly 0.3.
    return [round(low + k * step, 12) + 0.0 for k in range(count)]


def parse_push(text: str) -> Push:
    """The push that `N,DEG,START,DURATION[,SEGMENT]` describes."""
    from poise.world.world import Push

    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in (4, 5):
        raise InputError("four numbers and an optional segment are needed", where="--push", got=text, allowed=PUSH_FORM)
    names = ("force", "direction", "start", "duration")
    force, direction, start, duration = (parse_number(f"--push {n}", p) for n, p in zip(names, parts))
    return Push(force, direction, start, duration, segment=parts[4] if len(parts) == 5 else "")


def parse_change(text: str) -> Change:
    """The change that `T:name=value` describes, or a key press `T:+K` or release `T:-K`."""
    from poise.rollout.simulate import Change

    at, colon, rest = text.partition(":")
    if not colon:
        raise InputError("a time and a value are needed", where="--at", got=text, allowed=CHANGE_FORM)
    at_s = parse_number("--at time", at.strip(), 0.0, None, "s")
    where = f"--at {at.strip()}"
    if key := _KEY.fullmatch(rest.strip()):
        return Change(at_s, f"key_{key[2].upper()}", float(key[1] == "+"))
    name, value = split_assignment(where, rest)
    return Change(at_s, name, parse_value(f"{where} {name}", value))


def parse_random_body(text: str | None) -> int | None:
    """The seed of a random body, or None."""
    return None if text is None else parse_whole("--random-body", text, 0, MAX_SEED)


def parse_seed(text: str) -> int:
    """A seed for every random choice of a run."""
    return parse_whole("--seed", text, 0, MAX_SEED)
