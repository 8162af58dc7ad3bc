"""A bowl whose bottom lies beyond the range of one variable, and the way through some generations."""

import numpy as np

from poise.optim.space import Space, Variable

SPACE = Space(tuple(Variable(f"x{k}", -1.0, 2.0, 0.5, 0.3) for k in range(4)))
#: The last one lies outside the range: the best is at its end.
GOAL = np.array([1.1, -0.3, 0.7, 5.0])


def cost(point):
    return float(np.sum((np.array(list(SPACE.decode(point).values())) - GOAL) ** 2))


def advance(optimizer, generations):
    for _ in range(generations):
        points = optimizer.ask()
        optimizer.tell(points, np.array([cost(p) for p in points]))
    return optimizer


def is_same(one, two):
    """Whether two traces hold the same bits."""
    return len(one.costs) == len(two.costs) and all(
        np.array_equal(a, b, equal_nan=True)
        for a, b in zip((*one.candidates, *one.costs), (*two.candidates, *two.costs))
    )
