"""The experiments on limit cycles, in the order of their source."""

from __future__ import annotations

from typing import Final

from poise.reproduce import laszlo_models, laszlo_speed, laszlo_turns, laszlo_variables, laszlo_variations, laszlo_walk
from poise.reproduce.experiment import Experiment

LASZLO_EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    laszlo_walk.EXPERIMENT,
    laszlo_variables.EXPERIMENT,
    laszlo_speed.EXPERIMENT,
    laszlo_turns.EXPERIMENT,
    laszlo_variations.EXPERIMENT,
    laszlo_models.EXPERIMENT,
)
