"""The linear inverted pendulum: a body at height h over its foot falls with ẍ = ω²·x, ω = √(g/h)."""

from __future__ import annotations

import math

from poise.kernels.jit import law


@law
def pendulum_rate(gravity, height):
    """Return ω = √(g/h)."""
    return math.sqrt(gravity / height)


@law
def capture_point(position, velocity, rate):
    """Return x + v/ω: a pendulum with its foot there stops above it."""
    return position + velocity / rate
