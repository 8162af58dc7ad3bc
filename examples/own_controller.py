"""Squats: a controller of one's own. Run it with `poise run examples/own_controller.py`."""

from dataclasses import astuple, dataclass
from math import cos, pi

import numpy as np

from poise.characters.model import KNOWN_AXES, ROLES, Character
from poise.kernels.jit import kernel
from poise.world.controller import Controller, Parameter

CHARACTER = "biped7"
LEFT_FOOT = ROLES.index("left_foot")
LEFT, RIGHT = ([KNOWN_AXES.index(f"{s}_{j}_pitch") for j in ("hip", "knee", "ankle")] for s in ("left", "right"))
LEGS = np.array([LEFT, RIGHT])


@dataclass(frozen=True)
class Squat:
    """How deep, how fast, and how hard the ankles work to keep the centre of mass over the feet."""

    knee_rad: float = 1.0
    period_s: float = 2.0
    balance_npm: float = 1000.0
    balance_nspm: float = 500.0


@kernel
def squat_law(percept, params, memory, torque, damping):
    """The knees follow a cosine, hips and ankles bend half as far as the knees have bent; memory[0] is the phase."""
    memory[0] = (memory[0] + percept.clock[1] / params[1]) % 1.0
    bend = 0.5 * params[0] * (1.0 - cos(2.0 * pi * memory[0]))
    ahead = percept.whole[0] - percept.com_w[percept.roles[LEFT_FOOT], 0]
    for leg in range(2):
        knee = percept.axes[LEGS[leg, 1]]
        for j in range(3):
            axis = percept.axes[LEGS[leg, j]]
            target = bend if axis == knee else 0.5 * percept.joint_q[knee]
            torque[axis] = percept.gains[axis, 0] * (target - percept.joint_q[axis])
            damping[axis] = percept.gains[axis, 1]
        torque[percept.axes[LEGS[leg, 2]]] -= params[2] * ahead + params[3] * percept.whole[3]


def build(character: Character) -> Controller:
    """The law with its parameters, for a character."""
    names = (("knee_rad", 0.0, 1.5), ("period_s", 0.3, 20.0), ("balance_npm", 0.0, 1e4), ("balance_nspm", 0.0, 1e4))
    parameters = tuple(Parameter(name, k, low, high) for k, (name, low, high) in enumerate(names))
    params = np.array(astuple(Squat()))
    return Controller("squat", squat_law, params, np.zeros(1), parameters, mirror_memory=np.copy)
