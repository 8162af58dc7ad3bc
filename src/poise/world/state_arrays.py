"""Views of the state of a whole simulation, for code outside the world."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class StateArrays(NamedTuple):
    """Views in MuJoCo's order; `World.body` returns the index of a body, 0 is the ground.

    Writing to `positions` and `velocities` moves bodies; everything else is recomputed in the next tick.
    """

    positions: FloatArray
    velocities: FloatArray
    accelerations: FloatArray
    #: Motor forces, per degree of freedom.
    drive: FloatArray
    #: External force and moment on each body: pushes, springs, and contacts of a penalty ground.
    body_force_w: FloatArray
    #: Origins and orientations of bodies.
    body_pos_w_m: FloatArray
    body_quat_wxyz: FloatArray
    #: Centre of mass of each body, and of each body's subtree.
    body_com_w_m: FloatArray
    subtree_com_w_m: FloatArray


def view_state(data: mujoco.MjData) -> StateArrays:
    """The views of a simulation."""
    return StateArrays(
        positions=data.qpos,
        velocities=data.qvel,
        accelerations=data.qacc,
        drive=data.qfrc_applied,
        body_force_w=data.xfrc_applied,
        body_pos_w_m=data.xpos,
        body_quat_wxyz=data.xquat,
        body_com_w_m=data.xipos,
        subtree_com_w_m=data.subtree_com,
    )
