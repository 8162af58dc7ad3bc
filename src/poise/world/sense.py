"""Whole-body quantities of a character: centre of mass, its velocity, heading. Compiled; called once a tick."""

from __future__ import annotations

import math

from poise.kernels.jacobian import point_velocity
from poise.kernels.jit import law
from poise.kernels.rotation import heading_rad


@law
def sense_whole(percept, planar):
    """Fill in the percept's COM, COM velocity and heading.

    MuJoCo gives each segment's velocity v_i at the COM c: v_i(x) = v_i + w_i × (x − c).
    """
    mass, at, vel = percept.mass, percept.segment_com_w, percept.spatial_vel
    c = percept.subtree_com_w
    cx, cy, cz = c[0, 0], c[0, 1], c[0, 2]
    px = py = pz = 0.0
    for i in range(mass.shape[0]):
        rx, ry, rz = at[i, 0] - cx, at[i, 1] - cy, at[i, 2] - cz
        vx, vy, vz = point_velocity(vel[i], rx, ry, rz)
        px += mass[i] * vx
        py += mass[i] * vy
        pz += mass[i] * vz
    total = percept.subtree_mass[0]
    percept.com_w[0], percept.com_w[1], percept.com_w[2] = cx, cy, cz
    percept.com_vel_w[0], percept.com_vel_w[1], percept.com_vel_w[2] = px / total, py / total, pz / total
    heading = 0.0 if planar else heading_rad(percept.quat_w[0])
    percept.heading_rad[0] = heading
    percept.heading_w[0], percept.heading_w[1] = math.cos(heading), math.sin(heading)
