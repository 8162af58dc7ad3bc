"""The walker's step plan, read from its memory, and the parameters that change it. For pilots and experiments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import SIDES
from poise.controllers.walker import layout
from poise.errors import out_of_range

FloatArray = NDArray[np.float64]
#: A point on the ground (m, world).
Point = tuple[float, float]


@dataclass(frozen=True)
class StepPlan:
    """The current step and the planned ones. Positions are those of ankles, in the world.

    While the walker stands, positions are those of its last step.
    """

    walking: bool
    #: "left" or "right".
    stance: str
    #: Strikes so far.
    steps: int
    #: 0 at the strike, 1 when the next one is due, more if it is late; None while it stands.
    phase: float | None
    #: Until the next strike.
    time_left_s: float
    #: Current target yaw of the pelvis, which approaches the commanded one.
    heading_rad: float
    #: Current target velocity, which approaches the commanded one.
    target_vel_w_mps: Point
    #: Stance ankle at the strike.
    stance_ankle_w_m: Point
    #: Where the swing ankle should be now, and where it should land.
    swing_ankle_w_m: Point
    swing_target_w_m: Point
    #: Commanded footholds that are still ahead.
    footholds_w_m: tuple[Point, ...]
    #: Number of the last order of footholds.
    foothold_order: int
    #: Estimated gradient of the ground.
    slope_w: Point


def read_step_plan(memory: FloatArray) -> StepPlan:
    """The step plan in a walker's memory, as in `World.memories[k]`."""
    m = memory.view(layout.MEMORY)[0]
    walking, time_s = int(m.mode) == layout.WALK, float(m.elapsed + m.time_left)
    return StepPlan(
        walking=walking,
        stance=SIDES[int(m.stance)],
        steps=int(m.steps),
        phase=float(m.elapsed) / time_s if walking and time_s > 0.0 else None,
        time_left_s=float(m.time_left),
        heading_rad=float(m.heading),
        target_vel_w_mps=_point(m.target_vel),
        stance_ankle_w_m=_point(m.strike_ankle),
        swing_ankle_w_m=_point(m.planned_foot),
        swing_target_w_m=_point(m.foot_target),
        footholds_w_m=tuple(_point(m.foothold[k]) for k in range(int(m.footholds_left))),
        foothold_order=int(m.foothold_order),
        slope_w=_point(m.slope),
    )


def read_leg_lengths_m(params: FloatArray) -> tuple[float, float]:
    """Lengths from hip to ankle of the left and right leg, from a walker's parameters as in `World.params[k]`."""
    p = params.view(layout.PARAMS)[0]
    return float(p.thigh[0] + p.shank[0]), float(p.thigh[1] + p.shank[1])


def foothold_values(points_w_m: Sequence[Point], plan: StepPlan) -> dict[str, float]:
    """Parameters that send the next ankles to these points; an empty list cancels earlier orders."""
    if len(points_w_m) > layout.MAX_FOOTHOLDS:
        raise out_of_range("walker", "number of footholds", len(points_w_m), 0, layout.MAX_FOOTHOLDS)
    values: dict[str, float] = {}
    for k, (x_m, y_m) in enumerate(points_w_m):
        values |= {f"foothold_{k + 1}_x_m": float(x_m), f"foothold_{k + 1}_y_m": float(y_m)}
    return {**values, "footholds": float(len(points_w_m)), "foothold_order": plan.foothold_order + 1.0}


def _point(vector: FloatArray) -> Point:
    return float(vector[0]), float(vector[1])
