"""(1+1)-CMA-ES: it converges, respects bounds, and a replay of its costs restores the same bits."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.optim.ask_tell import replay
from poise.optim.one_plus_one import TARGET_SUCCESS, OnePlusOne, compute_step_factor, update_factor
from poise.reproduce.ha.one_plus_one import ellipsoid, rosenbrock, run_cma, run_ours, sphere
from unit.optim.bowl import SPACE, advance


def make(seed=3):
    return OnePlusOne(SPACE, seed=seed)


def test_the_first_candidate_is_the_start():
    assert np.array_equal(make().ask(), np.zeros((1, 4)))


def test_it_finds_a_minimum_at_the_edge_of_the_range():
    best = advance(make(), 500).best
    assert list(SPACE.decode(best.point).values()) == pytest.approx([1.1, -0.3, 0.7, 2.0], abs=0.01)


def test_candidates_keep_to_the_bounds():
    low, high = SPACE.bounds()
    candidates = np.vstack(advance(make(), 300).trace().candidates)
    assert np.all(candidates >= low) and np.all(candidates <= high)


@pytest.mark.parametrize(("function", "factor"), [(sphere, 1.5), (ellipsoid, 1.5), (rosenbrock, 2.0)])
def test_it_takes_about_as_many_evaluations_as_cma(function, factor):
    ours, theirs = (
        np.median([run(5, function, seed, 1e-9, 50_000)[0] for seed in range(3)]) for run in (run_ours, run_cma)
    )
    assert ours <= factor * theirs


def test_the_factor_is_updated_as_the_covariance_would_be():
    random = np.random.default_rng(1)
    factor, v = random.normal(size=(5, 5)), random.normal(size=5)
    updated = update_factor(factor, v, 0.9, 0.3)
    assert updated @ updated.T == pytest.approx(0.9 * factor @ factor.T + 0.3 * np.outer(v, v))
    assert update_factor(factor, np.zeros(5), 0.25, 0.3) == pytest.approx(0.5 * factor)


def test_the_step_stays_at_the_target_rate_of_success_and_follows_it():
    assert compute_step_factor(TARGET_SUCCESS, 4) == pytest.approx(1.0)
    assert compute_step_factor(0.5, 4) > 1.0 > compute_step_factor(0.05, 4)


def test_an_equal_cost_replaces_the_parent():
    optimizer = make()
    optimizer.tell(optimizer.ask(), np.array([1.0]))
    before = optimizer.spread
    optimizer.tell(optimizer.ask(), np.array([1.0]))
    assert optimizer.spread > before
    assert optimizer.best.generation == 0


def test_the_same_seed_gives_the_same_bits_and_another_others():
    first, second, other = (advance(make(seed), 60).trace() for seed in (3, 3, 4))
    assert np.array_equal(first.candidates, second.candidates)
    assert not np.array_equal(first.candidates, other.candidates)


@pytest.mark.parametrize("stop", [0, 1, 37])
def test_a_replayed_search_ends_with_the_same_bits(stop):
    whole = advance(make(), 80)
    again = make()
    replay(again, advance(make(), stop).trace())
    advance(again, 80 - stop)
    assert np.array_equal(whole.trace().candidates, again.trace().candidates)
    assert np.array_equal(whole.trace().costs, again.trace().costs)
    assert (whole.best.cost, whole.spread) == (again.best.cost, again.spread)


def test_bad_costs_are_refused():
    optimizer = make()
    with pytest.raises(InputError, match="it needs 1 costs, one per candidate, got 2"):
        optimizer.tell(optimizer.ask(), np.ones(2))
    with pytest.raises(InputError, match="every cost must be finite, got nan"):
        optimizer.tell(optimizer.ask(), np.array([np.nan]))
