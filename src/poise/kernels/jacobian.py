"""Velocities of points on a body, and virtual forces at them: τ = Jᵀ·F.

MuJoCo gives angular and linear velocities at the character's centre of mass c, so a point p moves with v + ω × (p − c).
"""

from __future__ import annotations

from poise.kernels.jit import inlined, law


@law
def point_velocity(motion, rx, ry, rz):
    """Return the velocity of a point at r from the COM, given angular and linear velocity at the COM (6)."""
    return (
        motion[3] + motion[1] * rz - motion[2] * ry,
        motion[4] + motion[2] * rx - motion[0] * rz,
        motion[5] + motion[0] * ry - motion[1] * rx,
    )


@inlined
def axis_force(percept, axis, px, py, pz, fx, fy, fz):
    """Return (∂p/∂q)·F for one axis: the torque that exerts a force F (world) at a point p that the axis moves."""
    c = percept.com_w
    vx, vy, vz = point_velocity(percept.axis_motion[axis], px - c[0], py - c[1], pz - c[2])
    return vx * fx + vy * fy + vz * fz


@inlined
def com_force(percept, axis, fx, fy, fz):
    """Return (∂c/∂q)·F for one axis that moves the whole body: the force acts at the COM."""
    motion = percept.axis_motion[axis]
    return motion[3] * fx + motion[4] * fy + motion[5] * fz


@inlined
def add_virtual_force(percept, segment, px, py, pz, fx, fy, fz, torque):
    """Add (∂p/∂q)·F to every axis between the root and a segment, where the point p moves with the segment."""
    while segment > 0:
        first = percept.segment_axes[segment, 0]
        for axis in range(first, first + percept.segment_axes[segment, 1]):
            torque[axis] += axis_force(percept, axis, px, py, pz, fx, fy, fz)
        segment = percept.parent[segment]
