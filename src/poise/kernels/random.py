"""A random generator whose entire state is one number in the snapshot; numba's own generator is per thread."""

from __future__ import annotations

import math

import numpy as np

from poise.kernels.jit import JIT_ENABLED, law

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@law
def _next_uniform(state):
    state[0] += _GOLDEN
    z = state[0]
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    z = z ^ (z >> _S31)
    return float(z >> _S11) * (1.0 / 9007199254740992.0)


if JIT_ENABLED:
    next_uniform = _next_uniform
else:

    def next_uniform(state: np.ndarray) -> float:
        """The same in plain Python, without NumPy's warning of the intended overflow."""
        with np.errstate(over="ignore"):
            return float(_next_uniform(state))


@law
def next_normal(state):
    """A standard normal number (Box-Muller)."""
    u = max(next_uniform(state), 1e-300)
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * next_uniform(state))
