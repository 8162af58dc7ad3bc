"""`pose/hold`: PD control of every joint to a fixed angle, with the character's own gains. It does not balance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poise.characters.model import Character, swap_side
from poise.kernels.jit import law
from poise.kernels.servo import add_servo
from poise.tables import as_table
from poise.world.controller import Controller, Parameter, Start

METHOD = "pose-hold"
ANGLE_RANGE = (-100.0, 100.0)
STIFFNESS_RANGE = (0.0, 100.0)
#: params: stiffness factor, then one target for each axis.
STIFFNESS = 0


@law
def hold_law(percept, params, memory, torque, damping):
    """τ = s·kp·(target − q), damping s·kd, on every axis."""
    for k in range(torque.shape[0]):
        kp, kd = params[STIFFNESS] * percept.gains[k, 0], params[STIFFNESS] * percept.gains[k, 1]
        add_servo(percept, k, params[1 + k], kp, kd, torque, damping)


def build_from_table(table: Mapping[str, Any], character: Character, name: str, description: str) -> Controller:
    """A controller that holds `pose_rad` (axis -> angle); axes not named hold the character's rest pose."""
    table = as_table(table, name)
    table.only("pose_rad", "stiffness")
    pose = table.table("pose_rad")
    angles = {axis: pose.number(axis, *ANGLE_RANGE) for axis in pose}
    for named in angles:
        character.axis_index(named)
    target = {a: angles.get(a, character.rest_pose_rad.get(a, 0.0)) for a in character.axis_names}
    symmetric = all(target.get(swap_side(a), t) == t for a, t in target.items())
    parameters = [Parameter("stiffness", STIFFNESS, *STIFFNESS_RANGE, "factor on the character's own gains")]
    for k, axis in enumerate(character.axes):
        low, high = max(axis.low_rad, -3.2), min(axis.high_rad, 3.2)
        parameters.append(Parameter(f"{axis.name}_rad", 1 + k, low, high, "target angle"))
    return Controller(
        name=name,
        law=hold_law,
        params=np.array([table.number("stiffness", *STIFFNESS_RANGE, 1.0), *target.values()]),
        memory=np.zeros(1),
        parameters=tuple(parameters),
        start=Start(joint_q_rad=target),
        description=description,
        mirror_memory=np.copy if symmetric else None,
    )
