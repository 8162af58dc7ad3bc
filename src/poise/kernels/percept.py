"""The inputs and outputs of laws: the `Percept`, and the signature shared by all laws.

A percept holds views of one character's part of the world under our own names, with local indices: segment 0 is the
root, axis 0 the first joint axis. Its fields are part of every law's compiled signature, so a change here recompiles
every law.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from poise.kernels.ground import GROUND_TYPE, GroundTable
from poise.kernels.jit import JIT_ENABLED

F8 = NDArray[np.float64]
I8 = NDArray[np.int64]
I4 = NDArray[np.int32]


class PropTable(NamedTuple):
    """Poses and velocities of the p props of the world and positions of their h handles, ordered as `World.props`."""

    pos_w: F8  # (p, 3) origins of their frames
    quat_w: F8  # (p, 4) wxyz
    rot_w: F8  # (p, 9) row-major rotation matrices
    com_w: F8  # (p, 3)
    spatial_vel: F8  # (p, 6) angular velocity, then velocity of the centre of mass
    handle_pos_w: F8  # (h, 3) prop after prop
    handle_prop: I8  # (h,) the prop of each handle


class Percept(NamedTuple):
    """One character at one tick; n segments, u joint axes, r root degrees of freedom (6, or 3 if planar).

    Positions and velocities are those of this tick, contact forces those of the previous step: MuJoCo solves them last.
    """

    time_s: F8  # (1,)
    timestep_s: float
    gravity_mps2: float
    com_w: F8  # (3,) centre of mass of the whole body
    com_vel_w: F8  # (3,)
    heading_rad: F8  # (1,) yaw of the root
    heading_w: F8  # (2,) unit vector ahead along the ground: cosine and sine of the heading
    root_q: F8  # in MuJoCo's form: position and quaternion (7), or x, z, pitch (3)
    root_v: F8  # (r,)
    joint_q: F8  # (u,)
    joint_v: F8  # (u,)
    pos_w: F8  # (n, 3) origins of the segment frames
    quat_w: F8  # (n, 4) wxyz
    rot_w: F8  # (n, 9) row-major rotation matrices
    segment_com_w: F8  # (n, 3) centres of mass of the segments
    spatial_vel: F8  # (n, 6) angular velocity, then velocity of the segment's point that is at the character's COM
    subtree_com_w: F8  # (n, 3)
    axis_motion: F8  # (u, 6) contribution of a unit joint speed to spatial_vel of all segments below the axis
    bias: F8  # (r + u,) gravity, Coriolis and centrifugal torques
    touch_force_w: F8  # (n, 3) sum of the contact forces on each segment
    touch_load: F8  # (n,) sum of the normal contact forces on each segment
    mass: F8  # (n,)
    subtree_mass: F8  # (n,)
    limits: F8  # (u, 3) low_rad, high_rad, torque_limit_nm
    gains: F8  # (u, 2) the character's own kp and kd
    rest_q: F8  # (u,) the rest pose
    parent: I8  # (n,) -1 for the root
    axis_segment: I8  # (u,) the segment that an axis moves
    segment_axes: I8  # (n, 2) first axis and number of axes of the joint above a segment
    roles: I8  # (len(ROLES),) segment of each role, -1 if there is none
    axes: I8  # (len(KNOWN_AXES),) axis of each known name, -1 if there is none
    feet: I8  # (2, 2) foot and toes (-1 if there are none) of the left and right side
    ground: GroundTable  # for poise.kernels.ground.probe_ground
    props: PropTable
    random_state: NDArray[np.uint64]  # (1,) of poise.kernels.random, part of the snapshot
    cue: I8  # (1,) bits that a law sets: another phase begins (1), requests (2), a full journal (4)


_f1 = types.float64[::1]
_f2 = types.float64[:, ::1]
_i1 = types.int64[::1]
_i2 = types.int64[:, ::1]

PROP_TYPE = types.NamedTuple([_f2, _f2, _f2, _f2, _f2, _f2, _i1], PropTable)

PERCEPT_TYPE = types.NamedTuple(
    [
        _f1, types.float64, types.float64, _f1, _f1, _f1, _f1, _f1, _f1, _f1, _f1,
        _f2, _f2, _f2, _f2, _f2, _f2, _f2, _f1, _f2, _f1, _f1, _f1, _f2, _f2, _f1,
        _i1, _i1, _i2, _i1, _i1, _i2, GROUND_TYPE, PROP_TYPE, types.uint64[::1], _i1,
    ],
    Percept,
)  # fmt: skip

#: void(percept, params, memory, torque, damping): a law reads the first two, keeps its state in memory, and adds to the
#: torque (N·m) and damping (N·m·s) of each joint axis, which are initially zero.
LAW_SIGNATURE = types.void(PERCEPT_TYPE, _f1, _f1, _f1, _f1)

if not JIT_ENABLED:
    # Without the JIT the types are not needed, and numba has no first-class functions.
    LAW_TYPE = None
else:
    LAW_TYPE = types.FunctionType(LAW_SIGNATURE)
