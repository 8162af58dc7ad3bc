"""The experiments on limit cycles, in the order of their source."""

from __future__ import annotations

from typing import Final

from poise.reproduce import laszlo_walk
from poise.reproduce.experiment import Experiment

LASZLO_EXPERIMENTS: Final[tuple[Experiment, ...]] = (laszlo_walk.EXPERIMENT,)
