"""A row of actions is optimised window by window, each looking ahead."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.optim.ask_tell import Trace, replay
from poise.optim.gradient_descent import GradientDescent
from poise.optim.sliding_window import SlidingWindow
from poise.optim.space import Space, Variable
from unit.optim.bowl import is_same

SPACE = Space((Variable("push", -3.0, 3.0, 0.0, 0.5),))
#: Where a mass should be after each push; its speed stays, so a push is felt in all later steps.
STONES = np.array([1.0, 1.5, 3.0, 3.5, 5.0, 6.0, 6.2, 8.0])


def walk(actions):
    """Positions after each action of a mass that keeps its speed."""
    return np.cumsum(np.cumsum(actions))


def window_cost(settled, ahead):
    actions = np.concatenate([settled.ravel(), ahead]) * SPACE.spreads[0]
    places = walk(actions)
    first = len(settled)
    return float(np.sum((places[first:] - STONES[first : len(actions)]) ** 2) + 0.02 * np.sum(actions[first:] ** 2))


def run(search):
    while not search.done:
        points = search.ask()
        search.tell(points, np.array([window_cost(search.settled, p) for p in points]))
    return search


def test_every_stone_is_met():
    search = run(SlidingWindow(SPACE, count=len(STONES)))
    assert search.settled.shape == (8, 1)
    assert walk(search.settled.ravel() * 0.5) == pytest.approx(STONES, abs=0.25)


@pytest.mark.parametrize("stop", [0, 1, 20, 60])
def test_a_replayed_search_ends_with_the_same_bits(stop):
    whole = run(SlidingWindow(SPACE, count=5))
    past = whole.trace()
    assert past.generations > 60 and len({p.shape for p in past.candidates}) > 3
    again = SlidingWindow(SPACE, count=5)
    replay(again, Trace(past.candidates[:stop], past.costs[:stop]))
    assert np.array_equal(run(again).settled, whole.settled)
    assert is_same(again.trace(), past)


def test_windows_are_as_long_as_there_are_actions_left():
    search, sizes = SlidingWindow(SPACE, count=5), []
    while not search.done:
        points = search.ask()
        sizes.append(points.shape[1])
        search.tell(points, np.array([window_cost(search.settled, p) for p in points]))
    assert list(dict.fromkeys(sizes)) == [3, 2, 1]


def test_descent_finds_a_minimum_and_stops():
    descent = GradientDescent(np.zeros(2), np.full(2, -5.0), np.full(2, 5.0), descents=60)
    count = 0
    while not descent.done:
        points = descent.ask()
        descent.tell(points, np.array([(p[0] - 1.0) ** 2 + 3.0 * (p[1] + 2.0) ** 2 for p in points]))
        count += 1
    assert descent.point == pytest.approx([1.0, -2.0], abs=0.02)
    assert descent.cost < 1e-3 and count < 1000
    with pytest.raises(InputError, match="gradient descent: it has finished"):
        descent.ask()


def test_descent_keeps_to_the_bounds():
    descent = GradientDescent(np.zeros(2), np.full(2, -1.0), np.full(2, 0.5), descents=30)
    while not descent.done:
        points = descent.ask()
        assert np.all(points >= -1.0) and np.all(points <= 0.5)
        descent.tell(points, np.array([(p[0] - 1.0) ** 2 + (p[1] + 0.3) ** 2 for p in points]))
    assert descent.point == pytest.approx([0.5, -0.3], abs=0.05)


def test_descent_on_flat_ground_ends():
    descent = GradientDescent(np.zeros(2), np.full(2, -1.0), np.full(2, 1.0))
    for count in (1, 4):
        descent.tell(descent.ask(), np.ones(count))
    assert descent.done and descent.cost == 1.0


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="there must be at least 1 action, got 0"):
        SlidingWindow(SPACE, count=0)
    with pytest.raises(InputError, match="window is out of range, got 4"):
        SlidingWindow(SPACE, count=3, window=4)
    with pytest.raises(InputError, match="descents is out of range, got 0"):
        GradientDescent(np.zeros(1), -np.ones(1), np.ones(1), descents=0)
    search = SlidingWindow(SPACE, count=3)
    with pytest.raises(InputError, match="it needs 1 costs, one per candidate, got 2"):
        search.tell(search.ask(), np.ones(2))
    with pytest.raises(InputError, match="all 3 actions are settled"):
        run(search).ask()
