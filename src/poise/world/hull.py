"""Convex hulls of points in a plane, for support polygons and outlines.

`scipy.spatial.ConvexHull` raises for collinear points, which the feet of a planar biped produce at every tick. Tests
compare the two where both work.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def compute_convex_hull(points: FloatArray) -> FloatArray:
    """Corners of the hull of (N, 2) points, (M, 2), counter-clockwise.

    A line has two corners, a point one, an empty set none. Monotone chain: points on an edge are not corners.
    """
    ordered = np.unique(np.asarray(points, dtype=np.float64).reshape(-1, 2), axis=0)
    if len(ordered) < 3:
        return ordered
    lower = _chain(ordered)
    upper = _chain(ordered[::-1])
    corners = lower[:-1] + upper[:-1]
    return np.array(corners, dtype=np.float64)


def _chain(ordered: FloatArray) -> list[tuple[float, float]]:
    chain: list[tuple[float, float]] = []
    for x, y in ordered.tolist():
        while len(chain) >= 2:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                break
            chain.pop()
        chain.append((x, y))
    return chain
