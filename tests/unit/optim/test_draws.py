"""Random candidates: repeatable, and the best of them is known."""

import numpy as np

from poise.optim.draws import Draws


def make(seed=3):
    return Draws(lambda random: random.uniform(size=2), population=4, seed=seed)


def test_the_same_seed_draws_the_same_whatever_was_told():
    first, second, other = make(), make(), make(4)
    for k in range(3):
        points = first.ask()
        assert np.array_equal(points, second.ask()) and not np.array_equal(points, other.ask())
        first.tell(points, np.arange(4.0) + k)
    assert (first.trace().evaluations, first.spread) == (12, 1.0)


def test_the_best_is_the_first_of_the_cheapest():
    draws = make()
    assert draws.best is None
    points = draws.ask()
    draws.tell(points, np.array([2.0, 1.0, 1.0, 3.0]))
    draws.tell(draws.ask(), np.array([4.0, 1.0, 5.0, 6.0]))
    assert (draws.best.point.tolist(), draws.best.cost, draws.best.generation) == (points[1].tolist(), 1.0, 0)
