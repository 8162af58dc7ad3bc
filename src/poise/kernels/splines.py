"""Splines over a phase: the curves that a trajectory generator plays back."""

from __future__ import annotations

from poise.kernels.jit import law


@law
def find_interval(count, phase):
    """Return the interval of a spline with `count` even knots at `phase` in [0, 1], and the position in it, 0 to 1."""
    # A NaN, for which no comparison holds, maps to the beginning: as an index it could be anything.
    x = min(phase, 1.0) * (count - 1) if phase > 0.0 else 0.0
    i = min(int(x), count - 2)
    return i, x - i


@law
def hermite_weights(t):
    """Return the weights of the end points and tangents of a cubic Hermite interval: of p₀, p₁, m₀, m₁."""
    t2, t3 = t * t, t * t * t
    return 2 * t3 - 3 * t2 + 1, 3 * t2 - 2 * t3, t3 - 2 * t2 + t, t3 - t2


@law
def catmull_rom(points, count, phase):
    """Return the value at `phase` in [0, 1] of the uniform Catmull-Rom spline through the first `count` points.

    [Coros10 §2.4]: evenly spaced knots; on each interval a cubic Hermite with tangents ½(p₊ − p₋), end points repeated;
    constant outside. A single point is a constant.
    """
    if count <= 1:
        return points[0]
    i, t = find_interval(count, phase)
    w0, w1, h0, h1 = hermite_weights(t)
    p0, p1 = points[i], points[i + 1]
    m0 = 0.5 * (p1 - points[max(i - 1, 0)])
    m1 = 0.5 * (points[min(i + 2, count - 1)] - p0)
    return w0 * p0 + h0 * m0 + w1 * p1 + h1 * m1
