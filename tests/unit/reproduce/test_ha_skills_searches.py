"""How searches for skills are counted, and how a skill is evened out; nothing is simulated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from poise.optim.skill_function import SkillFunction
from poise.optim.space import Space
from poise.reproduce.ha import skills_find, skills_races
from poise.reproduce.ha.skills_motions import MOTIONS, FloatArray, Motion, Outcome
from poise.reproduce.ha.skills_races import Course, search_mapping, search_together
from poise.reproduce.ha.skills_searches import GOAL_PART, compute_ratio, count_evaluations

_NONE = SkillFunction(np.zeros((2, 1)), 1, 1)


def _make_course(*costs: float) -> Course:
    return Course(tuple(10 * (k + 1) for k in range(len(costs))), costs, _NONE)


def test_a_search_counts_to_its_goal_and_one_that_misses_it_with_all_it_had() -> None:
    there, not_there = _make_course(1.0, 0.5, GOAL_PART, 0.01), _make_course(1.0, 0.9, 0.8, 0.7)
    assert count_evaluations([there, not_there], GOAL_PART) == ([30, 40], 1)


def test_a_ratio_is_of_medians() -> None:
    slow = [_make_course(1.0, 1.0, 1.0, 0.05)] * 3
    fast = [_make_course(1.0, 0.05), _make_course(1.0, 0.05), _make_course(1.0, 1.0, 1.0)]
    assert compute_ratio(slow, fast, GOAL_PART) == pytest.approx(40 / 20)


@pytest.fixture
def smooth(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Costs without a simulation: the square distance from a line of optima. Counts the points that are judged."""
    judged = []

    def judge(motion: Motion, space: Space, points: FloatArray, tasks: FloatArray) -> FloatArray:
        judged.append(len(points))
        goals = np.outer(2.0 * tasks.ravel() - 1.0, np.ones(len(space)))
        return np.asarray(np.sum((points[:, np.newaxis] - goals) ** 2, axis=2))

    monkeypatch.setattr(skills_races, "judge", judge)
    return judged


@pytest.mark.parametrize("search", [search_together, search_mapping])
def test_both_searches_begin_with_the_same_start_and_count_every_simulation(search: Any, smooth: list[int]) -> None:
    course = search(MOTIONS["jump"], 1, tasks=6, degree=1, budget=300)
    assert course.evaluations[0] == 6
    # Six parameters, and goals from -1 to 1 of each.
    assert course.costs[0] == pytest.approx(6 * np.mean(np.linspace(-1.0, 1.0, 6) ** 2))
    assert course.evaluations[-1] == sum(smooth)
    assert list(course.costs) == sorted(course.costs, reverse=True)
    assert course.costs[-1] < course.costs[0]


@pytest.mark.parametrize("search", [search_together, search_mapping])
def test_a_search_ends_where_it_is_good_enough(search: Any, smooth: list[int]) -> None:
    whole = search(MOTIONS["jump"], 1, tasks=6, degree=1, budget=1200)
    enough = 0.7 * whole.costs[0]
    short = search(MOTIONS["jump"], 1, tasks=6, degree=1, budget=1200, enough=enough)
    assert short.costs[-1] <= enough
    assert short.evaluations_to(enough) == whole.evaluations_to(enough)
    assert short.evaluations[-1] < whole.evaluations[-1]


def test_a_skill_is_evened_out_such_that_it_reaches_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    motion = MOTIONS["walk"]

    def try_out(_: Motion, values: Mapping[str, float], **__: Any) -> Outcome:
        # Faster with the hip by a law that the skill does not know; it falls where the hip goes too far.
        hip = values["takeoff_hip_rad"]
        return Outcome(0.06 + 0.1 * hip + 0.1 * hip**2, hip > 0.55, 7.0, 0.0, 0.0)

    monkeypatch.setattr(skills_find, "try_out", try_out)
    weights = {"takeoff_hip_rad": [0.1, 0.5, 0.0, 0.0]}
    evened = skills_find.even_out(motion, weights)
    assert list(evened) == ["takeoff_hip_rad"] and len(evened["takeoff_hip_rad"]) == 4
    for task in np.linspace(0.0, 1.0, 7):
        hip = float(np.polyval(evened["takeoff_hip_rad"][::-1], task))
        assert try_out(motion, {"takeoff_hip_rad": hip}).reached == pytest.approx(float(motion.wish(task)), abs=5e-4)
