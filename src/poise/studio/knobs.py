"""How a controller's parameters are presented: groups, labels, units, and a practical range for each slider."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from poise.controllers.walker.facing import is_walker
from poise.controllers.walker.fields import load_fields
from poise.world.controller import Controller, Parameter

#: Unit suffix of a name -> usual notation; the longest suffix wins.
UNITS = {
    "_nms_per_rad": "N·m·s/rad",
    "_nm_per_rad": "N·m/rad",
    "_radspm": "rad·s/m",
    "_radpm": "rad/m",
    "_radps": "rad/s",
    "_mps2": "m/s²",
    "_mps": "m/s",
    "_nspm": "N·s/m",
    "_npm": "N/m",
    "_rad": "rad",
    "_deg": "°",
    "_hz": "Hz",
    "_nm": "N·m",
    "_kg": "kg",
    "_s": "s",
    "_m": "m",
    "_n": "N",
}
#: A first word shared by at least this many names makes a group.
GROUP_OF = 3
OTHERS = "general"
#: Groups of a walker's parameters, in this order.
COMMANDS, BALANCE, FOOTHOLDS = "commands", "balance", "footholds"
#: The practical part of a command's range, and the step. Values outside it can be typed.
HANDY = {
    "speed_mps": (-1.0, 2.5, 0.05),
    "side_speed_mps": (-0.6, 0.6, 0.05),
    "heading_deg": (-180.0, 180.0, 5.0),
    "step_time_s": (0.0, 1.0, 0.01),
    "step_height_m": (0.0, 0.35, 0.01),
    "step_width_m": (0.0, 0.35, 0.01),
    "crouch_rad": (0.0, 1.2, 0.02),
    "lean_rad": (-0.3, 0.3, 0.01),
    "twist_rad": (-0.6, 0.6, 0.02),
}
SWITCHES = ("idle", "stand")
#: A slider reaches this multiple of its default value, and at least one unit.
REACH = 4.0
SLIDER_STEPS = 200


@dataclass(frozen=True)
class Knob:
    """One parameter as the page shows it. Typed values may lie anywhere in low..high; the slider covers a part."""

    name: str
    group: str
    label: str
    unit: str
    default: float
    low: float
    high: float
    slider_low: float
    slider_high: float
    step: float
    help: str
    #: Names of the values 0, 1, 2 …: a drop-down instead of a slider.
    choices: tuple[str, ...] = ()
    #: 0 or 1 and nothing in between.
    switch: bool = False


def make_knobs(controller: Controller) -> list[Knob]:
    """A knob for every parameter, grouped, otherwise in the controller's order."""
    names = [p.name for p in controller.parameters]
    groups = [find_walker_group(name) for name in names] if is_walker(controller) else find_groups(names)
    order = list(dict.fromkeys(groups))
    knobs = [
        _make_knob(parameter, controller.value(parameter.name), group)
        for parameter, group in zip(controller.parameters, groups)
    ]
    return sorted(knobs, key=lambda knob: order.index(knob.group))


def find_groups(names: Sequence[str]) -> list[str]:
    """The group of each name: its first word where enough names share it."""
    words = [name.partition("_")[0] for name in names]
    shared = {word for word, same in groupby(sorted(words)) if len(list(same)) >= GROUP_OF}
    return [word if word in shared else OTHERS for word in words]


def find_walker_group(name: str) -> str:
    """Group of a walker's parameter: commands, balance gains, or footholds."""
    if name.startswith("foothold"):
        return FOOTHOLDS
    return COMMANDS if name in load_fields().commands else BALANCE


def split_unit(name: str) -> tuple[str, str]:
    """A name without its unit suffix, and the unit in the usual notation."""
    for suffix, unit in UNITS.items():
        if name.endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)], unit
    return name, ""


def compute_slider_range(value: float, low: float, high: float) -> tuple[float, float]:
    """The part of low..high that a slider covers: a multiple of the value, never an empty range."""
    reach = max(REACH * abs(value), 1.0)
    return max(low, min(-reach, value)), min(high, max(reach, value))


def compute_step(low: float, high: float) -> float:
    """A round step that gives a slider about 200 positions."""
    exact = (high - low) / SLIDER_STEPS
    power = 10.0 ** math.floor(math.log10(exact))
    return min((m * power for m in (1.0, 2.0, 5.0, 10.0)), key=lambda step: abs(step - exact))


def _make_knob(parameter: Parameter, value: float, group: str) -> Knob:
    bare, unit = split_unit(parameter.name)
    if group not in (OTHERS, COMMANDS, BALANCE, FOOTHOLDS):
        bare = bare.removeprefix(f"{group}_") or bare
    low, high = compute_slider_range(value, parameter.low, parameter.high)
    step = 1.0 if parameter.choices else compute_step(low, high)
    if group == COMMANDS and parameter.name in HANDY:
        low, high, step = HANDY[parameter.name]
        low, high = min(low, value), max(high, value)
    # A single choice would give an empty range.
    high = max(high, low + 1.0) if parameter.choices else high
    return Knob(
        name=parameter.name,
        group=group,
        label=bare.replace("_", " "),
        unit=unit,
        default=value,
        low=parameter.low,
        high=parameter.high,
        slider_low=low,
        slider_high=high,
        step=step,
        help=parameter.help,
        choices=parameter.choices,
        switch=group == COMMANDS and parameter.name in SWITCHES,
    )
