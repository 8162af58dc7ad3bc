"""Plan of a search over the numbers of a script: which vary, where trials begin, and how values are written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from poise.errors import InputError, unknown_name
from poise.language.tree import TORQUE_LIMIT
from poise.optim.space import Variable
from poise.reproduce.firmin.skills import SKILLS
from poise.skills.poses import ACROBATIC, POSES

#: Without bounds, a number varies by this fraction of its value, and at least by the second figure.
AROUND, LEAST = 0.6, 0.2
SETTING: Final = re.compile(r"^SET\s+(\w+)\s*=\s*(\S+)\s*$", re.MULTILINE)


def read_settings(text: str) -> dict[str, float]:
    """Parameters of a script and their values, from its SET lines."""
    return {name: float(value) for name, value in SETTING.findall(text) if name != TORQUE_LIMIT}


def write_settings(text: str, values: Mapping[str, float], note: str) -> str:
    """The text with new values in its SET lines, and a note after the leading comments."""

    def put(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"SET {name} = {spell(values[name])}" if name in values else match.group(0)

    lines = SETTING.sub(put, text).split("\n")
    first = next(k for k, line in enumerate(lines) if not line.startswith("#"))
    return "\n".join([*lines[:first], f"# {note}", *lines[first:]])


def spell(value: float) -> str:
    """A number in the scripts' notation: four significant digits, no exponent."""
    digits = max(0, 3 - int(np.floor(np.log10(max(abs(value), 1e-3)))))
    text = np.format_float_positional(round(value, digits), trim="-")
    return re.sub(r"^(-?)0\.", r"\1.", text)


def make_variable(wish: str, settings: Mapping[str, float], part: float) -> Variable:
    """Parse a variable such as `tp` or `tp=.1:.3`; its spread is a fraction of its range."""
    name, _, bounds = wish.partition("=")
    if name not in settings:
        raise unknown_name("poise tune skill", "parameter", name, list(settings))
    value = settings[name]
    reach = max(AROUND * abs(value), LEAST)
    try:
        low, high = (float(b) for b in bounds.split(":")) if bounds else (value - reach, value + reach)
    except ValueError:
        raise InputError("is not a range", where="poise tune skill", got=wish, allowed="Write name=low:high") from None
    return Variable(name, low, high, min(max(value, low), high), part * (high - low))


@dataclass(frozen=True)
class Plan:
    """Trials of a script, and settings of the search."""

    costs: tuple[str, ...]
    vary: tuple[str, ...] = ()
    #: Start pose, duration of a trial (s), and noise of the starts (rad, rad/s).
    pose: str = "standing"
    seconds: float = 10.0
    change: tuple[float, float] = (ACROBATIC.angle_rad, ACROBATIC.rate_radps)
    starts: int = 3
    #: Seed of the first start.
    first_start: int = 1
    #: Forward position of the starts (m).
    place_m: float = 0.0
    #: Values and grounds with which all starts are tried.
    cases: tuple[str, ...] = ()
    terrains: tuple[str, ...] = ("flat",)
    #: Noise of the joint rates where trials begin (rad/s).
    shake_radps: float = 0.0
    from_phase: int = 0
    fails: int | None = None
    #: Number of uniform draws before CMA-ES.
    draws: int = 0
    evaluations: int = 300
    population: int = 10
    #: Initial spread as a fraction of the ranges.
    sigma_part: float = 0.15
    timestep_s: float = 0.001
    seed: int = 1

    def __post_init__(self) -> None:
        if self.pose not in POSES:
            raise unknown_name("poise tune skill", "pose", self.pose, list(POSES))


def make_plan(script: str, costs: Sequence[str], **given: Any) -> Plan:
    """A plan with the pose, duration and noise of `firmin/skills` if the script is listed there."""
    known = SKILLS.get(Path(script).stem)
    usual: dict[str, Any] = {}
    if known is not None:
        change = (known.change.angle_rad, known.change.rate_radps)
        usual = {"pose": known.start, "seconds": known.seconds, "change": change}
    return Plan(tuple(costs), **{**usual, **{k: v for k, v in given.items() if v is not None}})


@dataclass(frozen=True)
class Case:
    """A ground and parameter values with which a script is tried."""

    terrain: str
    values: Mapping[str, float]


def make_cases(plan: Plan) -> list[Case]:
    """Every ground with every value: `--cases height=.1 height=.2 --terrains flat slope:5` gives four."""
    texts = [text.partition("=") for text in plan.cases] or [("", "", "")]
    try:
        values = [{name: float(value)} if name else {} for name, _, value in texts]
    except ValueError:
        allowed, got = "Write name=value", " ".join(plan.cases)
        raise InputError("is not a case", where="poise tune skill", got=got, allowed=allowed) from None
    return [Case(ground, own) for ground in plan.terrains for own in values]
