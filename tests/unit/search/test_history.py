"""The course of a search: its rows, its best, and its failures."""

from types import SimpleNamespace

import numpy as np
import pytest

from poise.search.history import Course, Generation, compute_failed_shares


def make_course(*generations):
    course = Course()
    for k, (costs, failures) in enumerate(generations):
        points = np.arange(len(costs), dtype=float)[:, np.newaxis]
        course.take(points, np.array(costs), failures, SimpleNamespace(spread=1.0 / (k + 1)))
    return course


def test_a_row_for_each_generation_keeps_the_best_so_far():
    course = make_course(
        *(((a, b, c), ((), (), ())) for a, b, c in [(5.0, 3.0, 4.0), (6.0, 9.0, 8.0), (2.0, 7.0, 3.0)])
    )
    rows = course.rows
    assert [r.best_cost for r in rows] == [3.0, 3.0, 2.0]
    assert [r.generation_best_cost for r in rows] == [3.0, 6.0, 2.0]
    assert [r.generation_median_cost for r in rows] == [4.0, 8.0, 3.0]
    assert [r.evaluations for r in rows] == [3, 6, 9]
    assert [r.spread for r in rows] == [1.0, 0.5, 1.0 / 3.0]
    assert course.best.cost == 2.0 and course.best.generation == 2


def test_the_best_is_one_that_did_not_fail_if_there_is_any():
    fallen = ("fall forward",)
    course = make_course(((5.0, 3.0), (fallen, fallen)), ((9.0, 4.0), ((), fallen)), ((8.0, 1.0), ((), fallen)))
    assert [r.best_cost for r in course.rows] == [3.0, 9.0, 8.0]
    assert [r.failed for r in course.rows] == [2, 1, 1]


def test_failures_are_counted_by_name():
    course = make_course(((1.0, 2.0, 3.0), (("b", "a"), ("a",), ())), ((1.0,), (("a",),)))
    assert course.count_failures() == {"a": 3, "b": 1}


def test_generations_may_be_of_any_size_and_have_costs_by_task():
    course = Course()
    best = SimpleNamespace(cost=0.25)
    costs = np.array([[1.0, 4.0], [3.0, 2.0], [5.0, 9.0]])
    course.take(np.zeros((3, 2)), costs, ((), (), ()), SimpleNamespace(spread=0.5, best=best))
    course.take(np.zeros((1, 2)), costs[:1], ((),), SimpleNamespace(spread=0.4, best=best))
    assert course.rows[0] == Generation(1, 3, 0.25, 1.5, 3.5, 0, 0.5)
    assert course.rows[1] == Generation(2, 4, 0.25, 2.5, 2.5, 0, 0.4)


def test_shares_of_failures_of_single_candidates_are_over_the_last_sixteen():
    rows = [Generation(k + 1, k + 1, 1.0, 1.0, 1.0, int(k >= 8), 1.0) for k in range(24)]
    shares = compute_failed_shares(rows)
    assert shares[:8] == pytest.approx(0.0) and shares[15] == pytest.approx(0.5) and shares[23] == pytest.approx(1.0)
    whole = [Generation(k + 1, 20 * (k + 1), 1.0, 1.0, 1.0, 5 * k, 1.0) for k in range(3)]
    assert compute_failed_shares(whole) == pytest.approx([0.0, 0.25, 0.5])
