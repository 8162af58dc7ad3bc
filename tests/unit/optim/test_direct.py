"""DIRECT by ask and tell gives what scipy gives."""

import numpy as np
import pytest
from scipy.optimize import Bounds, direct

from poise.errors import InputError
from poise.optim.ask_tell import replay
from poise.optim.direct import Direct
from poise.optim.space import Space, Variable

SPACE = Space((Variable("x", -1.0, 2.0, 0.5, 0.3), Variable("y", -2.0, 3.0, 0.0, 1.0)))


def cost(point):
    return float((point[0] - 0.7) ** 2 + (point[1] + 0.4) ** 2 + 0.3 * np.cos(5.0 * point[0]))


def advance(search, count):
    for _ in range(count):
        if search.done:
            break
        points = search.ask()
        search.tell(points, np.array([cost(p) for p in points]))
    return search


def test_it_ends_where_scipy_ends():
    search = advance(Direct(SPACE, evaluations=150), 1000)
    result = direct(cost, Bounds(*SPACE.bounds()), maxfun=150, maxiter=150, vol_tol=0.0, len_tol=0.0)
    assert (search.best.cost, search.spread) == (result.fun, 0.0)
    assert search.best.point == pytest.approx(result.x, rel=1e-12)
    with pytest.raises(InputError, match="DIRECT: it has finished after"):
        search.ask()


@pytest.mark.parametrize("stop", [0, 1, 30])
def test_it_comes_back_from_its_trace(stop):
    whole, again = advance(Direct(SPACE), 60), Direct(SPACE)
    replay(again, advance(Direct(SPACE), stop).trace())
    assert np.array_equal(whole.trace().candidates, advance(again, 60 - stop).trace().candidates)


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="evaluations is out of range, got 0"):
        Direct(SPACE, evaluations=0)
    search = Direct(SPACE)
    assert search.best is None
    with pytest.raises(InputError, match="every cost must be finite, got nan"):
        search.tell(search.ask(), np.array([np.nan]))
