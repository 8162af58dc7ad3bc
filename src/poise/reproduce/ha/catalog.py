"""The experiments on searches, in the order of the source."""

from __future__ import annotations

from typing import Final

from poise.reproduce.experiment import Experiment
from poise.reproduce.ha import cma_c, constraints, motions, one_plus_one, parametric, skills, skills_searches

HA_EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    cma_c.EXPERIMENT,
    constraints.EXPERIMENT,
    motions.EXPERIMENT,
    parametric.EXPERIMENT,
    one_plus_one.EXPERIMENT,
    skills.EXPERIMENT,
    skills_searches.EXPERIMENT,
)
