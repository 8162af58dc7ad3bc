"""Parameterised searches: functions of tasks are found, of any degree and number of task parameters."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.optim import parametric
from poise.optim.ask_tell import replay
from poise.optim.parametric import ParametricEs
from poise.optim.skill_function import choose_apart, compute_terms, fit, make_tasks
from poise.optim.space import Space, Variable
from poise.reproduce.ha.parametric import search_plainly, search_together
from poise.reproduce.ha.toys import make_task_problem
from unit.optim.bowl import is_same

SPACE = Space(tuple(Variable(f"x{k}", -4.0, 4.0, 0.0, 0.5) for k in range(3)))


def goal_line(tasks):
    """One task parameter: a line."""
    return np.array([1.0, -0.5, 0.3]) + tasks[:, :1] * np.array([0.5, 1.0, -1.0])


def goal_curve(tasks):
    """One task parameter: a cubic."""
    w = tasks[:, 0]
    return np.stack([w**3, 1.0 - w**2, w * (1.0 - w)], axis=1)


def goal_plane(tasks):
    """Two task parameters."""
    return np.stack([tasks[:, 0], tasks[:, 1], 1.0 - tasks[:, 0] - tasks[:, 1]], axis=1)


def compute_costs(points, tasks, goals):
    return np.sum((points[:, None] - goals(tasks)[None]) ** 2, axis=2)


def advance(search, rounds, goals=goal_line):
    for _ in range(rounds):
        points = search.ask()
        search.tell(points, compute_costs(points, search.tasks, goals))
    return search


def make(seed=1, **options):
    return ParametricEs(SPACE, seed=seed, **options)


@pytest.mark.parametrize(
    ("goals", "tasks", "degree"), [(goal_line, 6, 1), (goal_curve, 6, 3), (goal_line, 21, 1), (goal_plane, (3, 3), 1)]
)
def test_it_finds_the_function_and_meets_tasks_that_it_never_saw(goals, tasks, degree):
    search = advance(make(tasks=make_tasks(tasks), degree=degree), 500, goals)
    unseen = np.random.default_rng(0).uniform(0.0, 1.0, (20, search.tasks.shape[1]))
    assert search.best.cost < 1e-3
    assert search.best.skill(unseen) == pytest.approx(goals(unseen), abs=0.1)
    assert search.best.skill(unseen[0] if unseen.shape[1] > 1 else unseen[0, 0]).shape == (3,)


def test_a_curve_is_met_better_by_a_cubic_than_by_a_line():
    line, cubic = (advance(make(degree=d), 400, goal_curve).best.cost for d in (1, 3))
    assert cubic < 0.2 * line


def test_it_takes_fewer_evaluations_than_cma_es_on_the_mapping():
    problems = [make_task_problem("bent cigar", 5, seed) for seed in range(3)]
    ours, plain = (
        np.mean([run(p, seed, 20_000, 0.001)[0] for seed, p in enumerate(problems)])
        for run in (search_together, search_plainly)
    )
    assert ours < 0.8 * plain


def search_rings(seed):
    """The cost after ten rounds where every point of a sphere, larger for each task, is as good as any other."""
    search = make(seed)
    for _ in range(21):
        points = search.ask()
        reached = np.sum(points**2, axis=1, keepdims=True)
        search.tell(points, (reached - (2.0 + 6.0 * search.tasks[:, 0])) ** 2)
    return search.best.cost


def test_where_points_far_apart_meet_a_task_a_function_goes_through_some_and_not_between(monkeypatch):
    through = [search_rings(seed) for seed in range(5)]
    monkeypatch.setattr(parametric, "TRUST", 0.0)
    between = [search_rings(seed) for seed in range(5)]
    assert np.median(through) < 0.3 * np.median(between)


def test_rounds_take_turns():
    search = make()
    counts = []
    for _ in range(5):
        counts.append(len(search.ask()))
        advance_once = search.ask() if counts[-1] == 6 else np.zeros((16, 3))
        search.tell(advance_once, compute_costs(advance_once, search.tasks, goal_line))
    assert counts == [6, 16, 6, 16, 6]


def test_of_many_tasks_a_new_function_is_judged_at_some_that_lie_apart():
    search = make(tasks=make_tasks(21))
    points = search.ask()
    assert list(search.judged) == [0, 2, 5, 10, 15, 20] and len(points) == 6
    costs = np.full((6, 21), 100.0)
    costs[np.arange(6), search.judged] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    search.tell(points, costs)
    assert search.best.cost == 3.5


def test_tasks_that_lie_apart_cover_a_plane_and_few_tasks_are_all_taken():
    plane = make_tasks((5, 5))
    assert {tuple(task) for task in plane[choose_apart(plane, 4)]} == {(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)}
    assert list(choose_apart(plane, 25)) == list(range(25))


def test_the_best_never_gets_worse():
    search, costs = make(), []
    for _ in range(60):
        advance(search, 1)
        costs.append(search.best.cost)
    assert np.all(np.diff(costs) <= 0.0) and costs[-1] < costs[0]


def test_a_search_that_has_come_to_rest_begins_anew_and_remembers_the_best(monkeypatch):
    monkeypatch.setattr(parametric, "REST", 0.1)
    search, spreads, costs = make(), [], []
    for _ in range(400):
        advance(search, 1)
        spreads.append(search.spread)
        costs.append(search.best.cost)
    jumps = np.flatnonzero(np.diff(spreads) > 0.15)
    assert len(jumps) >= 2 and np.all(np.diff(costs) <= 0.0)


def test_the_same_seed_gives_the_same_bits():
    first, second, other = (advance(make(seed), 40).trace() for seed in (1, 1, 2))
    assert is_same(first, second) and not is_same(first, other)


@pytest.mark.parametrize("stop", [0, 1, 2, 17, 30])
def test_a_search_that_is_told_its_past_ends_with_the_same_bits(stop):
    whole, again = advance(make(), 40), make()
    replay(again, advance(make(), stop).trace())
    advance(again, 40 - stop)
    assert is_same(whole.trace(), again.trace())
    assert (whole.best.cost, whole.spread) == (again.best.cost, again.spread)


def test_candidates_keep_to_the_bounds():
    low, high = SPACE.bounds()
    candidates = np.vstack(advance(make(), 60).trace().candidates)
    assert np.all(candidates >= low) and np.all(candidates <= high)


def test_tasks_and_terms_are_those_of_the_source():
    assert make_tasks(6)[:, 0] == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert make_tasks((2, 3)).shape == (6, 2)
    assert compute_terms(make_tasks((3, 3)), 2).shape == (9, 6)


def test_a_cubic_bezier_curve_is_fitted_exactly():
    """The form of [Ha15 Eq. 30] and ours span the same functions."""
    ends = np.random.default_rng(0).normal(size=(4, 2))

    def bezier(w):
        v = 1.0 - w
        return np.stack([v**3, 3 * w * v**2, 3 * w**2 * v, w**3], axis=-1) @ ends

    tasks = make_tasks(6)
    skill = fit(bezier(tasks[:, 0]), tasks, 3)
    assert skill(0.37) == pytest.approx(bezier(np.array(0.37)))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"tasks": make_tasks(3), "degree": 3}, "3 tasks cannot determine the 4 terms of degree 3"),
        ({"degree": -1}, "degree is out of range, got -1"),
        ({"samples": 1}, "samples is out of range, got 1"),
        ({"elites": 0}, "elites is out of range, got 0"),
        ({"tasks": np.array([0.0, np.nan])}, r"tasks must be finite rows of task parameters, \(M, d\)"),
    ],
)
def test_bad_settings_are_refused(options, text):
    with pytest.raises(InputError, match=text):
        make(**options)


def test_tasks_need_two_values():
    with pytest.raises(InputError, match="each task parameter needs at least 2 values, got 1"):
        make_tasks(1)


def test_bad_costs_are_refused():
    search = make()
    with pytest.raises(InputError) as raised:
        search.tell(search.ask(), np.ones(6))
    assert str(raised.value) == "optimiser: it needs the costs of 6 candidates for 6 tasks, got an array of 6."
    with pytest.raises(InputError, match="every cost must be finite, got inf"):
        search.tell(search.ask(), np.full((6, 6), np.inf))
