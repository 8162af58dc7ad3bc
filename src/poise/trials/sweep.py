"""Sweeps of one parameter: commanded values and measured results."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from poise.batches.threads import Progress, run_what_can
from poise.brief import count, spell_fields
from poise.constants import DEFAULT_RECORD_HZ
from poise.errors import InputError, out_of_range
from poise.measures.walking import Gait, wrap_deg
from poise.rollout.describe import describe
from poise.rollout.scene import Scene
from poise.trials.gait import run_trial

#: parameter -> measure of the quantity that it commands. Other parameters have no counterpart.
COUNTERPARTS: Final[Mapping[str, Callable[[Gait], float | None]]] = {
    "speed_mps": lambda g: g.speed_mps,
    "side_speed_mps": lambda g: g.side_speed_mps,
    "step_time_s": lambda g: g.mean_step_time_s,
    "step_length_m": lambda g: g.mean_step_length_m,
    "step_width_m": lambda g: g.mean_step_width_m,
    "heading_deg": lambda g: g.heading_deg,
    "heading_rad": lambda g: math.radians(g.heading_deg),
}


@dataclass(frozen=True)
class SweepRow:
    """One value and the resulting gait."""

    #: The value as a number, also for a choice.
    value: float
    #: The value as users write it.
    label: str
    #: The measured counterpart of the value; None if there is none, or after a fall before the measurement.
    measured: float | None
    gait: Gait

    def __repr__(self) -> str:
        return spell_fields(self)

    @property
    def error(self) -> float | None:
        """Commanded minus measured; None if nothing was measured."""
        return None if self.measured is None else self.value - self.measured


@dataclass(frozen=True)
class Sweep:
    """A parameter's values with their gaits. After Ctrl-C some may be missing."""

    parameter: str
    #: Whether the parameter commands something that can be measured.
    commanded: bool
    rows: tuple[SweepRow, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    interrupted: bool = False

    def __repr__(self) -> str:
        error = "" if self.worst_error is None else f", largest error {self.worst_error:.3g}"
        return f"<Sweep of {self.parameter}: {count(len(self.rows), 'value')}, {count(self.falls, 'fall')}{error}>"

    @property
    def falls(self) -> int:
        return sum(row.gait.fell for row in self.rows)

    @property
    def worst_error(self) -> float | None:
        """The largest difference between commanded and measured values in runs without a fall."""
        errors = [abs(row.error) for row in self.rows if row.error is not None and not row.gait.fell]
        return max(errors, default=None)


def sweep(
    scene: Scene,
    name: str,
    values: Sequence[float | str],
    *,
    seconds: float = 30.0,
    settle_s: float | None = None,
    record_hz: float = DEFAULT_RECORD_HZ,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Runs a scene from its start for each value of a parameter, and measures after `settle_s`.

    Without `settle_s`, the second half of the run is measured. The unit of the name may be omitted.
    """
    if not values:
        raise InputError(f"sweep: no value of {name} given.")
    settle = 0.5 * seconds if settle_s is None else settle_s
    if not 0.0 <= settle < seconds:
        raise out_of_range("sweep", "settle_s", settle, 0.0, seconds, "s")
    world = scene.open()
    controller = world.controllers[0]
    parameter = controller.parameter(name)
    numbers = [controller.check_value(name, value)[1] for value in values]
    measure = COUNTERPARTS.get(parameter.name) if not parameter.choices else None

    def go(number: float) -> SweepRow:
        varied = replace(scene, values={**_without(scene.values, name, parameter.name), parameter.name: number})
        gait = run_trial(varied, seconds, settle_s=settle, record_hz=record_hz)
        early = gait.fell_at_s is not None and gait.fell_at_s <= settle
        measured = None if measure is None or early else measure(gait)
        if measured is not None and parameter.name == "heading_deg":
            # 179 and -179 are two degrees apart.
            measured = number - wrap_deg(number - measured)
        return SweepRow(number, parameter.show(number), measured, gait)

    rows, interrupted = run_what_can([partial(go, number) for number in numbers], progress, workers)
    about = {"controller": controller.name, "character": world.characters[0].name, **describe(scene, world)}
    settings = {"parameter": parameter.name, "values": numbers, "seconds": seconds, "settle_s": settle, **about}
    return Sweep(parameter.name, measure is not None, tuple(rows), settings, interrupted)


def _without(values: Mapping[str, float | str], *names: str) -> dict[str, float | str]:
    return {key: value for key, value in values.items() if key not in names}
