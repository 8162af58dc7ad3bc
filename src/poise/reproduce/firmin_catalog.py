"""The experiments on skills of the controller language and on transitions, in the order of their source."""

from __future__ import annotations

from typing import Final

from poise.reproduce import firmin_searches, firmin_transitions
from poise.reproduce.experiment import Experiment

FIRMIN_EXPERIMENTS: Final[tuple[Experiment, ...]] = (firmin_searches.EXPERIMENT, firmin_transitions.EXPERIMENT)
