"""What a controller is to a world: parameters, a memory, and a compiled law with a signature shared by all.

A method's package under `poise.controllers` reads its own spec and builds a `Controller` for a character. This package
knows nothing else of the method.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.brief import count
from poise.errors import InputError, out_of_range, unknown_name
from poise.world.diary import Diary
from poise.world.environment import Environment
from poise.world.guard import Guard

FloatArray = NDArray[np.float64]

UNIT_SUFFIXES = (
    "_nm_per_rad",
    "_nms_per_rad",
    "_radspm",
    "_radpm",
    "_radps",
    "_nspm",
    "_npm",
    "_mps2",
    "_mps",
    "_rad",
    "_deg",
    "_hz",
    "_nm",
    "_kg",
    "_s",
    "_m",
    "_n",
)


@dataclass(frozen=True)
class Parameter:
    """A number that users may set before and during a run: its index in `params` and its allowed range."""

    name: str
    index: int
    low: float
    high: float
    help: str = ""
    #: Names of the values 0, 1, 2 … of a parameter that is a choice; `low` and `high` are then the first and last.
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.choices and (self.low, self.high) != (0, len(self.choices) - 1):
            raise InputError(
                f"parameter {self.name}: it has {len(self.choices)} choices, so it runs from 0 to "
                f"{len(self.choices) - 1}, not from {self.low:g} to {self.high:g}."
            )

    def check(self, where: str, value: float | str) -> float:
        """The value as a number, if it is allowed; a choice may be given by name or number."""
        if self.choices:
            return self._check_choice(where, value)
        if not isinstance(value, numbers.Real):
            raise InputError(f"{self.name} must be a number", where=where, got=value, allowed=self._describe_range())
        if not math.isfinite(value) or not self.low <= value <= self.high:
            raise out_of_range(where, self.name, value, self.low, self.high)
        return float(value)

    def _check_choice(self, where: str, value: float | str) -> float:
        if isinstance(value, str):
            folded = [name.casefold() for name in self.choices]
            if value.casefold() not in folded:
                raise unknown_name(f"{where}, {self.name}", "choice", value, self.choices)
            return float(folded.index(value.casefold()))
        if (
            not isinstance(value, numbers.Real)
            or not math.isfinite(value)
            or value != int(value)
            or not self.low <= value <= self.high
        ):
            named = ", ".join(f"{name} ({k})" for k, name in enumerate(self.choices))
            raise InputError(f"{self.name}: not a valid choice", where=where, got=value, allowed=f"Allowed: {named}")
        return float(value)

    def _describe_range(self) -> str:
        return f"Allowed: {self.low:g} to {self.high:g}"

    def name_value(self, value: float) -> float | str:
        """The value as a number, or the name of a choice."""
        return self.choices[int(value)] if self.choices else float(value)

    def show(self, value: float) -> str:
        """The value as users write it: the name of a choice, or the number."""
        return self.choices[int(value)] if self.choices else f"{value:g}"


def strip_unit(name: str) -> str:
    """A parameter's name without its unit suffix: `dwell` for `dwell_s`."""
    for suffix in UNIT_SUFFIXES:
        if name.endswith(suffix):
            return name[: -len(suffix)]
    return name


@dataclass(frozen=True)
class Start:
    """A controller's preferred initial state. Axes not listed take the character's rest pose."""

    joint_q_rad: Mapping[str, float] = field(default_factory=dict)
    joint_v_radps: Mapping[str, float] = field(default_factory=dict)
    root_pitch_rad: float = 0.0
    root_vel_mps: tuple[float, float, float] = (0.0, 0.0, 0.0)
    #: Full orientation of a free root; overrides `root_pitch_rad`.
    root_quat_wxyz: tuple[float, float, float, float] | None = None
    #: Angular velocity of a free root, in its own frame.
    root_turn_b_radps: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Controller:
    """A controller ready to run on one character: law, packed parameters and initial memory."""

    name: str
    law: Callable[..., None]
    params: FloatArray
    memory: FloatArray
    parameters: tuple[Parameter, ...] = ()
    start: Start = field(default_factory=Start)
    description: str = ""
    #: Returns the memory of the mirror image; None if the controller is not symmetric.
    mirror_memory: Callable[[FloatArray], FloatArray] | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    #: True if the law enforces torque limits itself; otherwise the world clamps.
    limits_itself: bool = False
    #: What the law writes: "torque", or "acceleration", from which the world solves the torques (poise.world.hybrid).
    drives: str = "torque"
    #: Pilot factory for character k; None if the law needs none.
    pilot: Callable[[int], Any] | None = None
    #: The ground it was designed for and needs, one of `poise.world.settings.GROUNDS`; None for any.
    ground: str | None = None
    #: The default friction of that ground; None for the ground's own.
    friction: float | None = None
    #: Terrain and props that it adds to the world and refers to by name.
    environment: Environment | None = None
    #: Rebuilds the environment for new parameter values; None if it does not depend on them.
    surround: Callable[[Mapping[str, float]], Environment] | None = None
    #: Which numbers of its state the law uses as indices; None if there are none.
    guard: Guard | None = None
    #: Reads the changes of phase that its law records; None if it records none.
    diary: Diary | None = None
    #: Warnings about its file.
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Controller {self.name}: {count(len(self.parameters), 'parameter')}>"

    def parameter(self, name: str) -> Parameter:
        """The parameter with a name; the unit suffix may be omitted."""
        for p in self.parameters:
            if name in (p.name, strip_unit(p.name)):
                return p
        raise unknown_name(f"controller {self.name}", "parameter", name, [p.name for p in self.parameters])

    def value(self, name: str) -> float:
        return float(self.params[self.parameter(name).index])

    def check_value(self, name: str, value: float | str) -> tuple[int, float]:
        """Index and numeric value of a parameter; raises if the value is not allowed."""
        p = self.parameter(name)
        return p.index, p.check(f"controller {self.name}", value)

    def with_values(self, values: Mapping[str, float | str]) -> Controller:
        """The same controller with some parameters changed."""
        params = self.params.copy()
        for name, value in values.items():
            index, checked = self.check_value(name, value)
            params[index] = checked
        changed = replace(self, params=params)
        return replace(changed, environment=self.surround(changed.values())) if self.surround else changed

    def values(self) -> dict[str, float]:
        """Every declared parameter's value by name."""
        return {p.name: float(self.params[p.index]) for p in self.parameters}

    def named_values(self) -> dict[str, float | str]:
        """Like `values`, with the names of choices, as users write them."""
        return {p.name: p.name_value(self.params[p.index]) for p in self.parameters}
