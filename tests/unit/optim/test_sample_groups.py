"""Groups of samples are judged by cost and fit, and exchanging samples makes them better."""

import numpy as np
import pytest

from poise.optim.sample_groups import Elites
from poise.optim.skill_function import compute_terms, make_tasks

TASKS = make_tasks(4)


def make_elites(seed=0, samples=12, count=3):
    random = np.random.default_rng(seed)
    terms = compute_terms(TASKS, 1)
    leftover = np.eye(len(TASKS)) - terms @ np.linalg.pinv(terms)
    return Elites.select(random.normal(size=(samples, 2)), random.uniform(size=(samples, 4)), count, leftover)


def test_the_best_samples_of_each_task_come_first():
    elites = make_elites()
    own = np.take_along_axis(elites.costs, elites.best, axis=0)
    assert elites.best.shape == (3, 4) and np.all(np.diff(own, axis=0) >= 0.0)
    assert own == pytest.approx(np.sort(elites.costs, axis=0)[:3])
    assert elites.compute_lowest_cost() == pytest.approx(float(np.mean(np.min(elites.costs, axis=0))))


def test_points_on_a_line_have_only_their_costs_to_pay():
    elites = make_elites()
    line = np.outer(TASKS[:, 0], [1.0, -2.0]) + 0.3
    on_line = Elites(line, elites.costs[:4], elites.best, elites.leftover)
    group = np.arange(4)[np.newaxis]
    assert on_line.judge(group, 10.0)[0] == pytest.approx(float(np.trace(elites.costs[:4])))
    bent = Elites(line + np.array([[0.0], [0.1], [0.0], [0.0]]), elites.costs[:4], elites.best, elites.leftover)
    assert bent.judge(group, 10.0)[0] > on_line.judge(group, 10.0)[0] + 0.5


@pytest.mark.parametrize("seed", range(5))
def test_after_exchanges_no_other_sample_is_better(seed):
    elites = make_elites(seed)
    first = elites.make_groups(np.zeros((1, 4), dtype=int))[0]
    group = elites.exchange(first, 0.3)
    total = elites.judge(group[np.newaxis], 0.3)[0]
    assert total <= elites.judge(first[np.newaxis], 0.3)[0]
    for task in range(4):
        assert group[task] in elites.best[:, task]
        for other in elites.best[:, task]:
            changed = group.copy()
            changed[task] = other
            assert elites.judge(changed[np.newaxis], 0.3)[0] >= total
