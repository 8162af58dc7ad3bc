"""CMA-ES by ask and tell: it finds minima, keeps to bounds, and resumes to the same bits."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.optim.ask_tell import replay
from poise.optim.cma_es import CmaEs, RawCmaEs
from unit.optim.bowl import SPACE, advance


def make(seed=3):
    return CmaEs(SPACE, population=8, seed=seed)


def test_it_finds_a_minimum_at_the_edge_of_the_range():
    best = advance(make(), 80).best
    assert list(SPACE.decode(best.point).values()) == pytest.approx([1.1, -0.3, 0.7, 2.0], abs=0.01)


def test_candidates_keep_to_the_bounds():
    low, high = SPACE.bounds()
    candidates = np.vstack(advance(make(), 30).trace().candidates)
    assert np.all(candidates >= low - 1e-12) and np.all(candidates <= high + 1e-12)


def test_the_same_seed_gives_the_same_bits_whatever_the_global_random_state():
    np.random.seed(1)
    first = advance(make(), 20).trace()
    np.random.seed(2)
    state = np.random.get_state()[1].copy()
    second = advance(make(), 20).trace()
    assert np.array_equal(first.candidates, second.candidates)
    assert np.array_equal(state, np.random.get_state()[1])


def test_another_seed_gives_other_candidates():
    assert not np.array_equal(make(1).ask(), make(2).ask())


@pytest.mark.parametrize("stop", [0, 1, 7, 19])
def test_a_replayed_search_ends_with_the_same_bits(stop):
    whole = advance(make(), 20)
    again = make()
    replay(again, advance(make(), stop).trace())
    advance(again, 20 - stop)
    assert np.array_equal(whole.trace().candidates, again.trace().candidates)
    assert np.array_equal(whole.trace().costs, again.trace().costs)
    assert whole.best.cost == again.best.cost
    assert whole.spread == again.spread


def test_the_best_of_a_trace_is_the_best_of_the_optimiser():
    optimizer = advance(make(), 10)
    best = optimizer.trace().best()
    assert best.cost == optimizer.best.cost
    assert best.generation == optimizer.best.generation
    assert np.array_equal(best.point, optimizer.best.point)
    assert make().best is None and make().trace().best() is None


@pytest.mark.parametrize(
    ("costs", "text"),
    [
        (np.ones(3), "optimiser: it needs 8 costs, one per candidate, got 3."),
        (np.full(8, np.nan), "optimiser: every cost must be finite, got nan."),
        (np.full(8, np.inf), "optimiser: every cost must be finite, got inf."),
    ],
)
def test_bad_costs_are_refused(costs, text):
    optimizer = make()
    with pytest.raises(InputError) as raised:
        optimizer.tell(optimizer.ask(), costs)
    assert str(raised.value) == text


def test_a_population_of_three_is_refused():
    with pytest.raises(InputError, match="population is out of range, got 3"):
        CmaEs(SPACE, population=3, seed=0)


@pytest.mark.parametrize(
    ("options", "given"),
    [({"bounds": (0.0, 1.0)}, {"bounds": [0.0, 1.0]}), ({"diagonal": True}, {"CMA_diagonal": True})],
)
def test_raw_candidates_are_those_of_the_package_with_its_own_random_numbers(options, given):
    import cma

    ours = RawCmaEs(np.full(5, 0.3), 0.25, population=8, seed=4, **options)
    theirs = cma.CMAEvolutionStrategy(np.full(5, 0.3), 0.25, {"popsize": 8, "seed": 4, "verbose": -9, **given})
    for _ in range(12):
        expected, points = np.array(theirs.ask()), ours.ask()
        assert np.array_equal(points, expected)
        costs = np.sum((points - 0.6) ** 2, axis=1)
        ours.tell(points, costs)
        theirs.tell(list(points), costs.tolist())
    assert ours.best.cost < 0.2
