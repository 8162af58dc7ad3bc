"""Searches for skills of the small robot count every simulation, and what they find is what a file would hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.optim.skill_function import SkillFunction
from poise.reproduce.ha.skills_motions import MOTIONS, Motion
from poise.reproduce.ha.skills_races import decode_weights, judge, search_alone, search_mapping, search_together

#: Half a jump: enough to be judged, quick to simulate.
HOP: Motion = replace(MOTIONS["jump"], seconds=1.0)


def test_the_parameterised_search_counts_samples_and_means() -> None:
    course = search_together(HOP, 1, tasks=3, degree=1, budget=40)
    # The start for 3 tasks; 16 samples and a new function for 3 tasks; the same again.
    assert course.evaluations == (3, 19, 22, 38, 41)
    assert list(course.costs) == sorted(course.costs, reverse=True)
    assert course.costs[-1] < course.costs[0]


def test_a_search_by_mapping_simulates_every_task_of_every_candidate() -> None:
    course = search_mapping(HOP, 1, tasks=2, degree=1, budget=30)
    # The start, then one candidate after the other, each for both tasks.
    assert course.evaluations == tuple(range(2, course.evaluations[-1] + 1, 2)) and course.evaluations[-1] >= 30
    space, ends = HOP.make_space(), np.array([0.0, 1.0])
    costs = np.diagonal(judge(HOP, space, course.skill(ends[:, np.newaxis]), ends))
    assert float(np.mean(costs)) == pytest.approx(course.costs[-1], rel=1e-6)


def test_a_task_learned_alone_is_better_than_the_start() -> None:
    point, count = search_alone(HOP, 1, 0.0, budget=30)
    assert count == 32
    space, task = HOP.make_space(), np.array([0.0])
    found, start = judge(HOP, space, np.stack([point, np.zeros(len(space))]), task)[:, 0]
    assert found < start


def test_weights_of_a_file_give_the_values_of_the_function() -> None:
    space = HOP.make_space()
    skill = SkillFunction(np.random.default_rng(0).uniform(-0.05, 0.05, (4, len(space))), 3)
    weights = decode_weights(space, skill)
    for w in (0.0, 0.3, 1.0):
        for name, value in space.decode(skill(w)).items():
            assert sum(c * w**k for k, c in enumerate(weights[name])) == pytest.approx(value, rel=1e-4, abs=1e-5)
