"""PD servos: τ = kp·(θ_d − θ) − kd·θ̇, whose damper is left to the implicit integrator."""

from __future__ import annotations

from poise.kernels.jit import inlined


@inlined
def add_servo(percept, axis, target, kp, kd, torque, damping):
    """Add a PD servo that draws an axis to a target angle."""
    torque[axis] += kp * (target - percept.joint_q[axis])
    damping[axis] += kd


@inlined
def add_moving_servo(percept, axis, target, speed, kp, kd, scale, torque, damping):
    """Add a PD servo, times a scale, that draws an axis to a target angle which moves at a speed."""
    torque[axis] += scale * (kp * (target - percept.joint_q[axis]) + kd * speed)
    damping[axis] += scale * kd
