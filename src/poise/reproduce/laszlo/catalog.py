"""The experiments on limit cycles, in the order of their source."""

from __future__ import annotations

from typing import Final

from poise.reproduce.experiment import Experiment
from poise.reproduce.laszlo import models, speed, turns, variables, variations, walk

LASZLO_EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    walk.EXPERIMENT,
    variables.EXPERIMENT,
    speed.EXPERIMENT,
    turns.EXPERIMENT,
    variations.EXPERIMENT,
    models.EXPERIMENT,
)
