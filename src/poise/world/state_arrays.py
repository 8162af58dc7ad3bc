"""Views of the state of a whole simulation, for those outside the world who must look at all of it."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class StateArrays(NamedTuple):
    """Views in MuJoCo's order; `World.body` gives the number of a body, 0 is the ground.

    Writing to `positions` and `velocities` moves bodies; all else is computed in the next tick.
    """

    positions: FloatArray
    velocities: FloatArray
    accelerations: FloatArray
    #: Forces of motors, per degree of freedom.
    drive: FloatArray
    #: Force and moment from outside on each body: pushes, springs, and the contacts of a ground of springs.
    body_force_w: FloatArray
    #: Origins and orientations of bodies.
    body_pos_w_m: FloatArray
    body_quat_wxyz: FloatArray
    #: Centre of mass of each body, and of each with all that hangs on it.
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
