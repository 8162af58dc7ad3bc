"""Laws that break one promise each."""

from __future__ import annotations

import numpy as np

from poise.kernels.jit import kernel


@kernel
def hold(percept, params, memory, torque, damping):
    """A law that keeps every promise."""
    for k in range(torque.shape[0]):
        torque[k] = percept.gains[k, 0] * (percept.rest_q[k] - percept.joint_q[k])
        damping[k] = percept.gains[k, 1]


@kernel
def not_a_number_in_the_air(percept, params, memory, torque, damping):
    hold(percept, params, memory, torque, damping)
    torque[0] += np.sqrt(1.5 - percept.com_w[2])


@kernel
def infinite_in_memory(percept, params, memory, torque, damping):
    memory[0] = 2.0 * memory[0] + 1.0


@kernel
def negative_damping(percept, params, memory, torque, damping):
    damping[1] = -1.0


@kernel
def raising(percept, params, memory, torque, damping):
    if percept.time_s[0] == 0.02:
        raise ValueError("no")


@kernel
def raising_between_looks(percept, params, memory, torque, damping):
    if percept.time_s[0] == 0.025:
        raise ValueError("no")


@kernel
def writing_into_the_percept(percept, params, memory, torque, damping):
    percept.gains[0, 0] *= 0.5


@kernel
def writing_into_params(percept, params, memory, torque, damping):
    params[0] += 1.0


@kernel
def allocating(percept, params, memory, torque, damping):
    room = np.zeros(torque.shape[0])
    for k in range(torque.shape[0]):
        room[k] = -percept.joint_q[k]
    torque[:] = room


@kernel
def hanging_on_a_thread(percept, params, memory, torque, damping):
    hold(percept, params, memory, torque, damping)
    percept.root_v[1] += 0.2 * percept.timestep_s


@kernel
def turning_itself(percept, params, memory, torque, damping):
    percept.root_v[2] += 0.2 * percept.timestep_s


@kernel
def dicing(percept, params, memory, torque, damping):
    hold(percept, params, memory, torque, damping)
    torque[0] += np.random.random()


@kernel
def hiding_its_memory(percept, params, memory, torque, damping):
    hold(percept, params, memory, torque, damping)
    percept.mass[0] += percept.timestep_s
    torque[0] += percept.mass[0]


@kernel
def limping(percept, params, memory, torque, damping):
    hold(percept, params, memory, torque, damping)
    torque[0] += 5.0


@kernel
def forgetting_the_other_side(percept, params, memory, torque, damping):
    hold(percept, params, memory, torque, damping)
    memory[0] = percept.joint_q[0]


@kernel
def returning(percept, params, memory, torque, damping):
    return 1.0


@kernel
def untypable(percept, params, memory, torque, damping):
    torque[0] = percept.strength[0]


def plain(percept, params, memory, torque, damping):
    torque[0] = 1.0
