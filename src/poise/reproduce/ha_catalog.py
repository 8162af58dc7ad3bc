"""The experiments on searches, in the order of their source."""

from __future__ import annotations

from typing import Final

from poise.reproduce import (
    ha_cma_c,
    ha_constraints,
    ha_motions,
    ha_one_plus_one,
    ha_parametric,
    ha_skills,
    ha_skills_searches,
)
from poise.reproduce.experiment import Experiment

HA_EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    ha_cma_c.EXPERIMENT,
    ha_constraints.EXPERIMENT,
    ha_motions.EXPERIMENT,
    ha_parametric.EXPERIMENT,
    ha_one_plus_one.EXPERIMENT,
    ha_skills.EXPERIMENT,
    ha_skills_searches.EXPERIMENT,
)
