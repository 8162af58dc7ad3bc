"""CMA-C: it learns failures, evaluates fewer of them, carries what it learned, and replays to the same bits."""

from dataclasses import replace

import numpy as np
import pytest

from poise.errors import InputError
from poise.optim.ask_tell import replay_failures
from poise.optim.cma_c import ANY, CmaC
from poise.optim.constraints import ENOUGH, MEMORY, Constraint, Experience, carry, compute_acceptance
from poise.optim.space import Space, Variable

SPACE = Space((Variable("x", -5.0, 5.0, 0.0, 2.0), Variable("y", -5.0, 5.0, 0.0, 2.0)))


def judge(points, *, silent=False):
    """A bowl in a corner; who is beyond it fails, with a cost or, if silent, without one."""
    values = SPACE.decode_many(points)
    failures = [[name for name, bad in {"far": x > 2.0, "high": y > 1.0}.items() if bad] for x, y in values]
    costs = np.array([(x - 1.8) ** 2 + (y - 0.9) ** 2 for x, y in values])
    return np.where([silent and bool(f) for f in failures], np.nan, costs), failures


def make(seed=1, **options):
    return CmaC(SPACE, population=8, seed=seed, **options)


def advance(search, generations, *, silent=False):
    for _ in range(generations):
        points = search.ask()
        search.tell(points, *judge(points, silent=silent))
    return search


def share_failed(search):
    return np.mean([bool(names) for row in search.trace().failures for names in row])


@pytest.mark.parametrize("silent", [False, True])
def test_it_finds_the_best_that_does_not_fail(silent):
    search = advance(make(), 30, silent=silent)
    assert list(SPACE.decode(search.best.point).values()) == pytest.approx([1.8, 0.9], abs=0.05)
    assert search.rejected > 0
    best = search.trace().best()
    assert (best.cost, best.generation) == (search.best.cost, search.best.generation)


def test_learned_constraints_spare_evaluations_that_fail():
    class Deaf(CmaC):
        def ask(self):
            return self._cma.ask()

    learned, deaf = (
        [share_failed(advance(kind(SPACE, population=8, seed=seed, literal=True), 12)) for seed in range(8)]
        for kind in (CmaC, Deaf)
    )
    assert np.mean(learned) < 0.7 * np.mean(deaf)


def test_who_fails_ranks_behind_all_others_unless_it_is_literal():
    """The cheapest candidates fail: only a search that ranks by cost alone is drawn to them."""

    def last_mean(*, literal):
        search = make(literal=literal, hardness=1e-9)
        for _ in range(15):
            points = search.ask()
            x = SPACE.decode_many(points)[:, 0]
            search.tell(points, -x, [["far"] if far else [] for far in x > 1.0])
        return float(np.mean(SPACE.decode_many(search.trace().candidates[-1])[:, 0]))

    assert last_mean(literal=False) < 1.5 < 3.0 < last_mean(literal=True)


def test_noise_misleads_a_search_less_whose_costs_are_smoothed():
    def miss(seed, *, noisy):
        search, random = make(seed, noisy=noisy), np.random.default_rng(seed)
        for _ in range(25):
            points = search.ask()
            costs, failures = judge(points)
            search.tell(points, costs + 2.0 * random.random(8), failures)
        last = SPACE.decode_many(np.vstack(search.trace().candidates[-3:]))
        return float(np.linalg.norm(np.mean(last, axis=0) - [1.8, 0.9]))

    smoothed, plain = (np.mean([miss(seed, noisy=noisy) for seed in range(8)]) for noisy in (True, False))
    assert smoothed < 0.85 * plain


def test_the_learned_region_is_the_true_one_where_it_looked():
    search = advance(make(literal=True), 30)
    values = np.random.default_rng(0).uniform([1.6, 0.7], [2.2, 1.2], (400, 2))
    true = (values[:, 0] <= 2.0) & (values[:, 1] <= 1.0)
    assert np.mean(search.predict(values / SPACE.spreads) == true) > 0.8 > 2.0 * np.mean(true)


def test_each_failure_is_a_constraint_and_merged_all_are_one():
    assert {e.constraint for e in advance(make(), 5).experiences()} == {"far", "high"}
    assert {e.constraint for e in advance(make(merged=True), 5).experiences()} == {ANY}


def test_what_was_learned_is_carried_to_a_space_with_another_start_and_spread():
    known = advance(make(), 15).experiences()
    other = Space((Variable("x", -5.0, 5.0, 1.0, 1.0), Variable("y", -5.0, 5.0, 1.0, 0.5)))
    search = CmaC(other, population=8, seed=2, carried=known)
    values = np.random.default_rng(0).uniform(-4.0, 4.0, (50, 2))
    here, there = make(carried=known).predict(values / SPACE.spreads), search.predict((values - 1.0) / other.spreads)
    assert np.array_equal(here, there) and 0 < np.sum(here) < 50
    search.ask()
    assert search.rejected > 0


def test_carrying_spares_failures_from_the_beginning():
    carried = advance(make(99, literal=True), 15).experiences()
    with_it, without = (
        np.mean([share_failed(advance(make(seed, carried=known, literal=True), 5)) for seed in range(8)])
        for known in (carried, ())
    )
    assert with_it < 0.75 * without


@pytest.mark.parametrize("stop", [0, 1, 6, 11])
@pytest.mark.parametrize("silent", [False, True])
def test_a_replayed_search_ends_with_the_same_bits(stop, silent):
    carried = advance(make(50), 6).experiences()
    whole = advance(make(carried=carried), 12, silent=silent)
    before = advance(make(carried=carried), stop, silent=silent)
    again = make(carried=carried)
    replay_failures(again, before.trace())
    advance(again, 12 - stop, silent=silent)
    one, two = whole.trace(), again.trace()
    assert np.array_equal(one.candidates, two.candidates)
    assert np.array_equal(one.costs, two.costs, equal_nan=True)
    assert one.failures == two.failures
    assert (whole.best.cost, whole.spread, whole.rejected) == (again.best.cost, again.spread, again.rejected)


def test_a_constraint_wakes_up_with_enough_samples_of_both_kinds():
    known = Experience("c", ("x",), np.zeros((0, 1)), np.zeros(0, dtype=bool))
    constraint = Constraint(known)
    constraint.learn(np.arange(5.0)[:, None], np.ones(5, dtype=bool), np.array([1.0]))
    assert not constraint.active and constraint.experience.widths is None
    constraint.learn(10.0 + np.arange(ENOUGH)[:, None], np.zeros(ENOUGH, dtype=bool), np.array([2.0]))
    assert constraint.active and constraint.experience.widths == pytest.approx([2.0])
    constraint.learn(np.array([[20.0]]), np.array([False]), np.array([9.0]))
    assert constraint.experience.widths == pytest.approx([2.0]), "set once"
    assert constraint.judge(np.array([[2.0], [11.0]])) * [1, -1] == pytest.approx([1.0, 1.0], abs=0.5)


def test_the_kernel_narrows_with_the_samples_and_is_wide_again_for_the_next_search():
    values, kept = np.arange(12.0)[:, None], np.arange(12) < 6
    constraint = Constraint(Experience("c", ("x",), values, kept, np.array([2.0])))
    wide = constraint.judge(np.array([[30.0]]))
    near = constraint.judge(np.array([[12.5]]))
    constraint.learn(np.array([[0.0]]), np.array([True]), np.array([1.1]))
    assert constraint.judge(np.array([[12.5]])) == pytest.approx(near, abs=1e-3), "not yet half"
    constraint.learn(np.array([[0.0]]), np.array([True]), np.array([1.0]))
    assert abs(float(constraint.judge(np.array([[12.5]]))[0] - near[0])) > 0.05
    again = Constraint(constraint.experience)
    assert again.judge(np.array([[12.5]])) == pytest.approx(near, abs=1e-2)
    assert again.judge(np.array([[30.0]])) == pytest.approx(wide, abs=1e-2)


def test_only_the_newest_samples_of_either_kind_are_remembered():
    constraint = Constraint(Experience("c", ("x",), np.zeros((0, 1)), np.zeros(0, dtype=bool)))
    values = np.arange(3.0 * MEMORY)[:, None]
    constraint.learn(values, values[:, 0] < 2 * MEMORY, np.array([1.0]))
    known = constraint.experience
    assert np.sum(known.kept) == np.sum(~known.kept) == MEMORY
    assert known.values[0, 0] == MEMORY and np.all(np.diff(known.values[:, 0]) > 0.0)


def test_acceptance_is_soft():
    assert compute_acceptance(np.array([-1e9, -1.0, 0.0, 1.0]), 4.0) == pytest.approx(
        [0.0, 0.018, 0.5, 0.982], abs=1e-3
    )


def test_classifiers_that_reject_everything_do_not_stop_it():
    values = np.random.default_rng(0).uniform(-5.0, 5.0, (200, 2))
    kept = np.arange(200) < ENOUGH
    values[kept] = [-5.0, -5.0]
    search = make(carried=[Experience("c", ("x", "y"), values, kept, np.array([0.1, 0.1]))], hardness=1e6)
    assert search.ask().shape == (8, 2)


def test_what_was_learned_with_other_variables_is_refused():
    (experience, *_) = advance(make(), 6).experiences()
    with pytest.raises(InputError) as raised:
        carry(replace(experience, constraint="far", variables=("x", "z")), SPACE)
    assert str(raised.value) == (
        "constraint far: it was learned with x, z and cannot be carried to x, y. "
        "The variables must be the same, in the same order."
    )
    with pytest.raises(InputError, match="is carried twice"):
        make(carried=[experience, experience])


@pytest.mark.parametrize(
    ("costs", "failures", "text"),
    [
        (np.ones(3), None, "optimiser: it needs 8 costs, one per candidate, got 3."),
        (np.ones(8), [[]], "optimiser: it needs the failures of 8 candidates, one list each, got 1."),
        (np.ones(8), ["far"] * 8, "optimiser: the failures of a candidate must be a list of names, got a string."),
        (np.full(8, np.nan), None, "optimiser: a cost must be finite, or NaN with the name of a failure, got nan."),
        (np.full(8, np.inf), [["far"]] * 8,
         "optimiser: a cost must be finite, or NaN with the name of a failure, got inf."),
    ],
)  # fmt: skip
def test_bad_tellings_are_refused(costs, failures, text):
    search = make()
    with pytest.raises(InputError) as raised:
        search.tell(search.ask(), costs, failures)
    assert str(raised.value) == text


@pytest.mark.parametrize("options", [{"width": 0.0}, {"hardness": -1.0}, {"width": np.inf}])
def test_bad_settings_are_refused(options):
    with pytest.raises(InputError, match="out of range"):
        make(**options)


def test_all_may_fail():
    search = make()
    for _ in range(4):
        search.tell(search.ask(), np.full(8, np.nan), [["far"]] * 8)
    assert search.best is None and search.trace().best() is None
