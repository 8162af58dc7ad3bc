"""The walker's memory outside its law: the initial one, its mirror image, and which entries serve as indices."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.controllers.walker import layout
from poise.world.guard import Whole, make_guard

#: Scalars that change sign in the mirror image.
_LATERAL: Final = ("heading", "goal_heading", "strike_side")
#: Vectors whose second component changes sign.
_VECTORS: Final = (
    "lift_off", "foot_target", "planned_foot", "planned_foot_vel", "strike_ankle", "target_vel", "stride_start",
    "target_travel", "vel_bias", "slope", "previous_ankle", "stand_shift", "idle_shift", "rest_position",
)  # fmt: skip


def first_memory(style: float) -> NDArray[np.float64]:
    """The memory of a walker that stands and has learned nothing yet."""
    memory = np.zeros(layout.MEMORY_SIZE)
    record = memory.view(layout.MEMORY)[0]
    record.style = record.old_style = style
    record.style_fade = 1.0
    record.stride_start[2] = -1.0
    record.time_left = 0.5
    return memory


def mirror_memory(memory: NDArray[np.float64]) -> NDArray[np.float64]:
    """The memory of the mirror image, with left and right exchanged."""
    mirrored = memory.copy()
    m = mirrored.view(layout.MEMORY)[0]
    m.stance = 1.0 - m.stance
    for name in _LATERAL:
        setattr(m, name, -getattr(m, name))
    for name in _VECTORS:
        getattr(m, name)[1] *= -1.0
    m.foothold[:, 1] *= -1.0
    m.start_side = {1.0: 2.0, 2.0: 1.0}.get(float(m.start_side), 0.0)
    m.idle_foot = -m.idle_foot
    return mirrored


def _whole(name: str, low: int, high: int) -> Whole:
    fields = layout.MEMORY.fields
    assert fields is not None
    return Whole(name, int(fields[name][1]) // 8, low, high)


GUARD: Final = make_guard(
    whole=[
        _whole("mode", layout.STAND, layout.WALK),
        _whole("stance", 0, 1),
        _whole("style", 0, layout.MAX_STYLES - 1),
        _whole("old_style", 0, layout.MAX_STYLES - 1),
        _whole("start_side", 0, 2),
    ]
)
