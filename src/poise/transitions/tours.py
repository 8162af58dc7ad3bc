"""Tours that teach: what random walks through the graph show of the basins is added to what is known.

Trials begin where skills are left after a while; tours come to moments that no trial has. What fails there is avoided
from then on, as the source repairs a transition that failed in its random walks [Firmin15 §5.4].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from poise.transitions.compare import TIMESTEP_S
from poise.transitions.explore import TOUR_MARK
from poise.transitions.graph import SkillGraph
from poise.transitions.wander import Lesson, Tour, Wanderer

#: Seeds of these tours are none that people are likely to ask for.
FIRST_SEED: Final = 900_000
#: Of each skill the newest lessons are kept, so many.
MOST_LESSONS: Final = 120


def teach(
    graph: SkillGraph,
    tours: int,
    seconds: float,
    *,
    timestep_s: float = TIMESTEP_S,
    progress: Callable[[float], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> SkillGraph:
    """The graph after some tours, each with what the ones before have taught."""
    for k in range(tours):
        wanderer = Wanderer(graph, FIRST_SEED + k, timestep_s=timestep_s)
        tour = wanderer.wander(seconds)
        graph = take_lessons(graph, wanderer.lessons)
        if say is not None:
            say(_describe(k, tour))
        if progress is not None:
            progress((k + 1) / tours)
    return graph


def _describe(k: int, tour: Tour) -> str:
    end = ", ended by a failure" if tour.failed else ""
    return f"tour {k + 1}: {tour.skills} skills in {tour.seconds:.0f} s, {tour.falls} failures{end}"


def take_lessons(graph: SkillGraph, lessons: list[Lesson]) -> SkillGraph:
    """The graph with more moments of which is known whether a skill may be entered there."""
    moments, outcomes = dict(graph.moments), dict(graph.outcomes)
    for skill in dict.fromkeys(lesson.skill for lesson in lessons):
        key = skill + TOUR_MARK
        rows = np.array([lesson.features for lesson in lessons if lesson.skill == skill])
        arrived = np.array([float(lesson.arrived) for lesson in lessons if lesson.skill == skill])
        if key in moments:
            rows = np.concatenate([moments[key], rows])
            arrived = np.concatenate([outcomes[key, skill], arrived])
        moments[key], outcomes[key, skill] = _thin(rows, arrived)
    return replace(graph, moments=moments, outcomes=outcomes)


def _thin(rows: np.ndarray, arrived: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most so many lessons: all failures, as they are rare, and the newest successes."""
    if len(rows) <= MOST_LESSONS:
        return rows, arrived
    lost, won = np.flatnonzero(arrived < 0.5), np.flatnonzero(arrived > 0.5)
    kept = np.sort(np.concatenate([lost[-MOST_LESSONS:], won[-max(0, MOST_LESSONS - len(lost)) :]]))[-MOST_LESSONS:]
    return rows[kept], arrived[kept]
