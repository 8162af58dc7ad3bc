"""The experiments on skills of the controller language and on transitions, in the order of their source."""

from __future__ import annotations

from typing import Final

from poise.reproduce import (
    firmin_graph,
    firmin_language,
    firmin_searches,
    firmin_skill_trials,
    firmin_slopes,
    firmin_space,
    firmin_transitions,
)
from poise.reproduce.experiment import Experiment

FIRMIN_EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    firmin_language.EXPERIMENT,
    firmin_skill_trials.EXPERIMENT,
    firmin_slopes.EXPERIMENT,
    firmin_searches.EXPERIMENT,
    firmin_transitions.EXPERIMENT,
    firmin_graph.EXPERIMENT,
    firmin_space.EXPERIMENT,
)
