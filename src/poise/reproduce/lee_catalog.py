"""The experiments on the tracker of recorded motion [Lee10]."""

from __future__ import annotations

from typing import Final

from poise.reproduce import lee_ablations, lee_model, lee_own, lee_pushes, lee_recorded, lee_robustness, lee_steering
from poise.reproduce.experiment import Experiment

LEE_EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    lee_model.EXPERIMENT,
    lee_recorded.EXPERIMENT,
    lee_own.EXPERIMENT,
    lee_ablations.EXPERIMENT,
    lee_robustness.EXPERIMENT,
    lee_pushes.EXPERIMENT,
    lee_steering.EXPERIMENT,
)
