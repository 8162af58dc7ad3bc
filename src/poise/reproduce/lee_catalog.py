"""The experiments on the tracker of recorded motion [Lee10]."""

from __future__ import annotations

from typing import Final

from poise.reproduce import lee_recorded
from poise.reproduce.experiment import Experiment

LEE_EXPERIMENTS: Final[tuple[Experiment, ...]] = (lee_recorded.EXPERIMENT,)
