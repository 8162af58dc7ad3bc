"""Every experiment about the walker [Coros10 ch. 5]."""

from __future__ import annotations

from typing import Final

from poise.reproduce.coros import (
    walker_bodies,
    walker_gains,
    walker_gait,
    walker_ground,
    walker_parts,
    walker_pushes,
    walker_speed,
    walker_standing,
    walker_styles,
    walker_turns,
)
from poise.reproduce.experiment import Experiment

WALKER_EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    walker_gait.EXPERIMENT,
    walker_turns.EXPERIMENT,
    walker_pushes.EXPERIMENT,
    walker_standing.EXPERIMENT,
    walker_bodies.EXPERIMENT,
    walker_styles.EXPERIMENT,
    walker_parts.EXPERIMENT,
    walker_gains.EXPERIMENT,
    walker_ground.EXPERIMENT,
    walker_speed.EXPERIMENT,
)
