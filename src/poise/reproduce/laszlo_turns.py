"""Limit cycles that turn: circles by hip yaw, with a held torso, to points and along paths [Laszlo96 §5.2-5.3]."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from poise.characters.catalog import load_character
from poise.controllers.catalog import read_controller_file
from poise.controllers.limit_cycle.spec import build_from_table
from poise.reproduce.claims import make_row
from poise.reproduce.experiment import Experiment, Row
from poise.reproduce.laszlo_pictures import plot_paths
from poise.reproduce.laszlo_runs import (
    SERVO,
    SETTINGS,
    STRATEGIES,
    TRIAL_STEPS,
    WALK,
    Progress,
    Values,
    Walk,
    find_balancer,
    find_radius,
    go_on,
    open_walk,
    walk_all,
)
from poise.reproduce.walker_runs import split_progress
from poise.trials import run_trials
from poise.world.controller import Controller

#: The middle of our range of targets; the source's is 0.25.
MIDDLE = 0.3
TURN_DEG, TIGHT_DEG = 8.0, 16.0
RADIUS_M, SERVO_RADIUS_M = 2.5, 0.75
#: A radius of about 2.5 m is met within this part of it.
RADIUS_MARGIN = 0.2
POINTS, POINT_M, REACHED_M = 8, 6.0, 0.5
#: Most steps on the way to a point, and along a path.
POINT_STEPS, PATH_STEPS = 60, 240
#: Corners of closed paths; the next one is in turn from slightly more than the tightest circle's diameter on.
WIDE_PATH_M = ((12.0, 0.0), (12.0, 12.0), (0.0, 12.0), (0.0, 0.0))
SMALL_PATH_M = ((5.0, 0.0), (5.0, 5.0), (0.0, 5.0), (0.0, 0.0))
WIDE_NEAR_M, SMALL_NEAR_M = 5.2, 1.6
TURN_SETTINGS = {
    **SETTINGS,
    "controller": WALK,
    "target": MIDDLE,
    "turn_deg": [TURN_DEG, TIGHT_DEG],
    "wide_path_m": [list(p) for p in WIDE_PATH_M],
    "small_path_m": [list(p) for p in SMALL_PATH_M],
    "near_m": [WIDE_NEAR_M, SMALL_NEAR_M],
}


@dataclass(frozen=True)
class Trip:
    """A walk to points: how many it reached, how long its way was, and how far from the lines between them it was."""

    walk: Walk
    reached: int
    way_m: float
    astray_m: float = math.nan


def find_facing_deg(made: Walk) -> float:
    """How far it faces to the left of where it goes, degrees, over the last third of its steps."""
    first = 2 * made.done // 3
    way, faced = made.places[-1] - made.places[first], 0.0
    steps = np.diff(made.places[first:], axis=0)
    off = made.headings_rad[first + 1 :] - np.arctan2(steps[:, 1], steps[:, 0])
    mean = complex(np.mean(np.exp(1j * off))) if len(off) else 0j
    del way, faced
    return math.degrees(math.atan2(mean.imag, mean.real))
