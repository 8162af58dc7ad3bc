"""The experiments on the tracker of recorded motion [Lee10]."""

from __future__ import annotations

from typing import Final

from poise.reproduce.experiment import Experiment
from poise.reproduce.lee import ablations, model, own, pushes, robustness, steering
from poise.reproduce.lee import recorded as lee_recorded

LEE_EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    model.EXPERIMENT,
    lee_recorded.EXPERIMENT,
    own.EXPERIMENT,
    ablations.EXPERIMENT,
    robustness.EXPERIMENT,
    pushes.EXPERIMENT,
    steering.EXPERIMENT,
)
