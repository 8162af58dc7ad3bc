"""The contract of a controller: a spec turned into parameters, a memory, and a compiled law that all worlds can run.

A method's package under `poise.controllers` reads its own spec and builds a `Controller` for a character; this room
only knows that there is a law of the shared signature and two flat arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import out_of_range, unknown_name

FloatArray = NDArray[np.float64]

UNIT_SUFFIXES = (
    "_nm_per_rad",
    "_nms_per_rad",
    "_radspm",
    "_radpm",
    "_radps",
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
    """A number that people may set before and while it runs: where it stands in `params`, and what is allowed."""

    name: str
    index: int
    low: float
    high: float
    help: str = ""


def strip_unit(name: str) -> str:
    """A parameter's name without its unit: `dwell` for `dwell_s`."""
    for suffix in UNIT_SUFFIXES:
        if name.endswith(suffix):
            return name[: -len(suffix)]
    return name


@dataclass(frozen=True)
class Start:
    """The state in which a controller likes to begin. Axes that are not named stand at the character's rest pose."""

    joint_q_rad: Mapping[str, float] = field(default_factory=dict)
    joint_v_radps: Mapping[str, float] = field(default_factory=dict)
    root_pitch_rad: float = 0.0
    root_vel_mps: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Controller:
    """Ready to run on one character: law, packed parameters and the memory with which it begins."""

    name: str
    law: Callable[..., None]
    params: FloatArray
    memory: FloatArray
    parameters: tuple[Parameter, ...] = ()
    start: Start = field(default_factory=Start)
    description: str = ""
    #: Gives the memory of the mirror image; None where the controller is not symmetric.
    mirror_memory: Callable[[FloatArray], FloatArray] | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def parameter(self, name: str) -> Parameter:
        """The parameter of a name, whose unit may be left out."""
        for p in self.parameters:
            if name in (p.name, strip_unit(p.name)):
                return p
        raise unknown_name(f"controller {self.name}", "parameter", name, [p.name for p in self.parameters])

    def value(self, name: str) -> float:
        return float(self.params[self.parameter(name).index])

    def check_value(self, name: str, value: float) -> tuple[int, float]:
        """Index and value of a parameter that may be set so; an error otherwise."""
        p = self.parameter(name)
        if not math.isfinite(value) or not p.low <= value <= p.high:
            raise out_of_range(f"controller {self.name}", p.name, value, p.low, p.high)
        return p.index, float(value)

    def with_values(self, values: Mapping[str, float]) -> Controller:
        """The same controller with some parameters changed."""
        params = self.params.copy()
        for name, value in values.items():
            index, checked = self.check_value(name, value)
            params[index] = checked
        return replace(self, params=params)

    def values(self) -> dict[str, float]:
        """Every declared parameter's value by name."""
        return {p.name: float(self.params[p.index]) for p in self.parameters}
