"""Single open-loop steps of the walk with perturbed hips: the outcome of each variable [Laszlo96 §3.6]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from poise.characters.model import SIDES
from poise.controllers.limit_cycle import layout
from poise.controllers.limit_cycle.balance import LONGEST_STEP_S
from poise.controllers.limit_cycle.layout import VARIABLES
from poise.controllers.limit_cycle.regulation import Regulation
from poise.reproduce.laszlo.runs import open_walk, run_to_step
from poise.trials import heartbeat
from poise.world.controller import FloatArray

#: The source's three regulation variables.
OF_SOURCE: Final = ("up", "swing", "stance")
#: Hip perturbations: parameter, largest scaling (degrees), and the component it is meant for.
HIPS: Final = {"pitch": ("forward", 15.0, 0), "roll": ("side", 4.0, 1)}


@dataclass(frozen=True)
class Curve:
    """A component of a variable at the end of a step, over the scaling of a perturbation."""

    scalings_deg: FloatArray
    values: FloatArray

    @property
    def slope(self) -> float:
        """Slope of the fitted line, per degree."""
        return float(np.polyfit(self.scalings_deg, self.values, 1)[0])

    @property
    def straightness(self) -> float:
        """R² of that line."""
        return float(np.corrcoef(self.scalings_deg, self.values)[0, 1] ** 2)


#: Curves of one step by perturbation, variable and component.
Curves = Mapping[tuple[str, str, int], Curve]


class Start:
    """Start of a step, after the steps before it in open loop."""

    def __init__(self, step: int) -> None:
        world = open_walk({"strategy": "open"})
        self._ticks = round(LONGEST_STEP_S / world.settings.timestep_s)
        run_to_step(world, step - 1)
        self._state, self._twin = world.snapshot(), world.twin()
        self._regulation = Regulation(world.characters[0])
        self._stance = SIDES.index("right" if step % 2 else "left")

    def walk(self, hip: str, scaling_deg: float) -> dict[str, tuple[float, float]]:
        """Each variable, forward and to the left, at the end of the step with a given scaling."""
        heartbeat()
        self._twin.restore(self._state)
        params = self._twin.params[0]
        number = int(getattr(layout.read_params(params), HIPS[hip][0]))
        params[layout.applied_at(number)] = scaling_deg
        self._twin.advance(self._ticks, stop_on=["phase"])
        read, percept = self._regulation.read, self._twin.percepts[0]
        return {name: read(percept, VARIABLES.index(name), self._stance) for name in OF_SOURCE}


def sample_step(step: int, points: int) -> Curves:
    """All curves of a step, with `points` points each."""
    start, curves = Start(step), {}
    for hip, (_, most_deg, _) in HIPS.items():
        scalings = np.linspace(-most_deg, most_deg, points)
        found = [start.walk(hip, float(k)) for k in scalings]
        for variable in OF_SOURCE:
            for component in range(2):
                curves[hip, variable, component] = Curve(scalings, np.array([f[variable][component] for f in found]))
    return curves
