"""Training tours: outcomes of random walks through the graph are added to its basins.

Trials begin where skills are left after a while; tours reach moments that no trial covers. Failures there are avoided
from then on, as the source repairs a transition that failed in its random walks [Firmin15 §5.4]: the moment is added to
the skill's basin, and an edge that fails too often is removed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from poise.search.session import Session
from poise.skills.compare import TIMESTEP_S
from poise.skills.explore import TOUR_MARK, find_edges
from poise.skills.graph import LEARNED, SkillGraph
from poise.skills.skill import Skill
from poise.skills.wander import Lesson, Tour, Wanderer

#: First seed of these tours, outside the range that users are likely to choose.
FIRST_SEED: Final = 900_000
#: Number of latest lessons kept for each pair of skills.
MOST_LESSONS: Final = 20


def teach(
    graph: SkillGraph,
    tours: int,
    seconds: float,
    *,
    timestep_s: float = TIMESTEP_S,
    session: Session | None = None,
    progress: Callable[[float], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> SkillGraph:
    """The graph after some tours, each using the lessons of those before; a session stores the lessons."""
    session = session or Session()
    skills: dict[str, Skill] = {}
    for k in range(tours):

        def go(known: SkillGraph = graph, k: int = k) -> tuple[list[Lesson], str]:
            wanderer = Wanderer(known, FIRST_SEED + k, timestep_s=timestep_s, skills=skills)
            tour = wanderer.wander(seconds)
            return wanderer.lessons, _describe(k, tour)

        lessons, text = session.recall(f"tour {k + 1}", go, read=_read_lessons)
        graph = take_lessons(graph, lessons)
        if say is not None:
            say(text)
        if progress is not None:
            progress((k + 1) / tours)
    return graph


def _read_lessons(kept: Any) -> tuple[list[Lesson], str]:
    rows, text = kept
    return [Lesson(**{**row, "features": np.array(row["features"], dtype=float)}) for row in rows], str(text)


def _describe(k: int, tour: Tour) -> str:
    end = ", ended by a failure" if tour.failed else ""
    return f"tour {k + 1}: {tour.skills} skills in {tour.seconds:.0f} s, {tour.falls} failures{end}"


def take_lessons(graph: SkillGraph, lessons: list[Lesson]) -> SkillGraph:
    """The graph with the moments and outcomes of some lessons added and its edges updated."""
    moments, outcomes = dict(graph.moments), dict(graph.outcomes)
    for lesson in lessons:
        key = f"{lesson.source}{TOUR_MARK}{lesson.skill}"
        before = moments.get(key, np.empty((0, len(lesson.features)))), outcomes.get((key, lesson.skill), np.empty(0))
        moments[key] = np.vstack([before[0], lesson.features])[-MOST_LESSONS:]
        outcomes[key, lesson.skill] = np.append(before[1], float(lesson.arrived))[-MOST_LESSONS:]
    learned = [edge for edge in graph.edges if edge.kind == LEARNED]
    return replace(graph, moments=moments, outcomes=outcomes, edges=(*find_edges(outcomes), *learned))
