"""What the studio knows about controllers that can be steered: their commands and editable styles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poise.controllers.walker import layout
from poise.controllers.walker.facing import is_walker
from poise.controllers.walker.styles import OWN, copy_style
from poise.world.controller import Controller

FloatArray = NDArray[np.float64]

SPEED, SIDE_SPEED, HEADING = "speed_mps", "side_speed_mps", "heading_deg"
#: Change per key press.
SPEED_STEP_MPS: Final = 0.1
HEADING_STEP_DEG: Final = 15.0
#: A walker whose default speed is zero starts at this speed in the studio.
FIRST_SPEED_MPS: Final = 1.0


def can_steer(controller: Controller) -> bool:
    """Whether it takes a speed and a heading."""
    return {SPEED, HEADING} <= {p.name for p in controller.parameters}


def find_key(controller: Controller, key: str) -> str | None:
    """The parameter through which a script reads a key; None if it does not."""
    name = f"key_{key.upper()}"
    return name if any(p.name == name for p in controller.parameters) else None


def can_restyle(controller: Controller) -> bool:
    """Whether it has styles made of curves, one of them editable."""
    return is_walker(controller) and any(p.name == "style" and OWN in p.choices for p in controller.parameters)


def find_own(controller: Controller) -> int:
    """The index of the editable style."""
    return controller.parameter("style").choices.index(OWN)


def set_off(controller: Controller) -> Controller:
    """The controller with a first speed if its own is zero."""
    if can_steer(controller) and controller.value(SPEED) == 0.0:
        return controller.with_values({SPEED: FIRST_SPEED_MPS})
    return controller


def nudge(values: Mapping[str, float], faster: int, leftward: int) -> dict[str, float]:
    """Speed and heading after the given numbers of key presses, rounded to whole steps."""
    speed = round(values[SPEED] / SPEED_STEP_MPS + faster) * SPEED_STEP_MPS
    heading = round(values[HEADING] / HEADING_STEP_DEG + leftward) * HEADING_STEP_DEG
    return {
        SPEED: round(speed, 6) if faster else values[SPEED],
        HEADING: wrap_deg(heading) if leftward else values[HEADING],
    }


def wrap_deg(angle_deg: float) -> float:
    """The same direction as an angle above -180 and up to 180 degrees."""
    wrapped = math.remainder(angle_deg, 360.0)
    return 180.0 if wrapped == -180.0 else wrapped + 0.0


def clamp(controller: Controller, name: str, value: float) -> float:
    """A value clamped to a parameter's range."""
    parameter = controller.parameter(name)
    return min(max(value, parameter.low), parameter.high)


def describe_command(controller: Controller, values: Mapping[str, float]) -> dict[str, float] | None:
    """The values of the arrow on the ground and its limits; None if the controller cannot be steered."""
    if not can_steer(controller) or SPEED not in values:
        return None
    speed, sideways = controller.parameter(SPEED), SIDE_SPEED in values
    return {
        "speed": values[SPEED],
        "side": values[SIDE_SPEED] if sideways else 0.0,
        "heading": values[HEADING],
        "low": speed.low,
        "high": speed.high,
        "reach": controller.parameter(SIDE_SPEED).high if sideways else 0.0,
    }


def read_arrow(controller: Controller, arrow: Mapping[str, float]) -> dict[str, float]:
    """Commands from a dragged arrow, rounded to the precision of a drag."""
    commands = {SPEED: round(arrow["speed"], 2), HEADING: wrap_deg(round(arrow["heading"]))}
    if any(p.name == SIDE_SPEED for p in controller.parameters):
        commands[SIDE_SPEED] = round(arrow["side"], 2)
    return commands


def hand_over(old: Controller, old_params: FloatArray, new: Controller) -> FloatArray:
    """Parameters of the new controller, set like the old one's, for another body.

    A value keeps its ratio to the controller's default: parameters that scale with the body's size or mass scale here.
    """
    params = new.params.copy()
    theirs = {p.name: p for p in old.parameters}
    for mine in new.parameters:
        if mine.name not in theirs or mine.choices != theirs[mine.name].choices:
            continue
        own_old, own_new = float(old.params[theirs[mine.name].index]), float(new.params[mine.index])
        ratio = own_new / own_old if own_old != 0.0 and own_new != 0.0 else 1.0
        params[mine.index] = min(max(float(old_params[theirs[mine.name].index]) * ratio, mine.low), mine.high)
    if can_restyle(old) and can_restyle(new):
        before, after = old_params.view(layout.PARAMS)[0], params.view(layout.PARAMS)[0]
        after.styles[:], after.tempo[:] = before.styles, before.tempo
    return params


def take_as_own(controller: Controller, params: FloatArray, style: int) -> None:
    """Copy a style into the editable slot and make that slot active."""
    own = find_own(controller)
    if style != own:
        copy_style(params, style, own)
    params[controller.parameter("style").index] = own
