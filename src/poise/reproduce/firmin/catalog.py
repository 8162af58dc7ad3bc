"""The experiments on the controller language, its skills and transitions, in the order of the source."""

from __future__ import annotations

from typing import Final

from poise.reproduce.experiment import Experiment
from poise.reproduce.firmin import graph, searches, skill_trials, slopes, space
from poise.reproduce.firmin import language as firmin_language
from poise.reproduce.firmin import transitions as firmin_transitions

FIRMIN_EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    firmin_language.EXPERIMENT,
    skill_trials.EXPERIMENT,
    slopes.EXPERIMENT,
    searches.EXPERIMENT,
    firmin_transitions.EXPERIMENT,
    graph.EXPERIMENT,
    space.EXPERIMENT,
)
