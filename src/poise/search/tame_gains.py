"""Gains of the tracker that taming searches: ranges, starts, spreads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from poise.optim.space import Space, Variable
from poise.search.tame_trial import Subject

#: name -> lowest, highest, start, spread. Starts are near the gains of [Lee10 Fig. 5], except that swing thighs are
#: held in the world frame; without this few walks last.
STEPS: Final[Mapping[str, tuple[float, float, float, float]]] = {
    "swing_speed_sagittal": (0.0, 0.6, 0.1, 0.1),
    "swing_speed_coronal": (0.0, 0.8, 0.25, 0.06),
    "swing_place_behind": (0.0, 2.0, 0.5, 0.3),
    "swing_place_ahead": (0.0, 2.0, 0.2, 0.2),
    "swing_place_coronal": (0.0, 1.0, 0.2, 0.1),
    "ankle_speed": (0.0, 1.0, 0.2, 0.12),
    "ankle_place": (0.0, 2.0, 0.1, 0.1),
    "lift_m": (0.0, 0.1, 0.03, 0.02),
    "clearance_m": (-0.03, 0.05, 0.01, 0.01),
    "landing_after": (0.5, 0.9, 0.7, 0.07),
    "stance_rise": (0.1, 1.0, 0.7, 0.2),
    "speed_learning": (0.0, 0.3, 0.05, 0.04),
    "foot_height": (0.0, 1.0, 0.5, 0.15),
    "track_kp": (12.0, 60.0, 20.0, 4.0),
    "swing_heading": (0.0, 1.5, 0.6, 0.2),
    "swing_world": (0.0, 1.0, 0.8, 0.15),
    "stance_level": (0.0, 1.0, 0.2, 0.15),
}
#: Gains that act in double stance, searched for motions that are played once.
STOPS: Final[Mapping[str, tuple[float, float, float, float]]] = {
    "stand_hip": (0.0, 1.0, 0.6, 0.2),
    "stand_speed": (0.0, 3.0, 0.8, 0.3),
    "stand_place": (0.0, 8.0, 2.0, 0.8),
    "stop_reach_m": (0.03, 0.5, 0.15, 0.05),
}


#: Not searched: learning from steps then settles within ten of them, so short starts predict long walks.
FIXED: Final = {"speed_forgetting": 0.1}
#: Factor on the spreads if the search begins with gains with which no start falls.
NEARER: Final = 0.5


def default_gains() -> dict[str, float]:
    """The values from which a search begins if no gains are given."""
    return {**FIXED, **{name: row[2] for name, row in {**STEPS, **STOPS}.items()}}


def make_space(subject: Subject, start: Mapping[str, float], part: float = 1.0) -> Space:
    """Search space for a subject, centred on the gains in `start`; `part` scales its spreads."""
    table = {**STEPS, **STOPS} if not subject.track.is_endless else STEPS
    variables = []
    for name, (low, high, middle, spread) in table.items():
        begin = min(max(start.get(name, middle), low), high)
        variables.append(Variable(name, low, high, begin, part * spread))
    return Space(tuple(variables))


def keep_fixed(space: Space, start: Mapping[str, float]) -> dict[str, float]:
    """Gains that are not searched; values in `start` override the fixed ones."""
    searched = {v.name for v in space.variables}
    return {name: value for name, value in {**FIXED, **start}.items() if name not in searched}


def round_gains(gains: Mapping[str, float]) -> dict[str, float]:
    """Round to three significant digits: candidates are tried as they would be written."""
    return {name: float(f"{value:.3g}") for name, value in gains.items()}
