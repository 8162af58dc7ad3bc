"""Observation of a character: one flat vector, with a name and a unit for each of its numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from poise.characters.model import Character
from poise.constants import STRIKE_LOAD_N
from poise.kernels.rotation import heading_rad
from poise.world.world import World

FloatArray = NDArray[np.float64]

_PLANAR = ("root_height_m", "root_pitch_rad", "vel_x_mps", "vel_z_mps", "pitch_rate_radps")
_FREE = (
    "root_height_m", "root_pitch_rad", "root_roll_rad", "vel_forward_mps", "vel_left_mps", "vel_up_mps",
    "roll_rate_radps", "pitch_rate_radps", "yaw_rate_radps",
)  # fmt: skip
#: Bounds of an observation by unit: far beyond a body's range, and finite, as learning libraries prefer.
_BOUNDS = {"_mps": 100.0, "_radps": 1000.0, "_m": 1000.0, "_rad": 100.0, "_down": 1.0}


def observation_bounds(character: Character) -> FloatArray:
    """Largest absolute value of each number in an observation; larger ones are clamped."""
    names = observation_names(character)
    return np.array([next(b for unit, b in _BOUNDS.items() if n.endswith(unit)) for n in names])


def observation_names(character: Character) -> tuple[str, ...]:
    """Names of the numbers in an observation, in order."""
    root = _FREE if character.root == "free" else _PLANAR
    angles, speeds = (f"{a}_rad" for a in character.axis_names), (f"{a}_radps" for a in character.axis_names)
    return (*root, *angles, *speeds, "left_foot_down", "right_foot_down")


def observe(world: World) -> FloatArray:
    """Current state of the first character. A free body's velocities are in the heading frame, its rates in its own."""
    character, percept = world.characters[0], world.percepts[0]
    q, v = percept.root_q, percept.root_v
    if character.root == "free":
        ground = world.terrain.height_m(float(q[0]), float(q[1]))
        pitch, roll = lean_rad(q[3:7])
        root = [q[2] - ground, pitch, roll, *to_heading(v[:3], float(heading_rad(q[3:7]))), *v[3:6]]
    else:
        root = [q[1] - world.terrain.height_m(float(q[0]), 0.0), q[2], *v]
    return np.array([*root, *percept.joint_q, *percept.joint_v, *feet_down(world)])


def lean_rad(quat_wxyz: FloatArray) -> tuple[float, float]:
    """Forward and rightward lean of a body: the direction of its up axis in the heading frame."""
    w, x, y, z = (float(c) for c in quat_wxyz)
    up = np.array([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)])
    forward, left, high = to_heading(up, float(heading_rad(quat_wxyz)))
    return math.atan2(forward, high), math.atan2(-left, math.hypot(forward, high))


def to_heading(vector_w: FloatArray, heading: float) -> FloatArray:
    """A world vector in the heading frame: forward, left, up."""
    c, s = math.cos(heading), math.sin(heading)
    return np.array([c * vector_w[0] + s * vector_w[1], -s * vector_w[0] + c * vector_w[1], vector_w[2]])


def feet_down(world: World) -> tuple[float, float]:
    """1 for each foot, left and right, that carries load, toes included; 0 otherwise."""
    character, load = world.characters[0], world.percepts[0].touch_load
    down = []
    for side in ("left", "right"):
        parts = [character.roles[r] for r in (f"{side}_foot", f"{side}_toes") if r in character.roles]
        carried = sum(float(load[character.segment_names.index(p)]) for p in parts)
        down.append(1.0 if carried > STRIKE_LOAD_N else 0.0)
    return down[0], down[1]
