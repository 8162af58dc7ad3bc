"""Smoothing of costs over neighbours, so that noise does not decide which of a few candidates is the best."""

from __future__ import annotations

from typing import Final

import numpy as np

from poise.optim.space import FloatArray

#: Reach of neighbours, in spreads of the samples, and regularisation of the slope, in neighbours at that distance: with
#: few neighbours, a slope cannot be distinguished from noise. Reaches of 1, 1.5 and 2 and flatness of 0.1, 0.5 and 2
#: were tried with other seeds of the toy problems; they differ little.
REACH: Final = 1.5
FLATNESS: Final = 0.1


def smooth_costs(points: FloatArray, known: FloatArray, costs: FloatArray) -> FloatArray:
    """Costs at points (N, n) by a local linear fit to known points (K, n) and their costs (K,).

    Coordinates are in spreads of the samples. Neighbours have the weight exp(-d²/2), where d is their distance over the
    reach. In many dimensions samples lie far apart, so a known point keeps its own cost.
    """
    result = np.empty(len(points))
    for k, point in enumerate(points):
        away = (known - point) / REACH
        weights = np.exp(-0.5 * np.sum(away**2, axis=1))
        columns = np.hstack([np.ones((len(known), 1)), away])
        system = columns.T @ (weights[:, np.newaxis] * columns)
        system[1:, 1:] += FLATNESS * np.eye(known.shape[1])
        result[k] = np.linalg.solve(system, columns.T @ (weights * costs))[0]
    return result
