"""A custom controller that squats. Run it with `poise run examples/own_controller.py`."""

from math import cos, pi

import numpy as np

from poise.characters.model import KNOWN_AXES, ROLES, Character
from poise.kernels.jit import law
from poise.world.controller import Controller, Parameter

CHARACTER = "biped7"
FEET = (ROLES.index("left_foot"), ROLES.index("right_foot"))
NAMES = [[f"{side}_{joint}_pitch" for joint in ("hip", "knee", "ankle")] for side in ("left", "right")]
LEGS = np.array([[KNOWN_AXES.index(name) for name in leg] for leg in NAMES])
# Value, minimum and maximum: depth, period, and ankle torque per metre and per m/s off balance.
SPEC = {"knee_rad": (1.0, 0, 1.5), "period_s": (2.0, 0.3, 20), "balance_n": (1e3, 0, 1e4), "calm_ns": (5e2, 0, 1e4)}


@law
def squat_law(percept, params, memory, torque, damping):
    """Knees follow a cosine; hips and ankles bend half as far. memory[0] is the phase."""
    memory[0] = (memory[0] + percept.timestep_s / params[1]) % 1.0
    bend = 0.5 * params[0] * (1.0 - cos(2.0 * pi * memory[0]))
    left, right = percept.roles[FEET[0]], percept.roles[FEET[1]]
    ahead = percept.com_w[0] - 0.5 * (percept.segment_com_w[left, 0] + percept.segment_com_w[right, 0])
    for leg in range(2):
        knee = percept.axes[LEGS[leg, 1]]
        for j in range(3):
            axis = percept.axes[LEGS[leg, j]]
            target = bend if axis == knee else 0.5 * percept.joint_q[knee]
            torque[axis] = percept.gains[axis, 0] * (target - percept.joint_q[axis])
            damping[axis] = percept.gains[axis, 1]
        torque[percept.axes[LEGS[leg, 2]]] -= params[2] * ahead + params[3] * percept.com_vel_w[0]


def build(character: Character) -> Controller:
    """Return the controller for a character that has the joints."""
    for name in NAMES[0] + NAMES[1]:
        character.axis_index(name)
    params = np.array([value for value, _, _ in SPEC.values()])
    parameters = tuple(Parameter(name, k, low, high) for k, (name, (_, low, high)) in enumerate(SPEC.items()))
    return Controller("squat", squat_law, params, np.zeros(1), parameters, mirror_memory=np.copy)
