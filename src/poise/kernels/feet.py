"""Loads on the feet of a character."""

from __future__ import annotations

from poise.kernels.jit import inlined


@inlined
def foot_load(percept, side):
    """Return the normal contact force on a foot and its toes (N)."""
    foot, toes = percept.feet[side, 0], percept.feet[side, 1]
    load = percept.touch_load[foot]
    return load if toes < 0 else load + percept.touch_load[toes]
