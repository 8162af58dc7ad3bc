"""PD servos: τ = kp·(θ_d − θ) − kd·θ̇, with the damping left to the implicit integrator."""

from __future__ import annotations

from poise.kernels.jit import inlined


@inlined
def add_servo(percept, axis, target, kp, kd, torque, damping):
    """Add a PD servo that drives an axis to a target angle."""
    torque[axis] += kp * (target - percept.joint_q[axis])
    damping[axis] += kd


@inlined
def add_moving_servo(percept, axis, target, speed, kp, kd, scale, torque, damping):
    """Add a scaled PD servo that drives an axis to a target angle moving at a speed."""
    torque[axis] += scale * (kp * (target - percept.joint_q[axis]) + kd * speed)
    damping[axis] += scale * kd
