"""Every experiment that `poise reproduce` knows."""

from __future__ import annotations

from typing import Final

from poise.reproduce import bodies, grounds
from poise.reproduce.coros import simbicon, simbicon_spatial
from poise.reproduce.coros.walker_catalog import WALKER_EXPERIMENTS
from poise.reproduce.experiment import Experiment
from poise.reproduce.firmin.catalog import FIRMIN_EXPERIMENTS
from poise.reproduce.ha.catalog import HA_EXPERIMENTS
from poise.reproduce.laszlo.catalog import LASZLO_EXPERIMENTS
from poise.reproduce.lee.catalog import LEE_EXPERIMENTS

EXPERIMENTS: Final[tuple[Experiment, ...]] = (
    Experiment(
        "bodies", "sizes, masses, gains and degrees of freedom of the characters match the sources", bodies.measure
    ),
    Experiment(
        "grounds", "the penalty ground: sinking, slipping, release and stability", grounds.measure, grounds.SETTINGS
    ),
    Experiment(
        "simbicon-planar",
        "SIMBICON in the plane: balance, root control, robustness",
        simbicon.measure,
        simbicon.SETTINGS,
    ),
    Experiment(
        "simbicon-spatial",
        "SIMBICON in space: balance, root control, parameters, robustness, and its gaits",
        simbicon_spatial.measure,
        simbicon_spatial.SETTINGS,
    ),
    *WALKER_EXPERIMENTS,
    *LASZLO_EXPERIMENTS,
    *HA_EXPERIMENTS,
    *FIRMIN_EXPERIMENTS,
    *LEE_EXPERIMENTS,
)
